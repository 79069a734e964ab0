import Foundation
import ImageFiles
import TestSupport
import Testing

@testable import CommandKit
@testable import CountCommands

@Suite("tally evaluate counts")
struct EvaluateCountsTests {
  struct Report: Decodable {
    struct Photo: Decodable {
      let name: String
      let main, count, error, all, found: Int
      let accuracy, allAccuracy: Double
      let objects, allObjects: Score?
      let steps: [Step]?
    }

    struct Score: Decodable, Equatable {
      let right, wrong, missed: Int
      let precision, recall, f1: Double?
    }

    struct Step: Decodable {
      let step: String
      let boxes, found: Int
      let lost: [Int]
    }

    struct Mean: Decodable {
      let photos, exact: Int
      let accuracy, meanAbsoluteError, rootMeanSquaredError, bias: Double
      let precision, recall: Double?
    }

    let photos: [Photo]
    let means: [String: Mean]
  }

  /// A folder with the photo of squares under each of `names`, and `truth.json`.
  private func folder(_ names: [String], truth: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in names {
      try folder.write(name, Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    }
    try folder.write("truth.json", text: truth)
    return folder
  }

  private func evaluate(
    _ folder: TemporaryFolder, _ arguments: String..., set: String = "standard"
  ) async -> CommandRun {
    await tally(
      ["evaluate", "counts", folder.url.path, "--set", set] + Squares.models + arguments)
  }

  private func decoded(_ run: CommandRun) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
  }

  /// The rows of points that the squares' own boxes give: the main kind, then the others.
  private func points() async throws -> (white: [[Double]], yellow: [[Double]]) {
    struct Count: Decodable {
      struct Object: Decodable {
        let box: [Double]
        let main: Bool
      }
      let detections: [Object]
    }
    let count = try JSONDecoder().decode(
      Count.self, from: Data(await Squares.count(Squares.png, "--json").output.utf8))
    func rows(_ objects: [Count.Object]) -> [[Double]] {
      objects.map { [($0.box[0] + $0.box[2]) / 2, ($0.box[1] + $0.box[3]) / 2, 4] }
    }
    return (rows(count.detections.filter(\.main)), rows(count.detections.filter { !$0.main }))
  }

  private func pointsFile(
    _ folder: TemporaryFolder, _ kinds: [String: [[Double]]], width: Int = 128
  ) throws -> String {
    let photo: [String: Any] = ["width": width, "height": 128, "kinds": kinds]
    return try folder.write(
      "points.json", JSONSerialization.data(withJSONObject: ["a.png": photo]))
  }

  @Test("Counts are compared with the totals, and the means are those of the sets")
  func totals() async throws {
    let folder = try folder(
      ["a.png", "b.png", "c.png"],
      truth: """
        {"a.png": {"main": 12, "all": 17}, "b.png": {"main": 16, "all": 16, "is": "squares"},
         "c.png": {"main": 13, "all": 13, "plus_or_minus": 1}}
        """)
    let run = await evaluate(folder, "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
    let report = try decoded(run)
    #expect(report.photos.map(\.name) == ["a.png", "b.png", "c.png"])
    #expect(report.photos.map(\.count) == [12, 12, 12])
    #expect(report.photos.map(\.error) == [0, -4, -1])
    #expect(report.photos.map(\.accuracy) == [1, 0.75, 1], "the truth's own doubt counts as exact")
    #expect(report.photos[0].allAccuracy == 1)
    #expect(report.photos.allSatisfy { $0.objects == nil && $0.steps == nil })
    let oneKind = try #require(report.means["oneKind"])
    #expect(oneKind.photos == 2 && oneKind.exact == 1)
    #expect(oneKind.accuracy == 0.875)
    #expect(oneKind.meanAbsoluteError == 2.5 && oneKind.bias == -2.5)
    #expect(report.means["mixedMain"]?.accuracy == 1)
    #expect(report.means["main"]?.photos == 3)
    #expect(report.means["all"]?.photos == 3)
  }

  @Test("With points, what was counted is right for the right reason, or not")
  func pointsKnown() async throws {
    let (white, yellow) = try await points()
    #expect(white.count == 12 && yellow.count == 5)
    let folder = try folder(["a.png"], truth: #"{"a.png": {"main": 12, "all": 17}}"#)
    let file = try pointsFile(folder, ["white": white, "yellow": yellow])
    let photo = try decoded(await evaluate(folder, "--json", "--points", file)).photos[0]
    #expect(photo.objects?.right == 12 && photo.objects?.wrong == 0)
    #expect(photo.allObjects?.f1 == 1)
    #expect(photo.steps?.last?.step == "kind")
    #expect(photo.steps?.allSatisfy { $0.lost.isEmpty } == true)

    // One of the marks lies where there is nothing: the total is right by accident.
    var moved = white
    moved[3] = [2, 2, 2]
    let other = try pointsFile(folder, ["white": moved, "yellow": yellow])
    let wrong = try decoded(await evaluate(folder, "--json", "--points", other)).photos[0]
    #expect(wrong.accuracy == 1)
    #expect(wrong.objects?.right == 11 && wrong.objects?.wrong == 1 && wrong.objects?.missed == 1)
    #expect(wrong.steps?.first?.step == "detected")
    #expect(wrong.steps?.first?.lost.count == 1)
  }

  @Test("Objects that a filter drops are lost at its step")
  func losses() async throws {
    let (white, yellow) = try await points()
    let folder = try folder(["a.png"], truth: #"{"a.png": {"main": 12, "all": 17}}"#)
    let file = try pointsFile(folder, ["white": white, "yellow": yellow])
    let run = await evaluate(folder, "--json", "--points", file, "--aspect-range", "2:3")
    let photo = try decoded(run).photos[0]
    #expect(photo.count == 0 && photo.accuracy == 0)
    let lost = photo.steps?.first { !$0.lost.isEmpty }
    #expect(lost?.step == "aspect" && lost?.lost.count == 12)
    let adaptive = await evaluate(folder, "--json", "--points", file, set: "adaptive")
    #expect(adaptive.code == .success, "\(adaptive.errors)")
    #expect(try decoded(adaptive).photos[0].steps?.first?.step == "detected")
  }

  @Test("Boxes in truth.json do as points do, where all objects are of one kind")
  func boxes() async throws {
    let (white, yellow) = try await points()
    let rows = (white + yellow).map { [$0[0] - 4, $0[1] - 4, $0[0] + 4, $0[1] + 4] }
    let folder = try folder(["a.png"], truth: "{}")
    func write(main: Int) throws {
      try folder.write(
        "truth.json",
        JSONSerialization.data(
          withJSONObject: ["a.png": ["main": main, "all": 17, "boxes": rows] as [String: Any]]))
    }
    try write(main: 17)
    let one = try decoded(await evaluate(folder, "--json", "--minimum-iou", "0.3")).photos[0]
    #expect(one.objects?.right == 12 && one.objects?.missed == 5)
    #expect(one.steps?.last?.lost.count == 5)
    try write(main: 12)
    let mixed = try decoded(await evaluate(folder, "--json", "--minimum-iou", "0.3")).photos[0]
    #expect(mixed.objects == nil && mixed.allObjects?.right == 17)
    #expect(mixed.steps?.last?.step == "merged")
  }

  @Test("People get three tables")
  func text() async throws {
    let (white, yellow) = try await points()
    let folder = try folder(
      ["a.png", "b.png"],
      truth: #"{"a.png": {"main": 12, "all": 17}, "b.png": {"main": 10, "all": 10}}"#)
    let file = try pointsFile(folder, ["white": white, "yellow": yellow])
    let run = await evaluate(folder, "--points", file)
    #expect(
      run.output == """
        photo  main  count  error  accuracy  all  found  accuracy  precision  recall
        a.png    12     12      0     1.000   17     17     1.000      1.000   1.000
        b.png    10     12     +2     0.800   10     17     0.300          -       -

        mean                     photos  accuracy   exact   MAE  RMSE  bias  precision  recall
        one-kind photos               1     0.800  0 of 1  2.00  2.00  2.00          -       -
        mixed photos, main kind       1     1.000  1 of 1  0.00  0.00  0.00      1.000   1.000
        all photos, main kind         2     0.900  1 of 2  1.00  1.41  1.00      1.000   1.000
        all photos, all objects       2     0.650  1 of 2  3.50  4.95  3.50      1.000   1.000

        lost at  objects  detected  size  aspect  area  embedded  merged  kind  left
        a.png         12         -     -       -     -         -       -     -    12

        """)
  }

  @Test("The sheet shows every photo, in the format that its name ends in")
  func sheet() async throws {
    let folder = try folder(
      ["a.png", "b.png"],
      truth: #"{"a.png": {"main": 12, "all": 17}, "b.png": {"main": 10, "all": 10}}"#)
    for name in ["sheet.png", "sheet.jpg"] {
      let run = await evaluate(folder, "--sheet", folder.path(name))
      #expect(run.code == .success, "\(run.errors)")
      let sheet = try ImageFile.load(contentsOf: URL(fileURLWithPath: folder.path(name)))
      #expect(sheet.width == 2 * 488 + 8 && sheet.height == 488 + 8)
    }
    let over = await evaluate(folder, "--sheet", folder.path("a.png"))
    #expect(over.failed(.usage) && over.errors.contains("overwrite"))
    #expect(await evaluate(folder, "--sheet", folder.path("a.gif")).failed(.usage))
  }

  @Test("A photo that cannot be read has its error line, and the others are evaluated")
  func oneBad() async throws {
    let folder = try folder(
      ["b.png"], truth: #"{"a.png": {"main": 1, "all": 1}, "b.png": {"main": 12, "all": 17}}"#)
    let run = await evaluate(folder, "--json")
    #expect(run.code == .noInput)
    #expect(run.errorLines.count == 1 && run.errors.contains("a.png"))
    #expect(try decoded(run).photos.map(\.name) == ["b.png"])
    let none = try self.folder([], truth: #"{"a.png": {"main": 1, "all": 1}}"#)
    #expect(await evaluate(none).failed(.noInput))
  }

  @Test(
    "Truth that makes no sense is bad data, and the line says what is wrong",
    arguments: [
      ("", "is not JSON"), ("[]", "wrong type"), ("{}", "names no photo"),
      (#"{"a.png": {"main": 1}}"#, #""a.png" has no "all""#),
      (#"{"a.png": {"main": -1, "all": 1}}"#, "0 <= main <= all"),
      (#"{"a.png": {"main": 2, "all": 1}}"#, "0 <= main <= all"),
      (#"{"a.png": {"main": 1.5, "all": 2}}"#, "a number that is not whole"),
      (#"{"a.png": {"main": 1e99, "all": 2}}"#, "a number that is not whole"),
      (#"{"a.png": {"main": "1", "all": 2}}"#, "wrong type"),
      (#"{"a.png": {"main": 1, "all": 1, "plus_or_minus": -1}}"#, "at least 0"),
      (#"{"a.png": {"main": 1, "all": 1, "boxes": []}}"#, "0 boxes where all is 1"),
      (#"{"a.png": {"main": 1, "all": 1, "boxes": [[1, 2, 3]]}}"#, "four numbers"),
      (#"{"a.png": {"main": 1, "all": 1, "boxes": [[1, 2, 3, 1e99]]}}"#, "four numbers"),
      (#"{"": {"main": 1, "all": 1}}"#, "has no name"),
    ])
  func badTruth(text: String, message: String) async throws {
    let run = await evaluate(try folder(["a.png"], truth: text))
    #expect(run.failed(.badData), "\(run)")
    #expect(run.errors.contains("truth.json: ") && run.errors.contains(message), "\(run.errors)")
  }

  @Test(
    "Points that make no sense, or contradict the totals, are bad data",
    arguments: [
      ("{", "is not JSON"),
      (#"{"a.png": {"width": 128, "height": 128}}"#, "has no \"kinds\""),
      (#"{"a.png": {"width": 128, "height": 128, "kinds": {"k": [[1, 2]]}}}"#, "three numbers"),
      (#"{"a.png": {"width": 128, "height": 128, "kinds": {"k": [[1, 2, -1]]}}}"#, "three numbers"),
      (#"{"a.png": {"width": 128, "height": 128, "kinds": {}}}"#, "0 points where"),
      (
        #"{"a.png": {"width": 128, "height": 128, "kinds": {"k": [[1, 2, 1]], "l": [[5, 5, 1]]}}}"#,
        "the largest kind has 1 points where truth.json has 2"
      ),
      (
        #"{"a.png": {"width": 127, "height": 128, "kinds": {"k": [[1, 2, 1], [5, 5, 1]]}}}"#,
        "marked on 127 x 128"
      ),
    ])
  func badPoints(text: String, message: String) async throws {
    let folder = try folder(["a.png"], truth: #"{"a.png": {"main": 2, "all": 2}}"#)
    let file = try folder.write("points.json", text: text)
    let run = await evaluate(folder, "--points", file)
    #expect(run.failed(.badData), "\(run)")
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test("What is not there is no input, and options are those of a count")
  func options() async throws {
    let folder = try folder(["a.png"], truth: #"{"a.png": {"main": 12, "all": 17}}"#)
    #expect(await tally("evaluate", "counts", "/none").failed(.noInput))
    #expect(await tally("evaluate", "counts", Squares.png).failed(.noInput))
    #expect(await evaluate(folder, "--points", "/none.json").failed(.noInput))
    #expect(await evaluate(folder, "--confidence", "2").failed(.usage))
    #expect(await evaluate(folder, "--like", "1,1,5,5").failed(.usage))
    #expect(await evaluate(folder, "--minimum-iou", "nan").failed(.usage))
    let bare = try TemporaryFolder()
    #expect(await evaluate(bare).failed(.noInput))
    let names = Set(EvaluateCountsCommand.specification.options.map(\.name))
    let others = Set(
      [
        "overlay", "thumbnail", "like", "unlike", "region", "report", "labels", "correction",
        "save", "history", "template", "templates", "label-format", "label-kinds", "crops",
        "verbose", "help-all",
      ]
        + BatchOptions.all.map(\.name) + CountPlots.options.map(\.name))
    for option in CountCommand.specification.options where !others.contains(option.name) {
      #expect(names.contains(option.name))
    }
  }

  @Test("The project's points agree with the photos' totals")
  func projectPoints() throws {
    guard let file = try Requirements.shared("photos/count/truth.json") else { return }
    let folder = file.deletingLastPathComponent()
    let points = Folders.package.appendingPathComponent("Fixtures/Truth/count_points.json")
    let truth = try TruthFolder([folder.path], points: points.path, minimumIoU: 0.5)
    #expect(truth.photos.count == 15)
    for photo in truth.photos {
      #expect(photo.allObjects?.count == photo.all)
      #expect(photo.mainObjects?.count == photo.main)
    }
  }
}
