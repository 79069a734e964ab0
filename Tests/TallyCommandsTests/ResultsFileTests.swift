import Foundation
import TestSupport
import Testing

@Suite("Files of results")
struct ResultsFileTests {
  private static func bytes(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test("A file of results has the lines that are printed otherwise", arguments: ["jsonl", "csv"])
  func content(form: String) async throws {
    let folder = try SomePhotos.folder(["a.png", "b\n.png"])
    try folder.write("c.png", text: "no photo")
    let file = folder.path("r.\(form)")
    let run = await Squares.count(folder.url.path, "--results", file)
    #expect(run.code == .badData)
    #expect(run.output == "\(file): 3 photos, 1 failed\n")
    let options = form == "csv" ? ["--format", "csv"] : ["--json"]
    let printed = await tally(
      ["count", folder.url.path, "--set", "standard"] + options + Squares.models)
    #expect(try String(decoding: Self.bytes(file), as: UTF8.self) == printed.output)
  }

  @Test("Cut off after every byte, the same command makes it whole", arguments: ["jsonl", "csv"])
  func resume(form: String) async throws {
    let folder = try SomePhotos.folder(["=a.png", "b\"\r\n,.png"])
    try folder.write("c.png", text: "no photo")
    let file = folder.path("r.\(form)")
    let first = await Squares.count(folder.url.path, "--results", file)
    let whole = try Self.bytes(file)
    // The last photo's line and half of that before it: with all lines the counts would take minutes.
    let end = UInt8(ascii: "\n")
    let last = try #require(whole.dropLast().lastIndex(of: end))
    var places = Array(last - 40...whole.count)
    if form == "csv" { places = Array(0...whole.count) }
    for place in places {
      try folder.write("r.\(form)", whole.prefix(place))
      let run = await Squares.count(folder.url.path, "--results", file)
      #expect(run.code == first.code && run.output == first.output, "\(place): \(run)")
      #expect(try Self.bytes(file) == whole, "cut after \(place) bytes")
    }
  }

  @Test(
    "A table that another program saved goes on: other ends of lines, a byte order mark",
    arguments: ["\n", "\r\n"])
  func saved(end: String) async throws {
    let folder = try SomePhotos.folder(["a.png", "b.png"])
    let file = folder.path("r.csv")
    #expect(await Squares.count(folder.path("a.png"), "--results", file).code == .success)
    var saved = try "\u{FEFF}" + String(decoding: Self.bytes(file), as: UTF8.self)
    saved = saved.replacingOccurrences(of: "\r\n", with: end)
    try folder.write("r.csv", text: saved)
    let run = await Squares.count(folder.url.path, "--results", file)
    #expect(run.code == .success && run.output == "\(file): 2 photos\n", "\(run)")
    let whole = try String(decoding: Self.bytes(file), as: UTF8.self)
    #expect(whole.utf8.starts(with: saved.utf8))
    #expect(whole.components(separatedBy: "a.png").count == 2)
  }

  @Test("Bytes of 0 that a crash of the system left at the end are cut off, and others refused")
  func zeros() async throws {
    let folder = try SomePhotos.folder(["a.png"])
    let file = folder.path("r.csv")
    #expect(await Squares.count(folder.url.path, "--results", file).code == .success)
    let whole = try Self.bytes(file)
    try folder.write("r.csv", whole + [UInt8](repeating: 0, count: 4096))
    #expect(await Squares.count(folder.url.path, "--results", file).code == .success)
    #expect(try Self.bytes(file) == whole)
    var damaged = whole
    damaged[whole.count - 3] = 0
    try folder.write("r.csv", damaged)
    let run = await Squares.count(folder.url.path, "--results", file)
    #expect(run.failed(.badData) && run.errors.contains("line 2 is not one"), "\(run)")
    #expect(try Self.bytes(file) == damaged)
  }

  @Test("What is in it is not counted again; what failed is, where that is asked for")
  func retry() async throws {
    let folder = try SomePhotos.folder(["a.png", "c.png"])
    try folder.write("b.png", text: "no photo")
    for file in [folder.path("r.jsonl"), folder.path("r.csv")] {
      try folder.write("b.png", text: "no photo")
      #expect(await Squares.count(folder.url.path, "--results", file).code == .badData)
      let before = try Self.bytes(file)
      try Data(contentsOf: URL(fileURLWithPath: Squares.png))
        .write(to: URL(fileURLWithPath: folder.path("b.png")))
      // It failed in the run before, and the exit code still says so.
      let again = await Squares.count(folder.url.path, "--results", file)
      #expect(again.code == .badData && again.errors.isEmpty)
      #expect(again.output == "\(file): 3 photos, 1 failed\n")
      #expect(try Self.bytes(file) == before)
      let retried = await Squares.count(folder.url.path, "--results", file, "--retry-failed")
      #expect(retried.code == .success)
      #expect(retried.output == "\(file): 3 photos\n")
      let text = try String(decoding: Self.bytes(file), as: UTF8.self)
      #expect(text.components(separatedBy: "b.png").count == 2)
      #expect(!text.contains("error\":"))
      #expect(try !folder.names().contains { $0.hasSuffix(".part") })
      let nothing = await Squares.count(folder.url.path, "--results", file, "--retry-failed")
      #expect(nothing.code == .success)
      #expect(try String(decoding: Self.bytes(file), as: UTF8.self) == text)
    }
  }

  @Test(
    "What failed is taken out of the file itself: a link stays a link, and permissions what they are"
  )
  func retryThroughLink() async throws {
    let folder = try SomePhotos.folder(["a.png"])
    try folder.write("b.png", text: "no photo")
    let (real, link) = (folder.path("real.jsonl"), folder.path("r.jsonl"))
    #expect(await Squares.count(folder.url.path, "--results", link).code == .badData)
    try FileManager.default.moveItem(atPath: link, toPath: real)
    #expect(chmod(real, 0o600) == 0 && symlink("real.jsonl", link) == 0)
    // What a killed process left is no hindrance.
    try folder.write("real.jsonl.part", text: "half a li")
    let run = await Squares.count(folder.url.path, "--results", link, "--retry-failed")
    #expect(run.code == .badData, "\(run)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.jsonl")
    var status = stat()
    #expect(stat(real, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try String(decoding: Self.bytes(real), as: UTF8.self).split(separator: "\n").count == 2)
    #expect(!folder.has("real.jsonl.part"))
  }

  @Test("Results of other settings are refused and stay as they are")
  func settings() async throws {
    let folder = try SomePhotos.folder(["a.png"])
    let file = folder.path("r.jsonl")
    #expect(await Squares.count(folder.url.path, "--results", file).code == .success)
    let before = try Self.bytes(file)
    for (options, name) in [
      (["--confidence", "0.3"], "(confidence 0.001, now 0.3)"),
      (["--set", "precise"], "; aspect.sigma 0.5, now 2; "),
      (["--embedder-preset", "imagenet"], "embedderPreset"),
    ] {
      let arguments = ["count", folder.url.path, "--results", file] + Squares.models
      let set = options.contains("--set") ? [] : ["--set", "standard"]
      let run = await tally(arguments + set + options)
      #expect(run.failed(.badData), "\(run)")
      #expect(run.errors.contains(name), "\(run.errors)")
      #expect(try Self.bytes(file) == before)
    }
    // What does not change counts may change.
    let other = await Squares.count(
      folder.url.path, "--results", file, "--jobs", "3", "--threads", "1", "--quiet")
    #expect(other.code == .success)
    try FileManager.default.removeItem(atPath: file + ".settings")
    let alone = await Squares.count(folder.url.path, "--results", file)
    #expect(alone.failed(.badData) && alone.errors.contains("r.jsonl.settings"))
    #expect(try Self.bytes(file) == before)
  }

  @Test("A file that holds something else is refused and stays as it is")
  func foreign() async throws {
    let folder = try SomePhotos.folder(["a.png"])
    for (name, text) in [
      ("r.jsonl", "Dear Sir or Madam,\n"), ("r.jsonl", "{\"count\":1}\n"), ("r.jsonl", "\n"),
      ("r.jsonl", "{\"image\":\"a\",\"error\":\"bad\",\"code\":1.5}\n"),
      ("r.jsonl", "{\"image\":\"a\",\"error\":\"bad\",\"code\":\"65\"}\n"),
      ("r.csv", "name,count\r\na,1\r\n"), ("r.csv", "Dear Sir,\r\n"),
      ("r.csv", "Dear Sir,\nthis is no table\n"), ("r.csv", "\r\n"), ("r.csv", "\0\n"),
    ] {
      let file = folder.path(name)
      try? FileManager.default.removeItem(atPath: file)
      #expect(await Squares.count(folder.url.path, "--results", file).code == .success)
      try folder.write(name, text: text)
      let run = await Squares.count(folder.url.path, "--results", file)
      #expect(run.failed(.badData), "\(run)")
      #expect(run.errors.contains("line 1 is not one that this command writes"))
      #expect(try Self.bytes(file) == Array(text.utf8))
    }
  }

  @Test("What is no file, cannot be made or is in use is an I/O error")
  func unusable() async throws {
    let folder = try SomePhotos.folder(["a.png"])
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("d.jsonl"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("full.jsonl"), withDestinationPath: "/dev/full")
    for name in ["d.jsonl", "full.jsonl", "none/r.jsonl"] {
      let run = await Squares.count(folder.url.path, "--results", folder.path(name))
      #expect(run.failed(.inputOutput), "\(name): \(run)")
    }
    let path = try folder.write("r.jsonl", text: "")
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let run = await Squares.count(folder.url.path, "--results", path)
    #expect(run.failed(.inputOutput) && run.errors.contains("another process"))
  }
}
