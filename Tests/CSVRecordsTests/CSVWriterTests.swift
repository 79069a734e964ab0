import TestSupport
import Testing

@testable import _CSVRecords

@Suite("Records of comma-separated values, written")
struct CSVWriterTests {
  @Test("Fields have quotation marks if a reader needs them")
  func marks() {
    #expect(CSVWriter.record(["a", "", "b c", "é'"]) == "a,,b c,é'\r\n")
    #expect(
      CSVWriter.record(["a,b", "c;d", "e\tf", "g\nh"]) == "\"a,b\",\"c;d\",\"e\tf\",\"g\nh\"\r\n")
    #expect(CSVWriter.record(["\"", "a\"b"], end: "\n") == "\"\"\"\",\"a\"\"b\"\n")
    #expect(CSVWriter.field("\u{FEFF}a") == "\"\u{FEFF}a\"")
    #expect(CSVWriter.quoted("a") == "\"a\"" && CSVWriter.quoted("") == "\"\"")
  }

  @Test("A quotation mark with an accent on it is doubled all the same")
  func accents() {
    #expect(
      CSVWriter.field("\"\u{301},").unicodeScalars.elementsEqual("\"\"\"\u{301},\"".unicodeScalars))
  }

  @Test("Any fields read back from their record, which ends with its last byte and not before")
  func property() throws {
    var generator = SeededGenerator(seed: 11)
    let letters = Array("ab\",\r\n;\t é\u{FEFF}".unicodeScalars) + ["\u{301}", "\u{7}"]
    for end in ["\r\n", "\n"] {
      for _ in 0..<1000 {
        let fields = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
          var text = String.UnicodeScalarView()
          for _ in 0..<Int.random(in: 0...6, using: &generator) {
            text.append(letters.randomElement(using: &generator) ?? "x")
          }
          return String(text)
        }
        let record = Array(CSVWriter.record(fields, end: end).utf8)
        var reader = CSVReader()
        reader.feed(Array(record.dropLast()))
        #expect(try reader.next() == nil, "\(fields)")
        reader.feed(Array(record.suffix(1)))
        let read = try reader.next()
        #expect(read?.bytes == 0..<record.count, "\(fields)")
        #expect(read?.fields.map { Array($0.utf8) } == fields.map { Array($0.utf8) })
        // By itself, without an end, it is the same.
        var whole = CSVReader(Array(record.dropLast(end.utf8.count)))
        if fields != [""] { #expect(try whole.next()?.fields == fields) }
      }
    }
  }
}
