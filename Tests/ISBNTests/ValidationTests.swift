import TestSupport
import Testing

@testable import ISBN

/// Right, wrong and oddly written numbers, one by one.
@Suite struct ValidationTests {
  @Test(arguments: [
    "9780306406157", "978-0-306-40615-7", "978 0 306 40615 7", "ISBN 978-0-306-40615-7",
    "ISBN-13: 978-0-306-40615-7", "isbn13 9780306406157",
    "ISBN: 978\u{2010}0\u{2011}306\u{2012}40615\u{2013}7",
    "978\u{2014}0\u{2212}306\u{A0}40615\u{2009}7", "ＩＳＢＮ　９７８－０－３０６－４０６１５－７",
    "  978-0-306-40615-7\n", "urn:isbn:9780306406157", "ISBN\u{2011}13 978-0-306-\n40615-7",
    "\u{FEFF}9780306406157", "97803\u{AD}06406157", "ISBN978ー0ー306ー40615ー7", "iSbN=9780306406157",
  ])
  func everyWritingOfOneNumber(text: String) throws {
    #expect(try ISBN13(text).number == 9_780_306_406_157)
    #expect(ISBN13.isValid(text))
    #expect(try AnyISBN(text) == .isbn13(ISBN13("9780306406157")))
    #expect(try AnyISBN.normalized(text) == "9780306406157")
  }

  @Test(arguments: [
    "080442957X", "0-8044-2957-X", "0 8044 2957 x", "ISBN 0-8044-2957-X", "ISBN-10: 080442957X",
    "ISBN-10 0-8044-2957-X", "０８０４４２９５７Ｘ", "isbn10:080442957x",
  ])
  func everyWritingOfOneOldNumber(text: String) throws {
    #expect(try ISBN10(text).description == "080442957X")
    #expect(ISBN10.isValid(text))
    #expect(try AnyISBN(text).isbn13.description == "9780804429573")
    #expect(try AnyISBN.normalized(text) == "080442957X")
  }

  @Test(arguments: [
    ("", ISBNError.empty),
    ("ISBN", .empty),
    (" - ", .empty),
    ("978030640615", .wrongLength(found: 12, expected: [13])),
    ("97803064061577", .wrongLength(found: 14, expected: [13])),
    ("0306406152", .wrongLength(found: 10, expected: [13])),
    ("080442957X", .wrongLength(found: 10, expected: [13])),
    ("9780306406158", .wrongCheckDigit(found: "8", expected: "7")),
    ("978030640615X", .misplacedX(position: 12)),
    ("X780306406157", .misplacedX(position: 0)),
    ("030640615X7", .misplacedX(position: 9)),
    ("4006381333931", .notABook(prefix: 400)),
    ("0123456789012", .notABook(prefix: 12)),
    ("9790260000438", .printedMusic),
    ("978-0-306-4O615-7", .unexpectedCharacter("O", position: 11)),
    ("978/0306406157", .unexpectedCharacter("/", position: 3)),
    ("🙂9780306406157", .unexpectedCharacter("🙂", position: 0)),
    ("978–0306–é", .unexpectedCharacter("é", position: 9)),
    ("9780306406157 ISBN", .unexpectedCharacter("I", position: 14)),
  ])
  func errorsNameWhatIsWrong(text: String, error: ISBNError) {
    #expect(throws: error) { try ISBN13(text) }
    #expect(!ISBN13.isValid(text))
  }

  @Test func errorsOfOldNumbers() {
    #expect(throws: ISBNError.wrongCheckDigit(found: "X", expected: "2")) {
      try ISBN10("030640615X")
    }
    #expect(throws: ISBNError.wrongCheckDigit(found: "1", expected: "X")) {
      try ISBN10("0804429571")
    }
    #expect(throws: ISBNError.wrongLength(found: 13, expected: [10])) {
      try ISBN10("9780306406157")
    }
    #expect(throws: ISBNError.wrongLength(found: 9, expected: [10, 13])) {
      try AnyISBN("030640615")
    }
    #expect(throws: ISBNError.invalidUTF8(position: 2)) { try ISBN13(utf8: [0x39, 0x37, 0xFF]) }
  }

  @Test func errorTextsSayWhatWouldBeRight() {
    let check = ISBNError.wrongCheckDigit(found: "8", expected: "7")
    #expect("\(check)" == "the check digit is 8 where 7 would be right")
    let length = ISBNError.wrongLength(found: 12, expected: [10, 13])
    #expect("\(length)" == "12 digits where 10 or 13 would be right")
    #expect("\(ISBNError.notABook(prefix: 12))".contains("012"))
    #expect("\(ISBNError.unexpectedCharacter("\u{7}", position: 3))".contains("U+0007"))
    // The first character is the first, as columns of texts are counted.
    #expect(
      "\(ISBNError.unexpectedCharacter("a", position: 0))".hasPrefix("'a' at position 1 belongs"))
    #expect("\(ISBNError.misplacedX(position: 2))".hasPrefix("X at position 3 stands"))
    #expect("\(ISBNError.printedMusic)".contains("ISMN"))
  }

  @Test func numbersAsNumbers() throws {
    #expect(try ISBN13(number: 9_780_306_406_157) == ISBN13("9780306406157"))
    #expect(throws: ISBNError.wrongCheckDigit(found: "8", expected: "7")) {
      try ISBN13(number: 9_780_306_406_158)
    }
    #expect(throws: ISBNError.wrongLength(found: 1, expected: [13])) { try ISBN13(number: 0) }
    #expect(throws: ISBNError.wrongLength(found: 20, expected: [13])) {
      try ISBN13(number: .max)
    }
    #expect(throws: ISBNError.notABook(prefix: 400)) { try ISBN13(number: 4_006_381_333_931) }
  }

  @Test func completing() throws {
    #expect(try ISBN13(completing: "978-0-306-40615").description == "9780306406157")
    #expect(try ISBN10(completing: "0-8044-2957").description == "080442957X")
    #expect(throws: ISBNError.wrongLength(found: 13, expected: [12])) {
      try ISBN13(completing: "9780306406157")
    }
    #expect(throws: ISBNError.printedMusic) { try ISBN13(completing: "979026000043") }
    #expect(throws: ISBNError.notABook(prefix: 400)) { try ISBN13(completing: "400638133393") }
  }

  @Test func conversion() throws {
    let isbn = try ISBN13("9780306406157")
    #expect(isbn.isbn10?.description == "0306406152")
    #expect(try ISBN10(isbn).isbn13 == isbn)
    let newer = try ISBN13("9791090636071")
    #expect(newer.isbn10 == nil)
    #expect(throws: ISBNError.noISBN10(newer)) { try ISBN10(newer) }
    #expect("\(ISBNError.noISBN10(newer))".hasPrefix("9791090636071 has no ISBN-10"))
    #expect(try AnyISBN("9791090636071").isbn10 == nil)
    #expect(isbn.checkDigit == 7)
    #expect(try ISBN10("080442957X").checkDigit == "X")
  }

  @Test func ordering() throws {
    #expect(try ISBN13("9780306406157") < ISBN13("9791090636071"))
    #expect(try ISBN10("0306406152") < ISBN10("080442957X"))
  }

  @Test func peersAgree() throws {
    struct Golden: Decodable {
      struct Dispute: Decodable { let text: String }
      let texts: [String]
      let lengths: String
      let disputed: [Dispute]
    }
    let golden = try Folders.golden("ISBN/validation.json", as: Golden.self)
    #expect(golden.texts.count == golden.lengths.count)
    for (text, length) in zip(golden.texts, golden.lengths) {
      #expect(ISBN13.isValid(text) == (length == "3"), "\(text)")
      #expect(ISBN10.isValid(text) == (length == "X"), "\(text)")
      #expect(((try? AnyISBN(text)) != nil) == (length != "-"), "\(text)")
    }
    // What the peers take and the standard does not: music, and nine digits.
    for dispute in golden.disputed {
      #expect(throws: ISBNError.self, "\(dispute.text)") { try AnyISBN(dispute.text) }
    }
  }
}
