import Testing

@testable import CommandKit

@Suite("Fields of comma-separated values")
struct CSVTextTests {
  @Test("No name of a file is a formula")
  func names() {
    for name in ["=1", "+1", "-1", "@a", "\ta", "\rb", "\u{FF1D}1"] {
      #expect(CSVText.fileName(name) == "./" + name)
    }
    for name in ["a=1", "/=1", "", "./=1"] { #expect(CSVText.fileName(name) == name) }
  }

  @Test("No text is a formula, and none acts on a terminal; numbers and ends of lines stay")
  func texts() {
    for text in ["=1+1", "+a", "-a", "@a", "\ta", "\ra", "\u{FF1D}1"] {
      #expect(CSVText.text(text) == "'" + text)
    }
    for text in ["", "-1.5", "+3", "a=1", "a\r\n\tb", "'a"] { #expect(CSVText.text(text) == text) }
    #expect(CSVText.text("a\0\u{1B}b") == "a\\u{0}\\u{1b}b")
  }
}
