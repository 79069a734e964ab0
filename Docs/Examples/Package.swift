// swift-tools-version: 6.0
import PackageDescription

// Sample programs; a package of its own, so that nothing of it is in a normal build. An app has the
// URL of Tally's repository in place of the path.

/// Products of Tally.
func tally(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "Tally") }
}

let package = Package(
  name: "TallyExamples",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "Tally", path: "../..")],
  targets: [
    .executableTarget(
      name: "ShelfScanner",
      dependencies: tally(
        "Barcodes", "FrameTelemetry", "ImageFiles", "ReferenceModels", "ShelfReading")),
    .executableTarget(
      name: "Counter",
      dependencies: tally(
        "ActivityState", "CountHistory", "CountReport", "ImageFiles", "ReferenceModels")),
  ],
  swiftLanguageModes: [.v6]
)
