import Foundation
import ISBN
import TestSupport
import Testing

@testable import CommandKit
@testable import TallyCommands

@Suite("tally isbn --scan")
struct ISBNScanTests {
  private func scan(_ bytes: [UInt8], _ options: String...) async -> CommandRun {
    await tally(["isbn", "--scan", "-"] + options, input: bytes)
  }

  private func scan(_ text: String, _ options: String...) async -> CommandRun {
    await tally(["isbn", "--scan", "-"] + options, input: Array(text.utf8))
  }

  @Test("Every ISBN gets a line with its file, line and column")
  func lines() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "page.txt",
      text: "Über: lSBN 978-O-306-4O615-7 (pbk.)\r\nISBN 0-306-\n  40615-2\n\n9789999999991\n")
    let run = await tally("isbn", "--scan", path)
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(
      run.outputLines == [
        "\(path):1:12: 978-0-306-40615-7, English language, 2 letters read as digits: "
          + "978-O-306-4O615-7",
        "\(path):2:6: 0-306-40615-2, English language",
        "\(path):5:1: 9789999999991",
      ])
  }

  @Test("JSON has an object for every ISBN")
  func json() async {
    let run = await scan("\n é ISBN 0-8o44-2957-X", "--json")
    #expect(
      run.output
        == #"{"file":"-","line":2,"column":9,"offset":10,"code":"0-8o44-2957-X","valid":true,"#
        + #""kind":"isbn10","isbn13":"9780804429573","isbn10":"080442957X","#
        + #""hyphenated":"0-8044-2957-X","group":"English language","groupPrefix":"978-0","#
        + #""repairs":1,"labelled":true}"# + "\n")
  }

  @Test("A text without an ISBN is no failure", arguments: ["", "\n", "ISBN", "978-0-306-40615-8"])
  func none(text: String) async {
    let run = await scan(text)
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(run.output == "-: no ISBN found\n")
    let json = await scan(text, "--json")
    #expect(json.code == .success && json.output.isEmpty && json.errors.isEmpty)
  }

  @Test("Bytes that are no UTF-8 are passed over, and each counts as a column")
  func latin1() async {
    var bytes: [UInt8] = [0xE9, 0x20, 0xA0, 0xBB, 0x20]
    bytes += "9780306406157".utf8
    bytes += [0xAB, 0x0A, 0xFF, 0x00]
    bytes += "ISBN".utf8
    bytes += [0xA0]
    bytes += "0-306-40615-2".utf8
    bytes += [0xC3]
    let run = await scan(bytes)
    #expect(
      run.outputLines == [
        "-:1:6: 978-0-306-40615-7, English language", "-:2:8: 0-306-40615-2, English language",
      ])
  }

  @Test("Lines and columns are those of the place, wherever pieces of the text are cut")
  func places() async throws {
    var generator = SeededGenerator(seed: 31)
    let fillers = ["é", "\n", "x", "— ", "\u{1F4D6}", " ", "\r\n", "a b", "\u{0}"]
    var text = ""
    var expected: [String] = []
    // Bytes whose lines are counted.
    var counted = 0
    var line = 1
    while text.utf8.count < 700_000 {
      for _ in 0..<Int.random(in: 0...400, using: &generator) {
        text += fillers[Int.random(in: 0..<fillers.count, using: &generator)]
      }
      text += "\n\n"
      let indent = Int.random(in: 0...5, using: &generator)
      text += String(repeating: "é ", count: indent)
      line += text.utf8.dropFirst(counted).count { $0 == 0x0A }
      counted = text.utf8.count
      expected.append("-:\(line):\(2 * indent + 1): 978-0-306-40615-7, English language")
      text += "9780306406157\n\n"
    }
    #expect(expected.count > 100)
    #expect(await scan(text).outputLines == expected)
  }

  @Test("A cursor counts characters, and bytes that are none")
  func cursor() {
    for (bytes, line, column) in [
      ([], 1, 1), ([0x61], 1, 2), ([0xC3, 0xA9], 1, 2), ([0xC3], 1, 2), ([0xC3, 0x61], 1, 3),
      ([0x80, 0x80], 1, 3), ([0xF0, 0x9F, 0x93, 0x96], 1, 2), ([0xFF, 0x80], 1, 3),
      ([0xE2, 0x0A, 0x80], 2, 2), ([0x0D, 0x0A], 2, 1),
    ] as [([UInt8], Int, Int)] {
      var cursor = TextCursor()
      for byte in bytes { cursor.advance(over: [byte]) }
      #expect(cursor.line == line && cursor.column == column, "\(bytes)")
    }
  }

  @Test(
    "A hundred megabytes on one line, of digits, of zero bytes and of letters, are read through")
  func vast() async throws {
    let folder = try TemporaryFolder()
    let end = " ISBN 978-0-306-40615-7"
    for byte in [0x39, 0x00, 0x4F] as [UInt8] {
      let path = folder.path("vast.txt")
      try Data(repeating: byte, count: 100_000_000).write(to: URL(fileURLWithPath: path))
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.seekToEnd()
      try file.write(contentsOf: Data(end.utf8))
      try file.close()
      let run = await tally("isbn", "--scan", path)
      #expect(
        run.output == "\(path):1:100000007: 978-0-306-40615-7, English language\n", "\(run)")
    }
  }

  @Test("Of several texts, one that cannot be read does not spoil the others")
  func several() async throws {
    let folder = try TemporaryFolder()
    let first = try folder.write("a.txt", text: "9780306406157")
    let run = await tally(
      ["isbn", "--scan", first, "--scan", folder.path("none"), "--scan", "-"],
      input: Array("0-306-40615-2".utf8))
    #expect(run.code == .noInput && run.errorLines.count == 1)
    #expect(
      run.outputLines == [
        "\(first):1:1: 978-0-306-40615-7, English language",
        "-:1:1: 0-306-40615-2, English language",
      ])
  }

  @Test("What is no text is no input, or bad data")
  func refused() async throws {
    let folder = try TemporaryFolder()
    for (path, code, message) in [
      (folder.path("none"), ExitCode.noInput, "there is no such file"),
      (folder.url.path, .noInput, "is a folder; it must be a file"),
      ("/dev/zero", .noInput, "neither a file nor a folder"),
      (try folder.write("file", text: "") + "/x", .noInput, "cannot be opened"),
      ("a\u{0}b", .noInput, "no path holds a zero byte"),
      (try folder.write("utf16", [0xFF, 0xFE, 0x39, 0x00]), .badData, "UTF-16"),
      (try folder.write("utf16be", [0xFE, 0xFF, 0x00, 0x39]), .badData, "UTF-16"),
    ] {
      let run = await tally("isbn", "--scan", path)
      #expect(run.failed(code), "\(run)")
      #expect(run.errors.contains(message), "\(run.errors)")
    }
  }

  @Test("A source that fails half-way is an I/O error, after what was found")
  func failingSource() async {
    struct Source: InputSource {
      let text = MemorySource(Array("9780306406157\n\n".utf8 + [UInt8](repeating: 0x20, count: 99)))
      func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
        let count = try text.read(into: buffer)
        guard count > 0 else { throw InputFailure(errorNumber: EIO) }
        return count
      }
    }
    let output = MemorySink()
    let errors = MemorySink()
    let console = Console(output: output, errors: errors, input: Source())
    let code = await TallyCommand.run(["isbn", "--scan", "-"], console: console)
    #expect(code == .inputOutput)
    #expect(output.text == "-:1:1: 978-0-306-40615-7, English language\n")
    #expect(errors.text.hasPrefix("tally: error: -: cannot be read: "))
  }

  @Test("Cancelling ends an endless text")
  func cancelled() async {
    struct Endless: InputSource {
      func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
        buffer.count
      }
    }
    let errors = MemorySink()
    let task = Task {
      await TallyCommand.run(
        ["isbn", "--scan", "-"],
        console: Console(output: MemorySink(), errors: errors, input: Endless()))
    }
    task.cancel()
    #expect(await task.value == .software)
  }

  @Test("Random bytes are read through, whatever they are")
  func noise() async {
    var generator = SeededGenerator(seed: 32)
    let likely = Array("0123456789978978ISBN-- xXOlIBS|.\n\r".utf8)
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 0...2000, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0...255, using: &generator)
          : likely[Int.random(in: 0..<likely.count, using: &generator)]
      }
      guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else { continue }
      let run = await scan(bytes, "--json")
      #expect(run.code == .success && run.errors.isEmpty)
      let matches = bytes.withUnsafeBufferPointer { ISBNExtractor().matches(inUTF8: $0) }
      #expect(run.outputLines.count == matches.count)
    }
  }
}
