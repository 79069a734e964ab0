// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Coins",
  platforms: [.macOS(.v13)],
  dependencies: [.package(url: "https://github.com/example/tally", from: "0.1.0")],
  targets: [
    .executableTarget(
      name: "Coins",
      dependencies: [
        .product(name: "ReferenceModels", package: "tally"),
        .product(name: "ImageFiles", package: "tally"),
        .product(name: "CountDrawing", package: "tally"),
      ])
  ])
