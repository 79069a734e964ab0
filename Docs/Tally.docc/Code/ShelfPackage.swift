// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Shelf",
  platforms: [.macOS(.v13)],
  dependencies: [.package(url: "https://github.com/example/tally", .upToNextMinor(from: "0.9.0"))],
  targets: [
    .executableTarget(
      name: "Shelf",
      dependencies: [
        .product(name: "ShelfReading", package: "tally"),
        .product(name: "ReferenceModels", package: "tally"),
        .product(name: "ImageFiles", package: "tally"),
        .product(name: "Barcodes", package: "tally"),
      ])
  ])
