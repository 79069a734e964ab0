import TestSupport
import Testing

@testable import CommandKit

@Suite("CSV")
struct CSVTextTests {
  @Test("No name of a file is a formula")
  func names() {
    for name in ["=1", "+1", "-1", "@a", "\ta", "\rb", "\u{FF1D}1"] {
      #expect(CSVText.fileName(name) == "./" + name)
    }
    for name in ["a=1", "/=1", "", "./=1"] { #expect(CSVText.fileName(name) == name) }
  }

  @Test("Any fields read back from their record, and none ends before the last byte")
  func csvProperty() {
    var generator = SeededGenerator(seed: 11)
    let letters = Array("ab\",\r\n;\t é")
    for _ in 0..<500 {
      let fields = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        String(
          (0..<Int.random(in: 0...6, using: &generator)).compactMap { _ in
            letters.randomElement(using: &generator)
          })
      }
      var scanner = CSVScanner()
      let record = Array(CSVText.record(fields).utf8)
      for (place, byte) in record.enumerated() {
        #expect(scanner.take(byte) == (place == record.count - 1), "\(fields)")
      }
      #expect(scanner.fields.map { String(decoding: $0, as: UTF8.self) } == fields)
    }
  }
}
