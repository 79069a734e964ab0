// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Coins",
  platforms: [.macOS(.v13)],
  dependencies: [.package(url: "https://github.com/example/tally", .upToNextMinor(from: "0.9.0"))],
  targets: [
    .executableTarget(
      name: "Coins",
      dependencies: [
        .product(name: "ReferenceModels", package: "tally"),
        .product(name: "ImageFiles", package: "tally"),
        .product(name: "CountDrawing", package: "tally"),
      ])
  ])
