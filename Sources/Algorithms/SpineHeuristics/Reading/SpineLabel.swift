/// What the lines of text on a spine say of the book: proposals, for a person or a search to
/// confirm.
public struct SpineLabel: Hashable, Sendable {
  /// The lines in the order in which they are read, as indices of those given.
  public let order: [Int]
  /// What the book may be called and who may have written it: at most five, the most probable
  /// first, with different titles or authors; empty if there is no text.
  public let candidates: [TitleCandidate]
  /// What is written below or behind the title of the best candidate in smaller letters; nil for
  /// nothing.
  public let subtitle: String?
  /// The number of a part, volume or book as it stands there, such as "Band 3" or "8"; nil for
  /// none.
  public let volume: String?
  /// The publisher or imprint; nil if none is known by name.
  public let publisher: String?
  /// The series, or the kind of book, such as "MODERN CLASSICS"; nil if none is known.
  public let series: String?
  /// The edition, such as "SECOND EDITION"; nil if none is named.
  public let edition: String?

  /// The title of the best candidate, its lines joined by spaces; nil if there is no text.
  public var title: String? { candidates.first?.title }
  /// The author or authors of the best candidate; nil if none is named.
  public var author: String? { candidates.first?.author }
}

/// A title and an author that the lines of a spine may name.
public struct TitleCandidate: Hashable, Sendable {
  /// The title, words that a recognizer ran together parted again.
  public let title: String
  /// The author or authors, without a word such as *by*; nil for none.
  public let author: String?
  /// How probable it is that these are title and author, 0...1; those of one spine sum to at
  /// most 1.
  public let probability: Double
}
