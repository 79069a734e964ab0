import CountSettings
import Counting
import Foundation
import TestSupport
import Testing

@testable import CountCommands

/// What happens to the file of the settings, and what is made of one that is damaged.
@Suite("The settings' file")
struct SettingsFileTests {
  static let whole = """
    {
      "set": "standard",
      "confidence": 0.2,
      "aspect": {"range":[0.45,2.2]},
      "mergeFirst": "main",
      "adaptive": {
        "tilesPerSide": 2,
        "keepsCutObjects": false
      }
    }

    """

  @Test("What is written by hand is kept as it was meant")
  func canonical() async throws {
    let home = try SettingsHome()
    try home.write(Self.whole.filter { !$0.isWhitespace })
    #expect(await home.settings("set", "confidence=0.2").code == .success)
    #expect(home.text == Self.whole)
    try home.write(#"{"adaptive":"off","batchSize":2}"#)
    #expect(await home.settings("set", "nmsIoU=0.5").code == .success)
    #expect(home.text == "{\n  \"nmsIoU\": 0.5,\n  \"batchSize\": 2,\n  \"adaptive\": \"off\"\n}\n")
    #expect(await home.settings("set", "adaptive.tilesPerSide=2").code == .success)
    #expect(home.text?.contains("off") == false)
  }

  @Test(
    "A damaged file: shown and counted with it is bad data, and the line names file and field",
    arguments: [
      (#"{"confidense": 0.2}"#, "unknown field \"confidense\""),
      (#"{"confidense": 0.2}"#, "did you mean 'confidence'?"),
      (#"{"adaptive": {"tiles": 2}}"#, "unknown field \"adaptive.tiles\""),
      (#"{"confidence": 7}"#, "confidence is 7.0; it must be in 0.001...0.9"),
      (#"{"adaptive": {"tilesPerSide": 9}}"#, "adaptive.tilesPerSide is 9.0"),
      (#"{"confidence": "high"}"#, "confidence must be a number"),
      (#"{"confidence": null}"#, "confidence must be a number"),
      (#"{"set": "best"}"#, "set must be one of"), (#"{"set": 3}"#, "set must be one of"),
      (#"{"adaptive": 3}"#, "adaptive must be"),
      (#"{"set": "adaptive", "adaptive": "off"}"#, "adaptive must be"),
      (#"{"aspect": {"range": [3, 2]}}"#, "aspect.range"), ("[1, 2]", "not a JSON object"),
      (#"{"confidence": 0.2}x"#, "not a JSON object: Invalid value around character 19"),
      ("", "not a JSON object: Unexpected end of file"), ("\u{0}", "not a JSON object"),
      ("null", "not a JSON object"),
      (#"{"confidence": 0.2"#, "not a JSON object"), (#"{"batchSize": 1e999}"#, "batchSize"),
      (String(repeating: "[", count: 60_000), "not a JSON object"),
      ("{}" + String(repeating: " ", count: 65_536), "more than 65536 bytes"),
    ])
  func damaged(text: String, message: String) async throws {
    let home = try SettingsHome()
    try home.write(text)
    for run in [await home.settings("show"), await home.count()] {
      #expect(run.failed(.badData), "\(run)")
      #expect(
        run.errors.contains("\(home.path): ") && run.errors.contains(message), "\(run.errors)")
    }
    let errors = await home.settings("show").errors
    #expect(errors.contains("'tally settings reset' removes all fields"))
    #expect(await home.count("--settings", "none", "--set", "standard").code == .success)
    try home.write(text)
    let reset = await home.settings("reset")
    #expect(
      reset.output == "\(home.path): it was damaged, and is now \(home.path).damaged\n", "\(reset)")
    #expect(home.text == nil)
    #expect(try String(contentsOfFile: home.path + ".damaged", encoding: .utf8) == text)
    #expect(await home.count("--set", "standard").code == .success)
  }

  @Test("A field with a wrong value, or an unknown one, is set anew or taken out")
  func mended() async throws {
    let home = try SettingsHome()
    try home.write(#"{"confidence": 7, "nmsIoU": 0.5}"#)
    #expect(await home.settings("set", "nmsIoU=0.6").failed(.badData))
    #expect(home.text == #"{"confidence": 7, "nmsIoU": 0.5}"#)
    #expect(await home.settings("set", "confidence=0.3").code == .success)
    #expect(home.text == "{\n  \"confidence\": 0.3,\n  \"nmsIoU\": 0.5\n}\n")
    try home.write(#"{"confidense": 0.2, "nmsIoU": 0.5, "adaptive": {"tiles": 1}}"#)
    #expect(await home.settings("reset", "confidense").failed(.badData))
    #expect(await home.settings("reset", "confidense", "adaptive.tiles").code == .success)
    #expect(home.text == "{\n  \"nmsIoU\": 0.5\n}\n")
  }

  @Test("Cut at every byte it is whole, or an error")
  func truncated() throws {
    let bytes = Array(Self.whole.utf8)
    let all = try CountingSettings(json: Data(bytes))
    for count in 0..<bytes.count {
      guard let read = try? CountingSettings(json: Data(bytes[..<count])) else { continue }
      // Only the line end is missing.
      #expect(read == all && count >= bytes.count - 1, "\(count)")
    }
  }

  @Test("A flipped bit is an error, or settings within their ranges")
  func flipped() throws {
    let bytes = Array(Self.whole.utf8)
    var errors = 0
    for bit in 0..<bytes.count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      do {
        let read = try CountingSettings(json: Data(changed))
        for set in CountingPreset.allCases {
          try read.over(set.configuration).validate()
        }
        // And what is read is written so that it reads the same.
        #expect(try CountingSettings(json: Data(read.text.utf8)) == read)
      } catch is CountingConfigurationError {
        errors += 1
      }
    }
    #expect(errors > bytes.count * 4)
  }

  @Test("What is no file is no input, wherever it stands")
  func impostors() async throws {
    let home = try SettingsHome()
    try FileManager.default.createDirectory(
      atPath: home.path, withIntermediateDirectories: true)
    for run in [
      await home.settings("show"), await home.count(), await home.settings("set", "nmsIoU=0.5"),
      await home.settings("reset", "nmsIoU"), await home.settings("reset"),
    ] {
      #expect(run.failed(.noInput), "\(run)")
      #expect(run.errors.contains("\(home.path): this is a folder; it must be a file"))
    }
    rmdir(home.path)
    mkfifo(home.path, 0o600)
    // It has no writer, and nobody waits for one.
    #expect(await home.count().failed(.noInput))
    #expect(await home.settings("set", "nmsIoU=0.5").failed(.noInput))
    unlink(home.path)
    // A file in the folder's place holds no settings, and takes none.
    let other = try TemporaryFolder()
    try other.write("tally", text: "")
    let environment = ["XDG_CONFIG_HOME": other.url.path]
    #expect(await tally(["settings", "show"], environment: environment).code == .success)
    #expect(
      await tally(["settings", "set", "nmsIoU=0.5"], environment: environment)
        .failed(.inputOutput))
  }

  @Test("What may not be read or written is an error that says so")
  func forbidden() async throws {
    let home = try SettingsHome()
    try home.write(Self.whole)
    chmod(home.path, 0)
    // Whoever may read everything reads this too.
    guard access(home.path, R_OK) != 0 else { return }
    for run in [await home.settings("show"), await home.count()] {
      #expect(run.failed(.noInput) && run.errors.contains("cannot be opened"), "\(run)")
    }
    chmod(home.path, 0o400)
    chmod(home.folder.path("tally"), 0o500)
    let run = await home.settings("set", "nmsIoU=0.5")
    #expect(run.failed(.inputOutput) && run.errors.contains("cannot be written"), "\(run)")
    #expect(home.text == Self.whole)
    chmod(home.folder.path("tally"), 0o700)
  }

  @Test("Permissions stay, links stay links, and what a killed process left is cleared")
  func neighbours() async throws {
    let home = try SettingsHome()
    #expect(await home.settings("set", "nmsIoU=0.5").code == .success)
    #expect(try home.folder.names(in: "tally") == [".settings.json.lock", "settings.json"])
    var status = stat()
    #expect(stat(home.folder.path("tally"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    chmod(home.path, 0o640)
    try home.folder.write("tally/settings.json.new", text: "half of it")
    #expect(await home.settings("set", "nmsIoU=0.6").code == .success)
    #expect(stat(home.path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(!home.folder.has("tally/settings.json.new"))

    let real = home.folder.path("dotfiles.json")
    #expect(rename(home.path, real) == 0 && symlink(real, home.path) == 0)
    #expect(await home.settings("set", "nmsIoU=0.7").code == .success)
    #expect(lstat(home.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(try String(contentsOfFile: real, encoding: .utf8).contains("0.7"))
  }

  @Test("Tasks that set fields at the same time lose none")
  func manyTasks() async throws {
    let home = try SettingsHome()
    let words = SettingsTests.values.map { "\($0.name)=\($0.text)" }
    await withTaskGroup(of: CommandRun.self) { group in
      for word in words { group.addTask { await home.settings("set", word) } }
      for await run in group { #expect(run.code == .success, "\(run)") }
    }
    #expect(try SettingsFile(home.path).read()?.names == Set(SettingsTests.values.map(\.name)))
  }

  @Test("Processes that set fields at the same time lose none")
  func manyProcesses() async throws {
    let home = try SettingsHome()
    let children = try SettingsTests.values.map { name, text in
      try ChildProcess(
        "tally", ["settings", "set", "\(name)=\(text)"], variables: home.environment)
    }
    for child in children {
      _ = child.finish()
      #expect(child.process.terminationStatus == 0)
    }
    #expect(try SettingsFile(home.path).read()?.names == Set(SettingsTests.values.map(\.name)))
  }

  @Test(
    "A process that is killed leaves the old settings or the new ones, and the next one goes on")
  func killed() async throws {
    let home = try SettingsHome()
    #expect(await home.settings("set", "nmsIoU=0.5", "batchSize=1").code == .success)
    // From before it begins to after it ends, however long that takes here.
    let clock = ContinuousClock()
    let time = try clock.measure {
      _ = try ChildProcess(
        "tally", ["settings", "set", "batchSize=1"], variables: home.environment
      ).finish()
    }
    let most = UInt64(time / .microseconds(1)) * 3 / 2 + 1
    var generator = SeededGenerator(seed: 11)
    var (kills, written) = (0, 0)
    var old = 1
    for round in 2..<62 {
      let child = try ChildProcess(
        "tally", ["settings", "set", "batchSize=\(round)"], variables: home.environment)
      if child.kill(after: generator.next() % most) != nil { kills += 1 }
      let read = try #require(try SettingsFile(home.path).read())
      let size = read.values.configuration.batchSize
      #expect(read.names == ["nmsIoU", "batchSize"] && (size == old || size == round))
      if size == round { written += 1 }
      old = size
    }
    #expect(kills > 0 && written > 0, "\(kills) kills, \(written) written")
    #expect(await home.settings("set", "batchSize=9").code == .success)
    #expect(try home.folder.names(in: "tally") == [".settings.json.lock", "settings.json"])
  }

  @Test("On a full disk the old settings stay")
  func fullDisk() throws {
    let home = try SettingsHome()
    try home.write(Self.whole)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    // The write is to fail, not the process.
    process.arguments = [
      "-c", "trap '' XFSZ; ulimit -f 0; exec \"$TALLY\" settings set nmsIoU=0.5",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(home.environment) { $1 }
      .merging(["TALLY": try #require(ProcessTests.program)]) { $1 }
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
    #expect(text == "tally: error: \(home.path): cannot be written: no space left\n", "\(text)")
    #expect(home.text == Self.whole)
    #expect(!home.folder.has("tally/settings.json.new"))
  }
}
