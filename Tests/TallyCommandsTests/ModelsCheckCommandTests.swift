import Foundation
import ModelStore
import TestSupport
import Testing

@Suite("tally models check")
struct ModelsCheckCommandTests {
  private static let bytes = [UInt8](repeating: 7, count: 5000)

  /// A store with version 1.9 of `shelf`.
  private struct Store {
    let folder: TemporaryFolder

    init() async throws {
      folder = try TemporaryFolder()
      let file = try folder.write("old.onnx", [UInt8](repeating: 3, count: 3000))
      let old = try folder.write(
        "old.json", Store.manifest([UInt8](repeating: 3, count: 3000), "1.9", folder).json)
      let run = await run("models", "fetch", "--manifest", old, "--from", file)
      #expect(run.code == .success, "\(run)")
    }

    func run(_ arguments: String...) async -> CommandRun {
      await tally(arguments, environment: ["TALLY_MODEL_STORE": folder.path("store")])
    }

    /// The manifest of a version with these bytes.
    static func manifest(
      _ bytes: [UInt8], _ version: String, _ folder: TemporaryFolder, name: String = "shelf",
      url: String? = nil
    ) throws -> ModelManifest {
      let file = try folder.write("content", bytes)
      return try ModelManifest(
        name: name, version: version,
        digest: SHA256Digest(contentsOf: URL(fileURLWithPath: file)), size: bytes.count,
        task: "object-detection", source: url.map { ModelSource(.url($0)) })
    }
  }

  @Test("A newer version is named with its size and digest, and nothing is fetched before asked")
  func newer() async throws {
    let store = try await Store()
    let model = try LoopbackServer { LoopbackServer.file(Self.bytes, for: $0) }
    defer { model.stop() }
    let offered = try Store.manifest(
      Self.bytes, "1.10", store.folder, url: model.url("/model.onnx"))
    let server = try LoopbackServer { LoopbackServer.file(offered.json, for: $0) }
    defer { server.stop() }
    let address = server.url("/manifest.json")
    let run = await store.run("models", "check", address)
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(
      run.output
        == "shelf 1.9: version 1.10 is newer, 5000 bytes, SHA-256 \(offered.digest)\n")
    #expect(model.requests.isEmpty)
    let json = try await store.run("models", "check", address, "--json").json()
    #expect(json["state"] as? String == "newer" && json["version"] as? String == "1.9")
    #expect((json["offered"] as? [String: Any])?["size"] as? Int == 5000)
    #expect(json["kept"] as? Bool == false)
    let fetched = await store.run("models", "fetch", "--manifest", address)
    #expect(fetched.code == .success && model.requests.count == 1, "\(fetched)")
    #expect(await store.run("models", "check", address).output == "shelf 1.10: up to date\n")
    #expect(await store.run("models", "use", "shelf", "--back").code == .success)
    #expect(await store.run("models", "check", address).output.hasSuffix(", and is kept\n"))
  }

  @Test("A list may be a file, and models that are not kept are passed over")
  func list() async throws {
    let store = try await Store()
    let other = try Store.manifest(Self.bytes, "5", store.folder, name: "other")
    let older = try Store.manifest(Self.bytes, "1.8", store.folder)
    let comma = [UInt8(ascii: ",")]
    let list = try store.folder.write(
      "list.json", [UInt8(ascii: "[")] + other.json + comma + older.json + [UInt8(ascii: "]")])
    let run = await store.run("models", "check", list)
    #expect(run.output == "shelf 1.9: version 1.8 is older\n", "\(run)")
    let fetched = await store.run("models", "fetch", "--manifest", list)
    #expect(fetched.failed(.badData) && fetched.errors.contains("a list of 2 manifests"))
    let others = try store.folder.write("others.json", other.json)
    let none = await store.run("models", "check", others)
    #expect(none.failed(.noInput) && none.errors.contains("none of these models is kept: other"))
    let empty = try store.folder.write("empty.json", text: "[]")
    #expect(await store.run("models", "check", empty).failed(.noInput))
  }

  @Test("Servers and manifests that are none are errors, and keys in addresses are not printed")
  func bad() async throws {
    let store = try await Store()
    let server = try LoopbackServer { request in
      request.path.hasPrefix("/missing")
        ? LoopbackServer.status(404) : LoopbackServer.file(Array("nonsense".utf8), for: request)
    }
    let (bad, missing) = (server.url("/bad?key=secret"), server.url("/missing"))
    let nonsense = await store.run("models", "check", bad)
    #expect(nonsense.failed(.badData) && nonsense.errors.contains("/bad: "), "\(nonsense)")
    #expect(!nonsense.errors.contains("secret"))
    let absent = await store.run("models", "check", missing)
    #expect(absent.failed(.noInput) && absent.errors.contains("status 404"), "\(absent)")
    server.stop()
    let offline = await store.run("models", "check", missing, "--attempts", "1")
    #expect(offline.failed(.inputOutput), "\(offline)")
    #expect(await store.run("models", "check").failed(.usage))
    #expect(await store.run("models", "check", store.folder.path("none")).failed(.noInput))
  }
}
