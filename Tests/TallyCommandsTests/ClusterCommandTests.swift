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

  // MARK: Other methods

  struct MethodAnswer: Decodable, Sendable, CustomTestStringConvertible {
    let options: [String]
    /// -1 for noise.
    let labels: [Int]
    let clusters: Int
    let coreSamples: [Int]?
    let probabilities: [Double]?
    let inertia: Double?
    let iterations: Int?
    /// Whether each row has the next as its only neighbours, by which it may be merged.
    let alongChain: Bool?

    var testDescription: String { options.joined(separator: " ") }
  }

  static func methodAnswers() throws -> [MethodAnswer] {
    try Folders.golden("TallyCommands/methods.json")
  }

  /// The labels and other members of a run's JSON.
  private func found(_ run: CommandRun) throws -> (labels: [Int], members: [String: Any]) {
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let value = try run.json()
    return (value["labels"] as? [Int] ?? [], value)
  }

  @Test("Labels of DBSCAN, HDBSCAN and k-means are scikit-learn's", arguments: try methodAnswers())
  func methods(golden: MethodAnswer) async throws {
    let folder = try TemporaryFolder()
    let graph = folder.path("graph.npy")
    try NumPyArray((0..<59).flatMap { [Float($0), Float($0 + 1)] }, shape: [59, 2])
      .write(to: URL(fileURLWithPath: graph))
    let along = golden.alongChain == true ? ["--connectivity", graph] : []
    let run = await tally(["cluster", Self.rows, "--json"] + golden.options + along)
    let (labels, members) = try found(run)
    #expect(labels == golden.labels)
    #expect(members["clusters"] as? Int == golden.clusters)
    if let samples = golden.coreSamples { #expect(members["coreSamples"] as? [Int] == samples) }
    if let expected = golden.probabilities {
      let probabilities = try #require(members["probabilities"] as? [Double])
      #expect(zip(probabilities, expected).allSatisfy { abs($0 - $1) < 1e-12 })
      #expect(probabilities.count == expected.count)
    }
    if let expected = golden.inertia {
      let inertia = try #require(members["inertia"] as? Double)
      #expect(abs(inertia - expected) <= 1e-9 * expected)
      #expect(members["iterations"] as? Int == golden.iterations)
    }
  }

  @Test("A graph that is not pairs of rows is bad data, and names its file")
  func graphs() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("graph.npy")
    for (values, shape) in [
      ([0, 60], [1, 2]), ([0, -1], [1, 2]), ([0, 0.5], [1, 2]), ([.nan, 1], [1, 2]),
      ([0, 1, 2], [1, 3]), ([0, 1], [2]),
    ] as [([Float], [Int])] {
      try NumPyArray(values, shape: shape).write(to: URL(fileURLWithPath: path))
      let run = await tally("cluster", Self.rows, "--clusters", "2", "--connectivity", path)
      #expect(run.failed(.badData), "\(values): \(run)")
    }
    let none = await tally(
      "cluster", Self.rows, "--clusters", "2", "--connectivity", folder.path("none"))
    #expect(none.failed(.noInput) && none.errors.contains("none"))
  }

  @Test("People get a line for noise")
  func noise() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.npy")
    try NumPyArray([0, 0.1, 0.2, 9, 20, 20.1], shape: [6, 1])
      .write(to: URL(fileURLWithPath: path))
    let options = ["--method", "dbscan", "--metric", "euclidean", "--min-samples", "2", "--eps"]
    #expect(
      await tally(["cluster", path] + options + ["1"]).output == """
        6 rows in 2 clusters, 1 of them noise; rows count from 0
          cluster 0 (3)  0, 1, 2
          cluster 1 (2)  4, 5
          noise (1)      3

        """)
    #expect(
      await tally(["cluster", path] + options + ["30"]).output.hasPrefix(
        "6 rows in 1 cluster, 0 of them noise;"))
  }

  @Test(
    "An option of another method, and one that is missing, are usage errors",
    arguments: [
      ["dbscan"], ["dbscan", "--eps", "0"], ["dbscan", "--eps", "-1"],
      ["dbscan", "--eps", "1", "--clusters", "2"], ["dbscan", "--eps", "1", "--runs", "2"],
      ["dbscan", "--eps", "1", "--min-samples", "0"], ["hdbscan", "--eps", "1"],
      ["hdbscan", "--min-cluster-size", "1"], ["hdbscan", "--selection", "best"],
      ["hdbscan", "--min-samples", "61"], ["hdbscan", "--similarity", "0.5"],
      ["kmeans"], ["kmeans", "--clusters", "61"], ["kmeans", "--clusters", "2", "--eps", "1"],
      ["kmeans", "--clusters", "2", "--metric", "cosine"],
      ["kmeans", "--clusters", "2", "--linkage", "ward"],
      ["kmeans", "--clusters", "2", "--dendrogram", "a.svg"],
      ["agglomerative", "--clusters", "2", "--seed", "1"], ["agglomerative"], ["k-means"],
    ])
  func methodOptions(arguments: [String]) async {
    let run = await tally(["cluster", Self.rows, "--method"] + arguments)
    #expect(run.failed(.usage), "\(run)")
  }

  @Test(
    "Rows that no method takes are bad data, and no rows are no clusters",
    arguments: [["dbscan", "--eps", "1"], ["hdbscan"], ["kmeans", "--clusters", "1"]])
  func methodRows(method: [String]) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.npy")
    let url = URL(fileURLWithPath: path)
    for value in [Float.nan, .infinity, -.infinity] {
      try NumPyArray([Float](repeating: 1, count: 9) + [value], shape: [5, 2]).write(to: url)
      let run = await tally(["cluster", path, "--method"] + method)
      #expect(run.failed(.badData) && run.errors.contains(path), "\(run)")
    }
    try NumPyArray([Float](repeating: 1, count: 6), shape: [6]).write(to: url)
    #expect(await tally(["cluster", path, "--method"] + method).failed(.badData))
    try NumPyArray([Float](), shape: [0, 3]).write(to: url)
    let run = await tally(["cluster", path, "--json", "--method"] + method)
    if method[0] == "kmeans" {
      #expect(run.failed(.usage), "\(run)")
    } else {
      #expect(run.code == .success && run.output.contains(#""labels":[],"clusters":0"#))
    }
  }
}
