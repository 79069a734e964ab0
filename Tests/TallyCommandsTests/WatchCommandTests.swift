import CountHistory
import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import TallyCommands

@Suite("tally watch", .timeLimit(.minutes(15)))
struct WatchCommandTests {
  /// A sink whose lines can be waited for.
  final class LineSink: OutputSink {
    let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (lines, continuation) = AsyncStream.makeStream() }

    func write(_ text: String) throws(OutputFailure) {
      // One line a write: that is what being flushed means.
      #expect(text.last?.isNewline == true && text.count(where: \.isNewline) == 1, "\(text)")
      continuation.yield(String(text.dropLast()))
    }
  }

  /// A command that watches, and what it says.
  final class Watch {
    let folder: TemporaryFolder
    private let errorSink = MemorySink()
    private let interruption: AsyncStream<Void>.Continuation
    private let task: Task<ExitCode, Never>
    private var lines: AsyncStream<String>.Iterator

    init(
      _ folder: TemporaryFolder, _ arguments: [String] = [], output: (any OutputSink)? = nil,
      environment: [String: String] = [:]
    ) {
      self.folder = folder
      let (interruptions, interruption) = AsyncStream.makeStream(of: Void.self)
      self.interruption = interruption
      let sink = LineSink()
      lines = sink.lines.makeAsyncIterator()
      let console = Console(
        output: output ?? sink, errors: errorSink, isWatched: true, environment: environment,
        interruptions: Interruptions(requests: interruptions))
      let words =
        ["watch", folder.url.path, "--set", "standard"] + Squares.models + arguments
      task = Task { await TallyCommand.run(words, console: console) }
    }

    /// The error lines, without the progress line between them.
    var errors: String {
      errorSink.text.replacing("\r", with: "\n").split(separator: "\n")
        .filter { $0.hasPrefix("tally: ") }.map { "\($0)\n" }.joined()
    }

    /// Returns once it waits for photos.
    func begun() async {
      while !errorSink.text.contains("waiting") {
        try? await Task.sleep(for: .milliseconds(1))
      }
    }

    func line() async -> String? { await lines.next() }
    func cancel() { task.cancel() }
    func end() async -> ExitCode { await task.value }
    func interrupt() async -> ExitCode {
      interruption.yield()
      return await task.value
    }

    /// Puts a photo into the folder in one step.
    func put(_ name: String, _ image: String = Squares.png) throws {
      let draft = folder.path(".\(UUID().uuidString)")
      try FileManager.default.copyItem(atPath: image, toPath: draft)
      #expect(rename(draft, folder.path(name)) == 0)
    }
  }

  static let polling = ["--poll", "0.02"]

  @Test("A line a photo, as of 'tally count' with several", arguments: [[], polling])
  func lines(options: [String]) async throws {
    let folder = try TemporaryFolder()
    let watch = Watch(folder, options)
    for name in ["a.png", "b.PNG"] {
      try watch.put(name)
      #expect(
        await watch.line() == "\(folder.path(name)): 12 objects, 5 others")
    }
    #expect(await watch.interrupt() == .success)
    #expect(watch.errors.isEmpty, "\(watch.errors)")
  }

  @Test("JSON is that of 'tally count'")
  func json() async throws {
    let folder = try TemporaryFolder()
    try folder.write("old.png", text: "no photo")
    let watch = Watch(folder, ["--json", "--new-only"])
    await watch.begun()
    try watch.put("a.png")
    let line = try #require(await watch.line())
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let count = try await Squares.count(Squares.png, "--json").json()
    #expect(object?["count"] as? Int == 12)
    #expect(object?["image"] as? String == folder.path("a.png"))
    #expect(object.map { Set($0.keys) } == Set(count.keys))
    #expect(await watch.interrupt() == .success)
  }

  @Test("A bad photo has its error line, and the next is counted")
  func oneBad() async throws {
    let folder = try TemporaryFolder()
    let watch = Watch(folder, Self.polling)
    try folder.write("a.jpg", text: "no photo")
    try watch.put("b.png")
    #expect(await watch.line()?.contains("b.png: 12 objects") == true)
    // What is mended is counted.
    try watch.put("a.jpg", Squares.jpeg)
    #expect(await watch.line()?.contains("a.jpg: 12 objects") == true)
    #expect(await watch.interrupt() == .success)
    let lines = watch.errors.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("tally: error: \(folder.path("a.jpg")): ") })
    #expect(lines.count <= 1)
  }

  @Test("Counts are kept where that is asked for, and settings are in force")
  func saved() async throws {
    let folder = try TemporaryFolder()
    let home = try SettingsHome()
    try home.write(#"{"similarity": 0.77}"#)
    let history = folder.path("history.sqlite")
    let watch = Watch(
      folder, Self.polling + ["--save", "--history", history], environment: home.environment)
    try watch.put("a.png")
    #expect(await watch.line()?.contains("12 objects") == true)
    try watch.put("b.png")
    #expect(await watch.line()?.contains("12 objects") == true)
    #expect(await watch.interrupt() == .success)
    let list = await tally("history", "export", "--json", "--history", history)
    #expect(list.outputLines.count == 2)
    #expect(list.output.contains("\"similarity\":0.77"))
  }

  /// Returns once a file has so many line ends, or after a minute.
  private func lines(in file: String, _ count: Int) async -> [String] {
    for _ in 0..<6000 {
      let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      if text.count(where: \.isNewline) >= count { break }
      try? await Task.sleep(for: .milliseconds(10))
    }
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    return text.split(whereSeparator: \.isNewline).map(String.init)
  }

  @Test("It makes the files that 'tally count' makes, and appends to results")
  func outputs() async throws {
    let (folder, made) = (try TemporaryFolder(), try TemporaryFolder())
    let results = made.path("r.csv")
    let options = [
      "--results", results, "--overlay", made.path("o") + "/", "--labels",
      made.path("l") + "/{folder}-{name}.txt", "--report", made.path("p") + "/",
    ]
    var watch = Watch(folder, options)
    try watch.put("a.png")
    #expect(await lines(in: results, 2).count == 2)
    try watch.put("b.png")
    #expect(await lines(in: results, 3).last?.hasPrefix(folder.path("b.png")) == true)
    #expect(await watch.interrupt() == .success)
    #expect(watch.errors.isEmpty, "\(watch.errors)")
    #expect(try made.names(in: "o") == ["a.png", "b.png"])
    #expect(try made.names(in: "p") == ["a.html", "b.html"])
    let name = folder.url.lastPathComponent
    #expect(try made.names(in: "l") == ["\(name)-a.txt", "\(name)-b.txt"])
    // What is in the file is left out; what is written again later is counted again.
    watch = Watch(folder, options)
    try watch.put("c.png")
    #expect(await lines(in: results, 4).last?.hasPrefix(folder.path("c.png")) == true)
    try watch.put("a.png")
    #expect(await lines(in: results, 5).last?.hasPrefix(folder.path("a.png")) == true)
    #expect(await watch.interrupt() == .success)
    #expect(await lines(in: results, 5).count == 5)
  }

  @Test("YOLO's folder is one to train with after each photo")
  func yoloFolder() async throws {
    let (folder, made) = (try TemporaryFolder(), try TemporaryFolder())
    let watch = Watch(folder, ["--labels", made.path("set") + "/", "--label-format", "yolo"])
    for name in ["a", "b"] {
      try watch.put("\(name).png")
      #expect(await watch.line() != nil)
      #expect(try made.names(in: "set") == ["data.yaml", "images", "labels"])
      #expect(try made.names(in: "set/images").last == "\(name).png")
      let lines = try String(contentsOfFile: made.path("set/labels/\(name).txt"), encoding: .utf8)
      #expect(lines.split(separator: "\n").count == 12, "\(lines)")
    }
    #expect(await watch.interrupt() == .success)
    #expect(watch.errors.isEmpty, "\(watch.errors)")
    let description = try String(contentsOfFile: made.path("set/data.yaml"), encoding: .utf8)
    #expect(description == "train: images\nval: images\nnames:\n  0: \"object\"\n")
  }

  @Test("CSV begins with its titles")
  func csv() async throws {
    let folder = try TemporaryFolder()
    let watch = Watch(folder, ["--format", "csv"])
    #expect(await watch.line()?.hasPrefix("image,width,height,count,") == true)
    try watch.put("a.png")
    #expect(await watch.line()?.hasPrefix("\(folder.path("a.png")),") == true)
    #expect(await watch.interrupt() == .success)
  }

  @Test("Files that would be one for all photos, or be counted too, are refused")
  func refusedOutputs() async throws {
    let parent = try TemporaryFolder()
    let folder = parent.path("images")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for options in [
      ["--overlay", "o.png"], ["--overlay", folder], ["--labels", "all.json"],
      ["--thumbnail", folder + "/{name}-t.jpg"], ["--format", "table"],
      ["--results", "r.csv", "--json"], ["--retry-failed"], ["--label-format", "yolo"],
      ["--labels", parent.url.path + "/", "--label-format", "yolo"],
    ] {
      let run = await tally(["watch", folder] + options + Squares.models)
      #expect(run.failed(.usage), "\(options): \(run)")
    }
  }

  @Test("A folder that is removed ends it with an error")
  func removed() async throws {
    for options in [[], Self.polling] {
      let folder = try TemporaryFolder()
      let watch = Watch(folder, options)
      try watch.put("a.png")
      #expect(await watch.line() != nil)
      try FileManager.default.removeItem(at: folder.url)
      #expect(await watch.end() == .noInput)
      #expect(
        watch.errors == "tally: error: \(folder.url.path): the folder is not there any more, or "
          + "cannot be read\n")
    }
  }

  @Test("A reader that leaves ends it quietly, a full disk with an error")
  func output() async throws {
    struct Failing: OutputSink {
      let failure: OutputFailure
      func write(_ text: String) throws(OutputFailure) { throw failure }
    }
    for (failure, code) in [
      (OutputFailure.readerLeft, ExitCode.success), (.failed(errorNumber: ENOSPC), .inputOutput),
    ] {
      let folder = try TemporaryFolder()
      let watch = Watch(folder, Self.polling, output: Failing(failure: failure))
      try watch.put("a.png")
      #expect(await watch.end() == code)
      #expect(watch.errors.isEmpty == (code == .success))
    }
  }

  @Test("Cancelled it ends with an error line")
  func cancelled() async throws {
    let folder = try TemporaryFolder()
    let watch = Watch(folder)
    try watch.put("a.png")
    _ = await watch.line()
    watch.cancel()
    #expect(await watch.end() == .software)
    #expect(watch.errors.split(separator: "\n").count == 1)
  }

  @Test("What it is not for is refused")
  func refused() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.jpg", text: "")
    for (arguments, code) in [
      ([file], ExitCode.noInput), ([folder.path("none")], .noInput), ([], .usage),
      ([folder.url.path, folder.url.path], .usage), ([folder.url.path, "--poll", "0"], .usage),
      ([folder.url.path, "--history", "h.sqlite"], .usage),
      ([folder.url.path, "--like", "1,2,3,4"], .usage),
      ([folder.url.path, "--overlay", "o.png"], .usage),
      ([folder.url.path, "--settings", folder.path("none.json")], .noInput),
    ] {
      let run = await tally(["watch"] + arguments)
      #expect(run.failed(code), "\(arguments): \(run)")
    }
  }

  @Test("The program ends with 0 when it is interrupted", arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let child = try ChildProcess(
      "tally", ["watch", folder.url.path, "--set", "standard"] + Squares.models,
      variables: ["XDG_CONFIG_HOME": "/nowhere"])
    try FileManager.default.copyItem(atPath: Squares.png, toPath: folder.path("a.png"))
    var text = ""
    while !text.hasSuffix("\n") {
      let data = child.output.availableData
      try #require(!data.isEmpty, "it ended after '\(text)'")
      text += String(decoding: data, as: UTF8.self)
    }
    #expect(text == "\(folder.path("a.png")): 12 objects, 5 others\n")
    kill(child.process.processIdentifier, signal)
    #expect(child.finish().isEmpty)
    #expect(child.process.terminationReason == .exit && child.process.terminationStatus == 0)
  }
}
