/// Finds every ISBN in free text, such as the recognized text of a book's back cover.
///
/// ```swift
/// let match = ISBNExtractor().matches(in: "lSBN 978-O-306-4O615-7 (pbk.)")[0]
/// print(match.isbn, match.repairs, match.isLabelled)  // 9780306406157 2 true
/// ```
///
/// A match is thirteen or ten characters with a valid check digit that start and end where digits
/// start and end. A part of a longer number, or of a number that continues with hyphens or a
/// decimal point, is not a match. Two adjoining ISBN-13 confirm each other, and a word may follow
/// without a space. Separators may be anywhere inside. A line break may be behind a hyphen, at the
/// place of a hyphen, or anywhere after the word ISBN.
///
/// Letters that text recognition confuses with digits (O and 0, I, l or | and 1, B and 8, S and 5)
/// are read as digits if the check digit confirms it. By chance, one wrong reading in ten would
/// pass with thirteen digits, one in eleven with ten. So at least half of the characters must be
/// digits already. If two overlapping readings differ and need the same number of repairs, neither
/// is used.
///
/// Ten digits prove less than thirteen, which start with 978 or 979. So there are more conditions
/// for an ISBN-10 without the word ISBN near it (or a misreading of it: `1SBN`, `I5BN`, `ISEN`). It
/// must lie in an assigned range, and its separators must be at the places of the printed hyphens.
/// It must not look like a part of a telephone number, an amount or an identifier.
///
/// ``ISBNTextStream`` finds the same in a text that comes in pieces.
public struct ISBNExtractor: Hashable, Sendable {
  /// Whether letters that look like digits are read as digits.
  public var repairsMisreadings: Bool

  /// Whether ten characters count as an ISBN-10 without the word ISBN near them.
  ///
  /// One of eleven other numbers with ten digits passes. Turn this off for texts with many such
  /// numbers, such as order numbers.
  public var acceptsUnlabelledISBN10: Bool

  /// Makes an extractor; the defaults suit the text of book covers and pages.
  public init(repairsMisreadings: Bool = true, acceptsUnlabelledISBN10: Bool = true) {
    self.repairsMisreadings = repairsMisreadings
    self.acceptsUnlabelledISBN10 = acceptsUnlabelledISBN10
  }

  /// All ISBNs of the text, in its order; one that stands there twice is found twice.
  ///
  /// O(length of the text).
  public func matches(in text: String) -> [ISBNMatch] {
    var copy = text
    return copy.withUTF8(matches(inUTF8:))
  }

  /// All ISBNs of UTF-8 bytes; bytes that are not UTF-8 end a number like any other character.
  public func matches(inUTF8 bytes: UnsafeBufferPointer<UInt8>) -> [ISBNMatch] {
    var scan = TextScan(self)
    scan.read(bytes, isLast: true)
    return scan.matches
  }

  /// The different books of the text, in the order of their first ISBN.
  public func books(in text: String) -> [ISBN13] {
    var seen: Set<ISBN13> = []
    return matches(in: text).map(\.isbn.isbn13).filter { seen.insert($0).inserted }
  }
}

/// One ISBN found in a text.
public struct ISBNMatch: Hashable, Sendable {
  /// The number.
  public let isbn: AnyISBN
  /// The offsets in the text's UTF-8, from the first digit to behind the last.
  public let utf8Range: Range<Int>
  /// How many letters were read as digits.
  public let repairs: Int
  /// Whether the word ISBN stands before it.
  public let isLabelled: Bool

  /// The range of the match in its text; nil for another text that is too short.
  public func range(in text: String) -> Range<String.Index>? {
    text.range(ofUTF8: utf8Range)
  }
}
