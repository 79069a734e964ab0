import TestSupport
import Testing

@testable import ISBN

/// Texts in pieces: what is found does not depend on where they are cut.
@Suite struct StreamTests {
  private static let parts = ["97", "8", "1", "O", "X", "978"]
  private static let separators = [" ", "-", "\n", "  ", "", " "]

  private func matches(
    in bytes: [UInt8], pieces: inout SeededGenerator, longest: Int
  ) -> [ISBNMatch] {
    var stream = ISBNTextStream()
    var found: [ISBNMatch] = []
    var start = 0
    while start < bytes.count {
      let settled = stream.settledOffset
      let end = min(bytes.count, start + Int.random(in: 0...longest, using: &pieces))
      let now = stream.read(bytes[start..<end])
      for match in now { #expect(match.utf8Range.lowerBound >= settled) }
      found += now
      start = end
      // What is still to come lies behind what was promised to be settled, and not far back.
      #expect(stream.settledOffset >= settled)
      #expect(end - stream.settledOffset < 40_000)
    }
    return found + stream.finish()
  }

  private func whole(_ bytes: [UInt8]) -> [ISBNMatch] {
    bytes.withUnsafeBufferPointer { ISBNExtractor().matches(inUTF8: $0) }
  }

  @Test("Pages cut anywhere give the matches of the whole page")
  func pages() {
    var generator = SeededGenerator(seed: 21)
    var found = 0
    for _ in 0..<500 {
      var text = ""
      for _ in 0..<4 { text += NoisyPage(using: &generator).text + "\n" }
      let bytes = Array(text.utf8)
      let expected = whole(bytes)
      found += expected.count
      for longest in [1, 7, 100] {
        #expect(matches(in: bytes, pieces: &generator, longest: longest) == expected)
      }
    }
    #expect(found > 1000)
  }

  @Test("Numbers without end, long lists and any bytes, cut anywhere")
  func stretches() {
    var generator = SeededGenerator(seed: 22)
    let isbns = (0..<50).map { _ in NoisyPage.assigned(using: &generator) }
    var found = 0
    for round in 0..<60 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...1500, using: &generator) {
        let isbn = isbns[Int.random(in: 0..<isbns.count, using: &generator)]
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: bytes += Array((isbn.hyphenated ?? "").utf8)
        case 1: bytes += Array(isbn.description.utf8)
        case 2: bytes += Array((isbn.isbn10?.description ?? "").utf8)
        case 3: bytes += [UInt8](repeating: 0x30, count: Int.random(in: 1...40, using: &generator))
        case 4: bytes += [UInt8](repeating: 0x4F, count: Int.random(in: 1...20, using: &generator))
        case 5 where round % 3 == 0: bytes += Array("ISBN ".utf8)
        case 6 where round % 4 == 0: bytes.append(UInt8.random(in: 0...255, using: &generator))
        default: bytes += Array(Self.parts[Int.random(in: 0..<6, using: &generator)].utf8)
        }
        bytes += Array(Self.separators[Int.random(in: 0..<6, using: &generator)].utf8)
      }
      let expected = whole(bytes)
      found += expected.count
      for longest in [1, 64, 5000] {
        #expect(matches(in: bytes, pieces: &generator, longest: longest) == expected)
      }
    }
    #expect(found > 500)
  }

  @Test("A list of ten thousand numbers in one stretch is found whole")
  func longList() throws {
    var generator = SeededGenerator(seed: 23)
    let isbns = (0..<10_000).map { _ in NoisyPage.assigned(using: &generator) }
    for separator in [" ", "\n", "  \n"] {
      let text = isbns.map { $0.hyphenated ?? "" }.joined(separator: separator)
      #expect(ISBNExtractor().matches(in: text).map(\.isbn.isbn13) == isbns)
    }
  }

  @Test("A number of four million digits keeps nothing, and what follows it is found")
  func endless() {
    var stream = ISBNTextStream()
    let piece = [UInt8](repeating: 0x39, count: 1 << 16)
    for _ in 0..<64 {
      #expect(stream.read(piece).isEmpty)
    }
    #expect(stream.settledOffset > 64 * piece.count - 100)
    let rest = stream.read(Array(" 978-0-306-40615-7 and".utf8)) + stream.finish()
    #expect(rest.map(\.isbn.description) == ["9780306406157"])
    #expect(rest.first?.utf8Range == 64 * piece.count + 1..<64 * piece.count + 18)
  }

  @Test("After its end another text begins")
  func restart() {
    var stream = ISBNTextStream(ISBNExtractor(acceptsUnlabelledISBN10: false))
    #expect(stream.read(Array("ISBN 0-306-4".utf8)).isEmpty)
    #expect(stream.finish().isEmpty)
    #expect(stream.settledOffset == 0)
    #expect((stream.read(Array("0-306-40615-2".utf8)) + stream.finish()).isEmpty)
    let found = stream.read(Array("ISBN 0-306-40615-2".utf8)) + stream.finish()
    #expect(found.map(\.utf8Range) == [5..<18])
  }
}
