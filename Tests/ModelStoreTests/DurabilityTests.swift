import Foundation
import TestSupport
import Testing

@testable import ModelStore

@Suite("Disks and processes that fail")
struct DurabilityTests {
  static let size = 40_000

  /// Starts the program that changes a store.
  static func start(
    _ store: URL, rounds: Int, url: String = "-", source: URL? = nil, diskBytes: Int? = nil,
    variables: [String: String] = [:]
  ) throws -> ChildProcess {
    try ChildProcess(
      "ModelStoreWriter",
      [store.path, "\(rounds)", "\(size)", url]
        + (source.map { [$0.path, "\(diskBytes ?? 0)"] } ?? []), variables: variables)
  }

  /// The version in use, after checking that every version that is there is whole; 0 where there is none.
  static func check(_ models: ModelFolder, _ comment: Comment) throws -> Int {
    for listed in try models.list() {
      let version = try #require(Int(listed.version))
      #expect(
        try models.bytes(version: listed.version)
          == ModelScript.bytes(of: version, count: size), comment)
    }
    do {
      return try #require(Int(models.verified(ModelScript.name).manifest.version))
    } catch ModelStoreError.noModel {
      return 0
    }
  }

  @Test(
    "Killed at 120 seeded moments, while it copies or fetches: what is in use is whole",
    arguments: [false, true])
  func killed(fetches: Bool) throws {
    let scratch = try Scratch()
    let server = try LoopbackServer { request in
      let bytes = ModelScript.bytes(
        of: Int(request.path.dropFirst()) ?? 0, count: Self.size)
      let steps = LoopbackServer.file(bytes, for: request)
      // In pieces, so that there is something to be killed in.
      guard case .send(let body) = steps[1] else { return steps }
      var pieces = [steps[0]]
      for start in stride(from: 0, to: body.count, by: 4_000) {
        pieces.append(.drip([body[start]], pause: 0.0005))
        pieces.append(.send(Array(body[(start + 1)..<min(start + 4_000, body.count)])))
      }
      return pieces
    }
    defer { server.stop() }
    var generator = SeededGenerator(seed: fetches ? 6 : 5)
    var (last, changes, leftovers) = (0, 0, 0)
    for moment in 0..<120 {
      let writer = try Self.start(
        scratch.store, rounds: 1_000_000, url: fetches ? server.url("") : "-")
      // It is killed in its first rounds, some time after it said that one of them begins.
      var beginning = Data()
      let rounds = 2 + Int(generator.next() % 3)
      while beginning.filter({ $0 == UInt8(ascii: "\n") }).count < rounds {
        let more = writer.output.availableData
        guard !more.isEmpty else { break }
        beginning += more
      }
      #expect(beginning.count > 0)
      let rest = try #require(writer.kill(after: generator.next() % 4_000))
      let text = String(decoding: beginning, as: UTF8.self) + rest
      #expect(!text.contains("failed"), "\(text)")
      let used = try Self.check(scratch.models, "moment \(moment)")
      // Once there is a model there always is one.
      #expect(used > 0 || last == 0)
      if used != last { changes += 1 }
      last = used
      if scratch.contents().contains(where: { $0.hasPrefix(".incoming/") || $0.hasSuffix(".part") })
      {
        leftovers += 1
      }
    }
    // Else nothing was ever changed or cut short, and the test shows nothing.
    #expect(changes > 10)
    #expect(leftovers > 5)
    // Whoever comes next removes what was left.
    let text = try Self.start(
      scratch.store, rounds: 3, url: fetches ? server.url("") : "-"
    ).finish()
    #expect(text.hasSuffix("done\n"), "\(text)")
    #expect(!scratch.contents().contains { $0.hasPrefix(".incoming/") })
  }

  @Test(
    "A full disk is an error, and everything is as it was",
    arguments: [0, 1, 100, 300, 4_096, 20_000, size - 1], [false, true])
  func fullDisk(bytes: Int, fetches: Bool) throws {
    let scratch = try Scratch()
    for version in 1...2 {
      let bytes = ModelScript.bytes(of: version, count: Self.size)
      try scratch.models.add(
        scratch.write("\(version)", bytes), name: ModelScript.name, version: "\(version)",
        task: "test")
    }
    try scratch.models.remove(ModelScript.name, version: "1")
    let before = try scratch.snapshot()
    let server = try LoopbackServer { request in
      LoopbackServer.file(ModelScript.bytes(of: 3, count: Self.size), for: request)
    }
    defer { server.stop() }
    let writer = try Self.start(
      scratch.store, rounds: 1, url: fetches ? server.url("") : "-",
      source: scratch.write("source", ModelScript.bytes(of: 3, count: Self.size)), diskBytes: bytes)
    let text = writer.finish()
    #expect(
      writer.process.terminationReason == .exit && writer.process.terminationStatus == 1, "\(text)")
    #expect(text.contains("there is no space left"), "\(text)")
    #expect(try scratch.snapshot() == before)
    #expect(try Self.check(scratch.models, "\(bytes)") == 2)
  }

  @Test("Four processes install, roll back and remove in one store, and nobody sees half of it")
  func together() throws {
    let scratch = try Scratch()
    let writers = try (0..<4).map { _ in try Self.start(scratch.store, rounds: 12) }
    var seen: Set<Int> = []
    while writers.contains(where: { $0.process.isRunning }) {
      if let model = try? scratch.models.model(ModelScript.name) {
        // A version that is not in use may be removed between two looks; one that is found is whole.
        let version = model.manifest.version
        if let bytes = try? scratch.models.bytes(version: version), let number = Int(version) {
          #expect(bytes == ModelScript.bytes(of: number, count: Self.size))
          seen.insert(number)
        }
      }
    }
    for writer in writers {
      let text = writer.finish()
      // Two may choose one number: the content is the same, and so it is no clash. What one rolls back to, or
      // removes, another may have removed.
      let isRace = ["has no version", "is in use", "no earlier version", "no model"].contains {
        text.contains($0)
      }
      #expect(text.hasSuffix("done\n") || isRace, "\(text)")
    }
    #expect(try Self.check(scratch.models, "in the end") > 0)
    #expect(seen.count > 1)
    #expect(!scratch.contents().contains { $0.hasPrefix(".incoming/") })
  }

  @Test("Another's settings of OpenSSL, which leave no SHA-256, change nothing")
  func settings() throws {
    let scratch = try Scratch()
    let file = try scratch.write(
      "openssl.cnf",
      Array("openssl_conf = a\n[a]\nproviders = b\n[b]\nnull = c\n[c]\nactivate = 1\n".utf8))
    let text = try Self.start(
      scratch.store, rounds: 3, variables: ["OPENSSL_CONF": file.path]
    ).finish()
    #expect(text.hasSuffix("done\n"), "\(text)")
    #expect(try Self.check(scratch.models, "in the end") > 0)
  }

  @Test(
    "A store that another process holds for too long is an error, and is not waited for for ever")
  func locked() throws {
    let scratch = try Scratch()
    let file = try scratch.write("file", [1, 2, 3])
    try scratch.models.add(file, name: "model", task: "test")
    let lock = try StoreLock(scratch.store.path, patience: 0)
    let hasty = ModelFolder(scratch.store, patience: 0.02)
    let before = try scratch.snapshot()
    #expect(throws: ModelStoreError.locked(path: scratch.store.path)) {
      try hasty.add(file, name: "other", task: "test")
    }
    #expect(throws: ModelStoreError.locked(path: scratch.store.path)) { try hasty.remove("model") }
    #expect(try scratch.snapshot() == before)
    // Reading needs no lock.
    #expect(try hasty.bytes() == [1, 2, 3])
    _ = consume lock
    // With patience: a process that another test is just starting holds the lock until it runs its program.
    try scratch.models.remove("model")
  }

  @Test("A folder that may not be written to is an error; reading it is not")
  func readOnly() throws {
    let scratch = try Scratch()
    let file = try scratch.write("file", [1, 2, 3])
    try scratch.models.add(file, name: "model", task: "test")
    func permit(_ permissions: Int) throws {
      for path in ["", "/.incoming", "/model"] {
        try FileManager.default.setAttributes(
          [.posixPermissions: permissions], ofItemAtPath: scratch.store.path + path)
      }
    }
    try permit(0o500)
    defer { try? permit(0o700) }
    #expect(try scratch.models.bytes() == [1, 2, 3])
    // Whoever may write everywhere can write here too.
    guard access(scratch.store.path, W_OK) != 0 else { return }
    #expect(throws: ModelStoreError.self) {
      try scratch.models.add(file, name: "other", task: "test")
    }
  }
}
