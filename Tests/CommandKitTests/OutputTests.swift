import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("Output")
struct OutputTests {
  @Test("Numbers are written out in full, with the fewest digits")
  func numbers() {
    #expect(NumberText.of(0.1 as Float) == "0.1")
    #expect(NumberText.of(0.1) == "0.1")
    #expect(NumberText.of(1.0) == "1")
    #expect(NumberText.of(-0.0) == "-0")
    #expect(NumberText.of(-12.5) == "-12.5")
    #expect(NumberText.of(1e-7) == "0.0000001")
    #expect(NumberText.of(-1.25e-5) == "-0.0000125")
    #expect(NumberText.of(1.5e20) == "150000000000000000000")
    #expect(NumberText.of(1e16) == "10000000000000000")
    #expect(NumberText.of(123456.789 as Float) == "123456.79")
  }

  @Test("Any finite number reads back as itself")
  func roundTrip() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      let double = Double(bitPattern: generator.next())
      if double.isFinite {
        let text = NumberText.of(double)
        #expect(Double(text) == double)
        #expect(!text.contains("e"))
      }
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      if float.isFinite { #expect(Float(NumberText.of(float)) == float) }
    }
  }

  @Test("JSON keeps the order of keys and escapes what it must")
  func json() throws {
    let value = JSONText.object([
      ("b", .integer(1)), ("a", .array([.null, .bool(true), .bool(false), .float(0.1)])),
      ("quote\"\\\n\u{1}\u{2028}", .string("é🥧\t/")), ("n", .double(.nan)),
      ("i", .float(.infinity)),
    ])
    let expected =
      #"{"b":1,"a":[null,true,false,0.1],"quote\"\\\n\u0001\u2028":"é🥧\t/","n":null,"i":null}"#
    #expect(value.text == expected)
    let read = try JSONSerialization.jsonObject(with: Data(value.text.utf8)) as? [String: Any]
    #expect(read?["quote\"\\\n\u{1}\u{2028}"] as? String == "é🥧\t/")
  }

  @Test("Times are rounded to the microsecond")
  func times() {
    #expect(JSONText.seconds(0.123_456_789).text == "0.123457")
    #expect(JSONText.milliseconds(1.234_567).text == "1.235")
    #expect(JSONText.seconds(.nan).text == "null")
  }

  @Test("Names cannot break a line or send escape sequences")
  func printable() {
    #expect(PrintableText.of("tartlets é🥧.jpg") == "tartlets é🥧.jpg")
    #expect(PrintableText.of("a\nb\r\tc\u{1B}[31m\u{202E}") == "a\\nb\\r\\tc\\u{1b}[31m\\u{202e}")
  }

  @Test("A table has its columns aligned and no spaces at line ends")
  func table() {
    var table = TextTable([("name", .left), ("ms", .right), ("what", .left)])
    table.add(["Conv", "12.25", "x"])
    table.add(["LeakyRelu", "1.5", ""])
    table.add(["é"])
    #expect(
      table.lines == [
        "name          ms  what", "Conv       12.25  x", "LeakyRelu    1.5", "é",
      ])
  }

  @Test("Sentences join words as people do")
  func sentences() {
    #expect(Sentence.either([]) == "")
    #expect(Sentence.either(["a"]) == "a")
    #expect(Sentence.all(["a", "b", "c"]) == "a, b and c")
    #expect(Sentence.count(1, "object", "objects") == "1 object")
    #expect(Sentence.count(0, "object", "objects") == "0 objects")
  }

  @Test("The progress line replaces itself, and leaves an empty line")
  func progress() {
    let errors = MemorySink()
    let watched = Console(output: MemorySink(), errors: errors, isWatched: true)
    let line = ProgressLine(on: watched, isQuiet: false)
    line.erase()
    line.show("detecting 10 %")
    line.show("done\n")
    line.erase()
    line.erase()
    #expect(
      errors.text == "\rdetecting 10 %\rdone\\n        \r      \r"
        || errors.text == "\rdetecting 10 %\rdone\\n" + String(repeating: " ", count: 8) + "\r"
          + String(repeating: " ", count: 6) + "\r"
    )
  }

  @Test("The progress line never wraps", arguments: [1, 2, 10, 80])
  func narrow(columns: Int) {
    let errors = MemorySink()
    let console = Console(
      output: MemorySink(), errors: errors, isWatched: true, columns: columns)
    ProgressLine(on: console, isQuiet: false).show(String(repeating: "x", count: 200))
    #expect(errors.text == "\r" + String(repeating: "x", count: columns - 1))
  }

  @Test("There is no progress line where nobody watches, or where it is not wanted")
  func noProgress() {
    let errors = MemorySink()
    let unwatched = ProgressLine(
      on: Console(output: MemorySink(), errors: errors), isQuiet: false)
    unwatched.show("detecting")
    let quiet = ProgressLine(
      on: Console(output: MemorySink(), errors: errors, isWatched: true), isQuiet: true)
    quiet.show("detecting")
    quiet.erase()
    #expect(errors.text.isEmpty)
  }

  @Test("Writing to a full disk fails, and a reader that left is told apart")
  func failures() throws {
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    if full >= 0 {
      #expect(throws: OutputFailure.failed(errorNumber: ENOSPC)) {
        try FileDescriptorSink(descriptor: full).write("x")
      }
    }
    #expect(throws: OutputFailure.failed(errorNumber: EBADF)) {
      try FileDescriptorSink(descriptor: 9999).write("x")
    }
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    #expect(throws: OutputFailure.readerLeft) {
      try FileDescriptorSink(descriptor: ends[1]).write("x")
    }
    close(ends[1])
  }

  @Test("A sink writes all of a long text")
  func longText() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "tally-sink-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    let descriptor = open(url.path, O_WRONLY | O_CREAT, 0o600)
    let text = String(repeating: "äb\n", count: 300_000)
    try FileDescriptorSink(descriptor: descriptor).write(text)
    close(descriptor)
    #expect(try String(contentsOf: url, encoding: .utf8) == text)
  }
}
