// swift-tools-version: 6.0
import PackageDescription

// Fuzz targets for the ONNX runner, built by `Tests/Fuzz/run`; a package of its own, so that nothing of it
// is in a normal build.
let package = Package(
  name: "TallyFuzz",
  dependencies: [.package(name: "Tally", path: "../..")],
  targets: [
    .target(name: "FuzzSupport", dependencies: [.product(name: "ONNXRunner", package: "Tally")]),
    .executableTarget(name: "fuzz-loader", dependencies: ["FuzzSupport"]),
    .executableTarget(
      name: "fuzz-graph",
      dependencies: ["FuzzSupport", .product(name: "ONNXRunner", package: "Tally")]),
  ],
  swiftLanguageModes: [.v6])
