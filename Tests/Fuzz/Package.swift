// swift-tools-version: 6.0
import PackageDescription

// Fuzz targets, built by `Tests/Fuzz/run`; a package of its own, so that nothing of it is in a normal
// build. A program has several targets if they need the same modules.

/// Products of the package that is fuzzed.
func tally(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "Tally") }
}

let package = Package(
  name: "TallyFuzz",
  dependencies: [.package(name: "Tally", path: "../..")],
  targets: [
    .target(name: "FuzzSupport"),
    .target(name: "ModelTrial", dependencies: tally("ONNXRunner")),
    .executableTarget(name: "fuzz-loader", dependencies: ["ModelTrial"]),
    .executableTarget(
      name: "fuzz-graph", dependencies: ["FuzzSupport", "ModelTrial"] + tally("ONNXRunner")),
    .executableTarget(
      name: "fuzz-text", dependencies: ["FuzzSupport"] + tally("ISBN", "DateExtraction")),
    .executableTarget(
      name: "fuzz-stores",
      dependencies: ["FuzzSupport"]
        + tally("CountHistory", "ModelStore", "SimilarityIndex", "Telemetry")),
    .executableTarget(
      name: "fuzz-images", dependencies: ["FuzzSupport"] + tally("ImageFiles", "Raster")),
    .executableTarget(
      name: "fuzz-pixels",
      dependencies: ["FuzzSupport"]
        + tally(
          "Barcodes", "Geometry", "LineSegments", "Raster", "RectangleDetection", "Rectification",
          "EANDecoding", "SpineDetection", "SpineHeuristics", "TextDecode")),
    .executableTarget(
      name: "fuzz-counts",
      dependencies: ["FuzzSupport"]
        + tally(
          "Annotations", "Clustering", "CountReport", "Counting", "DetectionDecode", "Geometry",
          "NMS", "VisionProtocols", "Raster", "YOLOXDecode")),
    // The commands are a product only where `run` sets TALLY_FUZZ_COMMANDS.
    .executableTarget(
      name: "fuzz-documents",
      dependencies: ["FuzzSupport"]
        + tally(
          "CountReport", "CountSettings", "CountTemplates", "Counting", "FuzzedCommands",
          "ReferenceModels")),
  ],
  swiftLanguageModes: [.v6])
