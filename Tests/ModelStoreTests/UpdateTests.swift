import Foundation
import TestSupport
import Testing

@testable import ModelStore

// C36: is there a newer model?

@Suite("Updates")
struct UpdateTests {
  static let limits = FetchLimits(idleSeconds: 60, totalSeconds: 60, attempts: 2, pause: 0)

  private func isAddressRefused(_ error: ModelStoreError) -> Bool {
    if case .refusedAddress = error { true } else { false }
  }

  // MARK: Versions

  @Test("Versions are in the order of semantic versioning, with any number of numbers")
  func order() throws {
    // Each comes before the next: the first line is the standard's own example.
    for ascending in [
      [
        "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
        "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0",
      ],
      ["0", "0.0.1", "0.9", "0.10", "1", "1.0.1", "1.2", "1.10", "2", "10", "v11", "12-1", "12"],
      ["2026.9.30", "2026.11.27", "2026.11.27.1", "2027"],
      ["1-1", "1-a", "1-a.0", "1-a-b", "1-b"],
      ["99999999999999999999", "100000000000000000000", "100000000000000000000.1"],
    ] {
      let versions = try ascending.map { try #require(ModelVersion($0), "\($0)") }
      for (index, first) in versions.enumerated() {
        for (other, second) in versions.enumerated() {
          #expect((first < second) == (index < other), "\(ascending[index]) \(ascending[other])")
          #expect((first == second) == (index == other))
        }
      }
    }
    for (first, second) in [
      ("2", "2.0"), ("2", "2.0.0.0"), ("v2", "2"), ("02", "2"), ("0", "0.0"), ("1-01", "1-1"),
      ("2026.01.05", "2026.1.5"),
    ] {
      #expect(try #require(ModelVersion(first)) == #require(ModelVersion(second)))
    }
  }

  @Test(
    "Texts without an order are no versions",
    arguments: [
      "", "v", "vv1", "b61d5d61a36d", "1.", ".1", "1..2", "1.x", "1-", "1-a.", "1-.a", "1_2", "a-1",
      "+1", "-1", "1 ", "1-ä", "１", "1-a b", "latest",
    ])
  func noVersions(text: String) {
    #expect(ModelVersion(text) == nil)
  }

  // MARK: Comparing

  @Test("What is offered is newer, the same, older, changed or without an order")
  func kinds() throws {
    let (old, new) = (FetchTests.old, FetchTests.new)
    for (version, offered, bytes, kind) in [
      ("1", "2", new, .newer), ("1", "1", old, .same), ("2", "1", new, .older),
      ("1", "1", new, .changed), ("1", "1.0", old, .same), ("1", "1.0", new, .unordered),
      ("b61d", "2", new, .unordered), ("1", "b61d", new, .unordered), ("9", "10", new, .newer),
      ("2.0-rc.1", "2.0", new, .newer), ("2.0", "2.0-rc.1", new, .older),
      ("1", "2", old, .newer),
    ] as [(String, String, [UInt8], ModelUpdate.Kind)] {
      let scratch = try Scratch()
      try scratch.models.install(scratch.write("old", old), as: manifest(old, version: version))
      let update = try scratch.models.check(manifest(bytes, version: offered))
      #expect(update.kind == kind, "\(version), \(offered)")
      #expect(update.isAvailable == (kind == .newer))
      #expect(update.current.version == version && update.offered.size == bytes.count)
      #expect(update.offered.digest == SHA256Hasher.digest(bytes))
      #expect(update.isKept == (version == offered && bytes == old))
    }
  }

  @Test("A version that somebody went back from is offered as kept")
  func kept() async throws {
    let scratch = try FetchTests.working()
    let two = try manifest(FetchTests.new, version: "2")
    try scratch.models.install(scratch.write("new", FetchTests.new), as: two)
    #expect(try scratch.models.check(two).kind == .same)
    try scratch.models.rollBack("model")
    let update = try scratch.models.check(two)
    #expect(update.kind == .newer && update.isKept)
    // With other content it is not that version.
    #expect(try !scratch.models.check(manifest(FetchTests.old, version: "2")).isKept)
  }

  @Test("A model that is not kept, and an offer that is no manifest, are errors")
  func notKept() throws {
    let scratch = try FetchTests.working()
    #expect(throws: ModelStoreError.noModel(name: "other")) {
      _ = try scratch.models.check(manifest(FetchTests.new, name: "other"))
    }
    var broken = try manifest(FetchTests.new)
    broken.version = "../2"
    #expect(throws: ModelStoreError.self) { _ = try scratch.models.check(broken) }
  }

  // MARK: Fetching manifests

  @Test("A newer version at an address is found, and only an explicit fetch takes it")
  func newer() async throws {
    let scratch = try FetchTests.working()
    let addresses = Addresses()
    let server = try LoopbackServer { request in
      switch request.path {
      case "/manifest.json?key=1":
        let offered = try? manifest(
          FetchTests.new, version: "1.1", url: addresses.url("/model.onnx"))
        return LoopbackServer.file(offered?.json ?? [], for: request)
      default: return LoopbackServer.file(FetchTests.new, for: request)
      }
    }
    defer { server.stop() }
    addresses.use(server)
    let before = try scratch.snapshot()
    let offered = try await ModelManifest.fetch(
      from: server.url("/manifest.json?key=1"), limits: Self.limits)
    let update = try scratch.models.check(try #require(offered.first))
    #expect(offered.count == 1 && update.isAvailable && !update.isKept)
    #expect(server.requests.map(\.path) == ["/manifest.json?key=1"])
    #expect(try scratch.snapshot() == before)
    try await scratch.models.fetch(update.offered, limits: Self.limits)
    #expect(try scratch.models.bytes() == FetchTests.new)
    #expect(try scratch.models.check(update.offered).kind == .same)
    #expect(try scratch.models.rollBack("model") == "1")
  }

  @Test("A list of manifests at an address is read as one")
  func list() async throws {
    let manifests = [
      try manifest(FetchTests.new, version: "2"), try manifest(FetchTests.old, name: "b"),
    ]
    let json = Array("\n [".utf8) + manifests[0].json + [UInt8(ascii: ",")] + manifests[1].json
    let server = try LoopbackServer { LoopbackServer.file(json + [UInt8(ascii: "]")], for: $0) }
    defer { server.stop() }
    #expect(
      try await ModelManifest.fetch(from: server.url("/"), limits: Self.limits) == manifests)
    #expect(try ModelManifest.offered(json: Array("[]".utf8)).isEmpty)
  }

  @Test("A manifest of a model with another content than it says changes nothing")
  func wrongHash() async throws {
    let scratch = try FetchTests.working()
    let server = try LoopbackServer { request in
      LoopbackServer.file(content(FetchTests.new.count, seed: 99), for: request)
    }
    defer { server.stop() }
    let update = try scratch.models.check(
      manifest(FetchTests.new, version: "2", url: server.url("/model.onnx")))
    #expect(update.isAvailable)
    let error = await #expect(throws: ModelStoreError.self) {
      try await scratch.models.fetch(update.offered, limits: Self.limits)
    }
    guard case .wrongContent = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try FetchTests.expectUnchanged(scratch)
  }

  @Test("A redirection is followed, and the manifest may come in pieces")
  func redirected() async throws {
    let offered = try manifest(FetchTests.new, version: "2")
    let server = try LoopbackServer { request in
      switch request.path {
      case "/a": LoopbackServer.status(302, "Location: /b\r\n")
      default:
        [.text("HTTP/1.1 200 OK\r\n\r\n"), .drip(offered.json, pause: 0.0001)]
      }
    }
    defer { server.stop() }
    #expect(try await ModelManifest.fetch(from: server.url("/a"), limits: Self.limits) == [offered])
    #expect(server.requests.map(\.path) == ["/a", "/b"])
  }

  @Test("A server that is out of order is asked again, and one that refuses is not")
  func retried() async throws {
    let offered = try manifest(FetchTests.new, version: "2")
    let server = try LoopbackServer { request in
      request.index == 0
        ? LoopbackServer.status(503) : LoopbackServer.file(offered.json, for: request)
    }
    defer { server.stop() }
    #expect(try await ModelManifest.fetch(from: server.url("/"), limits: Self.limits) == [offered])
    let missing = try LoopbackServer { _ in LoopbackServer.status(404) }
    defer { missing.stop() }
    await #expect(throws: ModelStoreError.refused(url: missing.url("/"), status: 404)) {
      _ = try await ModelManifest.fetch(from: missing.url("/"), limits: Self.limits)
    }
    #expect(missing.requests.count == 1)
  }

  /// A server that gives no manifest, and how that ends.
  struct Bad: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: String
    let answer: @Sendable (LoopbackServer.Request) -> [LoopbackServer.Step]
  }

  private static func body(_ bytes: [UInt8])
    -> @Sendable (LoopbackServer.Request)
    -> [LoopbackServer.Step]
  {
    { LoopbackServer.file(bytes, for: $0) }
  }

  static let bad: [Bad] = [
    Bad(testDescription: "closes at once", expected: "connection") { _ in [] },
    Bad(testDescription: "ends too early", expected: "connection") { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"name\": ")]
    },
    Bad(testDescription: "stalls", expected: "timedOut") { _ in
      [.text("HTTP/1.1 200 OK\r\n\r\n{"), .stall]
    },
    Bad(testDescription: "never ends", expected: "tooLong") { _ in
      [.text("HTTP/1.1 200 OK\r\n\r\n"), .endless(Array("[[[[[[[[".utf8))]
    },
    Bad(
      testDescription: "one byte too many", expected: "tooLong",
      answer: body([UInt8](repeating: 32, count: ModelManifest.largestManifest + 1))),
    Bad(
      testDescription: "nothing but spaces", expected: "invalidManifest",
      answer: body([UInt8](repeating: 32, count: ModelManifest.largestManifest))),
    Bad(testDescription: "is empty", expected: "invalidManifest", answer: body([])),
    Bad(testDescription: "is a page", expected: "invalidManifest", answer: body(Array("<!".utf8))),
    Bad(
      testDescription: "is deep", expected: "invalidManifest",
      answer: body([UInt8](repeating: UInt8(ascii: "["), count: 60_000))),
    Bad(
      testDescription: "is noise", expected: "invalidManifest", answer: body(content(5000, seed: 3))
    ),
    Bad(
      testDescription: "is another object", expected: "invalidManifest",
      answer: body(Array("{}".utf8))
    ),
    Bad(testDescription: "has no content", expected: "refused") { _ in LoopbackServer.status(204) },
    Bad(testDescription: "an endless page of an error", expected: "refused") { _ in
      [.text("HTTP/1.1 403 No\r\n\r\n"), .endless(Array("sorry ".utf8))]
    },
    Bad(testDescription: "redirects in a circle", expected: "refusedAddress") { request in
      LoopbackServer.status(302, "Location: \(request.path == "/a" ? "/b" : "/a")\r\n")
    },
    Bad(testDescription: "redirects to a file", expected: "refusedAddress") { _ in
      LoopbackServer.status(302, "Location: file:///etc/passwd\r\n")
    },
    Bad(testDescription: "redirects nowhere", expected: "refusedAddress") { _ in
      LoopbackServer.status(302)
    },
  ]

  @Test("A server that gives no manifest ends in the error that says why", arguments: bad)
  func hostile(server bad: Bad) async throws {
    let server = try LoopbackServer(bad.answer)
    defer { server.stop() }
    var limits = Self.limits
    if bad.expected == "timedOut" { limits.idleSeconds = 0.2 }
    let error = await #expect(throws: ModelStoreError.self) {
      _ = try await ModelManifest.fetch(from: server.url("/a"), limits: limits)
    }
    let name = error.map { String("\(Mirror(reflecting: $0).children.first?.label ?? "\($0)")") }
    #expect(name == bad.expected, "\(String(describing: error))")
    #expect(server.requests.count <= 2 * (limits.redirects + 1))
  }

  @Test("Without a server, and with an address that is none, there is an error at once")
  func offline() async throws {
    let server = try LoopbackServer { _ in [] }
    let address = server.url("/manifest.json")
    server.stop()
    let error = await #expect(throws: ModelStoreError.self) {
      _ = try await ModelManifest.fetch(from: address, limits: Self.limits)
    }
    guard case .connection = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    for address in ["", "ftp://example.org/x", "file:///etc/passwd", "http://", "http://a:b@c/"] {
      let error = await #expect(throws: ModelStoreError.self) {
        _ = try await ModelManifest.fetch(from: address)
      }
      #expect(error.map(isAddressRefused) == true, "\(address)")
    }
  }

  @Test("A cancelled check ends at once")
  func cancelled() async throws {
    let server = try LoopbackServer { _ in [.stall] }
    defer { server.stop() }
    let address = server.url("/")
    let task = Task { try await ModelManifest.fetch(from: address, limits: Self.limits) }
    while server.requests.isEmpty { try await Task.sleep(nanoseconds: 5_000_000) }
    task.cancel()
    await #expect(throws: ModelStoreError.cancelled) { _ = try await task.value }
  }

  /// The address of a server that its own answers need.
  private final class Addresses: @unchecked Sendable {
    // Safe to share: the lock guards the one variable.
    private let lock = NSLock()
    private var server: LoopbackServer?

    func use(_ server: LoopbackServer) { lock.withLock { self.server = server } }
    func url(_ path: String) -> String { lock.withLock { server?.url(path) ?? "" } }
  }
}
