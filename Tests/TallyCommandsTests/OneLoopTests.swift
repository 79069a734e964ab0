import Foundation
import TestSupport
import Testing

@testable import CommandKit

/// What is the same for every command that looks at photos.
@Suite("One loop over photos for all commands")
struct OneLoopTests {
  /// A command with the models it needs, the smallest there are.
  struct Case: CustomTestStringConvertible, Sendable {
    let words: [String]
    let photo: String
    var testDescription: String { words[0] }
  }

  private static let classifier = ClassifyCommandTests.model("classifier_softmax")
  static let cases = [
    Case(words: ["count", "--set", "standard"] + Squares.models, photo: Squares.png),
    Case(words: ["detect", "--detector", Squares.detector], photo: Squares.png),
    Case(words: ["embed", "--embedder", Squares.embedder], photo: Squares.png),
    Case(words: ["classify", "--model", classifier], photo: ClassifyCommandTests.photo),
    Case(words: ["barcode"], photo: TourTests.picture("cover")),
    Case(words: ["spines"], photo: TourTests.picture("shelf")),
    Case(words: ["recognize"], photo: TourTests.picture("cover")),
  ]

  /// A folder with the case's photo under several names.
  private func folder(_ item: Case, _ names: [String] = ["a", "b"]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let ending = (item.photo as NSString).pathExtension
    for name in names {
      try FileManager.default.copyItem(
        atPath: item.photo, toPath: folder.path("\(name).\(ending)"))
    }
    return folder
  }

  /// Lines without the times that recognizing tells.
  private func timeless(_ text: String) -> String {
    text.replacingOccurrences(
      of: "\"seconds\":[0-9.e-]+", with: "\"seconds\":0", options: .regularExpression)
  }

  @Test("A folder, a pattern, a list and names one by one give the same", arguments: cases)
  func naming(item: Case) async throws {
    let folder = try folder(item)
    let ending = (item.photo as NSString).pathExtension
    let (a, b) = (folder.path("a.\(ending)"), folder.path("b.\(ending)"))
    let named = await tally(item.words + [a, b, a, "--json"])
    #expect(named.code == .success && named.outputLines.count == 2, "\(named)")
    for operand in [folder.url.path, folder.path("?.\(ending)"), "-"] {
      let run = await tally(
        item.words + [operand, "--json", "--jobs", "2"], input: Array("\(a)\n\(b)\n".utf8))
      #expect(timeless(run.output) == timeless(named.output), "\(operand): \(run)")
    }
  }

  @Test("An image may come on standard input", arguments: cases)
  func standardInput(item: Case) async throws {
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: item.photo)))
    let run = await tally(item.words + ["-", "--json"], input: bytes)
    let file = await tally(item.words + [item.photo, "--json"])
    #expect(run.code == .success, "\(run)")
    let name = try #require(try file.json()["image"] as? String)
    #expect(
      timeless(run.output)
        == timeless(file.output).replacingOccurrences(of: "\"\(name)\"", with: "\"-\""))
    let cut = await tally(item.words + ["-", "--json"], input: Array(bytes.prefix(100)))
    #expect(cut.code == .badData && cut.errorLines.count == 1, "\(cut)")
  }

  @Test("Results are appended, kept and gone on with", arguments: cases)
  func results(item: Case) async throws {
    let folder = try folder(item, ["a", "b", "c"])
    for ending in ["jsonl", "csv"] {
      let file = folder.path("results.\(ending)")
      let run = await tally(item.words + [folder.url.path, "--results", file])
      #expect(run.code == .success && run.output == "\(file): 3 photos\n", "\(run)")
      let whole = try String(contentsOfFile: file, encoding: .utf8)
      // The last photo's lines are lost, as if the machine had stopped.
      let lines = whole.components(separatedBy: "\n")
      let last = try #require(lines.firstIndex { $0.contains("/c.") })
      try Data(lines[..<last].map { $0 + "\n" }.joined().utf8).write(
        to: URL(fileURLWithPath: file))
      let again = await tally(item.words + [folder.url.path, "--results", file])
      #expect(again.code == .success, "\(again)")
      #expect(try timeless(String(contentsOfFile: file, encoding: .utf8)) == timeless(whole))
    }
  }

  @Test("Results of another command are not gone on with")
  func otherResults() async throws {
    let folder = try SomePhotos.folder(["a.png"])
    let file = folder.path("r.jsonl")
    let options = [folder.url.path, "--results", file]
    #expect(await tally(["barcode"] + options).code == .success)
    let run = await tally(["spines"] + options)
    #expect(run.failed(.badData) && run.errors.contains("command"), "\(run)")
    let detect = ["detect", "--detector", Squares.detector]
    let found = folder.path("d.jsonl")
    #expect(await tally(detect + [folder.url.path, "--results", found]).code == .success)
    let others = await tally(
      detect + [folder.url.path, "--results", found, "--confidence", "0.9"])
    #expect(others.failed(.badData) && others.errors.contains("confidence"), "\(others)")
  }

  @Test(
    "CSV has the same number of fields in each record, and a record for a photo that fails",
    arguments: cases)
  func csv(item: Case) async throws {
    let folder = try folder(item)
    try folder.write("z.png", text: "no photo")
    let run = await tally(item.words + [folder.url.path, "--format", "csv"])
    #expect(run.code == .badData && run.errorLines.count == 1, "\(run)")
    let records = try run.records()
    let titles = try #require(records.first)
    #expect(Array(titles.prefix(3)) == ["image", "width", "height"])
    #expect(Array(titles.suffix(2)) == ["error", "code"])
    #expect(records.count >= 4 && records.allSatisfy { $0.count == titles.count })
    #expect(records.last?.last == "65" && records.last?.first == folder.path("z.png"))
    let table = await tally(item.words + [folder.url.path, "--format", "table"])
    #expect(table.outputLines.count >= 4, "\(table)")
  }

  @Test("What is neither an image nor a list is one error, and an address is not fetched")
  func noPhotos() async throws {
    for bytes in [
      Array("%PDF-1.4\n1 0 obj\n".utf8), [1, 2, 3, 10, 4, 5], [0x7F, 0x45, 0x4C, 0x46, 0],
    ] {
      let run = await tally(["barcode", "-"], input: bytes)
      #expect(run.code == .badData && run.errorLines.count == 1, "\(run)")
    }
    let address = await tally("barcode", "https://example.org/a.jpg")
    #expect(address.code == .noInput && address.errors.contains("no photos are fetched"))
  }

  @Test("--at-least ends with a code of its own if a photo has fewer")
  func atLeast() async throws {
    let cover = TourTests.picture("cover")
    #expect(await tally("barcode", cover, "--at-least", "1").code == .success)
    let none = await tally("barcode", Squares.png, cover, "--at-least", "1")
    #expect(none.code == .tooFew && none.errors.isEmpty && !none.output.isEmpty, "\(none)")
    #expect(await Squares.count(Squares.png, "--at-least", "12").code == .success)
    #expect(await Squares.count(Squares.png, "--at-least", "13").code == .tooFew)
    #expect(await tally("spines", Squares.png, "--at-least", "1").code == .tooFew)
    // A photo that fails is worse.
    let failed = await tally("barcode", Squares.png, "/none.png", "--at-least", "1")
    #expect(failed.code == .noInput)
  }

  @Test("Overlays of folders in folders are told apart by {folder} and {path}")
  func placeholders() async throws {
    let folder = try SomePhotos.folder(["in/100/a.png", "in/101/a.png"])
    let photos = folder.path("in")
    let clash = await tally(
      "barcode", photos, "--recursive", "--overlay", folder.path("out") + "/")
    #expect(clash.failed(.usage) && clash.errors.contains("{path}"), "\(clash)")
    let run = await tally(
      "barcode", photos, "--recursive", "--overlay", folder.path("out") + "/{folder}/{name}.png")
    #expect(run.code == .success, "\(run)")
    #expect(try folder.names(in: "out") == ["100", "101"])
    #expect(try folder.names(in: "out/100") == ["a.png"])
    let deep = await tally(
      "spines", photos, "-r", "-o", folder.path("deep") + "/{path}.jpg")
    #expect(deep.code == .success, "\(deep)")
    let below = String(photos.dropFirst())
    #expect(folder.has("deep/\(below)/100/a.jpg") && folder.has("deep/\(below)/101/a.jpg"))
  }
}
