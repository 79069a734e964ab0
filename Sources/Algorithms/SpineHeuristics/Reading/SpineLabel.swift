/// The meaning of the lines of text on a spine: proposals that a person or a search should confirm.
public struct SpineLabel: Hashable, Sendable {
  /// The lines in reading order, as indices of the given ones.
  public let order: [Int]
  /// The possible titles and authors: at most five, the most probable first.
  ///
  /// They differ in title or author. There are none if there is no text.
  public let candidates: [TitleCandidate]
  /// The text below or after the best candidate's title in smaller letters; nil if there is none.
  public let subtitle: String?
  /// The number of a part, volume or book as written, such as "Band 3" or "8"; nil for none.
  public let volume: String?
  /// The publisher or imprint; nil if no known one is named.
  public let publisher: String?
  /// The series, or the kind of book, such as "MODERN CLASSICS"; nil if no known one is named.
  public let series: String?
  /// The edition, such as "SECOND EDITION"; nil if none is named.
  public let edition: String?

  /// The title of the best candidate, its lines joined by spaces; nil if there is no text.
  public var title: String? { candidates.first?.title }
  /// The author or authors of the best candidate; nil if none is named.
  public var author: String? { candidates.first?.author }
}

/// A possible title and author in the lines of a spine.
public struct TitleCandidate: Hashable, Sendable {
  /// The title; words that a recognizer joined are separated again.
  public let title: String
  /// The author or authors, without words such as *by*; nil for none.
  public let author: String?
  /// The probability that title and author are right, 0...1; those of one spine sum to at most 1.
  public let probability: Double
}
