import TestSupport
import Testing

@testable import SpineHeuristics

@Suite("Keys of texts")
struct LexiconTests {
  @Test("A text in ASCII has the same key alone and beside a letter that is not")
  func ascii() {
    let all = String(decoding: (0...0x7F as ClosedRange<UInt8>), as: UTF8.self)
    #expect(
      Lexicon.key(of: all) == "0123456789abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz")
    var random = SeededGenerator(seed: 8)
    for _ in 0..<500 {
      let bytes = (0..<Int(random.next() % 20)).map { _ in UInt8(random.next() % 0x80) }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(Lexicon.key(of: text + "Ł") == Lexicon.key(of: text) + "l")
      #expect(Lexicon.key(of: text[...]) == Lexicon.key(of: text))
    }
    #expect(Lexicon.key(of: "") == "")
  }

  @Test("One wrong, missing or added letter is one edit")
  func edits() {
    for (first, second, isOne) in [
      ("penguin", "penguin", true), ("penguin", "pengwin", true), ("penguin", "pnguin", true),
      ("penguin", "penguins", true), ("penguin", "pengu", false), ("penguin", "pegnuin", false),
      ("", "a", true), ("", "", true), ("", "ab", false), ("abcd", "bcda", false),
    ] {
      #expect(Lexicon.isOneEdit(first, second) == isOne, "\(first), \(second)")
      #expect(Lexicon.isOneEdit(second, first) == isOne, "\(second), \(first)")
    }
  }
}
