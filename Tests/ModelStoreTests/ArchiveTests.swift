import Foundation
import TestSupport
import Testing

@testable import ModelStore

@Suite("Archives")
struct ArchiveTests {
  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Folders.goldens.appendingPathComponent("ModelStore/\(name)")))
  }

  static let size = 4_500

  static func digest(_ member: String) throws -> SHA256Digest {
    let sums: [String: String] = try Folders.golden("ModelStore/members.json")
    return try #require(sums[member].flatMap { SHA256Digest($0) })
  }

  /// The manifest of the first member of the golden archives.
  static func manifest(
    _ archive: [UInt8], url: String = "http://127.0.0.1/x", member: String = "a/model.onnx",
    size: Int = size
  ) throws -> ModelManifest {
    try ModelManifest(
      name: "model", version: "2", digest: digest("a/model.onnx"), size: size, task: "test",
      source: ModelSource(.url(url), archive: .init(member: member, size: archive.count)))
  }

  @Test(
    "Python's archives: stored, deflated, with large headers, with a comment",
    arguments: ["stored.zip", "deflated.zip", "large-headers.zip"])
  func members(name: String) throws {
    let scratch = try Scratch()
    let archive = try Self.bytes(name)
    let file = try scratch.write(name, archive)
    let stored = try scratch.models.install(fromArchive: file, as: Self.manifest(archive))
    #expect(try SHA256Digest(contentsOf: stored.file) == Self.digest("a/model.onnx"))
    #expect(try scratch.models.verified("model") == stored)
  }

  @Test("What is not to be had of an archive is an error, and nothing is installed")
  func refusals() throws {
    let archive = try Self.bytes("deflated.zip")
    let cases: [(String, [UInt8], String, Int, String)] = [
      ("no such member", archive, "a/none.onnx", Self.size, "no member 'a/none.onnx'"),
      ("another size", archive, "a/model.onnx", Self.size - 1, "must have 4499"),
      ("another content", archive, "b/other.onnx", 100, "has the SHA-256"),
      ("bzip2", try Self.bytes("bzip2.zip"), "a/model.onnx", Self.size, "by method 12"),
      ("no zip file", content(500, seed: 3), "a/model.onnx", Self.size, "not a zip file"),
      ("empty", [], "a/model.onnx", Self.size, "not a zip file"),
      ("cut", Array(archive.dropLast(30)), "a/model.onnx", Self.size, "not a zip file"),
      ("twice", try Self.twice(), "a/model.onnx", Self.size, "twice"),
      (
        "encrypted", try Self.patched(archive, 0x0201_4b50, at: 8, 1), "a/model.onnx", Self.size,
        "encrypted"
      ),
      (
        "several parts", try Self.patched(archive, 0x0605_4b50, at: 4, 1), "a/model.onnx",
        Self.size, "several parts"
      ),
    ]
    for (name, bytes, member, size, words) in cases {
      let scratch = try Scratch()
      let file = try scratch.write("archive", bytes)
      #expect {
        let manifest = try ModelManifest(
          name: "model", version: "2", digest: Self.digest("a/model.onnx"), size: size,
          task: "test",
          source: ModelSource(
            .url("http://127.0.0.1/x"), archive: .init(member: member, size: max(1, bytes.count))))
        try scratch.models.install(fromArchive: file, as: manifest)
      } throws: { error in
        "\(error)".contains(words)
      }
      #expect(try scratch.models.list().isEmpty, "\(name)")
      #expect(!scratch.contents().contains { $0.hasPrefix(".incoming/") })
    }
  }

  /// The bytes with one changed after the first of a signature.
  static func patched(
    _ bytes: [UInt8], _ signature: UInt32, at offset: Int, _ value: UInt8
  ) throws -> [UInt8] {
    let mark = withUnsafeBytes(of: signature.littleEndian) { Array($0) }
    let place = try #require((0..<(bytes.count - 4)).first { Array(bytes[$0..<($0 + 4)]) == mark })
    var changed = bytes
    changed[place + offset] = value
    return changed
  }

  /// An archive whose third member has the first one's name.
  static func twice() throws -> [UInt8] {
    var bytes = try Self.bytes("stored.zip")
    let (from, to) = (Array("b/other.onnx".utf8), Array("a/model.onnx".utf8))
    for place in 0..<(bytes.count - from.count)
    where Array(bytes[place..<(place + from.count)]) == from {
      bytes.replaceSubrange(place..<(place + from.count), with: to)
    }
    return bytes
  }

  @Test("Cut anywhere or with any byte changed, it gives the right model or an error")
  func damage() throws {
    let scratch = try Scratch()
    var generator = SeededGenerator(seed: 12)
    for name in ["stored.zip", "deflated.zip"] {
      let whole = try Self.bytes(name)
      var (failures, successes) = (0, 0)
      for round in 0..<600 {
        var bytes = whole
        if round % 3 == 0 {
          bytes = Array(bytes.prefix(Int(generator.next() % UInt64(whole.count))))
        } else {
          // Half of them in the directory, which is read with the most trust.
          let range = round % 3 == 1 ? bytes.indices : bytes.indices.suffix(220)
          bytes[range.randomElement(using: &generator) ?? 0] ^= UInt8.random(
            in: 1...255, using: &generator)
        }
        let file = try scratch.write("archive", bytes)
        do {
          let stored = try scratch.models.install(fromArchive: file, as: Self.manifest(whole))
          #expect(try SHA256Digest(contentsOf: stored.file) == Self.digest("a/model.onnx"))
          try scratch.models.remove("model")
          successes += 1
        } catch ModelStoreError.badArchive {
          failures += 1
        }
      }
      #expect(failures > 100 && successes > 10, "\(failures) \(successes)")
      #expect(try scratch.models.list().isEmpty)
    }
  }

  @Test("A member that unpacks to far more than it says is stopped at what it says")
  func bomb() throws {
    // A thousand zero bytes deflated take a few bytes; the size is then said to be 10.
    let archive = try Self.bytes("deflated.zip")
    var bytes = archive
    let mark: [UInt8] = [0x50, 0x4b, 0x01, 0x02]
    let place = try #require((0..<(bytes.count - 4)).first { Array(bytes[$0..<($0 + 4)]) == mark })
    bytes.replaceSubrange((place + 24)..<(place + 28), with: [10, 0, 0, 0])
    let scratch = try Scratch()
    let file = try scratch.write("archive", bytes)
    #expect {
      try scratch.models.install(fromArchive: file, as: Self.manifest(archive, size: 10))
    } throws: { error in
      "\(error)".contains("longer than it says")
    }
  }

  @Test("An archive is fetched, and its member installed; a wrong archive is fetched once")
  func fetched() async throws {
    let archive = try Self.bytes("deflated.zip")
    let server = try LoopbackServer { request in
      LoopbackServer.file(
        request.path == "/good" ? archive : content(archive.count, seed: 3), for: request)
    }
    defer { server.stop() }
    let scratch = try FetchTests.working()
    await #expect {
      try await scratch.models.fetch(Self.manifest(archive, url: server.url("/bad")))
    } throws: { error in
      if case .badArchive = error as? ModelStoreError { true } else { false }
    }
    #expect(server.requests.count == 1)
    try FetchTests.expectUnchanged(scratch)
    var manifest = try Self.manifest(archive, url: server.url("/good"))
    manifest.source?.archive?.digest = SHA256Hasher.digest(content(3, seed: 3))
    await #expect {
      try await scratch.models.fetch(manifest)
    } throws: { error in
      if case .wrongContent = error as? ModelStoreError { true } else { false }
    }
    try FetchTests.expectUnchanged(scratch)
    manifest.source?.archive?.digest = SHA256Hasher.digest(archive)
    try await scratch.models.fetch(manifest)
    #expect(try scratch.models.verified("model").manifest == manifest)
    #expect(!scratch.contents().contains { $0.hasPrefix(".downloads/") })
  }
}
