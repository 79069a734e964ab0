import ISBN

/// The books that a person owns, to find them on a shelf.
///
/// ``matches(of:leastProbability:)`` returns the places of the books, the books that were not seen,
/// and unknown spines.
public struct BookCatalogue: Hashable, Sendable {
  /// A book of a catalogue.
  public struct Entry: Hashable, Sendable {
    /// The title.
    public var title: String
    /// The subtitle; nil for none.
    public var subtitle: String?
    /// The author or authors; nil if the catalogue names none.
    public var author: String?
    /// The ISBN; nil if the catalogue has none, or none that is right.
    public var isbn: ISBN13?
    /// What the catalogue calls the entry, such as a number; nil for nothing.
    public var id: String?

    /// Makes an entry.
    public init(
      title: String, subtitle: String? = nil, author: String? = nil, isbn: ISBN13? = nil,
      id: String? = nil
    ) {
      self.title = title
      self.subtitle = subtitle
      self.author = author
      self.isbn = isbn
      self.id = id
    }
  }

  /// The entries in the order of the catalogue; a book has one entry per copy.
  public let entries: [Entry]

  /// Which words are in which entries.
  let index: CatalogueIndex

  /// Makes a catalogue; entries of one title, author and ISBN are copies of one book.
  ///
  /// O(*n*) for *n* letters of all entries, some 2 KB of memory an entry.
  public init(entries: [Entry]) {
    self.entries = entries
    index = CatalogueIndex(entries)
  }

  /// Whether both have the same entries.
  public static func == (first: BookCatalogue, second: BookCatalogue) -> Bool {
    first.entries == second.entries
  }

  /// Hashes the entries.
  public func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}

/// Which books of a catalogue stand on a shelf.
public struct CatalogueMatches: Hashable, Sendable {
  /// A spine's entry in a catalogue.
  public struct Match: Hashable, Sendable {
    /// The entry, as an index of ``BookCatalogue/entries``.
    public let entry: Int
    /// How probable it is that the spine is this book, 0...1.
    public let probability: Double
  }

  /// For each book of the shelf, in its order, its entry; nil if none of them fits.
  public let matches: [Match?]
  /// The entries that no book of the shelf is, as indices in the order of the catalogue.
  public let missing: [Int]
  /// The books with text or barcodes that are not in the catalogue, as indices of the shelf's
  /// books.
  public let unknown: [Int]
}
