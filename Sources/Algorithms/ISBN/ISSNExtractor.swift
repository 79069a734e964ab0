/// Finds ISSNs in free text, such as the first page of a journal or a list of references.
///
/// ```swift
/// let text = "ISSN 0264-3596 (print), 2434-561X (online)"
/// let numbers = ISSNExtractor().matches(in: text).map(\.number.hyphenated)
/// print(numbers)  // ["0264-3596", "2434-561X"]
/// ```
///
/// A match is four digits, a hyphen, a space or nothing, and four more characters. The last of them
/// is the right check digit. It starts and ends like a number. The word ISSN (or eISSN, p-ISSN,
/// ISSN-L) must stand before it by at most 48 bytes. Behind such a match, others with a hyphen may
/// follow, each by at most 48 bytes. Letters that text recognition confuses with digits are not
/// repaired.
///
/// Eight digits prove little: one in eleven pairs of years, such as 2000-2009, has a right check
/// digit.
public struct ISSNExtractor: Hashable, Sendable {
  /// Whether a number with a hyphen counts without the word ISSN near it.
  ///
  /// It is off by default, because of pairs of years and telephone numbers.
  public var acceptsUnlabelled: Bool

  /// Makes an extractor; the default suits texts of any kind.
  public init(acceptsUnlabelled: Bool = false) {
    self.acceptsUnlabelled = acceptsUnlabelled
  }

  /// All ISSNs of the text, in its order; one that stands there twice is found twice.
  ///
  /// O(length of the text).
  public func matches(in text: String) -> [ProductNumberMatch<ISSN>] {
    var copy = text
    return copy.withUTF8(matches(inUTF8:))
  }

  /// All ISSNs of UTF-8 bytes; bytes that are not UTF-8 end a number like any other character.
  public func matches(inUTF8 bytes: UnsafeBufferPointer<UInt8>) -> [ProductNumberMatch<ISSN>] {
    LabelledSearch(label: "ISSN", forms: ["L"], digits: 8, endsInX: true).matches(in: bytes) {
      candidate in
      guard !candidate.startsWithM, candidate.gaps.allSatisfy({ $0 == 4 }) else { return nil }
      let isBelieved =
        candidate.isIntroduced
        || (candidate.hasHyphens && (candidate.isLabelled || acceptsUnlabelled))
      return isBelieved ? try? ISSN(utf8: candidate.bytes) : nil
    }
  }
}

/// Finds ISMNs in free text, such as the cover of a score.
///
/// ```swift
/// let ismns = ISMNExtractor().matches(in: "ISMN M-2306-7118-7").map(\.number.hyphenated)
/// print(ismns)  // ["979-0-2306-7118-7"]
/// ```
///
/// A match is thirteen digits that start with 979-0, or M and nine digits. Before the latter, the
/// word ISMN must stand by at most 48 bytes. The check digit is right, and single hyphens and
/// spaces may stand anywhere inside. It starts and ends like a number. Letters that text
/// recognition confuses with digits are not repaired.
public struct ISMNExtractor: Hashable, Sendable {
  /// Makes an extractor.
  public init() {}

  /// All ISMNs of the text, in its order; one that stands there twice is found twice.
  ///
  /// O(length of the text).
  public func matches(in text: String) -> [ProductNumberMatch<ISMN>] {
    var copy = text
    return copy.withUTF8(matches(inUTF8:))
  }

  /// All ISMNs of UTF-8 bytes; bytes that are not UTF-8 end a number like any other character.
  public func matches(inUTF8 bytes: UnsafeBufferPointer<UInt8>) -> [ProductNumberMatch<ISMN>] {
    func search(_ digits: Int) -> LabelledSearch {
      LabelledSearch(label: "ISMN", forms: ["10", "13"], digits: digits, endsInX: false)
    }
    let found =
      search(13).matches(in: bytes) { candidate in
        candidate.startsWithM ? nil : try? ISMN(utf8: candidate.bytes)
      }
      + search(9).matches(in: bytes) { candidate in
        candidate.startsWithM && candidate.isLabelled ? try? ISMN(utf8: candidate.bytes) : nil
      }
    return found.sorted { $0.utf8Range.lowerBound < $1.utf8Range.lowerBound }
  }
}

/// One number found in a text.
public struct ProductNumberMatch<Number: Hashable & Sendable>: Hashable, Sendable {
  /// The number.
  public let number: Number
  /// The offsets in the text's UTF-8, from the first digit (or M) to behind the last.
  public let utf8Range: Range<Int>
  /// Whether the word for its kind, such as ISSN, stands before it.
  public let isLabelled: Bool

  /// The range of the match in its text; nil for another text that is too short.
  public func range(in text: String) -> Range<String.Index>? {
    text.range(ofUTF8: utf8Range)
  }
}

extension String {
  /// The range of offsets in the UTF-8; nil if the text is too short.
  func range(ofUTF8 offsets: Range<Int>) -> Range<String.Index>? {
    guard
      let start = utf8.index(
        utf8.startIndex, offsetBy: offsets.lowerBound, limitedBy: utf8.endIndex),
      let end = utf8.index(start, offsetBy: offsets.count, limitedBy: utf8.endIndex)
    else { return nil }
    return start..<end
  }
}
