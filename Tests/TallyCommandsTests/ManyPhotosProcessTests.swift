import Foundation
import TallyCommands
import TestSupport
import Testing

/// Many photos by the real program: signals, full disks, readers that leave.
@Suite("Many photos in a process")
struct ManyPhotosProcessTests {
  private static let options = ["--set", "standard", "--jobs", "2"] + Squares.models

  /// The program, not started yet, with nothing to read.
  private func process(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(ProcessTests.program))
    process.arguments = ["count"] + arguments + Self.options
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  private func bytes(_ path: String) -> [UInt8] {
    [UInt8](FileManager.default.contents(atPath: path) ?? Data())
  }

  /// Runs to the end and answers the exit code.
  private func finish(_ arguments: [String]) throws -> Int32 {
    let process = try process(arguments)
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  @Test("Killed at any time and started again, the results are those of one run")
  func kills() throws {
    let folder = try SomePhotos.folder((100..<300).map { "\($0).png" })
    try folder.write("150.png", text: "no photo")
    let whole = folder.path("whole.jsonl")
    #expect(try finish([folder.url.path, "--results", whole]) == 65)
    let lines = bytes(whole)
    #expect(lines.count { $0 == UInt8(ascii: "\n") } == 200)
    var generator = SeededGenerator(seed: 2)
    for signal in [SIGKILL, SIGTERM] {
      let file = folder.path("\(signal).jsonl")
      var cuts = 0
      for _ in 0..<12 {
        let process = try process([folder.url.path, "--results", file])
        try process.run()
        usleep(UInt32.random(in: 10_000...300_000, using: &generator))
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        let found = bytes(file)
        #expect(lines.starts(with: found))
        if process.terminationReason == .uncaughtSignal {
          #expect(process.terminationStatus == signal)
          // Asked to end, it leaves whole lines only.
          if signal == SIGTERM { #expect(found.isEmpty || found.last == UInt8(ascii: "\n")) }
          cuts += 1
        }
      }
      #expect(cuts > 0)
      #expect(try finish([folder.url.path, "--results", file]) == 65)
      #expect(bytes(file) == lines)
    }
  }

  @Test("On a full disk the results end with a whole line, and go on where there is room")
  func fullDisk() throws {
    let folder = try SomePhotos.folder((10..<20).map { "\($0).png" })
    let file = folder.path("r.jsonl")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    // A file may have so many blocks of 1024 bytes; the write fails, and nothing is ended by a signal.
    let script = "trap '' XFSZ; ulimit -f 9; exec \"$0\" \"$@\""
    process.arguments =
      ["-c", script, try #require(ProcessTests.program), "count", folder.url.path, "--results"]
      + [file] + Self.options
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
    #expect(text.hasPrefix("tally: error: \(file): cannot be written: "), "\(text)")
    #expect(text.split(separator: "\n").count == 1)
    let half = bytes(file)
    #expect(half.count > 1000 && half.count <= 9 * 1024 && half.last == UInt8(ascii: "\n"))
    #expect(try finish([folder.url.path, "--results", file]) == 0)
    #expect(bytes(file).count { $0 == UInt8(ascii: "\n") } == 10)
    #expect(bytes(file).starts(with: half))
  }

  @Test("A line is answered before the next is asked, with any number of jobs")
  func conversation() throws {
    for jobs in ["1", "2", "8"] {
      let process = try process(["--stream"])
      process.arguments =
        ["count", "--stream", "--set", "standard", "--jobs", jobs]
        + Squares.models
      let (input, output) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      for _ in 0..<5 {
        try input.fileHandleForWriting.write(contentsOf: Data("\(Squares.png)\n".utf8))
        var answer = Data()
        while answer.last != UInt8(ascii: "\n") {
          let piece = output.fileHandleForReading.availableData
          try #require(!piece.isEmpty)
          answer += piece
        }
        #expect(String(decoding: answer, as: UTF8.self).contains("\"count\":12,"))
      }
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  }

  @Test("A reader that leaves ends the stream without a word, though more could be asked")
  func readerLeaves() throws {
    let process = try process(["--stream"])
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    try output.fileHandleForReading.close()
    try output.fileHandleForWriting.close()
    // The end of the input is not given: what it waits for never comes.
    try input.fileHandleForWriting.write(contentsOf: Data("\(Squares.png)\n".utf8))
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
    #expect(text.isEmpty)
    try input.fileHandleForWriting.close()
  }

  @Test("An endless line fills no memory, and the next is answered")
  func endlessLine() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    let photo = Squares.png
    process.arguments =
      [
        "-c",
        "(head -c 400000000 /dev/zero; echo; echo '\(photo)') | { ulimit -v 1500000; "
          + "exec \"$0\" \"$@\"; }",
        try #require(ProcessTests.program), "count", "--stream",
      ] + Self.options
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .split(separator: "\n")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    try #require(lines.count == 2)
    #expect(lines[0].contains("longer than 64 MB"))
    #expect(lines[1].contains("\"count\":12,"))
  }

  @Test("A standard output that takes nothing is an I/O error for many photos, too")
  func fullOutput() throws {
    let folder = try SomePhotos.folder(["a.png", "b.png"])
    for format in [["--json"], ["--format", "csv"], ["--format", "table"], []] {
      let process = try process([folder.url.path] + format)
      process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 74, "\(format)")
    }
  }
}
