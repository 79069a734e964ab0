// swift-tools-version: 6.0
import PackageDescription

// Stands for an app whose own modules have names that many packages have. If Tally has a module of the same
// name among those that the app links, that one gets another name in the app.

let own = [
  "BenchmarkSupport", "Experiments", "Geometry", "Matching", "Perception", "ScanLines", "Stats",
  "TestSupport",
]
let version = Version(Context.environment["TALLY_GIT_TAG"] ?? "0.0.0") ?? "0.0.0"

let package = Package(
  name: "CommonNames",
  dependencies: [
    .package(url: Context.environment["TALLY_GIT_URL"] ?? "", exact: version)
  ],
  targets: own.map { .target(name: $0, path: "Sources/own/\($0)") } + [
    .executableTarget(
      name: "app",
      dependencies: own.map { .target(name: $0) } + [
        .product(
          name: "Tracking", package: "tally",
          moduleAliases: ["Geometry": "TallyGeometry", "Stats": "TallyStats"]),
        .product(
          name: "VisionProtocols", package: "tally", moduleAliases: ["Geometry": "TallyGeometry"]),
      ])
  ],
  swiftLanguageModes: [.v6]
)
