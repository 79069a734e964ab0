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

// The products that have an example here; .ci/consumer names all, and adds programs of one line for the others.
let examples = [
  "Stats", "Geometry", "Clustering", "NMS", "ISBN", "DateExtraction", "YOLOXDecode", "TextDecode",
  "SpineHeuristics", "Tracking", "Evaluation", "ABTesting", "Telemetry",
]
let products = Context.environment["TALLY_PRODUCTS"]?.split { $0.isWhitespace }.map(String.init)

let package = Package(
  name: "Consumer",
  dependencies: [tally],
  targets: [.target(name: "Support")] + (products ?? examples).map(consumer(of:)),
  swiftLanguageModes: [.v6]
)
