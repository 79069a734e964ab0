import CountSettings
import Counting
import Foundation
import Geometry
import TestSupport
import Testing

@testable import CommandKit
@testable import CountCommands

@Suite("tally tune")
struct TuneCommandTests {
  /// A folder with the photo of squares under several names, and `truth.json`.
  private func folder(_ entries: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let names = entries.indices.map { "p\($0).png" }
    for name in names {
      try folder.write(name, Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    }
    let members = zip(names, entries).map { "\"\($0)\": \($1)" }
    try folder.write("truth.json", text: "{\(members.joined(separator: ", "))}")
    return folder
  }

  private func tune(_ folder: TemporaryFolder, _ arguments: String...) async -> CommandRun {
    await tally(["tune", folder.url.path, "--tiles", "1"] + arguments + Squares.models)
  }

  private func count(_ options: [String]) async throws -> Int {
    let json = try await tally(["count", Squares.png, "--json"] + options + Squares.models).json()
    return try #require(json["count"] as? Int)
  }

  @Test("A gain that photos left out confirm is written, and --config counts by it")
  func gain() async throws {
    // All squares are one kind here, which thresholds of kinds can say and the default does not.
    let folder = try folder(Array(repeating: #"{"main": 17, "all": 17}"#, count: 5))
    #expect(try await count(["--tiles", "1"]) == 12)
    let file = folder.path("mine.json")
    let run = await tune(folder, "--output", file)
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(
      run.output.hasPrefix(
        "photo   main  before  accuracy  after  accuracy\np0.png    17      12     0.706     17     1.000\n"
      ))
    #expect(run.output.contains("\nadaptive.leastKindDistance       0   0.75\n"), "\(run.output)")
    #expect(run.output.contains("The mean rises from 0.706 to 1.000 on a photo"), "\(run.output)")
    // Where lines end hangs on how long the folder's name is.
    let words = run.output.replacingOccurrences(of: "\n", with: " ")
    #expect(words.contains("with --config \(file)"))
    // The file has what was not tuned too, if it is not what a count without options has.
    #expect(try await count(["--config", file]) == 17)
    let settings = try CountingSettings(json: Data(contentsOf: URL(fileURLWithPath: file)))
    #expect(settings.names.count >= 6)

    let again = await tune(folder, "--output", file)
    #expect(again.failed(.inputOutput) && again.errors.contains("--replace"), "\(again)")
    let replaced = await tune(folder, "--output", file, "--replace", "--json")
    #expect(replaced.code == .success)
    let json = try replaced.json()
    #expect(json["confirmed"] as? Bool == true)
    #expect(json["file"] as? String == file)
    #expect((json["photos"] as? [Any])?.count == 5)
    #expect(try #require(json["after"] as? Double) > #require(json["before"] as? Double))
  }

  @Test("Where nothing is gained, nothing is written, and that is said")
  func nothing() async throws {
    let right = try await count(["--tiles", "1"])
    let folder = try folder(
      Array(repeating: #"{"main": \#(right), "all": \#(right)}"#, count: 4))
    let run = await tune(folder, "--output", folder.path("mine.json"), "--force")
    #expect(run.code == .success, "\(run)")
    #expect(run.output.contains("Nothing is gained"), "\(run.output)")
    #expect(run.output.hasSuffix("Nothing is written.\n"))
    #expect(!folder.has("mine.json"))
  }

  @Test("Too few photos are not trusted, unless somebody insists")
  func few() async throws {
    let folder = try folder(Array(repeating: #"{"main": 17, "all": 17}"#, count: 2))
    let file = folder.path("mine.json")
    let run = await tune(folder, "--output", file)
    #expect(run.output.contains("2 photos are too few to trust"), "\(run.output)")
    #expect(run.output.contains("--force"))
    #expect(!folder.has("mine.json"))
    let forced = await tune(folder, "--output", file, "--force")
    #expect(forced.code == .success && folder.has("mine.json"), "\(forced)")
    let one = try self.folder([#"{"main": 17, "all": 17}"#])
    let alone = await tune(one)
    #expect(alone.code == .success && alone.output.contains("1 photo is too few"), "\(alone)")
    #expect(alone.output.contains("not confirmed"))
  }

  @Test("Boxes count for half where they are known")
  func boxes() async throws {
    let options = ["--tiles", "1"] + Squares.models
    let json = try await tally(["count", Squares.png, "--json"] + options).json()
    let boxes = try #require(json["detections"] as? [[String: Any]])
      .compactMap { $0["box"] as? [Double] }
    let entry = #"{"main": \#(boxes.count), "all": \#(boxes.count), "boxes": \#(boxes)}"#
    let folder = try folder(Array(repeating: entry, count: 4))
    let run = await tune(folder)
    #expect(run.code == .success, "\(run)")
    #expect(run.output.contains("F1 before  F1 after"), "\(run.output)")
  }

  @Test(
    "What cannot be tuned is refused",
    arguments: [
      (["--replace"], ExitCode.usage, "--replace is about --output"),
      (["--output", "mine.txt"], .usage, "must end in .json"),
      (["--set", "standard"], .usage, "tuning is for the adaptive set"),
      (["--like", "1,2,3,4"], .usage, "unknown option"),
      (["--similarity", "0.7"], .usage, "unknown option"),
    ])
  func refused(arguments: [String], code: ExitCode, message: String) async throws {
    let folder = try folder([#"{"main": 1, "all": 1}"#])
    let run = await tally(["tune", folder.url.path] + arguments + Squares.models)
    #expect(run.failed(code), "\(run)")
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test("A photo that is not there, and a folder without truth, end it")
  func missing() async throws {
    let folder = try folder([#"{"main": 1, "all": 1}"#])
    try folder.write("truth.json", text: #"{"none.png": {"main": 1, "all": 1}}"#)
    #expect(await tune(folder).failed(.noInput))
    #expect(await tally("tune", try TemporaryFolder().url.path).failed(.noInput))
  }

  @Test("A progress line is shown to a watcher and erased")
  func progress() async throws {
    let folder = try folder([#"{"main": 12, "all": 17}"#])
    let run = await tally(["tune", folder.url.path] + Squares.models, isWatched: true)
    #expect(run.errors.contains("round 1, confidence, photo 1 of 1"))
    #expect(run.errors.hasSuffix("\r"))
  }
}

@Suite("Searching for thresholds")
struct ThresholdSearchTests {
  private let basis = CountingConfiguration.adaptive.suitedToBundledModels()

  @Test("Each photo is left out once, and asked about once for each configuration")
  func leaveOneOut() async throws {
    // Three photos want no cut by size, and the last one wants it.
    var asked: [[CountingConfiguration: Int]] = Array(repeating: [:], count: 4)
    let outcome = try await ThresholdSearch(basis: basis, photoCount: 4).run { photo, variant in
      asked[photo][variant, default: 0] += 1
      let isOff = variant.adaptive?.sizeFactor == nil
      return photo == 3 ? (isOff ? 0.4 : 0.9) : (isOff ? 0.9 : 0.3)
    }
    #expect(asked.allSatisfy { $0.values.allSatisfy { $0 == 1 } })
    #expect(asked.allSatisfy { $0.count == asked[0].count })
    // 0.325 more without the cut, with a standard error of 0.275.
    #expect(outcome.configuration.adaptive?.sizeFactor == nil)
    #expect(outcome.withoutPhoto[3].adaptive?.sizeFactor == nil)
    // Without one of the three it is 0.233 with an error of 0.367, and then nothing is changed.
    for photo in 0..<3 { #expect(outcome.withoutPhoto[photo] == basis) }
  }

  @Test("What makes no clear difference stays as it is")
  func noDifference() async throws {
    let outcome = try await ThresholdSearch(basis: basis, photoCount: 5).run { _, variant in
      variant == basis ? 0.5 : 0.5015
    }
    #expect(outcome.configuration == basis)
    #expect(outcome.withoutPhoto == Array(repeating: basis, count: 5))
  }

  @Test("Two thresholds that help together are found, one after the other")
  func together() async throws {
    let outcome = try await ThresholdSearch(basis: basis, photoCount: 4).run { _, variant in
      let adaptive = variant.adaptive ?? AdaptiveConfiguration()
      return (adaptive.leastSilhouette == 0.6 ? 0.3 : 0) + (adaptive.scoreShare == 0.2 ? 0.3 : 0)
    }
    #expect(outcome.configuration.adaptive?.leastSilhouette == 0.6)
    #expect(outcome.configuration.adaptive?.scoreShare == 0.2)
    #expect(outcome.configuration.confidence == basis.confidence)
  }

  @Test("Every value that is tried is one that a count takes")
  func valid() throws {
    for basis in [basis, .adaptive] {
      for threshold in TunedThreshold.all(around: basis) {
        let variants = threshold.variants(basis)
        #expect(variants.first == basis && variants.count > 3, "\(threshold.name)")
        for variant in variants { try variant.validate() }
        #expect(Set(variants).count == variants.count)
        #expect(SettingsField.all.contains { $0.name == threshold.name })
      }
    }
  }

  @Test("A piece of a piece is the same part of the photo")
  func pieces() throws {
    let folder = try squares()
    let truth = try #require(
      try TruthFolder([folder.url.path], points: nil, minimumIoU: 0.5).photos.first)
    let photo = try TunedPhoto(truth)
    photo.release()
    let whole = try #require(PhotoPiece(photo))
    let outer = try #require(PixelRect(x: 10, y: 20, width: 60, height: 50))
    let inner = try #require(PixelRect(x: 5, y: 7, width: 30, height: 20))
    let both = try #require(PixelRect(x: 15, y: 27, width: 30, height: 20))
    let piece = try #require(whole.cropped(to: outer)?.cropped(to: inner))
    #expect(piece == whole.cropped(to: both))
    #expect(try piece.pixels() == photo.pixels().cropped(to: both))
    let beyond = try #require(PixelRect(x: 31, y: 0, width: 30, height: 20))
    #expect(piece.cropped(to: beyond) == nil)
  }

  private func squares() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("p.png", Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    try folder.write("truth.json", text: #"{"p.png": {"main": 12, "all": 17}}"#)
    return folder
  }
}
