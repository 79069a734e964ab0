import Counting
import Foundation
import ImageFiles
import ModelStore
import TestSupport
import Testing

@testable import CommandKit
@testable import CountCommands
@testable import TallyCommands

/// A user's folder, and `tally doctor` there.
private struct DoctorHome {
  let folder: TemporaryFolder
  var variables: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    variables = ["HOME": folder.url.path, "LANG": "C.UTF-8"]
  }

  var data: String { folder.path(".local/share/tally") }

  /// Writes a file below the home; its folders are made.
  func write(_ path: String, _ text: String) throws {
    let url = URL(fileURLWithPath: folder.path(path))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func doctor(_ arguments: String...) async -> CommandRun {
    await tally(["doctor"] + arguments, environment: variables)
  }

  /// The findings of a check, without running the models.
  func findings(_ check: String) -> [Finding] {
    let console = Console(output: MemorySink(), errors: MemorySink(), environment: variables)
    let all =
      ModelFolderChecks.findings(console) + StoredFileChecks.findings(console)
      + SurroundingsChecks.findings(console)
    return all.filter { $0.check == check }
  }

  /// The only finding of a check.
  func finding(_ check: String) throws -> Finding {
    let all = findings(check)
    return try #require(all.count == 1 ? all[0] : nil, "\(all)")
  }

  /// All paths below the home with their sizes and times of change.
  func contents() throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    return try names.sorted().map { name in
      let facts = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      return "\(name) \(facts[.size] ?? "") \(facts[.modificationDate] ?? "")"
    }
  }
}

@Suite("tally doctor")
struct DoctorCommandTests {
  @Test("A new user has no problem, and nothing is made")
  func fresh() async throws {
    let home = try DoctorHome()
    let run = await home.doctor()
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(run.outputLines.last?.hasPrefix("no problem, ") == true)
    #expect(run.outputLines.dropLast().allSatisfy { $0.hasPrefix("  ") && $0.count <= 400 })
    #expect(try home.contents().isEmpty)
    for check in [
      "version", "processor", "memory", "matrices", "model", "photos", "models", "settings",
      "history", "templates", "temporary", "terminal", "variable",
    ] {
      #expect(run.output.contains("  \(check) "), "\(check)")
    }
  }

  @Test("JSON has the same findings, with an object a check")
  func json() async throws {
    let home = try DoctorHome()
    let run = await home.doctor("--json")
    let value = try run.json()
    #expect(value["version"] as? String == TallyCommand.version)
    #expect(value["problems"] as? Int == 0)
    let checks = try #require(value["checks"] as? [[String: Any]])
    let states = checks.compactMap { $0["state"] as? String }
    #expect(states.count == checks.count && Set(states).isSubset(of: ["ok", "note"]))
    #expect(value["notes"] as? Int == states.count { $0 == "note" })
    for check in checks {
      #expect(check["finding"] as? String != nil && check["check"] as? String != nil)
      #expect((check["advice"] as? String == nil) == (check["state"] as? String == "ok"))
    }
  }

  @Test("Without a home there is no place for anything, and no problem")
  func homeless() throws {
    var home = try DoctorHome()
    for variables in [[:], ["HOME": ""], ["HOME": "relative"]] {
      home.variables = variables
      for check in ["models", "settings", "history", "templates"] {
        let found = try home.finding(check)
        #expect(found.state == .note && found.text.contains("there is no place for"), "\(found)")
      }
    }
  }

  // MARK: What is kept

  @Test("Settings are told, and broken ones are a problem with an exit code of its own")
  func settings() async throws {
    let home = try DoctorHome()
    let path = ".config/tally/settings.json"
    try home.write(path, #"{"confidence": 0.3}"#)
    var found = try home.finding("settings")
    #expect(found.state == .note && found.text.contains("confidence 0.3"), "\(found)")
    try home.write(path, #"{"sizeSigma": 2}"#)
    found = try home.finding("settings")
    #expect(found.state == .note && found.text.contains("not in force: sizeSigma"), "\(found)")
    for broken in ["{", "[]", #"{"confidense": 0.3}"#, #"{"confidence": 7}"#, "\0\u{FF}"] {
      try home.write(path, broken)
      found = try home.finding("settings")
      #expect(found.state == .problem && found.text.contains(path), "\(found)")
      #expect(found.advice?.contains("tally settings reset") == true)
    }
    let run = await home.doctor()
    #expect(run.code == .problemFound && run.code.rawValue == 78)
    #expect(run.errors == "tally: error: 1 problem found\n")
    #expect(run.outputLines.last?.hasPrefix("1 problem, ") == true)
    try home.write(path, #"{"confidense": 0.3}"#)
    #expect(try home.finding("settings").text.contains("confidence"))
  }

  @Test("A history is counted without a change to it; a damaged one is a problem")
  func history() async throws {
    let home = try DoctorHome()
    let run = await tally(
      ["count", Squares.png, "--save"] + Squares.models, environment: home.variables)
    #expect(run.code == .success, "\(run)")
    let before = try home.contents()
    var found = try home.finding("history")
    #expect(found.state == .ok && found.text.hasSuffix("history.sqlite: 1 count saved"))
    #expect(try home.contents() == before)

    let file = URL(fileURLWithPath: "\(home.data)/history.sqlite")
    let whole = try Data(contentsOf: file)
    for (data, advice) in [
      (whole.prefix(whole.count / 2), "salvage"), (whole.prefix(100), "salvage"),
      (Data("hello".utf8), "move it away"),
    ] {
      try data.write(to: file)
      found = try home.finding("history")
      #expect(found.state == .problem && found.advice?.contains(advice) == true, "\(found)")
      #expect(try Data(contentsOf: file) == data)
    }
    try whole.write(to: file)
    try Data([1]).write(to: URL(fileURLWithPath: "\(home.data)/history.sqlite-journal"))
    found = try home.finding("history")
    #expect(found.state == .note && found.text.contains("a process is changing it"), "\(found)")
  }

  @Test("Templates are counted, and each damaged one is a problem")
  func templates() throws {
    let home = try DoctorHome()
    try home.write(".local/share/tally/templates/a.json", "{}")
    try home.write(".local/share/tally/templates/b.json", "")
    let found = home.findings("templates")
    #expect(found.count == 2 && found.allSatisfy { $0.state == .problem })
  }

  @Test("Models in use are compared with their SHA-256")
  func models() throws {
    let home = try DoctorHome()
    let models = ModelFolder(URL(fileURLWithPath: "\(home.data)/models"))
    let file = try home.folder.write("m.onnx", Data("model".utf8))
    try models.add(
      URL(fileURLWithPath: file), name: "mine", version: "1", task: "object-detection")
    var found = try home.finding("models")
    #expect(found.state == .ok && found.text.contains("1 model kept"), "\(found)")
    let kept = try models.model("mine").file
    chmod(kept.path, 0o644)
    try Data("medol".utf8).write(to: kept)
    found = try home.finding("models")
    #expect(found.state == .problem && found.text.contains("SHA-256"), "\(found)")
    try FileManager.default.removeItem(atPath: "\(home.data)/models/mine/.use.json")
    found = try home.finding("models")
    #expect(found.state == .problem && found.text.contains("no version of it is in use"))
  }

  @Test("Files in place of folders are problems, and never end the command")
  func filesForFolders() throws {
    let home = try DoctorHome()
    for name in ["models", "templates", "history.sqlite/x"] {
      try home.write(".local/share/tally/\(name)", "a file")
    }
    for check in ["models", "templates", "history"] {
      let found = try home.finding(check)
      #expect(found.state == .problem, "\(check): \(found)")
    }
    var other = try DoctorHome()
    other.variables["HOME"] = "/dev/null"
    for check in ["models", "settings", "history", "templates"] {
      #expect(try other.finding(check).state != .problem, "\(check)")
    }
  }

  @Test("What cannot be read or written is told", .enabled(if: geteuid() != 0))
  func permissions() throws {
    let home = try DoctorHome()
    try home.write(".local/share/tally/models/x", "")
    try home.write(".config/tally/settings.json", "{}")
    chmod(home.data, 0)
    chmod(home.folder.path(".config/tally/settings.json"), 0)
    defer { chmod(home.data, 0o755) }
    #expect(try home.finding("models").state == .problem)
    #expect(try home.finding("settings").state == .problem)
    #expect(try home.finding("history").state == .problem)
  }

  // MARK: The program

  @Test("The digests of the bundled models are those of the files")
  func bundledModels() throws {
    for check in BundledModelCheck.all {
      #expect(try SHA256Digest(contentsOf: check.file()).description == check.digest)
    }
  }

  @Test("A bundled model that is missing, changed or does not run is a problem")
  func brokenModels() async throws {
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: try folder.write("m.onnx", Data("model".utf8)))
    let digest = try SHA256Digest(contentsOf: file).description
    func found(
      digest: String, file: URL, trial: @escaping @Sendable (URL) async throws -> String?
    ) async -> Finding {
      let check = BundledModelCheck(
        name: "m.onnx", digest: digest, file: { file }, trial: trial)
      return await BundledModelCheck.findings(of: [check])[0]
    }
    let none = URL(fileURLWithPath: folder.path("none"))
    #expect(await found(digest: digest, file: file, trial: { _ in nil }).state == .ok)
    #expect(await found(digest: digest, file: none, trial: { _ in nil }).state == .problem)
    let changed = await found(
      digest: String(repeating: "0", count: 64), file: file, trial: { _ in nil })
    #expect(changed.state == .problem && changed.text.contains(digest))
    #expect(await found(digest: digest, file: file, trial: { _ in "bad" }).text.hasSuffix("bad"))
    let thrown = await found(digest: digest, file: file, trial: { _ in throw ExitCodeFault() })
    #expect(thrown.state == .problem && thrown.text.contains("cannot be run"))
  }

  private struct ExitCodeFault: Error {}

  @Test("Each format is read, and one whose picture cannot be is a problem of its own")
  func codecs() {
    let found = CodecChecks.findings()
    #expect(found == [.ok("photos", "JPEG, PNG, HEIC, WebP and TIFF can be read")])
    let one = CodecChecks.findings { $0 == .heic ? "AAAA" : CodecChecks.picture($0) }
    #expect(one.map(\.state) == [.ok, .problem])
    #expect(one[0].text == "JPEG, PNG, WebP and TIFF can be read")
    #expect(one[1].advice?.contains("libheif") == true)
    // All turned into another's picture, or into nothing.
    #expect(CodecChecks.findings { _ in "" }.map(\.state) == Array(repeating: .problem, count: 5))
  }

  @Test("Little memory and limits are notes")
  func memory() {
    typealias Memory = ProgramChecks.Memory
    let plenty = 8 << 30
    #expect(ProgramChecks.memory(Memory()).state == .ok)
    #expect(
      ProgramChecks.memory(Memory(available: plenty)) == .ok("memory", "8192 MB available"))
    #expect(ProgramChecks.memory(Memory(available: 100 << 20)).state == .note)
    let limited = ProgramChecks.memory(Memory(available: plenty, addresses: 2 << 30))
    #expect(limited.state == .note && limited.text.contains("2048 MB of addresses (ulimit -v)"))
    let tight = ProgramChecks.memory(
      Memory(available: plenty, addresses: 256 << 20, room: 100 << 20))
    #expect(tight.state == .problem && tight.text.contains("100 MB of them are left"))
    let container = ProgramChecks.memory(Memory(available: plenty, ofGroup: 256 << 20))
    #expect(container.state == .note && container.text.contains("256 MB for this container"))
  }

  // MARK: Surroundings

  @Test("Variables that change commands are told, and unknown ones of the program's prefix")
  func variables() throws {
    var home = try DoctorHome()
    home.variables["OMP_NUM_THREADS"] = "2"
    home.variables["OPENBLAS_NUM_THREADS"] = "many"
    home.variables["OPENBLAS_CORETYPE"] = "Haswell"
    home.variables["TALLY_TEMPLATE"] = "\u{1B}[2J"
    home.variables["TALLY_TEMPLATES"] = home.folder.path("t")
    home.variables["XDG_DATA_HOME"] = "relative"
    let found = home.findings("variable")
    let texts = found.map(\.text)
    #expect(found.map(\.state) == [.note, .note, .note, .note, .ok, .note])
    #expect(texts[0] == "OMP_NUM_THREADS=2: products of matrices use at most 2 threads")
    #expect(texts[2].hasPrefix("OPENBLAS_NUM_THREADS=many: not used"))
    #expect(texts[3].contains("did you mean 'TALLY_TEMPLATES'?"))
    #expect(texts[5].contains("not an absolute path"))
    #expect(
      DoctorReport(findings: found).lines.joined().contains("TALLY_TEMPLATE=\\u{1b}[2J"))
  }

  @Test("A locale without UTF-8 and a bad folder for temporary files are notes")
  func places() throws {
    var home = try DoctorHome()
    home.variables["LC_ALL"] = "de_DE.ISO-8859-1"
    home.variables["TMPDIR"] = home.folder.path("none")
    #expect(try home.finding("terminal").state == .note)
    #expect(try home.finding("temporary").state == .note)
    home.variables["LC_ALL"] = ""
    home.variables["TMPDIR"] = home.folder.url.path
    #expect(try home.finding("terminal").state == .ok)
    #expect(try home.finding("temporary").text.contains("MB free"))
  }

  @Test("It takes no operands, and a cancelled one ends")
  func arguments() async {
    #expect(await tally("doctor", "now").failed(.usage))
    #expect(await tally("doctor", "--quick").failed(.usage))
    let run = await Task { () -> CommandRun in
      withUnsafeCurrentTask { $0?.cancel() }
      return await tally("doctor")
    }.value
    #expect(run.failed(.software), "\(run)")
  }
}
