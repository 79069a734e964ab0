import Foundation
import TestSupport
import Testing

@testable import ISBN

/// What holds for every number and every text.
@Suite struct PropertyTests {
  @Test func everyWrongDigitIsNoticed() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let isbn = NoisyPage.assigned(using: &generator)
      for place in 0..<13 {
        for digit in 0...9 {
          var digits = Array(isbn.description.utf8)
          let wrong = UInt8(0x30 + digit)
          guard digits[place] != wrong else { continue }
          digits[place] = wrong
          #expect(!ISBN13.isValid(utf8: digits))
        }
      }
      guard let ten = isbn.isbn10 else { continue }
      // Ten digits also tell any two that changed places.
      for first in 0..<9 {
        for second in first + 1..<9 {
          var digits = Array(ten.description.utf8)
          guard digits[first] != digits[second] else { continue }
          digits.swapAt(first, second)
          #expect(!ISBN10.isValid(utf8: digits))
        }
      }
    }
  }

  @Test func everyFormReadsBack() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<3000 {
      let isbn = NoisyPage.assigned(using: &generator)
      #expect(try ISBN13(isbn.description) == isbn)
      #expect(try ISBN13(number: isbn.number) == isbn)
      let hyphenated = try #require(isbn.hyphenated)
      #expect(hyphenated.count == 17)
      #expect(try ISBN13(hyphenated) == isbn)
      let elements = try #require(isbn.elements)
      let joined = [
        elements.prefix, elements.group, elements.registrant, elements.publication,
        String(elements.checkDigit),
      ].joined(separator: "-")
      #expect(joined == hyphenated)
      #expect(ISBNExtractor().matches(in: "see \(hyphenated).").map(\.isbn) == [.isbn13(isbn)])
      guard let ten = isbn.isbn10 else { continue }
      #expect(ten.isbn13 == isbn)
      #expect(try ISBN10(ten.description) == ten)
      #expect(try ISBN10(try #require(ten.hyphenated)) == ten)
    }
  }

  @Test func codable() throws {
    struct Shelf: Codable, Equatable {
      var new: ISBN13
      var old: ISBN10
      var any: [AnyISBN]
    }
    let shelf = Shelf(
      new: try ISBN13("9780306406157"), old: try ISBN10("080442957X"),
      any: [.isbn10(try ISBN10("0306406152")), .isbn13(try ISBN13("9791090636071"))])
    let data = try JSONEncoder().encode(shelf)
    #expect(String(decoding: data, as: UTF8.self).contains("\"080442957X\""))
    #expect(try JSONDecoder().decode(Shelf.self, from: data) == shelf)
    for text in ["\"9780306406158\"", "\"\"", "12", "null", "\"9790260000438\""] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([ISBN13].self, from: Data("[\(text)]".utf8))
      }
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([ISBN10].self, from: Data("[\(text)]".utf8))
      }
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([AnyISBN].self, from: Data("[\(text)]".utf8))
      }
    }
  }

  /// The check digit's definition, written out apart from the code under test.
  private func definition(_ digits: [Int]) -> Int {
    switch digits.count {
    case 13:
      let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
      let isBook =
        digits[0] == 9 && digits[1] == 7 && (digits[2] == 8 || digits[2] == 9)
        && !(digits[2] == 9 && digits[3] == 0)
      return isBook && sum % 10 == 0 && !digits.contains(10) ? 13 : 0
    case 10:
      let sum = digits.enumerated().reduce(0) { $0 + $1.element * (10 - $1.offset) }
      return sum % 11 == 0 && !digits.dropLast().contains(10) ? 10 : 0
    default: return 0
    }
  }

  @Test func randomAndMutatedTextsFollowTheDefinition() {
    var generator = SeededGenerator(seed: 3)
    var valid = 0
    for round in 0..<100_000 {
      var digits = (0..<Int.random(in: 9...14, using: &generator)).map { _ in
        Int.random(in: 0...9, using: &generator)
      }
      if round % 2 == 0 {
        digits = NoisyPage.assigned(using: &generator).description.utf8.map { Int($0) - 0x30 }
        if round % 4 == 0 {
          digits[Int.random(in: 0..<13, using: &generator)] = Int.random(
            in: 0...9, using: &generator)
        }
      } else if digits.count == 10, round % 3 == 0 {
        digits[9] = 10
      }
      var text = ""
      for digit in digits {
        text += digit == 10 ? "X" : String(digit)
        if Int.random(in: 0..<6, using: &generator) == 0 {
          text += ["-", " ", "–", "\u{A0}"].randomElement(using: &generator) ?? ""
        }
      }
      let length = definition(digits)
      if length > 0 { valid += 1 }
      #expect(ISBN13.isValid(text) == (length == 13), "\(text)")
      #expect(ISBN10.isValid(text) == (length == 10), "\(text)")
    }
    #expect(valid > 25_000)
  }

  @Test func anyBytesAreTakenWithoutACrash() throws {
    var generator = SeededGenerator(seed: 4)
    // Bytes that codes are made of, and all others.
    let likely = Array("0123456789978978ISBNisbn:-- xXOlIBS|.\n＋－９　".utf8)
    for round in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        round % 2 == 0
          ? UInt8.random(in: 0...255, using: &generator)
          : likely.randomElement(using: &generator) ?? 0
      }
      let isThirteen = ISBN13.isValid(utf8: bytes)
      #expect(isThirteen == ((try? ISBN13(utf8: bytes)) != nil))
      #expect(ISBN10.isValid(utf8: bytes) == ((try? ISBN10(utf8: bytes)) != nil))
      _ = try? EANPayload(utf8: bytes)
      _ = try? AnyISBN(utf8: bytes)
      let matches = bytes.withUnsafeBufferPointer { ISBNExtractor().matches(inUTF8: $0) }
      for match in matches {
        #expect(match.utf8Range.lowerBound >= 0 && match.utf8Range.upperBound <= bytes.count)
        #expect(ISBN13.isValid(match.isbn.isbn13.description))
      }
      // A text is its bytes.
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(ISBN13.isValid(text) == ISBN13.isValid(utf8: Array(text.utf8)))
      _ = try? AnyISBN.normalized(text)
      _ = ISBNExtractor().matches(in: text)
    }
  }

  @Test func anyScalarsAreTakenWithoutACrash() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<3000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...40, using: &generator) {
        let value = UInt32.random(in: 0...0x10FFFF, using: &generator)
        let small = UInt32.random(in: 0...0x3100, using: &generator)
        let choice = Bool.random(using: &generator) ? value : small
        text.append(Unicode.Scalar(choice) ?? "9")
      }
      let string = String(text)
      do {
        _ = try AnyISBN(string)
      } catch {
        #expect(!error.description.isEmpty)
      }
      for match in ISBNExtractor().matches(in: string) {
        #expect(match.range(in: string) != nil)
      }
    }
  }

  @Test func hugeTexts() throws {
    let digits = String(repeating: "9", count: 1_000_000)
    #expect(throws: ISBNError.wrongLength(found: 1_000_000, expected: [13])) {
      try ISBN13(digits)
    }
    #expect(throws: ISBNError.wrongLength(found: 1_000_000, expected: [10, 13])) {
      try AnyISBN.normalized(digits)
    }
    #expect(ISBNExtractor().matches(in: digits).isEmpty)
    let spaced = String(repeating: "978 0 ", count: 50_000)
    let matches = ISBNExtractor().matches(in: spaced)
    #expect(matches.count < 50_000)
    let books = String(repeating: "9780306406157\n", count: 5000)
    #expect(ISBNExtractor().matches(in: books).count == 5000)
    let letters = String(repeating: "OIlBS-", count: 50_000)
    #expect(ISBNExtractor().matches(in: letters).isEmpty)
  }

  @Test func bytesNeedNotBeContiguous() throws {
    let reversed = Array("7516046030879".utf8).reversed()
    #expect(try ISBN13(utf8: reversed).number == 9_780_306_406_157)
    #expect(ISBN13.isValid(utf8: reversed))
    #expect(ISBN13.isValid(utf8: "x9780306406157".dropFirst().utf8))
  }
}
