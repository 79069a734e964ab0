import Foundation
import TestSupport
import Testing

/// A pipe without a writer makes who opens it wait, and a device never ends: no command does either.
@Suite("Pipes and devices in place of files")
struct SpecialFileTests {
  /// A command line in which `X` stands for what is no file.
  struct Use: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    /// Where it is put, in a folder of the test's own; `X` if that does not matter.
    var place = "X"
    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let counting = ["count", Squares.png] + Squares.models

  static let uses: [Use] = [
    Use(arguments: ["barcode", "X"]),
    Use(arguments: counting + ["--config", "X"]),
    Use(arguments: counting + ["--correction", "X"]),
    Use(arguments: counting + ["--settings", "X"]),
    Use(arguments: counting + ["--template", "X"]),
    Use(arguments: counting + ["--template", "t", "--templates", "."], place: "t.json"),
    Use(arguments: ["count", Squares.png, "--detector", "X"]),
    Use(arguments: ["count", Squares.png, "--embedder", "X"]),
    Use(arguments: ["evaluate", "X", "X"]),
    Use(arguments: ["evaluate", "classes", "--truth", "X", "--predictions", "X"]),
    Use(arguments: ["evaluate", "counts", ".", "--points", "X"]),
    Use(arguments: ["evaluate", "counts", "."], place: "truth.json"),
    Use(arguments: ["classify", Squares.png, "--model", Squares.embedder, "--labels", "X"]),
    Use(arguments: ["cluster", "X", "--clusters", "2"]),
    Use(arguments: ["index", "build", "new", "--vectors", "X"]),
    Use(arguments: ["index", "build", "new", "--vectors", "v.npy", "--ids", "X"]),
    Use(arguments: ["index", "build", "new", "--vectors", "v.npy", "--payloads", "X"]),
    Use(arguments: ["index", "stats", "."], place: "entries"),
    Use(arguments: ["library", "list", "."], place: "library.json"),
    Use(arguments: ["library", "find", ".", Squares.png], place: "library.json"),
    Use(arguments: ["model", "inspect", "X"]),
    Use(arguments: ["model", "run", Squares.embedder, "--input", "a=X", "--output-dir", "o"]),
    Use(arguments: ["models", "add", "X", "--name", "m", "--folder", "m"]),
    Use(arguments: ["models", "fetch", "--manifest", "X", "--folder", "m"]),
    Use(arguments: ["settings", "show", "--settings", "X"]),
    Use(arguments: ["settings", "set", "confidence=0.3", "--settings", "X"]),
    Use(arguments: ["template", "show", "t", "--templates", "."], place: "t.json"),
    Use(arguments: ["history", "list", "--history", "X"]),
    Use(arguments: ["history", "salvage", "--history", "X", "--to", "new"]),
  ]

  @Test("Each is refused with one error line, and soon", arguments: uses)
  func refused(use: Use) throws {
    for isPipe in [true, false] {
      let folder = try TemporaryFolder()
      let path = folder.path(use.place)
      if isPipe {
        #expect(mkfifo(path, 0o600) == 0)
      } else {
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: "/dev/zero")
      }
      let (code, errors) = try run(use.arguments, in: folder.url)
      #expect([64, 65, 66, 74].contains(code), "\(isPipe ? "pipe" : "device"): \(code) \(errors)")
      #expect(
        errors.hasPrefix("tally: error: ") && errors.filter { $0 == "\n" }.count == 1, "\(errors)")
    }
  }

  /// Runs the program; one that waits is ended.
  private func run(_ arguments: [String], in folder: URL) throws -> (code: Int32, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(ProcessTests.program))
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ["HOME": folder.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let number = process.processIdentifier
    let patience = DispatchWorkItem { kill(number, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: patience)
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    patience.cancel()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }
}
