import Evaluation
import Foundation
import ImageFiles
import TestSupport
import Testing

/// Folders with the photo of squares, and what `tally evaluate counts` says of them.
struct TrueSquares {
  struct Report: Decodable {
    struct Mistake: Decodable, Equatable {
      let `is`: String
      let box: [Double]?
      let object: Int?
    }

    struct Score: Decodable, Equatable {
      let right, wrong, missed: Int
    }

    struct Exemplar: Decodable, Equatable {
      let drawn: [Double]
    }

    struct Photo: Decodable {
      let name: String
      let count: Int
      let accuracy: Double
      let domain: String?
      let objects: Score?
      let mistakes: [Mistake]?
      let exemplars: [Exemplar]?
      let holdsTruth: Bool?
    }

    struct Group: Decodable {
      let name: String
      let photos: Int
      let accuracy, allAccuracy: Double
      let precision: Double?
    }

    struct Exemplars: Decodable {
      let number, seed, photos, boxes, silentOnes, counting, claims, phantoms: Int
      let drawn: String
      let leftOut: [String]
    }

    struct Boxes: Decodable, Equatable {
      let photos: Int
      let averagePrecision50: Double
    }

    let photos: [Photo]
    let folders, domains: [Group]?
    let boxes: Boxes?
    let mistakes: [String: Int]?
    let exemplars: Exemplars?
  }

  /// The boxes that a count finds: the 12 white squares, then the 5 yellow ones.
  static func boxes() async throws -> (white: [[Double]], yellow: [[Double]]) {
    struct Count: Decodable {
      struct Object: Decodable {
        let box: [Double]
        let main: Bool
      }
      let detections: [Object]
    }
    let count = try JSONDecoder().decode(
      Count.self, from: Data(await Squares.count(Squares.png, "--json").output.utf8))
    return (
      count.detections.filter(\.main).map(\.box), count.detections.filter { !$0.main }.map(\.box)
    )
  }

  /// Rows of `truth.json`, each with its kind.
  static func rows(_ kinds: [(String, [[Double]])]) -> [[Any]] {
    kinds.flatMap { kind, boxes in boxes.map { $0 as [Any] + [kind] } }
  }

  /// Writes the photo under each name of `truth`, and `truth.json`.
  static func write(_ truth: [String: [String: Any]], to folder: TemporaryFolder) throws {
    for name in truth.keys {
      try folder.write(name, Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    }
    try folder.write("truth.json", JSONSerialization.data(withJSONObject: truth))
  }

  static func evaluate(
    _ folders: [TemporaryFolder], _ arguments: String..., set: String = "standard"
  ) async -> CommandRun {
    await tally(
      ["evaluate", "counts"] + folders.map(\.url.path) + ["--set", set] + Squares.models
        + arguments)
  }

  static func decoded(_ run: CommandRun) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
  }
}

@Suite("tally evaluate counts: boxes with kinds, folders and domains")
struct EvaluateMistakesTests {
  @Test("Boxes with kinds tell the main kind's objects, and right counts have no mistakes")
  func kinds() async throws {
    let (white, yellow) = try await TrueSquares.boxes()
    let folder = try TemporaryFolder()
    try TrueSquares.write(
      [
        "a.png": [
          "main": 12, "all": 17, "domain": "squares", "kind": "white",
          "boxes": TrueSquares.rows([("yellow", yellow), ("white", white)]),
        ]
      ], to: folder)
    let report = try TrueSquares.decoded(await TrueSquares.evaluate([folder], "--json"))
    let photo = report.photos[0]
    #expect(photo.objects == TrueSquares.Report.Score(right: 12, wrong: 0, missed: 0))
    #expect(photo.mistakes == [] && report.mistakes?.values.reduce(0, +) == 0)
    #expect(photo.domain == "squares" && report.domains?.map(\.name) == ["squares"])
    #expect(report.domains?[0].precision == 1 && report.folders == nil)
    #expect(report.boxes == TrueSquares.Report.Boxes(photos: 1, averagePrecision50: 1))
  }

  @Test("Boxes are ranked over the photos that have some: 17 of 20 found, none wrong, is 86 of 101")
  func rankedBoxes() async throws {
    let (white, yellow) = try await TrueSquares.boxes()
    let boxes = white + yellow + (0..<3).map { [Double($0), 0, Double($0) + 0.5, 0.5] }
    let folder = try TemporaryFolder()
    try TrueSquares.write(
      ["a.png": ["main": 20, "all": 20, "boxes": boxes], "b.png": ["main": 12, "all": 17]],
      to: folder)
    let figures = try #require(
      TrueSquares.decoded(await TrueSquares.evaluate([folder], "--json")).boxes)
    #expect(figures.photos == 1 && abs(figures.averagePrecision50 - 86.0 / 101) < 1e-12)
    let text = await TrueSquares.evaluate([folder]).output
    #expect(text.contains("average precision 0.851 at IoU 0.5 (AP50), on 1 photo\n"))
  }

  @Test("Each mistake is named, and the table has their sums")
  func mistakes() async throws {
    let (white, yellow) = try await TrueSquares.boxes()
    // One white square is a part of a larger object, one is two objects, one is none, and one object was
    // not found; one that was found is yellow, so that it went to another kind.
    var boxes = Array(white.dropFirst(3)) + [yellow[0]]
    let (first, second) = (white[0], white[1])
    boxes.append([first[0] - 4, first[1] - 4, first[2] + 4, first[3] + 4])
    let middle = (second[0] + second[2]) / 2
    boxes.append([second[0], second[1], middle - 0.5, (second[1] + second[3]) / 2])
    boxes.append([middle + 0.5, second[1], second[2], (second[1] + second[3]) / 2])
    let folder = try TemporaryFolder()
    let truth: [String: Any] = [
      "main": boxes.count, "all": boxes.count, "boxes": TrueSquares.rows([("thing", boxes)]),
    ]
    try TrueSquares.write(["a.png": truth, "b.png": truth], to: folder)
    let report = try TrueSquares.decoded(await TrueSquares.evaluate([folder], "--json"))
    let found = Dictionary(grouping: report.photos[0].mistakes ?? [], by: \.is).mapValues(\.count)
    #expect(found == ["part": 1, "merged": 1, "nothing": 1, "splitKind": 1, "missed": 3])
    #expect(report.mistakes?["missed"] == 6 && report.mistakes?["duplicate"] == 0)
    let text = await TrueSquares.evaluate([folder]).output
    #expect(
      text.contains(
        """
        mistakes  part  merged  duplicate  loose  on nothing  missed  split kind  mixed kind
        a.png        1       1          -      -           1       3           1           -
        """))
    #expect(text.contains("together     2       2"))
  }

  @Test("Several folders have names before those of photos, and means of their own")
  func folders() async throws {
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    try TrueSquares.write(["a.png": ["main": 12, "all": 17, "domain": "x"]], to: first)
    try TrueSquares.write(
      ["a.png": ["main": 16, "all": 17, "domain": "y"], "b.png": ["main": 12, "all": 17]],
      to: second)
    let report = try TrueSquares.decoded(await TrueSquares.evaluate([first, second], "--json"))
    #expect(report.photos.map(\.name) == ["a.png", "a.png", "b.png"])
    #expect(report.folders?.map(\.photos).sorted() == [1, 2])
    #expect(report.domains?.map(\.accuracy) == [1, 0.75])
    let text = await TrueSquares.evaluate([first, second]).output
    #expect(text.contains("\(first.url.lastPathComponent)/a.png"))
    #expect(text.contains("mean of 2 domains"))
  }

  @Test(
    "Kinds that make no sense are bad data",
    arguments: [
      (#"[[1, 2, 3, 4, "a"], [1, 2, 3, 4]]"#, "box 1 has no kind"),
      (#"[[1, 2, 3, 4, "a"], [1, 2, 3, 4, "b"]]"#, "1 boxes are of the kind"),
      (#"[[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]"#, "four numbers"),
      (#"[["a", 2, 3, 4], [1, 2, 3, 4]]"#, "wrong type"),
    ])
  func badKinds(boxes: String, message: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("truth.json", text: #"{"a.png": {"main": 2, "all": 2, "boxes": \#(boxes)}}"#)
    let run = await TrueSquares.evaluate([folder])
    #expect(run.failed(.badData) && run.errors.contains(message), "\(run)")
  }

  @Test("Failures are drawn and listed, with the photo or without")
  func failures() async throws {
    let folder = try TemporaryFolder()
    try TrueSquares.write(
      ["a.png": ["main": 12, "all": 17], "b.png": ["main": 4, "all": 4]], to: folder)
    let out = try TemporaryFolder()
    let run = await TrueSquares.evaluate([folder], "--failures", out.path("new"))
    #expect(run.code == .success, "\(run.errors)")
    let list = try String(contentsOfFile: out.path("new/failures.md"), encoding: .utf8)
    #expect(list.contains("![b.png](b.png)") && list.contains("12 counted of 4"))
    #expect(!FileManager.default.fileExists(atPath: out.path("new/a.png")))
    func picture(_ name: String) throws -> [UInt8] {
      let image = try ImageFile.load(contentsOf: URL(fileURLWithPath: out.path(name)))
      #expect(image.width == 480 && image.height == 480)
      return image.samples
    }
    let drawn = try picture("new/b.png")
    _ = await TrueSquares.evaluate([folder], "--failures", out.path("new"), "--schematic")
    #expect(try picture("new/b.png") != drawn)
    let same = await TrueSquares.evaluate([folder], "--failures", folder.url.path)
    #expect(same.failed(.usage) && same.errors.contains("folder of photos"))
  }
}
