import Foundation
import TestSupport
import Testing

@testable import CommandKit

/// Small photos in a folder of a test's own.
enum SomePhotos {
  /// Writes copies of the squares under these names, and answers the folder.
  static func folder(_ names: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let photo = try Data(contentsOf: URL(fileURLWithPath: Squares.png))
    for name in names {
      let url = folder.url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try photo.write(to: url)
    }
    return folder
  }
}

@Suite("Many photos")
struct ManyPhotosTests {
  /// The `image` members of lines of JSON.
  static func images(_ run: CommandRun) throws -> [String?] {
    try run.outputLines.map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])["image"]
        as? String
    }
  }

  // MARK: What is counted

  @Test("A folder's photos are counted in the order of their names' bytes")
  func folder() async throws {
    let folder = try SomePhotos.folder(
      ["b.PNG", "a.jpeg", "é.png", "B.heif", "a/c.png", ".hidden.png", "notes.txt", "z.jpg.txt"])
    let run = await Squares.count(folder.url.path, "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(try Self.images(run) == ["B.heif", "a.jpeg", "b.PNG", "é.png"].map(folder.path))
    let deep = await Squares.count(folder.url.path + "/", "--json", "--recursive")
    #expect(
      try Self.images(deep)
        == ["B.heif", "a.jpeg", "a/c.png", "b.PNG", "é.png"].map(folder.path))
  }

  @Test("A folder without photos is no input, by whatever it is empty")
  func empty() async throws {
    let folder = try SomePhotos.folder(["below/a.png", ".a.png"])
    try folder.write("notes.txt", text: "a.png")
    for operands in [[folder.url.path], [folder.path("below"), folder.url.path]] {
      let run = await tally(["count"] + operands + Squares.models)
      #expect(run.failed(.noInput), "\(run)")
      #expect(run.errors.contains("\(folder.url.path): this is a folder without photos"))
    }
    #expect(await Squares.count(folder.url.path, "--recursive").code == .success)
  }

  @Test("Links to photos are followed, those to folders are not, so that no circle is endless")
  func links() async throws {
    let folder = try SomePhotos.folder(["a/x.png"])
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: folder.path("a/circle"), withDestinationPath: folder.url.path)
    try files.createSymbolicLink(
      atPath: folder.path("a/y.png"), withDestinationPath: folder.path("a/x.png"))
    try files.createSymbolicLink(atPath: folder.path("a/z.png"), withDestinationPath: "/none")
    let run = await Squares.count(folder.url.path, "--json", "--recursive")
    #expect(run.code == .noInput)
    #expect(try Self.images(run) == ["a/x.png", "a/y.png", "a/z.png"].map(folder.path))
  }

  @Test("A pattern that the shell left is matched here; one without a match names itself")
  func pattern() async throws {
    let folder = try SomePhotos.folder(["b1.png", "b2.png", "a1.png", "c/x.png", "[d].png"])
    let run = await Squares.count(folder.path("b?.png"), "--json")
    #expect(try Self.images(run) == ["b1.png", "b2.png"].map(folder.path))
    let folders = await Squares.count(folder.path("[a-c]*"), "--json")
    #expect(
      try Self.images(folders) == ["a1.png", "b1.png", "b2.png", "c/x.png"].map(folder.path))
    // A file of that very name is itself.
    let literal = await Squares.count(folder.path("[d].png"))
    #expect(literal.output.hasPrefix("\(folder.path("[d].png")): 12 objects"))
    let none = await Squares.count(folder.path("*.gif"))
    #expect(none.failed(.noInput))
    #expect(none.errors.contains("\(folder.path("*.gif")): no file or folder matches"))
  }

  @Test("A list names photos, by lines or zero bytes; names may hold the other")
  func list() async throws {
    let folder = try SomePhotos.folder(["a.png", "b\nc.png"])
    let (plain, broken) = (folder.path("a.png"), folder.path("b\nc.png"))
    let options = ["count", "-", "--json", "--set", "standard"] + Squares.models
    let lines = await tally(options, input: Array("\(plain)\n\n\(plain)".utf8))
    #expect(try Self.images(lines) == [plain])
    let zeros = await tally(
      options + ["--null"], input: Array("\(broken)\u{0}\(plain)\u{0}".utf8))
    #expect(try Self.images(zeros) == [broken, plain])
    #expect(zeros.outputLines.count == 2)
    for (input, code) in [
      ("", ExitCode.noInput), ("\n\n", .noInput), (String(repeating: "a", count: 70_000), .badData),
    ] {
      #expect(await tally(options, input: Array(input.utf8)).failed(code))
    }
    #expect(await Squares.count(plain, "--null").failed(.usage))
  }

  @Test("A photo that two operands name is counted once")
  func twice() async throws {
    let folder = try SomePhotos.folder(["a.png", "b.png"])
    let run = await Squares.count(
      folder.path("b.png"), folder.url.path, folder.path("*.png"), "--json")
    #expect(try Self.images(run) == ["b.png", "a.png"].map(folder.path))
  }

  @Test("Names with line ends, quotes, escapes and bytes that are no text stay on their lines")
  func hostileNames() async throws {
    let names = ["a\nb.png", "q\"uo,te.png", "\u{1B}[31m.png", "=1+1.png", "r\r.png"]
    let folder = try SomePhotos.folder(names)
    let bad = Array(folder.path("x").utf8) + [0xFF] + Array(".png".utf8)
    FoundPath(bytes: bad).withCString { _ = close(open($0, O_CREAT | O_WRONLY, 0o600)) }
    let json = await Squares.count(folder.url.path, "--json")
    #expect(json.code == .noInput)
    #expect(json.outputLines.count == 6)
    #expect(json.errorLines.count == 1)
    #expect(json.errors.contains("x\\xFF.png: the name has bytes that are not UTF-8"))
    #expect(!json.output.contains("\u{1B}"))
    #expect(try Set(Self.images(json).compactMap(\.self)).isSuperset(of: names.map(folder.path)))
    let text = await Squares.count(folder.url.path)
    #expect(text.outputLines.count == 5 && !text.output.contains("\u{1B}"))
    let table = await Squares.count(folder.url.path, "--format", "table")
    #expect(table.outputLines.count == 7 && !table.output.contains("\u{1B}"))
  }

  // MARK: How it is printed

  @Test("Lines have no times, are the same by any number of jobs, and fail in their place")
  func failedLines() async throws {
    let folder = try SomePhotos.folder((10..<30).map { "\($0).png" })
    try folder.write("17.png", text: "no photo")
    try folder.write("05.png", text: "")
    var outputs: Set<String> = []
    for jobs in ["1", "2", "7"] {
      let run = await Squares.count(folder.url.path, "--json", "--jobs", jobs)
      #expect(run.code == .badData)
      #expect(run.errorLines.count == 2)
      outputs.insert(run.output)
    }
    #expect(outputs.count == 1)
    let lines = try #require(outputs.first).split(separator: "\n")
    #expect(lines.count == 21)
    #expect(!lines.joined().contains("seconds"))
    #expect(
      lines[0].hasPrefix(
        "{\"image\":\"\(folder.path("05.png"))\",\"error\":\"the file is empty"))
    #expect(lines[0].hasSuffix(",\"code\":65}"))
    #expect(lines[8].contains("17.png\",\"error\":"))
    #expect(lines[9].contains("\"count\":12,"))
  }

  @Test("The first photo that fails gives the exit code, whichever is done first")
  func firstCode() async throws {
    let folder = try SomePhotos.folder(["b.png"])
    try folder.write("c.png", text: "no photo")
    let run = await Squares.count(
      folder.path("a.png"), folder.path("b.png"), folder.path("c.png"), "--jobs", "3")
    #expect(run.code == .noInput)
    #expect(run.errorLines.count == 2)
    #expect(run.outputLines.count == 1)
  }

  @Test("Steps and times are told if asked for, in text and JSON")
  func verbose() async throws {
    let folder = try SomePhotos.folder(["a.png", "b.png"])
    let (a, b) = (folder.path("a.png"), folder.path("b.png"))
    let plain = await Squares.count(a)
    #expect(!plain.output.contains("  time  ") && !plain.output.contains("  stages  "))
    let told = await Squares.count(a, "--verbose")
    #expect(told.output.contains("  time  ") && told.output.contains("  stages  "))
    let run = await Squares.count(a, b, "--json")
    #expect(run.outputLines.count == 2 && !run.output.contains("\"seconds\":"))
    let timed = await Squares.count(a, b, "--json", "-v")
    #expect(timed.outputLines.count == 2 && timed.output.contains("\"seconds\":"))
  }

  @Test("CSV has titles, quotes what needs it, and no name that is a formula")
  func csv() async throws {
    let folder = try SomePhotos.folder(["a,\"b\n.png"])
    try folder.write("c.png", text: "no photo")
    let run = await Squares.count(folder.url.path, "--format", "csv")
    let records = try run.records()
    #expect(records.count == 3)
    #expect(records.allSatisfy { $0.count == 12 })
    #expect(records[0][0] == "image" && records[0][3] == "count")
    #expect(records[1][0] == folder.path("a,\"b\n.png") && records[1][3] == "12")
    #expect(records[2][0] == folder.path("c.png") && records[2][11] == "65")
  }

  @Test("--format json is --json")
  func formatJSON() async throws {
    let folder = try SomePhotos.folder(["a.png", "b.png"])
    let run = await Squares.count(folder.url.path, "--format", "json")
    #expect(run.output == (await Squares.count(folder.url.path, "--json")).output)
    #expect(await Squares.count(folder.url.path, "--json", "--format", "json").failed(.usage))
  }

  @Test("A table has a row a photo, with what was wrong")
  func table() async throws {
    let folder = try SomePhotos.folder(["a.png"])
    try folder.write("b.png", text: "")
    let run = await Squares.count(folder.url.path, "--format", "table")
    #expect(run.outputLines.count == 3)
    #expect(run.outputLines[1].contains("  12 "))
    #expect(run.outputLines[2].contains("the file is empty"))
  }

  @Test("Overlays and the history work as with one photo")
  func drawings() async throws {
    let folder = try SomePhotos.folder(["in/a.png", "in/b.png", "in/c/a.png"])
    let photos = folder.path("in")
    let run = await Squares.count(
      photos, "--overlay", folder.path("out") + "/", "--save", "--history",
      folder.path("h.sqlite"))
    #expect(run.code == .success, "\(run)")
    #expect(try folder.names(in: "out") == ["a.png", "b.png"])
    let list = await tally("history", "list", "--history", folder.path("h.sqlite"), "--json")
    #expect(list.outputLines.count == 2)
    let clash = await Squares.count(
      photos, "--recursive", "--overlay", folder.path("out") + "/")
    #expect(clash.failed(.usage))
  }

  @Test("Options that have no place together are usage errors")
  func contradictions() async throws {
    for options in [
      ["--format", "csv", "--json"], ["--retry-failed"], ["--results", "x.txt"],
      ["--results", "x.jsonl", "--json"], ["--results", "x.csv", "--format", "csv"],
      ["--jobs", "0"], ["--memory", "99"], ["--format", "jsonl"],
    ] {
      let run = await tally(["count", Squares.png] + options + Squares.models)
      #expect(run.failed(.usage), "\(options): \(run)")
    }
    for options in [
      ["--results", "x.jsonl"], ["--recursive"], ["--overlay", "x/"], ["--save"],
      ["--format", "csv"], [Squares.png], ["-"], ["--null"],
    ] {
      #expect(await tally(["count", "--stream"] + options).failed(.usage), "\(options)")
    }
  }

  @Test("The progress line says how far it is, how fast, and how long it takes")
  func progress() async throws {
    let start = Date(timeIntervalSince1970: 1000)
    let line = ProgressLine(
      on: Console(output: MemorySink(), errors: MemorySink()), isQuiet: true)
    var progress = BatchProgress(line, total: 300, done: 37, failed: 1, now: { start })
    #expect(progress.text(at: start) == "37 of 300, 1 failed")
    for _ in 0..<99 { progress.advance(failed: false) }
    progress.advance(failed: true)
    #expect(
      progress.text(at: start + 8.125) == "137 of 300, 12.3 a second, 14 s left, 2 failed")
    #expect(progress.text(at: start + 1000).contains("0.1 a second, 28 min left"))
    #expect(progress.text(at: start - 5) == "137 of 300, 2 failed")
    let folder = try SomePhotos.folder(["a.png", "b.png"])
    let watched = await tally(
      ["count", folder.url.path, "--set", "standard"] + Squares.models, isWatched: true)
    #expect(watched.errors.contains("\r1 of 2"))
    #expect(watched.errors.hasSuffix("\r") && !watched.errors.contains("\n"))
  }
}
