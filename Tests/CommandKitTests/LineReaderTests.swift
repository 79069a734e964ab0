import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("Lines of an input")
struct LineReaderTests {
  /// Gives bytes in pieces of random length.
  final class Pieces: InputSource, @unchecked Sendable {
    // Unchecked: only one test's one reader uses it.
    private var rest: ArraySlice<UInt8>
    private var generator: SeededGenerator

    init(_ bytes: [UInt8], seed: UInt64) {
      rest = bytes[...]
      generator = SeededGenerator(seed: seed)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
      let piece = rest.prefix(min(buffer.count, Int.random(in: 1...5, using: &generator)))
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
  }

  @Test("Lines are those of a split, too long ones dropped, however the bytes come")
  func lines() throws {
    var generator = SeededGenerator(seed: 5)
    for seed in 0..<300 {
      let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        UInt8.random(in: 0...3, using: &generator) == 0
          ? UInt8(ascii: "\n") : UInt8.random(in: 97...99, using: &generator)
      }
      var expected = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { $0.count > 4 ? LineReader.Line.tooLong : .bytes(Array($0)) }
      if expected.last == .bytes([]) { expected.removeLast() }
      var reader = LineReader(Pieces(bytes, seed: UInt64(seed)), limit: 4)
      var found: [LineReader.Line] = []
      while let line = try reader.next() { found.append(line) }
      #expect(found == expected, "\(bytes)")
    }
  }

  @Test("A byte order mark before the first line is left out if that is asked for, once")
  func byteOrderMark() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    for seed in 0..<20 as Range<UInt64> {
      var reader = LineReader(Pieces(mark + [97, 10] + mark + [98], seed: seed), limit: 9)
      reader.skipsByteOrderMark = true
      #expect(try reader.next() == .bytes([97]))
      #expect(try reader.next() == .bytes(mark + [98]))
      #expect(try reader.next() == nil)
      reader = LineReader(Pieces(mark + [97], seed: seed), limit: 9)
      #expect(try reader.next() == .bytes(mark + [97]))
      reader = LineReader(Pieces(mark, seed: seed), limit: 2)
      reader.skipsByteOrderMark = true
      #expect(try reader.next() == .tooLong)
    }
  }

  @Test("A task that waits for a line can be cancelled, though none comes")
  func cancelledWait() async throws {
    /// Gives nothing until it is told to.
    final class Late: InputSource, Sendable {
      let gate = DispatchSemaphore(value: 0)
      func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
        gate.wait()
        buffer.copyBytes(from: Array("a\n".utf8))
        return 2
      }
    }
    let source = Late()
    let feed = LineFeed(LineReader(source, limit: 10))
    let first = Task { try await feed.next() }
    try await Task.sleep(nanoseconds: 10_000_000)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    source.gate.signal()
    source.gate.signal()
    #expect(try await feed.next()?.item == .bytes([UInt8(ascii: "a")]))
  }
}
