import Foundation
import NumPyFiles
import TallyCommands
import TestSupport
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
        // Whoever runs the tests may have settings.
        "XDG_CONFIG_HOME": "/nowhere",
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

  @Test("OpenBLAS is not linked, and within a limit on addresses every command ends")
  func limitedAddresses() throws {
    #expect(try shell("ldd $TALLY | grep -c -i -E 'blas|lapack'").output == "0\n")
    for kilobytes in [250_000, 300_000, 350_000, 400_000] {
      let limit = "ulimit -c 0; ulimit -v \(kilobytes); timeout 60"
      for words in ["--version", "isbn 9780306406157"] {
        let run = try shell("\(limit) $TALLY \(words)")
        #expect(run.code == 0, "\(words): \(run)")
      }
      let count = try shell("\(limit) $TALLY count $PHOTO $MODELS --set standard; echo $?")
      // Where memory is short it may fail, but not wait without end.
      #expect(!count.output.hasSuffix("124\n"), "\(kilobytes)")
    }
  }

  @Test("With too few addresses for threads a command says so at once, and does not wait for them")
  func noAddresses() throws {
    // Below this the loader itself finds no place for the libraries.
    for kilobytes in stride(from: 140_000, through: 240_000, by: 10_000) {
      let run = try shell("ulimit -c 0; ulimit -v \(kilobytes); timeout 60 $TALLY --version")
      let isRefused = run.code == 78 && run.errors.contains("MB on addresses")
      let isNotLoaded = run.code == 127 && run.errors.contains("loading shared libraries")
      #expect(run.code == 0 || isRefused || isNotLoaded, "\(kilobytes): \(run)")
    }
  }

  @Test("With too few threads a command says so at once, and does not wait for them")
  func noThreads() throws {
    // The system lets the superuser start any number.
    guard getuid() == 0 else { return }
    for most in 1...16 {
      let run = try shell(
        "timeout -s KILL 60 prlimit --nproc=\(most):\(most) setpriv --reuid 61234 --clear-groups "
          + "$TALLY --version")
      let isRefused = run.code == 78 && run.errors.contains("limit on processes and threads leaves")
      // That user may have no right to read the folder of the program.
      let isNotFound = run.code == 126 || run.code == 127
      #expect(run.code == 0 || isRefused || isNotFound, "\(most): \(run)")
      #expect(most > 1 || isRefused || isNotFound)
    }
  }

  @Test("A text comes from a pipe, and an endless one does not fill the memory")
  func scan() throws {
    let piped = try shell("echo 9780306406157 | $TALLY isbn --scan -")
    #expect(piped.output == "-:1:1: 978-0-306-40615-7, English language\n" && piped.code == 0)
    let named = try shell("$TALLY isbn --scan <(echo 9780306406157) --json")
    #expect(named.output.contains("\"isbn13\":\"9780306406157\"") && named.code == 0)
    #expect(try shell("$TALLY isbn --scan - < /").code == 74)
    let early = try shell(
      "yes 9780306406157 2> /dev/null | $TALLY isbn --scan - | head -n 1; echo ${PIPESTATUS[1]}")
    #expect(early.output == "-:1:1: 978-0-306-40615-7, English language\n0\n")
    #expect(early.errors.isEmpty)

    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.program))
    process.arguments = ["isbn", "--scan", "-"]
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/zero"))
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    // Hundreds of megabytes go through in this time.
    usleep(1_000_000)
    let peak = Self.peakKilobytes(of: process.processIdentifier)
    #expect(process.isRunning)
    process.terminate()
    process.waitUntilExit()
    #expect(peak < 100 * 1024, "\(peak) kB")
  }

  @Test("The whole count runs")
  func count() throws {
    let run = try shell("$TALLY count $PHOTO $MODELS --set standard --json")
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

  @Test("A reader that leaves early ends the printing, and what was asked for is written")
  func readerOfSomeLines() throws {
    let folder = try TemporaryFolder()
    let photos = (0..<5).map { "photo\($0).png" }
    for name in photos {
      try folder.write(name, Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    }
    let begin = "cd \(folder.url.path); ulimit -c 0; "
    let leave = "| head -c 1 > /dev/null; echo ${PIPESTATUS[0]}"
    let count = "$TALLY count . $MODELS --set standard --jobs 1"
    #expect(try shell("\(begin)\(count) --overlay o/ \(leave)").output == "0\n")
    #expect(try folder.names(in: "o") == photos)
    let history = folder.path("h.sqlite")
    #expect(
      try shell("\(begin)XDG_DATA_HOME=$PWD/data \(count) --save \(leave)").output == "0\n")
    let saved = try shell("\(begin)XDG_DATA_HOME=$PWD/data $TALLY history list --json | wc -l")
    #expect(saved.output == "5\n", "\(history)")
    let embed = "$TALLY embed *.png --embedder \(Squares.embedder) --output e.npy"
    #expect(try shell("\(begin)\(embed) \(leave)").output == "0\n")
    #expect(try NumPyArray(contentsOf: folder.url.appendingPathComponent("e.npy")).shape[0] == 5)
  }

  @Test("A pipe in place of a file is refused, and not waited for")
  func pipes() throws {
    let folder = try TemporaryFolder()
    let model = Folders.goldens.appendingPathComponent("ONNXRunner/external.onnx")
    try folder.write("external.onnx", Data(contentsOf: model))
    let begin = "cd \(folder.url.path); "
    let external = try shell(
      "\(begin)mkfifo external.weights; timeout 20 $TALLY model inspect external.onnx")
    #expect(external.code == 74 && external.errors.contains("regular file"), "\(external)")
    let library = try shell(
      "\(begin)mkdir lb; mkfifo lb/library.json; timeout 20 $TALLY library list lb")
    #expect(library.code == 74 && library.errors.contains("regular file"), "\(library)")
  }

  @Test("A folder that cannot be looked into is an error, and not passed over")
  func deepFolders() throws {
    let folder = try TemporaryFolder()
    // The path at the bottom is longer than the system takes.
    let run = try shell(
      """
      cd \(folder.url.path); cp $PHOTO top.png
      name=$(printf 'd%.0s' {1..200})
      for i in {1..30}; do mkdir $name && cd -P ./$name || break; done; cp $PHOTO deep.png
      cd \(folder.url.path)
      $TALLY count . --recursive $MODELS --set standard; code=$?
      rm -rf ddd*; exit $code
      """)
    #expect(run.code == 66 && run.errors.contains("cannot be looked at"), "\(run)")
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

  @Test("An index on a full disk: none where there was none, the old one where there was")
  func indexOnAFullDisk() throws {
    let folder = try TemporaryFolder()
    for (name, count) in [("few", 50), ("many", 5000)] {
      var generator = SeededGenerator(seed: UInt64(count))
      let values = (0..<count * 64).map { _ in Float(generator.unit() - 0.5) }
      try NumPyArray(shape: [count, 64], elements: .float32(values))
        .write(to: folder.url.appendingPathComponent("\(name).npy"))
    }
    let index = folder.path("index")
    // The write is to fail, not the process.
    func limited(_ kilobytes: Int, _ words: String) throws -> CommandRunText {
      try shell(
        "cd \(folder.url.path); trap '' XFSZ; ulimit -f \(kilobytes); $TALLY index \(words)")
    }
    for kilobytes in [0, 1, 600] {
      let run = try limited(kilobytes, "build index --vectors many.npy")
      #expect(run.code == 74 && run.output.isEmpty)
      #expect(run.errors.hasPrefix("tally: error: ") && run.errors.contains("no space left"))
      #expect(!FileManager.default.fileExists(atPath: index), "at \(kilobytes) kB")
    }
    #expect(try shell("$TALLY index build \(index) --vectors \(folder.path("few.npy"))").code == 0)
    for kilobytes in [0, 100, 700] {
      #expect(try limited(kilobytes, "add index --vectors many.npy").code == 74)
      let stats = try shell("$TALLY index stats \(index)")
      #expect(stats.code == 0 && stats.output.contains(": 50 entries\n"), "\(stats)")
    }
    #expect(try limited(100_000, "add index --vectors many.npy").code == 0)
    #expect(try shell("$TALLY index stats \(index)").output.contains(": 5050 entries\n"))
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

  @Test(
    "The count of a real photo: every stage as in Python, and memory below 150 MB",
    arguments: [
      (
        ["--set", "standard"],
        ["detected": 97, "size": 91, "aspect": 59, "area": 56, "embedded": 56, "merged": 56]
      ),
      (
        [
          "--set", "standard", "--size-sigma", "3", "--aspect-range", "0.45:2.2", "--area-sigma",
          "2",
        ],
        ["detected": 97, "size": 94, "aspect": 84, "area": 79, "embedded": 79, "merged": 64]
      ),
    ] as [([String], [String: Int])])
  func realPhoto(options: [String], stages: [String: Int]) throws {
    guard let photo = try Requirements.shared("photos/count/tartlets.jpg"),
      let detector = try Requirements.shared("models/yolox_nano_416.onnx"),
      let embedder = try Requirements.shared("models/mobilenetv3_small_embedder.onnx")
    else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.program))
    process.arguments =
      [
        "count", photo.path, "--detector", detector.path, "--embedder", embedder.path, "--json",
        "--settings", "none",
      ] + options
    let folder = try TemporaryFolder()
    let file = try folder.write("out.json", text: "")
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    try process.run()
    var peak = 0
    while process.isRunning {
      peak = max(peak, Self.peakKilobytes(of: process.processIdentifier))
      usleep(2000)
    }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let output = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: file)))
    #expect((output as? [String: Any])?["stages"] as? [String: Int] == stages)
    #if os(Linux)
      #expect(peak > 0)
    #endif
    #expect(peak < 150 * 1024, "\(peak) kB")
  }

  /// The most memory a running process has held, from Linux's account of it; 0 where there is none.
  private static func peakKilobytes(of process: Int32) -> Int {
    guard
      let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return 0 }
    return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
  }
}
