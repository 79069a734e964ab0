import CountHistory
import Counting
import Foundation
import TestSupport
import Testing

@testable import CommandKit

/// Names of files, payloads and texts that others chose.
@Suite("Names from elsewhere")
struct ForeignNamesTests {
  /// One name in two spellings, of one letter and of a letter with an accent: two files on Linux.
  static let twins = ["caf\u{E9}.png", "cafe\u{301}.png"]

  private static func bytes(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// The squares under both names, and once more.
  private static func folderOfTwins() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let photo = try Data(contentsOf: URL(fileURLWithPath: Squares.png))
    // Foundation composes names, so that it could not write both.
    for name in twins + ["b.png"] {
      let descriptor = open("\(folder.url.path)/\(name)", O_WRONLY | O_CREAT | O_EXCL, 0o644)
      try #require(descriptor >= 0)
      try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: photo)
    }
    return folder
  }

  @Test(
    "Names that look alike are two photos, in a run that goes on too", arguments: ["jsonl", "csv"])
  func resumedTwins(form: String) async throws {
    let folder = try Self.folderOfTwins()
    let file = folder.path("r.\(form)")
    let first = await Squares.count(folder.url.path, "--results", file)
    #expect(first.code == .success && first.output.contains("3 photos"))
    let whole = try Self.bytes(file)
    let lines = whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for count in 1..<lines.count {
      try folder.write("r.\(form)", lines.prefix(count).joined(separator: [10]) + [10])
      let run = await Squares.count(folder.url.path, "--results", file)
      #expect(run.code == .success && run.output == first.output, "\(run)")
      #expect(try Self.bytes(file) == whole, "after \(count) lines")
    }
  }

  @Test("Names that look alike have a picture each")
  func drawnTwins() async throws {
    let folder = try Self.folderOfTwins()
    let run = await Squares.count(folder.url.path, "--overlay", folder.path("o") + "/{name}.jpg")
    #expect(run.code == .success, "\(run)")
  }

  @Test("Names that look alike have crops of their own")
  func cutTwins() async throws {
    let folder = try Self.folderOfTwins()
    let run = await Squares.count(folder.url.path, "--crops", folder.path("c"))
    #expect(run.code == .success, "\(run)")
    let listed = try #require(opendir(folder.path("c")))
    defer { closedir(listed) }
    var count = 0
    while let entry = readdir(listed) {
      count += entry.pointee.d_name.0 == CChar(UInt8(ascii: ".")) ? 0 : 1
    }
    #expect(count == 3 * 12)
  }

  @Test("A frame whose name is not UTF-8 is refused by name, and never another in its place")
  func frames() async throws {
    let folder = try TemporaryFolder()
    let photo = try Data(contentsOf: URL(fileURLWithPath: Squares.png))
    try folder.write("i\u{FFFD}.png", [UInt8](photo))
    let foreign = Array("\(folder.url.path)/i".utf8) + [0xFF] + Array(".png".utf8) + [0]
    let descriptor = foreign.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        $0.baseAddress.map { open($0, O_WRONLY | O_CREAT | O_EXCL, 0o644) } ?? -1
      }
    }
    try #require(descriptor >= 0)
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: photo)
    let run = await tally("frames", folder.url.path)
    #expect(run.failed(.noInput) && run.errors.contains("i\\xFF.png"), "\(run)")
  }

  @Test("Payloads of barcodes are compared by their bytes, and a truth names a photo once")
  func evaluatedPayloads() async throws {
    let folder = try TemporaryFolder()
    let (one, other) = ("caf\u{E9}", "cafe\u{301}")
    let truth = try folder.write("t.jsonl", text: "{\"image\":\"a\",\"payloads\":[\"\(one)\"]}\n")
    let read = try folder.write("r.jsonl", text: "{\"image\":\"a\",\"payloads\":[\"\(other)\"]}\n")
    let run = await tally(
      "evaluate", "barcodes", "--predictions", read, "--truth", truth, "--json")
    #expect(try run.json()["right"] as? Int == 0, "\(run)")
    for name in [one, other, "b"] {
      let entry = "{\"main\":1,\"all\":1}"
      try folder.write("truth.json", text: "{\"\(one)\":\(entry),\"\(name)\":\(entry)}")
      let counts = await tally("evaluate", "counts", folder.url.path)
      #expect(
        counts.errors.contains("twice") == (name != "b") && counts.code != .success, "\(counts)")
    }
  }

  @Test("Names that look alike are two images of an evaluation")
  func evaluatedTwins() async throws {
    let folder = try TemporaryFolder()
    let lines = Self.twins.map {
      "{\"image\": \"\($0)\", \"boxes\": [{\"box\": [0, 0, 9, 9], \"score\": 1}]}"
    }
    let boxes = try folder.write("boxes.jsonl", text: lines.joined(separator: "\n"))
    let run = await tally("evaluate", "--truth", boxes, "--predictions", boxes, "--json")
    #expect(run.code == .success, "\(run)")
  }

  @Test("Bytes that are not UTF-8 are shown, and do not pass for another file")
  func bytes() {
    let broken = FoundPath(bytes: Array("a".utf8) + [0xFF] + Array(".png".utf8))
    #expect(broken.text == "a\\xFF.png" && !broken.isText)
    #expect(FoundPath("a\u{FFFD}.png").isText)
    #expect(FoundPath("\u{E9}") != FoundPath("e\u{301}"))
  }

  @Test("No name leads out of where files go", arguments: ["...png", "x/...png", "..jpg"])
  func climbing(input: String) throws {
    let pattern = try OutputPattern(
      "o/{name}/x.png", option: "overlay", extensions: ["png"], inputs: [input])
    #expect(!pattern.paths[0].components(separatedBy: "/").contains(".."), "\(pattern.paths)")
    #expect(!pattern.paths[0].components(separatedBy: "/").contains("."), "\(pattern.paths)")
  }

  @Test("Characters that are not seen are escapes in text and JSON; joiners stay")
  func hidden() throws {
    for scalar in ["\u{9B}", "\u{7F}", "\u{61C}", "\u{200B}", "\u{202E}", "\u{FEFF}", "\u{E0041}"] {
      let shown = PrintableText.of("a\(scalar)b")
      #expect(shown.utf8.count == shown.unicodeScalars.count && shown.contains("\\u{"), "\(shown)")
      let json = JSONText.string("a\(scalar)b").text
      #expect(json.utf8.count == json.unicodeScalars.count, "\(json)")
      let read = try JSONSerialization.jsonObject(with: Data("[\(json)]".utf8)) as? [String]
      #expect(read?.first.map { Array($0.utf8) } == Array("a\(scalar)b".utf8))
    }
    let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} \u{645}\u{6CC}\u{200C}\u{62E}"
    #expect(PrintableText.of(family) == family)
    #expect(JSONText.string(family).text == "\"\(family)\"")
  }

  @Test("No table has a formula, or a character that acts on a terminal")
  func tables() async throws {
    #expect(CSVText.fileName("=1+1.png") == "./=1+1.png")
    #expect(CSVText.fileName("a\u{1B}[31m\u{9B}b\n.png") == "a\\u{1b}[31m\\u{9b}b\n.png")
    let store = try TemporaryFolder()
    let file = HistoryFile(URL(fileURLWithPath: store.path("h.sqlite")))
    try await file.add(
      HistoryEntry(
        time: Date(timeIntervalSince1970: 0), count: 1, imageName: "=cmd|x!A0.png",
        thresholds: CountingConfiguration.standard, thumbnail: nil))
    let table = await tally("history", "export", "--history", store.path("h.sqlite"))
    #expect(table.output.contains(",\"./=cmd|x!A0.png\","), "\(table)")
    let points = try IndexedPoints()
    let payloads = try points.folder.write("p", text: "=cmd|x!A0\n-1+2\nplain\n'quoted")
    let vectors = try points.write("v.npy", [1, 0, 0, 1, 1, 1, 0, 0.5], [4, 2])
    let build = await tally(
      "index", "build", points.index, "--vectors", vectors, "--payloads", payloads, "--metric",
      "euclidean")
    #expect(build.code == .success, "\(build)")
    let index = await tally("index", "export", points.index, "--format", "csv")
    let fields = index.outputLines.dropFirst().map { $0.components(separatedBy: ",")[1] }
    #expect(fields == ["'=cmd|x!A0", "'-1+2", "plain", "'quoted"], "\(index)")
  }

  @Test(
    "Names of classes are no formulas in CSV, and have no bytes of 0 with which a run could not go on"
  )
  func classes() async throws {
    let folder = try TemporaryFolder()
    let names = try folder.write("names.json", text: #"["=cmd\u0000", "b"]"#)
    let detect = ["detect", Squares.png, "--detector", Squares.detector, "--names", names]
    let records = try await tally(detect + ["--format", "csv"]).records()
    #expect(records.count > 1 && records.dropFirst().allSatisfy { $0[5] == #"'=cmd\u{0}"# })
    for _ in 0..<2 {
      let run = await tally(detect + ["--results", folder.path("r.csv")])
      #expect(run.code == .success, "\(run)")
    }
  }
}
