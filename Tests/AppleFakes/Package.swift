// swift-tools-version: 6.0
import PackageDescription

// Runs the code of AppleVision on Linux, against modules that have the names of Apple's and do what
// its tests say. They do not prove what Apple's own do. A package of its own, so that no other module
// can import them.

/// A module of Tally, which `Sources` links to.
func module(_ name: String, _ wing: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/\(wing)/\(name)")
}

/// A module in place of one of Apple's.
func fake(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Fakes/\(name)",
    swiftSettings: [.swiftLanguageMode(.v5)])
}

let package = Package(
  name: "Tally",
  targets: [
    module("_CLibrary", "Numerics"),
    module("Geometry", "Algorithms", ["_CLibrary"]),
    module("YOLOXDecode", "Algorithms", ["_CLibrary", "Geometry"]),
    module("DetectionDecode", "Algorithms", ["_CLibrary", "Geometry"]),
    module("VisionProtocols", "Seams", ["Geometry"]),
    module("Raster", "Imaging", ["Geometry"]),
    module("_RasterSeams", "Reference", ["Raster", "VisionProtocols"]),
    fake("FakeCoreFoundation"),
    fake("CoreGraphics", ["FakeCoreFoundation"]),
    fake("CoreVideo", ["FakeCoreFoundation"]),
    fake("ImageIO", ["CoreGraphics"]),
    fake("CoreML", ["CoreVideo"]),
    fake("Vision", ["CoreML", "ImageIO"]),
    module(
      "AppleVision", "Reference",
      [
        "CoreGraphics", "CoreML", "CoreVideo", "DetectionDecode", "Geometry", "ImageIO", "Raster",
        "Vision", "VisionProtocols", "YOLOXDecode", "_RasterSeams",
      ]),
    .testTarget(
      name: "AdapterTests", dependencies: ["AppleVision"],
      // Testing has a module for each pair of it and one of Apple's, which is not there.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
  ],
  swiftLanguageModes: [.v6])
