import Foundation
import TestSupport
import Testing

@testable import ISBN

/// ISSN, ISMN and GTIN-14: reading, check digits, conversion.
@Suite struct ProductNumberTests {
  /// What python-stdnum answered; `Fixtures/generate/product_numbers.py` made it.
  private struct Golden: Decodable {
    struct Texts: Decodable {
      let texts: [String]
      /// An x for every valid one.
      let valid: String
    }

    let issn, ismn, gtin: Texts
    let issnForms, ismnForms, gtinForms: [[String]]

    static func read() throws -> Golden { try Folders.golden("ISBN/product_numbers.json") }
  }

  @Test func validityIsThePeers() throws {
    let golden = try Golden.read()
    func check(
      _ texts: Golden.Texts, _ isValid: (String) -> Bool, _ isValidUTF8: ([UInt8]) -> Bool,
      _ parses: (String) -> Bool
    ) {
      #expect(texts.texts.count == texts.valid.count)
      for (text, valid) in zip(texts.texts, texts.valid) {
        #expect(isValid(text) == (valid == "x"), "\(text)")
        #expect(isValidUTF8(Array(text.utf8)) == (valid == "x"), "\(text)")
        #expect(parses(text) == (valid == "x"), "\(text)")
      }
    }
    check(golden.issn, { ISSN.isValid($0) }, { ISSN.isValid(utf8: $0) }) {
      (try? ISSN($0)) != nil
    }
    check(golden.ismn, { ISMN.isValid($0) }, { ISMN.isValid(utf8: $0) }) {
      (try? ISMN($0)) != nil
    }
    check(golden.gtin, { GTIN14.isValid($0) }, { GTIN14.isValid(utf8: $0) }) {
      (try? GTIN14($0)) != nil
    }
  }

  @Test func formsOfSerialNumbersAreThePeers() throws {
    for row in try Golden.read().issnForms {
      let issn = try ISSN(row[0])
      #expect(issn.description == row[0])
      #expect(issn.hyphenated == row[1])
      #expect(try ISSN(issn.hyphenated) == issn)
      #expect(try ISSN(completing: String(row[0].dropLast())) == issn)
      let bars = try issn.ean13(variant: try #require(Int(row[2])))
      #expect(bars.description == row[3])
      #expect(bars.form == .ean13)
      #expect(try ISSN(EANPayload(row[3])) == issn)
      #expect(bars.content == .periodical(issn))
    }
  }

  @Test func formsOfMusicNumbersAreThePeers() throws {
    for row in try Golden.read().ismnForms {
      let ismn = try ISMN(row[0])
      #expect(ismn.description == row[1])
      #expect(ismn.hyphenated == row[2])
      #expect(ismn.publisher == row[3])
      #expect("9790" + ismn.publisher + ismn.item + String(ismn.checkDigit) == row[1])
      #expect(try ISMN(ismn.hyphenated) == ismn)
      #expect(try ISMN(ismn.ismn10) == ismn)
      #expect(try ISMN(completing: String(row[0].dropLast())) == ismn)
      #expect(try ISMN(number: ismn.number) == ismn)
      #expect(ismn.ean13.description == row[1])
      #expect(try ISMN(EANPayload(row[1])) == ismn)
      #expect(ismn.ean13.content == .printedMusic(ismn))
    }
  }

  @Test func packagesHoldTheirItems() throws {
    for row in try Golden.read().gtinForms {
      let item = try EANPayload(row[1])
      let gtin = try GTIN14(item, indicator: try #require(Int(row[0])))
      #expect(gtin.description == row[2])
      #expect(try GTIN14(row[2]) == gtin)
      #expect(try GTIN14(number: gtin.number) == gtin)
      #expect(try GTIN14(completing: String(row[2].dropLast())) == gtin)
      #expect(String(gtin.indicator) == row[0])
      #expect(gtin.item == item)
      #expect(gtin.item?.form == item.form)
    }
  }

  @Test(arguments: [
    "03178471", "0317-8471", "0317 8471", "ISSN 0317-8471", "issn: 0317-8471", "eISSN 0317-8471",
    "e-ISSN: 0317-8471", "p-ISSN 0317\u{2013}8471", "ISSN-L 0317-8471", "ISSN-L: 0317-8471",
    "urn:issn:0317-8471", "ＩＳＳＮ　０３１７－８４７１", " 0317-8471\n", "\u{FEFF}03178471",
  ])
  func everyWritingOfASerialNumber(text: String) throws {
    #expect(try ISSN(text).description == "03178471")
    #expect(try ISSN(utf8: Array(text.utf8)).hyphenated == "0317-8471")
    #expect(ISSN.isValid(text))
  }

  @Test(arguments: [
    "9790230671187", "979-0-2306-7118-7", "M230671187", "m-2306-7118-7", "ISMN M-2306-7118-7",
    "ISMN 979-0-2306-7118-7", "ISMN-13: 9790230671187", "ISMN-10 M230671187",
    "ｉｓｍｎ　Ｍ２３０６７１１８７", "urn:ismn:9790230671187",
  ])
  func everyWritingOfAMusicNumber(text: String) throws {
    #expect(try ISMN(text).description == "9790230671187")
    #expect(try ISMN(utf8: Array(text.utf8)).ismn10 == "M230671187")
    #expect(ISMN.isValid(text))
  }

  @Test(arguments: [
    "14006381333938", "1 4006381 33393 8", "GTIN 14006381333938", "GTIN-14: 14006381333938",
    "gtin14 14006381333938", "１４００６３８１３３３９３８",
  ])
  func everyWritingOfACarton(text: String) throws {
    let gtin = try GTIN14(text)
    #expect(gtin.number == 14_006_381_333_938)
    #expect(gtin.item?.description == "4006381333931")
    #expect(gtin.item?.content == .product)
    #expect(GTIN14.isValid(text))
  }

  @Test(arguments: [
    ("", ProductNumberError.empty), ("ISSN", .empty),
    ("M", .unexpectedCharacter("M", position: 0)),
    ("0317847", .wrongLength(found: 7, expected: [8])),
    ("031784711", .wrongLength(found: 9, expected: [8])),
    ("9770317847001", .wrongLength(found: 13, expected: [8])),
    ("03178472", .wrongCheckDigit(found: "2", expected: "1")),
    ("0317847X", .wrongCheckDigit(found: "X", expected: "1")),
    ("2434-5610", .wrongCheckDigit(found: "0", expected: "X")),
    ("0317X8471", .misplacedX(position: 4)), ("2434561XX", .misplacedX(position: 8)),
    ("2434561X0", .misplacedX(position: 7)), ("X", .misplacedX(position: 0)),
    ("0317/8471", .unexpectedCharacter("/", position: 4)),
    ("ISBN 03178471", .unexpectedCharacter("I", position: 0)),
    ("123456789012345678901", .wrongLength(found: 21, expected: [8])),
  ])
  func errorsOfSerialNumbers(text: String, error: ProductNumberError) {
    #expect(throws: error) { try ISSN(text) }
    #expect(!ISSN.isValid(text))
  }

  @Test(arguments: [
    ("", ProductNumberError.empty), ("ISMN M", .empty),
    ("M23067118", .wrongLength(found: 8, expected: [9])),
    ("230671187", .wrongLength(found: 9, expected: [13])),
    ("9790230671188", .wrongCheckDigit(found: "8", expected: "7")),
    ("M230671188", .wrongCheckDigit(found: "8", expected: "7")),
    ("9780306406157", .wrongPrefix(found: "9780", expected: "9790")),
    ("0000000000000", .wrongPrefix(found: "0000", expected: "9790")),
    ("MM230671187", .unexpectedCharacter("M", position: 1)),
    ("2M30671187", .unexpectedCharacter("M", position: 1)),
    ("M23067118X", .unexpectedCharacter("X", position: 9)),
  ])
  func errorsOfMusicNumbers(text: String, error: ProductNumberError) {
    #expect(throws: error) { try ISMN(text) }
    #expect(!ISMN.isValid(text))
  }

  @Test(arguments: [
    ("", ProductNumberError.empty), ("4006381333931", .wrongLength(found: 13, expected: [14])),
    ("14006381333937", .wrongCheckDigit(found: "7", expected: "8")),
    ("(01)14006381333938", .unexpectedCharacter("(", position: 0)),
    ("1400638133393X", .unexpectedCharacter("X", position: 13)),
  ])
  func errorsOfCartons(text: String, error: ProductNumberError) {
    #expect(throws: error) { try GTIN14(text) }
    #expect(!GTIN14.isValid(text))
  }

  @Test func errorsOfConversions() throws {
    let book = try EANPayload("9780306406157")
    let short = try EANPayload("96385074")
    #expect(throws: ProductNumberError.wrongPrefix(found: "978", expected: "977")) {
      try ISSN(book)
    }
    #expect(throws: ProductNumberError.wrongPrefix(found: "9780", expected: "9790")) {
      try ISMN(book)
    }
    #expect(throws: ProductNumberError.wrongPrefix(found: "9638", expected: "9790")) {
      try ISMN(short)
    }
    let issn = try ISSN("0317-8471")
    for variant in [-1, 100, .min, .max] {
      #expect(
        throws: ProductNumberError.outOfRange(field: "variant", value: variant, range: 0...99)
      ) { try issn.ean13(variant: variant) }
    }
    for indicator in [-1, 9, .max] {
      #expect(
        throws: ProductNumberError.outOfRange(field: "indicator", value: indicator, range: 0...8)
      ) { try GTIN14(book, indicator: indicator) }
    }
    // Variable measure: the digits behind the 9 name no item.
    #expect(try GTIN14(completing: "9400638133393").item == nil)
    #expect(throws: ProductNumberError.wrongLength(found: 20, expected: [14])) {
      try GTIN14(number: .max)
    }
    #expect(throws: ProductNumberError.wrongLength(found: 20, expected: [13])) {
      try ISMN(number: .max)
    }
    #expect(throws: ProductNumberError.wrongLength(found: 1, expected: [13])) {
      try ISMN(number: 0)
    }
    #expect(throws: ProductNumberError.wrongLength(found: 8, expected: [7])) {
      try ISSN(completing: "03178471")
    }
    #expect(throws: ProductNumberError.wrongPrefix(found: "9780", expected: "9790")) {
      try ISMN(completing: "978030640615")
    }
    #expect(throws: ProductNumberError.invalidUTF8(position: 2)) {
      try ISSN(utf8: [0x30, 0x33, 0xFF])
    }
    // An add-on is not a part of the item's number.
    #expect(
      try GTIN14(EANPayload("9780306406157 51495"), indicator: 1).item?.description
        == "9780306406157")
  }

  @Test func errorTextsSayWhatWouldBeRight() {
    let texts: [(ProductNumberError, String)] = [
      (.wrongCheckDigit(found: "8", expected: "X"), "the check digit is 8 where X would be right"),
      (.wrongLength(found: 1, expected: [13]), "1 digit where 13 would be right"),
      (
        .wrongPrefix(found: "978", expected: "977"),
        "the number starts with 978 where 977 would be right"
      ),
      (
        .outOfRange(field: "variant", value: 100, range: 0...99),
        "variant is 100; it must be in 0...99"
      ),
      (.empty, "there are no digits"),
      (.invalidUTF8(position: 2), "the bytes after 2 characters are not UTF-8"),
    ]
    for (error, text) in texts { #expect(error.description == text) }
    #expect(
      ProductNumberError.unexpectedCharacter("\u{7}", position: 3).description.hasPrefix(
        "U+0007 at position 4 belongs"))
    #expect(
      ProductNumberError.misplacedX(position: 2).description.hasPrefix("X at position 3 stands"))
  }

  @Test func everyOtherDigitAndSwapIsNoticed() throws {
    // Weights of modulus 11 are all different; those of EAN are not for digits 5 apart.
    var generator = SeededGenerator(seed: 51)
    for _ in 0..<300 {
      let issn = ISSN(uncheckedBody: UInt32.random(in: 0..<10_000_000, using: &generator))
      var characters = Array(issn.description)
      for place in 0..<7 {
        for digit in "0123456789" where digit != characters[place] {
          var other = characters
          other[place] = digit
          #expect(!ISSN.isValid(String(other)))
        }
        guard characters[place] != characters[place + 1], characters[place + 1] != "X" else {
          continue
        }
        characters.swapAt(place, place + 1)
        #expect(!ISSN.isValid(String(characters)))
        characters.swapAt(place, place + 1)
      }
      let carton = try GTIN14(
        number: try GTIN14(
          completing: leftPadded(
            String(UInt64.random(in: 0..<10_000_000_000_000, using: &generator)), to: 13)
        ).number)
      let digits = Array(carton.description)
      for place in digits.indices {
        for digit in "0123456789" where digit != digits[place] {
          var other = digits
          other[place] = digit
          #expect(!GTIN14.isValid(String(other)))
        }
      }
    }
  }

  @Test func storedAsText() throws {
    struct Record: Codable, Equatable {
      var issn: ISSN
      var ismn: ISMN
      var gtin: GTIN14
    }
    let record = Record(
      issn: try ISSN("2434-561X"), ismn: try ISMN("M230671187"), gtin: try GTIN14("00000096385074"))
    let data = try JSONEncoder().encode(record)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("\"2434561X\""))
    #expect(text.contains("\"9790230671187\""))
    #expect(text.contains("\"00000096385074\""))
    #expect(try JSONDecoder().decode(Record.self, from: data) == record)
    let wrong = text.replacingOccurrences(of: "2434561X", with: "24345610")
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Record.self, from: Data(wrong.utf8))
    }
  }

  @Test func ordering() throws {
    #expect(try ISSN("0317-8471") < ISSN("2434-561X"))
    #expect(try ISMN("M001000000") < ISMN("M230671187"))
    #expect(try GTIN14("00000096385074") < GTIN14("14006381333938"))
  }
}
