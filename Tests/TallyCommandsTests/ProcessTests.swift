import Foundation
import TallyCommands
import Testing

/// The real program in a process of its own.
@Suite("The process")
struct ProcessTests {
  /// The program, beside the tests' own; nil where only the tests were built.
  static let program: String? = {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let path = folder.appendingPathComponent("tally").path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()

  /// What `script`, in which `$TALLY` is the program, printed and exited with.
  private func shell(_ script: String) throws -> CommandRunText {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", script]
    process.environment = ProcessInfo.processInfo.environment.merging(
      [
        "TALLY": try #require(Self.program), "PHOTO": Squares.png,
        "MODELS": "--detector \(Squares.detector) --embedder \(Squares.embedder)",
      ]
    ) { $1 }
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let outputText = output.fileHandleForReading.readDataToEndOfFile()
    let errorText = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return CommandRunText(
      code: process.terminationStatus, output: String(decoding: outputText, as: UTF8.self),
      errors: String(decoding: errorText, as: UTF8.self))
  }

  struct CommandRunText {
    let code: Int32
    let output: String
    let errors: String
  }

  @Test("Results go to standard output, errors to standard error, codes to the caller")
  func streams() throws {
    let version = try shell("$TALLY --version")
    #expect(version.output == "tally \(TallyCommand.version)\n")
    #expect(version.errors.isEmpty && version.code == 0)
    let failure = try shell("$TALLY count")
    #expect(failure.output.isEmpty && failure.code == 64)
    #expect(failure.errors.hasPrefix("tally: error: ") && failure.errors.hasSuffix("\n"))
    #expect(try shell("$TALLY count /none.jpg $MODELS").code == 66)
  }

  @Test("The whole count runs")
  func count() throws {
    let run = try shell("$TALLY count $PHOTO $MODELS --json")
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.output.contains("\"count\":12,"))
  }

  @Test("A reader that leaves early ends the command without a word")
  func head() throws {
    let run = try shell("$TALLY count --help | head -n 1; echo ${PIPESTATUS[0]}")
    #expect(run.output.hasSuffix("\n0\n"))
    #expect(run.errors.isEmpty)
    let gone = try shell("(sleep 0.2; $TALLY --version; echo $? >&2) | true")
    #expect(gone.errors == "0\n")
  }

  @Test("A standard output that takes nothing is an I/O error")
  func full() throws {
    for target in ["> /dev/full", ">&-", "1< /dev/null"] {
      let run = try shell("$TALLY --version \(target)")
      #expect(run.code == 74, "\(target)")
      #expect(run.errors.hasPrefix("tally: error: cannot write to standard output: "))
      #expect(run.errors.split(separator: "\n").count == 1)
    }
  }

  @Test("Closed streams do not get mixed up with files")
  func closed() throws {
    let folder = try TemporaryFolder()
    let overlay = folder.path("o.png")
    let run = try shell("$TALLY count $PHOTO $MODELS --overlay \(overlay) >&- 2>&- <&-")
    #expect(run.code == 74)
    #expect(try shell("$TALLY count /none.jpg $MODELS 2>&-").code == 66)
    #expect(try shell("$TALLY count $PHOTO $MODELS --json <&-").code == 0)
  }

  @Test("There is no progress line where standard error is no terminal")
  func progress() throws {
    #expect(try shell("$TALLY count $PHOTO $MODELS").errors.isEmpty)
  }
}
