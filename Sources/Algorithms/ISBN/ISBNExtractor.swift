/// Finds every ISBN in free text, such as what text recognition makes of a book's back cover.
///
/// ```swift
/// ISBNExtractor().matches(in: "lSBN 978-O-306-4O615-7 (pbk.)")
/// // one match: 9780306406157, 2 repairs, labelled
/// ```
///
/// A match is thirteen or ten characters with a valid check digit that start and end where digits
/// start and end: a part of a longer number, or of a number that hyphens or a decimal point continue,
/// is none. Two ISBN-13 that run together prove each other, and a word may follow without a space.
/// Separators may stand anywhere inside, a line break behind a hyphen, where a hyphen would stand, or
/// anywhere after the word ISBN.
///
/// Letters that text recognition takes for digits (O and 0, I, l or | and 1, B and 8, S and 5) are
/// read as the digits, which is only believed because the check digit then proves it: one wrong
/// reading in ten would pass by chance for thirteen digits, one in eleven for ten. So at least half
/// of the characters have to be digits already, and where two readings overlap that need equally many
/// repairs and differ, neither is taken.
///
/// Ten digits prove less than thirteen, which start with 978 or 979. Where the word ISBN (or what
/// misreading makes of it: `1SBN`, `I5BN`, `ISEN`) is not near, an ISBN-10 has to lie in an assigned
/// range, its separators have to stand where the printed hyphens would, and nothing may make it part
/// of a telephone number, an amount or an identifier.
///
/// ``ISBNTextStream`` finds the same in a text that comes in pieces.
public struct ISBNExtractor: Hashable, Sendable {
  /// Whether letters that look like digits are read as digits.
  public var repairsMisreadings: Bool

  /// Whether ten characters count as an ISBN-10 without the word ISBN near them.
  ///
  /// A number of ten digits that is none passes in one case of eleven: turn this off where texts hold
  /// many of them, such as order numbers.
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
  /// Where it stands: offsets into the text's UTF-8, from the first digit to behind the last.
  public let utf8Range: Range<Int>
  /// How many letters were read as digits.
  public let repairs: Int
  /// Whether the word ISBN stands before it.
  public let isLabelled: Bool

  /// Where the match stands in the text it was found in; nil for any other text too short for it.
  public func range(in text: String) -> Range<String.Index>? {
    let bytes = text.utf8
    guard
      let start = bytes.index(
        bytes.startIndex, offsetBy: utf8Range.lowerBound, limitedBy: bytes.endIndex),
      let end = bytes.index(start, offsetBy: utf8Range.count, limitedBy: bytes.endIndex)
    else { return nil }
    return start..<end
  }
}
