import LinearAlgebra

/// Finds rows near a query approximately, by walking a graph of links between rows.
///
/// This takes a small part of the time of comparing all rows. It is the hierarchical navigable
/// small world of Malkov and Yashunin ("Efficient and robust approximate nearest neighbor search
/// using hierarchical navigable small world graphs", 2016, IEEE TPAMI 2018). Every row is on level
/// 0, a share of 1/M of the rows of a level on the next. A search descends from the highest level,
/// always to the neighbour that is nearest, and then walks level 0 with the `ef` best rows kept.
/// The paper's heuristic (algorithm 4) chooses the links of a row: a candidate that is nearer to a
/// chosen neighbour than to the row is left out, so that links go in different directions.
///
/// The graph contains only the links. The vectors are in the caller's memory, in a
/// ``VectorLayout``, and are passed to every call; row `i` begins at byte `i * layout.rowStride`.
///
/// **No islands.** Besides the heuristic's choice, the links contain a tree over all rows, in both
/// directions, which is never removed. So every row can be reached from every other on level 0,
/// even among thousands of equal vectors, and a search with `ef` of at least the number of rows
/// finds all of them.
///
/// **Removed rows** are passed through and not found. Their vectors must stay in memory until the
/// row is inserted again, which takes it out of its old place.
///
/// **The same graph for any number of threads.** New rows are linked in batches. First, all rows of
/// a batch find neighbours in the graph as it was before, and among each other. Then every row with
/// new links to it chooses its links by itself. Neither step depends on the threads.
///
/// **Readers and a writer.** The graph is a value: a copy is a snapshot, which any number of
/// threads may search while the original is changed. The first change after a copy was made copies
/// the links (`memoryBytes`), so a writer makes several changes between two snapshots, or waits for
/// its readers. The vectors of a snapshot's rows must not change while it is searched.
public struct HNSWGraph: Sendable {
  /// The largest row that a graph can hold.
  public static let largestRow = Int(Int32.max) - 1

  /// The layout of the rows in memory.
  public let layout: VectorLayout
  /// The settings for building the graph.
  public let settings: HNSWSettings
  var tables: GraphTables

  /// Makes a graph without rows.
  public init(layout: VectorLayout, settings: HNSWSettings) {
    self.layout = layout
    self.settings = settings
    tables = GraphTables(links: settings.links)
  }

  /// The number of rows in the graph.
  public var count: Int { tables.nodeCount - tables.removedCount }

  /// The number of removed rows that walks still pass through.
  ///
  /// If it is greater than the number of other rows, a new graph is faster.
  public var removedCount: Int { tables.removedCount }

  /// One more than the largest row ever inserted: the number of rows that the memory must hold.
  public var rowCapacity: Int { tables.rowCapacity }

  /// Whether `row` is in the graph.
  public func contains(_ row: Int) -> Bool {
    tables.states.indices.contains(row) && tables.states[row] == GraphTables.State.live
  }

  /// The bytes of the links, without the vectors.
  public var memoryBytes: Int {
    4 * (tables.ground.count + tables.upper.count) + 12 * rowCapacity
  }
}
