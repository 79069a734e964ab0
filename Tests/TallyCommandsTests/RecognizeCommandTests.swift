import DateExtraction
import Foundation
import ImageFiles
import Raster
import TestSupport
import Testing

@testable import CommandKit
@testable import TallyCommands

@Suite("tally recognize")
struct RecognizeCommandTests {
  private let folder: TemporaryFolder
  private let models: String
  /// White paper with a red block, which the tiny networks read.
  private let paper: String
  /// A book's back cover, with its barcode.
  private let cover = TourTests.picture("cover")

  init() throws {
    folder = try TemporaryFolder()
    models = try TinyTextModels.write(in: folder)
    paper = try TinyTextModels.photo(in: folder)
  }

  /// What became of a step, by its name.
  private func outcomes(_ object: [String: Any]) throws -> [String: String] {
    let steps = try #require(object["steps"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: steps.compactMap { step in
        guard let name = step["step"] as? String, let outcome = step["outcome"] as? String else {
          return nil
        }
        return (name, outcome)
      })
  }

  @Test("A barcode is the answer, also without any model")
  func barcode() async throws {
    let run = await tally(["recognize", cover, "--json"], environment: [:])
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let object = try run.json()
    #expect(
      Set(object.keys) == [
        "image", "width", "height", "recognized", "method", "confidence", "object", "reasons",
        "advice", "steps", "seconds", "meanLuma", "objectShare",
      ])
    #expect(object["recognized"] as? Bool == true)
    #expect(object["method"] as? String == "barcode")
    let code = try #require(object["object"] as? [String: Any])
    #expect(code["payload"] as? String == "9780306406157")
    #expect(code["isbn13"] as? String == "9780306406157")
    #expect(try outcomes(object)["barcode"] == "won")
    #expect(try outcomes(object)["classification"] == nil)
  }

  @Test("Text is the answer where there is nothing else")
  func text() async throws {
    let run = await tally(
      "recognize", paper, "--models", models, "--minimum-text", "0", "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let object = try run.json()
    #expect(object["method"] as? String == "text")
    let lines = try #require(
      (object["object"] as? [String: Any])?["lines"] as? [[String: Any]])
    #expect(lines.map { $0["text"] as? String } == ["r"])
    #expect(try outcomes(object) == ["barcode": "nothing", "text": "won"])
  }

  @Test("The overlay has the outlines of what was seen, and the caption says what it is")
  func overlay() async throws {
    let run = await tally(
      "recognize", cover, paper, "--models", models, "--minimum-text", "0", "--overlay",
      folder.path("o") + "/{name}.png")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    for photo in [cover, paper] {
      let before = try ImageFile.load(contentsOf: URL(fileURLWithPath: photo))
      let name = ((photo as NSString).lastPathComponent as NSString).deletingPathExtension
      let drawn = try ImageFile.load(
        contentsOf: URL(fileURLWithPath: folder.path("o/\(name).png")))
      #expect(drawn != before && drawn.width % before.width == 0, "\(name)")
    }
  }

  @Test("Nothing recognized is no failure, and says what may help")
  func nothing() async throws {
    let blank = folder.path("blank.png")
    try ImageFile.write(
      Raster(width: 200, height: 100, channels: 3, fill: 128), to: URL(fileURLWithPath: blank))
    let run = await tally("recognize", blank, "--models", models, "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let object = try run.json()
    #expect(object["recognized"] as? Bool == false)
    #expect(object["object"] is NSNull && object["method"] is NSNull)
    #expect(object["reasons"] as? [String] == ["unrecognized"])
    #expect((object["advice"] as? String)?.isEmpty == false)
    let bright = folder.path("bright.png")
    try ImageFile.write(
      Raster(width: 200, height: 100, channels: 3, fill: 255), to: URL(fileURLWithPath: bright))
    let words = await tally("recognize", bright, "--models", models)
    #expect(words.output.hasPrefix("\(bright): not recognized\n  The picture is too dark or too "))
  }

  @Test("Without models of text it says what fetches them")
  func missing() async throws {
    let store = ["TALLY_MODEL_STORE": folder.path("store")]
    let run = await tally(["recognize", paper, "--json"], environment: store)
    #expect(run.code == .success, "\(run)")
    #expect(try outcomes(try run.json())["text"] == "modelNotLoaded")
    #expect(try (run.json()["reasons"] as? [String])?.contains("modelNotLoaded") == true)
    let words = await tally(["recognize", paper], environment: store)
    #expect(words.output.contains("'tally models fetch pp-ocrv4-det"))
    // But a folder that is named must have them.
    let named = await tally("recognize", paper, "--models", folder.path("nowhere"))
    #expect(named.failed(.noInput), "\(named)")
  }

  @Test("A classifier that is sure is the answer before text, and an unsure one is not")
  func classifier() async throws {
    let photo = ClassifyCommandTests.photo
    let options = ["--classifier", ClassifyCommandTests.model("classifier_softmax")]
    let sure = await tally(["recognize", photo, "--minimum-class", "0", "--json"] + options)
    #expect(sure.code == .success && sure.errors.isEmpty, "\(sure)")
    #expect(try sure.json()["method"] as? String == "classification")
    let kind = try #require(try sure.json()["object"] as? [String: Any])
    #expect(Set(kind.keys) == ["label", "index", "confidence", "alternatives"])
    #expect((kind["alternatives"] as? [Any])?.count == 3)
    let unsure = await tally(["recognize", photo, "--minimum-class", "1", "--json"] + options)
    #expect(try outcomes(try unsure.json())["classification"] == "unsure")
  }

  @Test("A known object is the answer if it is alike enough")
  func likeness() async throws {
    let things = try LibraryCommandTests.Things()
    #expect(await things.add("red", "green").code == .success)
    let options = ["--library", things.library] + things.embedder
    let run = await tally(["recognize", things.photo("red"), "--json"] + options)
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(try run.json()["method"] as? String == "likeness")
    let match = try #require(try run.json()["object"] as? [String: Any])
    #expect(match["name"] as? String == "red")
    let strict = await tally(
      ["recognize", things.photo("blue"), "--minimum-cosine", "1", "--json"] + options)
    #expect(try outcomes(try strict.json())["likeness"] == "unsure")
  }

  @Test("A step without time is given up, and the answer says so")
  func budget() async throws {
    // A millisecond is too little for any photo of this size.
    let run = await tally(
      "recognize", cover, "--models", models, "--budget", "0.001", "--json")
    #expect(run.code == .success, "\(run)")
    let object = try run.json()
    #expect(object["recognized"] as? Bool == false)
    #expect((object["reasons"] as? [String])?.first == "timedOut")
  }

  @Test("The middle alone is looked at where that is asked for")
  func center() async throws {
    // The cover's barcode lies below the middle half.
    let run = await tally(["recognize", cover, "--center", "--json"], environment: [:])
    #expect(try run.json()["recognized"] as? Bool == false, "\(run)")
  }

  @Test("Several photos end with what came of all")
  func several() async {
    let run = await tally(
      ["recognize", cover, folder.path("none.jpg"), paper], environment: [:])
    #expect(run.code == .noInput)
    #expect(run.errorLines.count == 1)
    #expect(
      run.outputLines.last?.hasPrefix("2 photos, 1 recognized (50 %), mean confidence ") == true)
  }

  @Test("Options about what is not given, and out of range, are usage errors")
  func usage() async {
    for options in [
      ["--labels", "l.txt"], ["--minimum-class", "0.5"], ["--minimum-cosine", "0.5"],
      ["--embedder", Squares.embedder], ["--preset", "unit"], ["--budget", "0"],
      ["--budget", "nan"], ["--minimum-text", "2"], ["--dates", "sideways"], ["--library", ""],
    ] {
      #expect(await tally(["recognize", cover] + options).failed(.usage), "\(options)")
    }
    #expect(await tally("recognize").failed(.usage))
  }

  @Test("A library or classifier that is none is an error before any photo is looked at")
  func wrong() async throws {
    #expect(await tally("recognize", cover, "--library", folder.path("no")).failed(.noInput))
    #expect(await tally("recognize", cover, "--classifier", folder.path("no")).failed(.noInput))
    #expect(await tally("recognize", cover, "--classifier", cover).failed(.badData))
    #expect(await tally("recognize", cover, "--library", folder.url.path).code != .success)
  }

  @Test("Dates follow what is asked for, or else the locale")
  func dates() throws {
    for (words, environment, expected) in [
      ([], [:], DateOrder.monthFirst), ([], ["LANG": "de_DE.UTF-8"], .dayFirst),
      ([], ["LANG": "en_US.UTF-8", "LC_TIME": "sv_SE"], .yearFirst),
      ([], ["LC_ALL": "", "LANG": "en_GB.UTF-8"], .dayFirst),
      (["--dates", "year-first"], ["LANG": "de_DE.UTF-8"], .yearFirst),
      (["--dates", "month-first"], ["LANG": "de_DE.UTF-8"], .monthFirst),
    ] as [([String], [String: String], DateOrder)] {
      let parser = ArgumentParser(specification: RecognizeCommand.specification)
      let console = Console(
        output: MemorySink(), errors: MemorySink(), input: MemorySource([]), isWatched: false,
        environment: environment)
      let order = RecognizeCommand.dateOrder(try parser.parse(["a.jpg"] + words), console)
      #expect(order == expected, "\(words) \(environment)")
    }
  }
}
