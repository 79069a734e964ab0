import Foundation
import TestSupport
import Testing

@testable import ModelStore

/// An interrupted, truncated, corrupted or malicious download never replaces a working model.
@Suite("Fetching")
struct FetchTests {
  static let old = content(3_000, seed: 1)
  static let new = content(50_000, seed: 2)
  /// No pauses, and the patience that a busy machine needs.
  static let limits = FetchLimits(idleSeconds: 600, totalSeconds: 600, attempts: 3, pause: 0)

  /// A store with a working model, version 1.
  static func working() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.models.install(scratch.write("old", old), as: manifest(old))
    return scratch
  }

  /// Fetches version 2 as a server has it.
  @discardableResult
  static func fetch(
    into scratch: Scratch, limits: FetchLimits = limits,
    _ answer: @escaping @Sendable (LoopbackServer.Request) -> [LoopbackServer.Step]
  ) async throws -> LoopbackServer {
    let server = try LoopbackServer(answer)
    defer { server.stop() }
    try await scratch.models.fetch(
      manifest(new, version: "2", url: server.url("/model.onnx")), limits: limits)
    return server
  }

  /// That version 1 is still in use and whole, and nothing of version 2 is installed.
  static func expectUnchanged(_ scratch: Scratch, _ comment: Comment? = nil) throws {
    #expect(try scratch.models.bytes() == old, comment)
    #expect(try scratch.models.list().map(\.version) == ["1"], comment)
    #expect(scratch.contents().filter { $0.hasPrefix(".incoming/") } == [], comment)
  }

  @Test("A model is fetched, installed and put into use, and nothing is left beside")
  func whole() async throws {
    let scratch = try Self.working()
    let seen = Seen()
    let server = try LoopbackServer { LoopbackServer.file(Self.new, for: $0) }
    let stored = try await scratch.models.fetch(
      manifest(Self.new, version: "2", url: server.url("/a/model.onnx?x=1")), limits: Self.limits
    ) { seen.add($0) }
    #expect(stored.manifest.version == "2")
    #expect(try scratch.models.bytes() == Self.new)
    #expect(try scratch.models.bytes(version: "1") == Self.old)
    #expect(scratch.contents().filter { $0.hasPrefix(".downloads/") } == [])
    #expect(seen.all.last == FetchProgress(received: Self.new.count, total: Self.new.count))
    #expect(seen.all.map(\.received) == seen.all.map(\.received).sorted())
    #expect(server.requests.count == 1)
    #expect(server.requests[0].headers["accept-encoding"] == "identity")
    #expect(try scratch.models.rollBack("model") == "1")
    // It is here and whole: nobody is asked.
    try await scratch.models.fetch(
      manifest(Self.new, version: "2", url: server.url("/a/model.onnx")), limits: Self.limits)
    #expect(server.requests.count == 1)
    #expect(try scratch.models.bytes() == Self.new)
  }

  final class Seen: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [FetchProgress] = []
    func add(_ progress: FetchProgress) { lock.withLock { list.append(progress) } }
    var all: [FetchProgress] { lock.withLock { list } }
  }

  /// A server that never gives the model, and how that ends.
  struct Bad: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: @Sendable (ModelStoreError) -> Bool
    /// How long nothing may come, in seconds.
    let patience: Double
    let answer: @Sendable (LoopbackServer.Request) -> [LoopbackServer.Step]

    init(
      _ testDescription: String, _ expected: @escaping @Sendable (ModelStoreError) -> Bool,
      patience: Double = 60,
      _ answer: @escaping @Sendable (LoopbackServer.Request) -> [LoopbackServer.Step]
    ) {
      self.testDescription = testDescription
      self.expected = expected
      self.patience = patience
      self.answer = answer
    }
  }

  private static func isConnection(_ error: ModelStoreError) -> Bool {
    if case .connection = error { true } else { false }
  }
  private static func isTooLong(_ error: ModelStoreError) -> Bool {
    if case .tooLong = error { true } else { false }
  }
  private static func isTooShort(_ error: ModelStoreError) -> Bool {
    if case .tooShort = error { true } else { false }
  }
  private static func isTimedOut(_ error: ModelStoreError) -> Bool {
    if case .timedOut = error { true } else { false }
  }
  private static func isWrong(_ error: ModelStoreError) -> Bool {
    if case .wrongContent = error { true } else { false }
  }
  private static func isRefusedAddress(_ error: ModelStoreError) -> Bool {
    if case .refusedAddress = error { true } else { false }
  }
  private static func head(_ length: Int?, _ more: String = "") -> LoopbackServer.Step {
    .text(
      "HTTP/1.1 200 OK\r\n\(more)" + (length.map { "Content-Length: \($0)\r\n" } ?? "") + "\r\n")
  }

  static let bad: [Bad] = [
    Bad("closes at once", isConnection) { _ in [] },
    Bad("stalls before its answer", isTimedOut, patience: 0.2) { _ in [.stall] },
    Bad("stalls inside its header", isTimedOut, patience: 0.2) { _ in
      [.text("HTTP/1.1 200 OK\r\nCont"), .stall]
    },
    Bad("stalls inside the content", isTimedOut, patience: 0.2) { _ in
      [head(new.count), .send(Array(new.prefix(1000))), .stall]
    },
    Bad("announces less, and sends that", isTooShort) { _ in
      [head(100), .send(Array(new.prefix(100)))]
    },
    Bad("announces more", isTooLong) { _ in [head(new.count + 1), .send(new + [0])] },
    Bad("announces far more", isTooLong) { _ in [head(1 << 60), .endless(new)] },
    Bad("announces nothing and sends one byte more", isTooLong) { _ in
      [head(nil), .send(new + [0])]
    },
    Bad("announces nothing and never ends", isTooLong) { _ in [head(nil), .endless(new)] },
    Bad("chunks that never end", isTooLong) { _ in
      [
        .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .endless(Array("10\r\n0123456789abcdef\r\n".utf8)),
      ]
    },
    Bad("announces nothing and sends less", isTooShort) { _ in
      [head(nil), .send(Array(new.dropLast()))]
    },
    Bad("sends an empty file", isTooShort) { _ in [head(0)] },
    Bad("sends other bytes", isWrong) { _ in [head(new.count), .send(content(new.count, seed: 9))]
    },
    Bad("turns one bit", isWrong) { _ in
      var bytes = new
      bytes[31_415] ^= 4
      return [head(new.count, "ETag: \"1\"\r\n"), .send(bytes)]
    },
    Bad("a header that never ends", isConnection) { _ in
      [.text("HTTP/1.1 200 OK\r\n"), .endless(Array("X: y\r\n".utf8))]
    },
    Bad(
      "a header that is too long",
      { "\($0)".hasSuffix("the server's header has more than 256 KiB") }
    ) { _ in
      [
        .text(
          "HTTP/1.1 200 OK\r\n"
            + String(repeating: "X: \(String(repeating: "y", count: 1000))\r\n", count: 270))
      ]
    },
    Bad("no HTTP at all", isConnection) { _ in [.text("220 mail.example.org ESMTP\r\n")] },
    Bad("nothing but nonsense", isConnection) { _ in [.endless(content(4096, seed: 7))] },
    Bad("gives up after 'continue'", isConnection) { _ in [.text("HTTP/1.1 100 Continue\r\n\r\n")]
    },
    Bad("404 with a page", { $0.status == 404 }) { _ in
      [.text("HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nsorry")]
    },
    Bad("404 with an endless page", { $0.status == 404 }) { _ in
      [.text("HTTP/1.1 404 Not Found\r\n\r\n"), .endless(new)]
    },
    Bad("404 without a word", { $0.status == 404 }) { _ in LoopbackServer.status(404) },
    Bad("401 with a challenge", { $0.status == 401 }) { _ in
      LoopbackServer.status(401, "WWW-Authenticate: Basic realm=\"x\"\r\n")
    },
    Bad("500", { $0.status == 500 }) { _ in LoopbackServer.status(500) },
    Bad("503", { $0.status == 503 }) { _ in LoopbackServer.status(503, "Retry-After: 99999\r\n") },
    Bad("204", { $0.status == 204 }) { _ in LoopbackServer.status(204) },
    Bad("304", { $0.status == 304 }) { _ in LoopbackServer.status(304) },
    Bad("a part that was not asked for", isConnection) { _ in
      [
        .text(
          "HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-\(new.count - 1)/\(new.count)\r\n"
            + "Content-Length: \(new.count)\r\n\r\n"), .send(new),
      ]
    },
    Bad("redirects in a circle", isRefusedAddress) { _ in
      LoopbackServer.status(302, "Location: /model.onnx\r\n")
    },
    Bad("redirects on and on", isRefusedAddress) { request in
      LoopbackServer.status(307, "Location: /\(request.index)\r\n")
    },
    Bad("redirects to nowhere", isRefusedAddress) { _ in LoopbackServer.status(301) },
    Bad("redirects to a file", isRefusedAddress) { _ in
      LoopbackServer.status(302, "Location: file:///etc/passwd\r\n")
    },
    Bad("redirects to another protocol", isRefusedAddress) { _ in
      LoopbackServer.status(302, "Location: gopher://127.0.0.1/x\r\n")
    },
    Bad("redirects to a name and password", isRefusedAddress) { _ in
      LoopbackServer.status(302, "Location: http://a:b@127.0.0.1/x\r\n")
    },
    Bad("redirects with an endless body", isConnection) { _ in
      [.text("HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n"), .endless(new)]
    },
  ]

  @Test("A bad server leaves the working model alone", arguments: bad)
  func badServer(bad: Bad) async throws {
    let scratch = try Self.working()
    let limits = FetchLimits(
      idleSeconds: bad.patience, totalSeconds: 120, attempts: 3, pause: 0)
    await #expect {
      try await Self.fetch(into: scratch, limits: limits, bad.answer)
    } throws: { error in
      (error as? ModelStoreError).map(bad.expected) ?? false
    }
    try Self.expectUnchanged(scratch)
    // What came may be gone on from; if nothing did, nothing is left.
    let parts = scratch.contents().filter { $0.hasSuffix(".part") }
    #expect(try parts.allSatisfy { try scratch.snapshot()[$0]?.isEmpty == false }, "\(parts)")
    // And nothing it left spoils what a good server then gives.
    try await Self.fetch(into: scratch) { LoopbackServer.file(Self.new, for: $0) }
    #expect(try scratch.models.bytes() == Self.new)
  }

  @Test("A drip that never stops is stopped by the time for all of it")
  func drip() async throws {
    let scratch = try Self.working()
    let limits = FetchLimits(idleSeconds: 5, totalSeconds: 0.4, attempts: 100, pause: 0)
    await #expect {
      try await Self.fetch(into: scratch, limits: limits) { _ in
        [Self.head(Self.new.count), .drip(Self.new, pause: 0.01)]
      }
    } throws: { error in
      (error as? ModelStoreError).map(Self.isTimedOut) ?? false
    }
    try Self.expectUnchanged(scratch)
  }

  @Test("Cut at any byte, of header or content, it fails; asked again, it goes on from there")
  func cuts() async throws {
    let small = content(80, seed: 4)
    let server = try LoopbackServer { request in
      // The path says how many bytes of the whole answer are sent the first time.
      let steps = LoopbackServer.file(small, for: request)
      guard request.start == nil, let cut = Int(request.path.dropFirst()) else { return steps }
      let bytes = steps.flatMap { step -> [UInt8] in
        if case .send(let bytes) = step { bytes } else { [] }
      }
      return [.send(Array(bytes.prefix(cut)))]
    }
    defer { server.stop() }
    let headLength = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 80\r\n\r\n".utf8.count
    let once = FetchLimits(idleSeconds: 600, totalSeconds: 600, attempts: 1, pause: 0)
    for cut in 0..<(headLength + 80) {
      let scratch = try Self.working()
      let wanted = try manifest(small, version: "2", url: server.url("/\(cut)"))
      await #expect(throws: ModelStoreError.self, "cut at \(cut)") {
        try await scratch.models.fetch(wanted, limits: once)
      }
      try Self.expectUnchanged(scratch, "cut at \(cut)")
      guard cut > headLength else { continue }
      let before = server.requests.count
      try await scratch.models.fetch(wanted, limits: once)
      #expect(try scratch.models.bytes() == small)
      let requests = server.requests.dropFirst(before)
      #expect(requests.map(\.start) == [cut - headLength])
      #expect(requests.first?.headers["if-range"] == "\"1\"")
    }
  }

  @Test("Cut off three times in one go, it goes on by itself, and waits for no one")
  func resumes() async throws {
    let scratch = try Self.working()
    let server = try await Self.fetch(
      into: scratch, limits: FetchLimits(idleSeconds: 600, totalSeconds: 600, attempts: 4, pause: 0)
    ) { request in
      let steps = LoopbackServer.file(Self.new, for: request)
      guard request.index < 3, case .send(let body) = steps[1] else { return steps }
      return [steps[0], .send(Array(body.prefix(10_000)))]
    }
    #expect(server.requests.map(\.start) == [nil, 10_000, 20_000, 30_000])
    #expect(try scratch.models.bytes() == Self.new)
  }

  /// What a server does when it is asked for the rest of what it cut off.
  static let secondAnswers: [Bad] = [
    Bad("ignores the range", { _ in true }) { _ in [head(new.count), .send(new)] },
    Bad("has changed the file, and sends the new one", { _ in true }) { _ in
      [head(new.count, "ETag: \"2\"\r\n"), .send(new)]
    },
    Bad("sends another range", { _ in true }) { _ in part(from: 5, tag: "\"1\"") },
    Bad("sends a range of another total", { _ in true }) { request in
      part(from: request.start ?? 0, tag: "\"1\"", total: new.count + 5)
    },
    Bad("sends a part of a changed file", { _ in true }) { request in
      part(from: request.start ?? 0, tag: "\"2\"", of: content(new.count, seed: 8))
    },
    Bad("sends a part without saying which", { _ in true }) { request in
      [.text("HTTP/1.1 206 Partial\r\n\r\n"), .send(Array(new.dropFirst(request.start ?? 0)))]
    },
    Bad("sends nonsense for a range", { _ in true }) { request in
      [
        .text("HTTP/1.1 206 Partial\r\nContent-Range: bytes 9-8/-1\r\n\r\n"),
        .send(Array(new.dropFirst(request.start ?? 0))),
      ]
    },
    Bad("says that there is no such range", { _ in true }) { _ in LoopbackServer.status(416) },
    Bad("says so with a page", { _ in true }) { _ in
      [.text("HTTP/1.1 416 No\r\nContent-Length: 2\r\n\r\nno")]
    },
    Bad("keeps the tag and sends other bytes", { _ in true }) { request in
      part(from: request.start ?? 0, tag: "\"1\"", of: content(new.count, seed: 8))
    },
  ]

  private static func part(
    from start: Int, tag: String, of bytes: [UInt8] = new, total: Int? = nil
  ) -> [LoopbackServer.Step] {
    [
      .text(
        "HTTP/1.1 206 Partial\r\nETag: \(tag)\r\nContent-Range: bytes \(start)-\(bytes.count - 1)/"
          + "\(total ?? bytes.count)\r\nContent-Length: \(bytes.count - start)\r\n\r\n"),
      .send(Array(bytes.dropFirst(start))),
    ]
  }

  @Test("Parts of different contents never become one model", arguments: secondAnswers)
  func secondAnswer(second: Bad) async throws {
    let scratch = try Self.working()
    let once = FetchLimits(idleSeconds: 600, totalSeconds: 600, attempts: 1, pause: 0)
    let server = try LoopbackServer { request in
      switch request.index {
      case 0: [Self.head(Self.new.count, "ETag: \"1\"\r\n"), .send(Array(Self.new.prefix(20_000)))]
      case 1: second.answer(request)
      default: LoopbackServer.file(Self.new, for: request)
      }
    }
    defer { server.stop() }
    let wanted = try manifest(Self.new, version: "2", url: server.url("/model"))
    await #expect(throws: ModelStoreError.self) {
      try await scratch.models.fetch(wanted, limits: once)
    }
    try Self.expectUnchanged(scratch)
    // It succeeds now or fails now; what is in use is one or the other, whole.
    _ = try? await scratch.models.fetch(wanted, limits: once)
    #expect(server.requests[1].start == 20_000)
    let bytes = try scratch.models.bytes()
    #expect(bytes == Self.old || bytes == Self.new)
    try await scratch.models.fetch(wanted, limits: once)
    #expect(try scratch.models.bytes() == Self.new)
  }

  @Test("Without a strong tag or a date nothing is gone on from; with a date it is")
  func validators() async throws {
    for (line, resumes) in [
      ("", false), ("ETag: W/\"1\"\r\n", false), ("ETag: \u{1}\r\n", false),
      ("Last-Modified: Sat, 22 Aug 2026 10:00:00 GMT\r\n", true),
      ("ETag: W/\"1\"\r\nLast-Modified: Sat, 22 Aug 2026 10:00:00 GMT\r\n", true),
    ] {
      let scratch = try Self.working()
      let server = try await Self.fetch(into: scratch) { request in
        let all = LoopbackServer.file(Self.new, tag: nil, for: request)
        guard request.index == 0 else {
          if request.start != nil { return Self.part(from: request.start ?? 0, tag: "\"1\"") }
          return all
        }
        return [
          .text("HTTP/1.1 200 OK\r\n\(line)Content-Length: \(Self.new.count)\r\n\r\n"),
          .send(Array(Self.new.prefix(100))),
        ]
      }
      #expect(server.requests.map(\.start) == [nil, resumes ? 100 : nil], "\(line)")
      #expect(try scratch.models.bytes() == Self.new)
    }
  }

  @Test("A part from another address, or one that was damaged, is not gone on from for long")
  func strangeParts() async throws {
    let scratch = try Self.working()
    let folder = scratch.store.appendingPathComponent(".downloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let server = try LoopbackServer { LoopbackServer.file(Self.new, for: $0) }
    defer { server.stop() }
    let url = server.url("/model")
    let parts: [([UInt8], String)] = [
      (content(1000, seed: 5), "{\"url\": \"\(url)\", \"validator\": \"\\\"1\\\"\"}"),
      (content(1000, seed: 5), "{\"url\": \"http://127.0.0.1/other\", \"validator\": \"x\"}"),
      (content(1000, seed: 5), "{\"url\": \"\(url)\", \"validator\": \"a\\r\\nHost: evil\"}"),
      (content(Self.new.count, seed: 5), "{\"url\": \"\(url)\", \"validator\": \"\\\"1\\\"\"}"),
      (content(Self.new.count + 9, seed: 5), "{\"url\": \"\(url)\", \"validator\": \"\\\"1\\\"\"}"),
      (content(1000, seed: 5), "nonsense"), (content(1000, seed: 5), ""),
    ]
    for (bytes, json) in parts {
      try? scratch.models.use("model", version: "1")
      try? scratch.models.remove("model", version: "2")
      try Data(bytes).write(to: folder.appendingPathComponent("model@2.part"))
      try Data(json.utf8).write(to: folder.appendingPathComponent("model@2.part.json"))
      try await scratch.models.fetch(
        manifest(Self.new, version: "2", url: url), limits: Self.limits)
      #expect(try scratch.models.bytes() == Self.new)
    }
    for request in server.requests { #expect(request.headers["host"]?.contains("evil") == false) }
  }

  @Test("A redirection is followed, and the part belongs to the address that was asked for")
  func redirects() async throws {
    let scratch = try Self.working()
    let server = try await Self.fetch(into: scratch) { request in
      if request.path == "/model.onnx" {
        return LoopbackServer.status(302, "Location: files/\(request.index)?a=b\r\n")
      }
      let steps = LoopbackServer.file(Self.new, for: request)
      guard request.index == 1 else { return steps }
      return [steps[0], .send(Array(Self.new.prefix(7)))]
    }
    #expect(
      server.requests.map(\.path) == [
        "/model.onnx", "/files/0?a=b", "/model.onnx", "/files/2?a=b",
      ])
    #expect(server.requests.last?.start == 7)
    #expect(try scratch.models.bytes() == Self.new)
  }

  @Test("From https it never leads to http")
  func downgrade() throws {
    let address = try FetchAddress("https://example.org/a/model")
    #expect(throws: ModelStoreError.self) { try address.following("http://example.org/model") }
    #expect(try address.following("/b").text == "https://example.org/b")
    #expect(try address.following("//other.example/b").text == "https://other.example/b")
    #expect(try FetchAddress("http://a/b").following("https://a/c").isEncrypted)
  }

  @Test(
    "An address that is none is refused before anyone is asked",
    arguments: [
      "", "model.onnx", "/etc/passwd", "file:///etc/passwd", "ftp://a/b", "http://", "https:///x",
      "http://a b/", "http://user:secret@host/", "http://host/\n", "javascript:alert(1)",
      "http://host/" + String(repeating: "x", count: 3000), "http://hö.example/",
    ])
  func addresses(text: String) async throws {
    let scratch = try Self.working()
    #expect(throws: ModelStoreError.self) { try FetchAddress(text) }
    await #expect(throws: ModelStoreError.self) {
      try await scratch.models.fetch(manifest(Self.new, version: "2"), from: text)
    }
    try Self.expectUnchanged(scratch)
  }

  @Test("No error shows a name, a password or a key")
  func secrets() throws {
    let address = try FetchAddress("https://host/a/b.onnx?sig=topsecret&x=1")
    #expect(address.shown == "https://host/a/b.onnx?...")
    #expect(address.text.contains("topsecret") && !address.identity.contains("topsecret"))
    // Two addresses that are shown alike are two, so that no part of one is gone on from with the other.
    #expect(try address.identity != FetchAddress("https://host/a/b.onnx?sig=other").identity)
    #expect(try FetchAddress("https://host/a").identity == "https://host/a")
    for text in [
      "http://a:topsecret@127.0.0.1:1/x", "ftp://h/?topsecret", "https:///?topsecret",
      "http://topsecret@h/a@b",
    ] {
      do {
        _ = try FetchAddress(text)
        Issue.record("taken: \(text)")
      } catch {
        #expect(!"\(error)".contains("topsecret"), "\(error)")
      }
    }
    do {
      _ = try address.following("http://u:topsecret@other/")
      Issue.record("followed")
    } catch {
      #expect(!"\(error)".contains("topsecret"), "\(error)")
    }
  }

  @Test("Nobody at the address, or no such host, is a failed connection")
  func nobody() async throws {
    let scratch = try Self.working()
    let server = try LoopbackServer { _ in [] }
    let url = server.url("/model")
    server.stop()
    for address in [url, "http://nobody.invalid/model"] {
      await #expect {
        try await scratch.models.fetch(
          manifest(Self.new, version: "2"), from: address,
          limits: FetchLimits(idleSeconds: 5, totalSeconds: 20, attempts: 1))
      } throws: { error in
        (error as? ModelStoreError).map { Self.isConnection($0) || Self.isTimedOut($0) } ?? false
      }
    }
    try Self.expectUnchanged(scratch)
  }

  @Test("A cancelled download ends, and what came of it is gone on from")
  func cancelled() async throws {
    let scratch = try Self.working()
    let server = try LoopbackServer { request in
      request.index == 0
        ? [
          Self.head(Self.new.count, "ETag: \"1\"\r\n"), .send(Array(Self.new.prefix(5_000))),
          .stall,
        ] : LoopbackServer.file(Self.new, for: request)
    }
    defer { server.stop() }
    let wanted = try manifest(Self.new, version: "2", url: server.url("/model"))
    let seen = Seen()
    let patient = FetchLimits(idleSeconds: 600, totalSeconds: 600)
    let task = Task {
      try await scratch.models.fetch(wanted, limits: patient) { seen.add($0) }
    }
    while seen.all.last?.received != 5_000 { await Task.yield() }
    // A second one does not write into what the first one has open.
    await #expect {
      try await scratch.models.fetch(wanted, limits: patient)
    } throws: { error in
      if case .locked = error as? ModelStoreError { true } else { false }
    }
    task.cancel()
    await #expect(throws: ModelStoreError.cancelled) { try await task.value }
    try Self.expectUnchanged(scratch)
    try await scratch.models.fetch(wanted, limits: patient)
    #expect(server.requests.map(\.start) == [nil, 5_000])
    #expect(try scratch.models.bytes() == Self.new)
  }

  @Test("The same version with another content is refused, and nothing is fetched")
  func sameVersion() async throws {
    let scratch = try Self.working()
    let server = try LoopbackServer { LoopbackServer.file(Self.new, for: $0) }
    defer { server.stop() }
    await #expect(throws: ModelStoreError.versionExists(name: "model", version: "1")) {
      try await scratch.models.fetch(manifest(Self.new, url: server.url("/model")))
    }
    #expect(server.requests.isEmpty)
    try Self.expectUnchanged(scratch)
  }

  @Test("Ten models at once come each to its own place")
  func together() async throws {
    let scratch = try Scratch()
    let server = try LoopbackServer { request in
      LoopbackServer.file(
        content(20_000, seed: UInt64(request.path.dropFirst()) ?? 0), for: request)
    }
    defer { server.stop() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<10 {
        group.addTask {
          let wanted = try manifest(
            content(20_000, seed: UInt64(number)), name: "m\(number)", url: server.url("/\(number)")
          )
          try await scratch.models.fetch(wanted, limits: Self.limits)
        }
      }
      try await group.waitForAll()
    }
    for number in 0..<10 {
      #expect(try scratch.models.bytes("m\(number)") == content(20_000, seed: UInt64(number)))
    }
  }
}

extension ModelStoreError {
  /// The status of a server that refused.
  fileprivate var status: Int? {
    if case .refused(_, let status) = self { status } else { nil }
  }
}
