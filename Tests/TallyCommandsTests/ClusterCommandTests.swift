import Foundation
import NumPyFiles
import TestSupport
import Testing

@testable import CommandKit

@Suite("tally cluster")
struct ClusterCommandTests {
  struct Answer: Decodable, Sendable, CustomTestStringConvertible {
    let linkage: String
    let option: String
    let value: Double
    let labels: [Int]

    var testDescription: String { "\(linkage) \(option)" }
  }

  static let rows = Folders.goldens.appendingPathComponent("TallyCommands/rows.npy").path
  static func answers() throws -> [Answer] {
    try Folders.golden("TallyCommands/labels.json")
  }

  @Test("Labels are scikit-learn's", arguments: try answers())
  func labels(answer: Answer) async throws {
    let run = await tally(
      "cluster", Self.rows, "--\(answer.option)", NumberText.of(answer.value), "--linkage",
      answer.linkage, "--json")
    #expect(run.code == .success && run.errors.isEmpty)
    let labels = answer.labels.map(String.init).joined(separator: ",")
    let count = Set(answer.labels).count
    #expect(run.output == #"{"labels":[\#(labels)],"clusters":\#(count)}"# + "\n")
  }

  @Test("Any number type will do, and people get lines")
  func text() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.npy")
    for elements in [
      NumPyElements.int8([1, 0, 0, 1, 2, 0]), .float64([1, 0, 0, 1, 2, 0]),
      .float16([0x3C00, 0, 0, 0x3C00, 0x4000, 0]),
    ] {
      try NumPyArray(shape: [3, 2], elements: elements).write(to: URL(fileURLWithPath: path))
      let run = await tally("cluster", path, "--distance", "0.1")
      #expect(
        run.output == """
          3 rows in 2 clusters; rows count from 0
            cluster 0 (2)  0, 2
            cluster 1 (1)  1

          """)
    }
  }

  @Test("No rows are no clusters, one row is one")
  func few() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.npy")
    try NumPyArray([], shape: [0, 3]).write(to: URL(fileURLWithPath: path))
    #expect(
      await tally("cluster", path, "--distance", "0.1", "--json").output
        == #"{"labels":[],"clusters":0}"# + "\n")
    try NumPyArray([1, 2], shape: [1, 2]).write(to: URL(fileURLWithPath: path))
    #expect(
      await tally("cluster", path, "--clusters", "1", "--json").output
        == #"{"labels":[0],"clusters":1}"# + "\n")
  }

  @Test(
    "Rows without a direction are bad data",
    arguments: [Float.nan, .infinity, -.infinity, 0], ["average", "complete", "single"])
  func badRows(value: Float, linkage: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.npy")
    let zero: Float = 0
    try NumPyArray([1, 2, value, zero, 3, 4], shape: [3, 2]).write(
      to: URL(fileURLWithPath: path))
    let run = await tally("cluster", path, "--similarity", "0.8", "--linkage", linkage)
    #expect(run.failed(.badData), "\(run)")
    #expect(run.errors.contains("\(path): embedding 1 "))
  }

  @Test("Shapes that are no rows are bad data", arguments: [[6], [1, 2, 3], []])
  func shapes(shape: [Int]) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.npy")
    try NumPyArray(
      [Float](repeating: 1, count: shape.reduce(1, *)), shape: shape
    ).write(to: URL(fileURLWithPath: path))
    let run = await tally("cluster", path, "--similarity", "0.8")
    #expect(run.failed(.badData), "\(run)")
    #expect(run.errors.contains("it must have two axes"))
  }

  @Test("Files that are no arrays are bad data, and none is no input")
  func files() async throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: URL(fileURLWithPath: Self.rows))
    for (name, data) in [
      ("empty", Data()), ("text", Data("hello\n".utf8)), ("cut", whole.prefix(1000)),
      ("long", whole + [0]), ("magic", whole.prefix(6)),
    ] {
      let path = try folder.write("\(name).npy", data)
      let run = await tally("cluster", path, "--similarity", "0.8")
      #expect(run.failed(.badData), "\(name): \(run)")
      #expect(run.errors.contains(path))
    }
    #expect(await tally("cluster", folder.path("none"), "--clusters", "2").failed(.noInput))
    #expect(await tally("cluster", folder.url.path, "--clusters", "2").failed(.noInput))
  }

  @Test(
    "Where to stop is said once, and in its range",
    arguments: [
      [], ["--similarity", "0.8", "--clusters", "2"], ["--similarity", "1.1"],
      ["--similarity", "nan"], ["--distance", "-0.1"], ["--distance", "2.1"], ["--clusters", "0"],
      ["--clusters", "61"], ["--clusters", "2.5"], ["--clusters", "2", "--linkage", "ward"],
      ["--clusters", "2", "another.npy"],
      ["--similarity", "0.8", "--metric", "euclidean"], ["--clusters", "2", "--metric", "dot"],
      ["--clusters", "2", "--linkage", "ward", "--metric", "cosine"],
    ])
  func options(arguments: [String]) async {
    let run = await tally(["cluster", Self.rows] + arguments)
    #expect(run.failed(.usage), "\(run)")
  }

  @Test(
    "The tree is drawn, of many rows its last groups",
    arguments: ["average", "complete", "single", "weighted", "ward"])
  func dendrogram(linkage: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("tree.svg")
    let run = await tally(
      "cluster", Self.rows, "--clusters", "3", "--linkage", linkage, "--metric",
      "euclidean", "--dendrogram", path)
    #expect(run.code == .success, "\(run)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("<?xml") && text.contains("stroke-dasharray"))
    #expect(text.contains("</svg>"))
  }

  @Test("A drawing has to be a file of a known format in a folder that is there")
  func dendrogramPlaces() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["cluster", Self.rows, "--clusters", "3", "--dendrogram"]
    #expect(await tally(arguments + [folder.path("tree.gif")]).failed(.usage))
    for ending in ["png", "jpg", "pdf", "SVG"] {
      #expect(await tally(arguments + [folder.path("tree.\(ending)")]).code == .success)
    }
    #expect(await tally(arguments + [folder.path("none/tree.pdf")]).failed(.inputOutput))
    #expect(await tally(arguments + [folder.path("none/tree.svg")]).failed(.inputOutput))
    #expect(await tally(arguments + [""]).failed(.usage))
  }
}
