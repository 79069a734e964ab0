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

  @Test("Chinese signs without a space are names if all can begin and end there")
  func chineseNames() {
    for (text, isName) in [
      ("张桂刚", true), ("蒋泥", true), ("王爱民高理周宏宇", true), ("張愛玲", true),
      ("大数据", false), ("张", false), ("智能时代", false), ("张桂刚大数据技术", false),
      (String(repeating: "王爱民", count: 5), false),
    ] {
      #expect((WrittenName(of: text).likelihood >= 0.4) == isName, "\(text)")
    }
    let written = WrittenName(of: "孔庆东著")
    #expect(written.isIntroduced && written.name == "孔庆东")
  }
}
