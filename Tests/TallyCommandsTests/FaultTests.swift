#if os(Linux)
  import CountHistory
  import Foundation
  import NumPyFiles
  import ONNXRunner
  import TestSupport
  import Testing

  /// Calls of the system that fail one at a time; `Tests/Faults/run` goes through all of them.
  @Suite("Calls of the system that fail")
  struct FaultTests {
    /// What fails, and what is said of it.
    struct Fault: Sendable, CustomTestStringConvertible {
      let call: String
      let place: Int
      let error: Int32
      let message: String
      var testDescription: String { "\(call) \(place), \(error)" }
    }

    static let faults = [
      Fault(call: "write", place: 1, error: ENOSPC, message: "there is no space left"),
      Fault(call: "write", place: 3, error: EIO, message: "cannot be written"),
      Fault(call: "sync", place: 1, error: EIO, message: "cannot be written"),
      Fault(call: "open", place: 1, error: EACCES, message: "history.sqlite"),
    ]

    @Test(
      "A count that cannot be saved is an error, and the history is what it was", arguments: faults)
    func save(fault: Fault) async throws {
      let folder = try TemporaryFolder()
      let library = try Self.library(in: folder)
      let history = HistoryFile(folder.url.appendingPathComponent("history.sqlite"))
      let arguments =
        ["count", Squares.png, "--save", "--history", history.url.path] + Squares.models
      #expect(try run(arguments, in: folder).code == 0)
      let before = try await history.entries()
      let environment = [
        "LD_PRELOAD": library, "TALLY_FAULT_CALL": fault.call, "TALLY_FAULT_AT": "\(fault.place)",
        "TALLY_FAULT_ERROR": "\(fault.error)", "TALLY_FAULT_LASTS": "1",
      ]
      let failed = try run(arguments, in: folder, environment)
      #expect([66, 74].contains(failed.code), "\(failed)")
      #expect(failed.errors.contains(fault.message), "\(failed)")
      #expect(try await history.entries() == before)
    }

    @Test(
      "A drawing that cannot be written says why, and leaves nothing", arguments: [ENOSPC, EACCES])
    func overlay(error: Int32) throws {
      let folder = try TemporaryFolder()
      let environment = [
        "LD_PRELOAD": try Self.library(in: folder), "TALLY_FAULT_CALL": "open",
        "TALLY_FAULT_AT": "1", "TALLY_FAULT_ERROR": "\(error)",
      ]
      let path = folder.path("o.png")
      let failed = try run(
        ["count", Squares.png, "--overlay", path] + Squares.models, in: folder, environment)
      let reason = error == ENOSPC ? "no space left" : "Permission denied"
      #expect(failed.code == 74, "\(failed)")
      #expect(failed.errors == "tally: error: \(path): cannot be written: \(reason)\n")
      #expect(try folder.names() == ["faults.so"])
    }

    @Test("A trace of a model's run that cannot be written leaves no file with a part of it")
    func trace() throws {
      let folder = try TemporaryFolder()
      let input = folder.path("x.npy")
      try NumPyArray([Float](repeating: 0.5, count: 3 * 224 * 224), shape: [1, 3, 224, 224])
        .write(to: URL(fileURLWithPath: input))
      let model = try InferenceSession(contentsOf: URL(fileURLWithPath: Squares.embedder))
      let name = try #require(model.inputs.first?.name)
      let arguments = [
        "model", "run", Squares.embedder, "--input", "\(name)=\(input)", "--output-dir",
        folder.path("o"), "--trace", folder.path("trace.json"),
      ]
      // The first write is that of the output.
      let environment = [
        "LD_PRELOAD": try Self.library(in: folder), "TALLY_FAULT_CALL": "write",
        "TALLY_FAULT_AT": "2", "TALLY_FAULT_ERROR": "\(ENOSPC)",
      ]
      let failed = try run(arguments, in: folder, environment)
      #expect(failed.code == 74, "\(failed)")
      #expect(failed.errors.contains("trace.json: cannot be written: "), "\(failed)")
      #expect(!folder.has("trace.json"))
    }

    @Test("A model that cannot be mapped is said in words, and none is added")
    func map() throws {
      let folder = try TemporaryFolder()
      let environment = [
        "LD_PRELOAD": try Self.library(in: folder), "TALLY_FAULT_CALL": "map",
        // All of them: which comes first is by chance.
        "TALLY_FAULT_AT": "1", "TALLY_FAULT_ERROR": "\(ENOMEM)", "TALLY_FAULT_LASTS": "1",
      ]
      let failed = try run(
        ["models", "add", Squares.embedder, "--name", "e", "--folder", folder.path("m")],
        in: folder, environment)
      #expect(failed.code == 74, "\(failed)")
      #expect(
        failed.errors.hasPrefix("tally: error: \(Squares.embedder): cannot be read or written: "))
      #expect(!failed.errors.contains("NSCocoa") && failed.errors.hasSuffix("\n"))
      #expect(!folder.has("m/e"))
    }

    /// Makes the library that lets calls fail.
    private static func library(in folder: TemporaryFolder) throws -> String {
      let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Faults/faults.c").path
      let library = folder.path("faults.so")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"]
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0, "a compiler for C is needed")
      return library
    }

    private func run(
      _ arguments: [String], in folder: TemporaryFolder, _ environment: [String: String] = [:]
    ) throws -> (code: Int32, errors: String) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: try #require(ProcessTests.program))
      process.arguments = arguments
      process.environment = ["HOME": folder.url.path].merging(environment) { $1 }
      process.standardOutput = FileHandle.nullDevice
      let errors = Pipe()
      process.standardError = errors
      try process.run()
      let text = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
  }
#endif
