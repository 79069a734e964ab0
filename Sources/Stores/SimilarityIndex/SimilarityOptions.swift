/// When an index is searched by a graph, and how.
///
/// These are of the reader or writer that has them; none is kept in the index.
public struct SimilarityOptions: Hashable, Sendable {
  /// The number of entries up to which searches are exact.
  ///
  /// With more entries, a writer makes a graph, and searches use it. Without a graph, all entries
  /// are compared.
  public var exactLimit: Int
  /// How many rows a search keeps in sight as it walks the graph: more find more, and take longer.
  public var searchBreadth: Int

  /// Graphs beyond 50,000 entries, a breadth of 128.
  public static let standard = SimilarityOptions(exactLimit: 50_000, searchBreadth: 128)

  /// No graph: every search compares all entries.
  public static let exact = SimilarityOptions(exactLimit: .max, searchBreadth: 128)

  /// Sets both; a negative limit counts as 0, a breadth below 1 as 1.
  public init(exactLimit: Int = 50_000, searchBreadth: Int = 128) {
    self.exactLimit = max(0, exactLimit)
    self.searchBreadth = max(1, searchBreadth)
  }
}
