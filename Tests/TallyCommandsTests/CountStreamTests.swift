import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import TallyCommands

@Suite("The stream of tally count")
struct CountStreamTests {
  private func stream(_ input: [UInt8], _ options: String...) async -> CommandRun {
    await tally(
      ["count", "--stream", "--set", "standard"] + options + Squares.models, input: input)
  }

  private static func base64(_ path: String) throws -> String {
    try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString()
  }

  @Test("A line out for a line in, in order, as a folder's lines", arguments: ["1", "2", "5"])
  func order(jobs: String) async throws {
    let folder = try SomePhotos.folder((10..<40).map { "\($0).png" })
    try folder.write("20.png", text: "")
    let list = try folder.names().map { folder.path($0) + "\n" }.joined()
    let run = await stream(Array(list.utf8), "--jobs", jobs)
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(run.output == (await Squares.count(folder.url.path, "--json")).output)
  }

  @Test("An image in a line is counted as its file, and keeps its name")
  func images() async throws {
    let data = try Self.base64(Squares.png)
    let run = await stream(Array("data:image/png;id=7;base64,\(data)\n\(Squares.png)".utf8))
    #expect(run.outputLines.count == 2)
    #expect(run.outputLines[0].hasPrefix("{\"image\":\"data:image/png;id=7;base64\",\"width\":"))
    let path = JSONText.string(Squares.png).text
    #expect(
      run.outputLines[0].replacingOccurrences(of: "\"data:image/png;id=7;base64\"", with: path)
        == run.outputLines[1])
  }

  @Test("An image in bare base64 is counted as its file", arguments: ["png", "jpg", "heic"])
  func bareImages(form: String) async throws {
    let path =
      switch form {
      case "png": Squares.png
      case "jpg": Squares.jpeg
      default:
        Folders.goldens.deletingLastPathComponent()
          .appendingPathComponent("Images/Formats/plain.heic").path
      }
    let data = try Self.base64(path)
    let run = await stream(Array("\(data)\n\(path)\n".utf8))
    #expect(run.outputLines.count == 2)
    #expect(run.outputLines[0].hasPrefix("{\"image\":\"base64\",\"width\":"))
    #expect(
      run.outputLines[0].replacingOccurrences(of: "\"base64\"", with: JSONText.string(path).text)
        == run.outputLines[1])
  }

  @Test("A bad line has an error in its place, and the next is counted")
  func badLines() async throws {
    let data = try Self.base64(Squares.png)
    let lines: [([UInt8], image: String?, reason: String, code: Int)] = [
      ([], nil, "the line is empty", 65),
      ([0xFF, 0xFE], nil, "not UTF-8", 65),
      (Array("/none.png".utf8), "/none.png", "there is no such file", 66),
      (Array("/tmp".utf8), "/tmp", "this is a folder; it must be a file", 66),
      (Array("a\u{0}b".utf8), "a\u{0}b", "zero byte", 66),
      (Array(data.utf8.prefix(400)), "base64", "cut short", 65),
      (Array("\(data.prefix(99)).png".utf8), "\(data.prefix(99)).png", "no such file", 66),
      (Array("/9j/photo".utf8), "/9j/photo", "there is no such file", 66),
      (Array("/9j/4AAQ".utf8), "base64", "JPEG", 65),
      (Array("data:".utf8), nil, "not with data:image/jpeg;base64,", 65),
      (Array("data:image/png,abc".utf8), nil, "not with data:image/jpeg;base64,", 65),
      (Array("data:;base64,".utf8), "data:;base64", "empty", 65),
      (Array("data:;base64,a".utf8), "data:;base64", "not base64", 65),
      (Array("data:;base64,!!!!".utf8), "data:;base64", "not base64", 65),
      (Array("data:;base64,\(data.prefix(400))".utf8), "data:;base64", "cut short", 65),
      (
        Array(("data:" + String(repeating: "x", count: 2000) + ";base64," + data).utf8), nil,
        "not with data:", 65
      ),
    ]
    let good = Array("\(Squares.png)\n".utf8)
    let run = await stream(lines.flatMap { $0.0 + [UInt8(ascii: "\n")] + good })
    #expect(run.code == .success && run.errors.isEmpty)
    let answers = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    try #require(answers.count == 2 * lines.count)
    for (index, line) in lines.enumerated() {
      let text = String(answers[2 * index])
      let json = try #require(
        JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
      #expect(json["image"] as? String == line.image, "\(text)")
      #expect(json["code"] as? Int == line.code, "\(text)")
      #expect((json["error"] as? String ?? "").contains(line.reason), "\(text)")
      #expect(answers[2 * index + 1].contains("\"count\":12,"))
    }
  }

  @Test("Nothing in, nothing out; the last line need not be ended")
  func ends() async {
    #expect(await stream([]).output.isEmpty)
    #expect(await stream([]).code == .success)
    #expect(await stream(Array(Squares.png.utf8)).outputLines.count == 1)
    #expect(await stream([UInt8(ascii: "\n")]).outputLines.count == 1)
  }

  @Test("Standard output that takes nothing ends the stream")
  func broken() async {
    struct Broken: OutputSink {
      let failure: OutputFailure
      func write(_ text: String) throws(OutputFailure) { throw failure }
    }
    for (failure, code) in [
      (OutputFailure.readerLeft, ExitCode.success), (.failed(errorNumber: ENOSPC), .inputOutput),
    ] {
      let console = Console(
        output: Broken(failure: failure), errors: MemorySink(),
        input: MemorySource(Array(String(repeating: Squares.png + "\n", count: 50).utf8)))
      let arguments = ["count", "--stream", "--jobs", "3"] + Squares.models
      #expect(await TallyCommand.run(arguments, console: console) == code)
    }
  }

  @Test("Input that cannot be read is an I/O error")
  func unreadable() async {
    struct Unreadable: InputSource {
      func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
        throw InputFailure(errorNumber: EIO)
      }
    }
    let errors = MemorySink()
    let console = Console(output: MemorySink(), errors: errors, input: Unreadable())
    let arguments = ["count", "--stream"] + Squares.models
    #expect(await TallyCommand.run(arguments, console: console) == .inputOutput)
    #expect(errors.text.contains("cannot be read"))
  }

  // MARK: Lines
}
