// swift-tools-version: 6.0
import PackageDescription

// Stands for someone else's package: each executable links one single product of Tally.
// By default Tally is the checkout around this folder; with TALLY_GIT_URL and TALLY_GIT_TAG set it is
// that tag of that repository, as an app would depend on it.

let tally: Package.Dependency
if let url = Context.environment["TALLY_GIT_URL"], let tag = Context.environment["TALLY_GIT_TAG"],
  let version = Version(tag)
{
  tally = .package(url: url, exact: version)
} else {
  tally = .package(name: "tally", path: "../..")
}

/// An executable named after the one product it links.
func consumer(of product: String) -> Target {
  .executableTarget(
    name: "uses-\(product)",
    dependencies: ["Support", .product(name: product, package: "tally")],
    path: "Sources/\(product)")
}

let package = Package(
  name: "Consumer",
  dependencies: [tally],
  targets: [
    .target(name: "Support"),
    consumer(of: "Stats"),
    consumer(of: "Geometry"),
    consumer(of: "Clustering"),
    consumer(of: "NMS"),
    consumer(of: "ISBN"),
    consumer(of: "DateExtraction"),
    consumer(of: "YOLOXDecode"),
    consumer(of: "TextDecode"),
    consumer(of: "SpineHeuristics"),
    consumer(of: "Tracking"),
    consumer(of: "Evaluation"),
    consumer(of: "ABTesting"),
    consumer(of: "Telemetry"),
  ],
  swiftLanguageModes: [.v6]
)
