import Foundation
import TestSupport
import Testing

@testable import ModelStore

@Suite("SHA-256")
struct SHA256Tests {
  struct Golden: Decodable {
    struct MonteCarlo: Decodable {
      let seed: String
      let digests: [String]
    }
    let short: [[String]]
    let long: [[String]]
    let monteCarlo: MonteCarlo
    let lengths: [String]
    let million: String
  }

  static func golden() throws -> Golden { try Folders.golden("ModelStore/sha256.json") }

  static func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
    }
  }

  @Test("NIST's short and long messages")
  func messages() throws {
    let golden = try Self.golden()
    #expect(golden.short.count == 65 && golden.long.count == 8)
    for pair in golden.short + golden.long {
      #expect(SHA256Hasher.digest(Self.bytes(pair[0])).description == pair[1])
    }
  }

  @Test("NIST's Monte Carlo test: 100,000 digests of digests")
  func monteCarlo() throws {
    let golden = try Self.golden().monteCarlo
    var seed = Self.bytes(golden.seed)
    #expect(golden.digests.count == 100)
    for digest in golden.digests {
      var last = [seed, seed, seed]
      for _ in 0..<1000 {
        let next = SHA256Hasher.digest(last[0] + last[1] + last[2]).bytes
        last = [last[1], last[2], next]
      }
      seed = last[2]
      #expect(SHA256Digest(bytes: seed).description == digest)
    }
  }

  @Test("Every length to 300 bytes, cut in two at every place")
  func pieces() throws {
    let golden = try Self.golden().lengths
    let bytes = content(300, seed: 1)
    #expect(golden.count == 301)
    for (length, digest) in golden.enumerated() {
      for cut in 0...length {
        var hasher = SHA256Hasher()
        bytes.withUnsafeBytes { bytes in
          hasher.update(UnsafeRawBufferPointer(rebasing: bytes[..<cut]))
          // Asking in between changes nothing.
          if cut % 7 == 0 { _ = hasher.finish() }
          hasher.update(UnsafeRawBufferPointer(rebasing: bytes[cut..<length]))
        }
        #expect(hasher.finish().description == digest, "\(length) cut at \(cut)")
      }
    }
  }

  @Test("Pieces of every size to 130 bytes, beginning at any address")
  func addresses() throws {
    let golden = try #require(try Self.golden().lengths.last)
    let bytes = content(300, seed: 1)
    for size in 1...130 {
      for offset in 0..<16 {
        let moved = [UInt8](repeating: 0xFF, count: offset) + bytes
        var hasher = SHA256Hasher()
        moved.withUnsafeBytes { moved in
          for start in stride(from: offset, to: moved.count, by: size) {
            let end = min(start + size, moved.count)
            hasher.update(UnsafeRawBufferPointer(rebasing: moved[start..<end]))
          }
        }
        #expect(hasher.finish().description == golden, "pieces of \(size), moved by \(offset)")
      }
    }
  }

  @Test("A million bytes, in memory and in a file")
  func million() throws {
    let golden = try Self.golden().million
    let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(SHA256Hasher.digest(million).description == golden)
    let scratch = try Scratch()
    #expect(try SHA256Digest(contentsOf: scratch.write("million", million)).description == golden)
  }

  @Test("Nothing at all, as often as one likes")
  func nothing() throws {
    var hasher = SHA256Hasher()
    for _ in 0..<3 { hasher.update(UnsafeRawBufferPointer(start: nil, count: 0)) }
    #expect(try hasher.finish().description == Self.golden().lengths[0])
  }

  @Test("A digest is 64 hexadecimal digits, and nothing else is one")
  func texts() {
    let text = String(repeating: "0123456789abcdef", count: 4)
    #expect(SHA256Digest(text)?.description == text)
    #expect(SHA256Digest(text.uppercased())?.description == text)
    for bad in [
      "", String(text.dropLast()), text + "0", "g" + text.dropFirst(), " " + text.dropFirst(),
      String(repeating: "é", count: 32), String(repeating: "٣", count: 32), "0x" + text.dropLast(2),
    ] {
      #expect(SHA256Digest(bad) == nil, "\(bad)")
    }
  }
}
