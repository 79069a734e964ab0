import LinearAlgebra

/// Finds rows near a query by walking a graph of links between rows: approximately, and in a small
/// part of the time that looking at all of them takes.
///
/// The hierarchical navigable small world of Malkov and Yashunin ("Efficient and robust approximate
/// nearest neighbor search using hierarchical navigable small world graphs", 2016, IEEE TPAMI
/// 2018). Every row is on level 0, a share of 1/M of the rows of a level on the next. A search
/// descends from the highest level, always to the neighbour that is nearest, and then walks level 0
/// with the `ef` best rows in view. Links of a row are chosen by the paper's heuristic (algorithm
/// 4): a candidate that is nearer to a chosen neighbour than to the row is left out, so that links
/// go in different directions.
///
/// The graph has the links only. The vectors lie in memory of the caller's, laid out by a
/// ``VectorLayout``, and are handed to every call; row `i` begins at byte `i * layout.rowStride`.
///
/// **No islands.** Besides what the heuristic chooses, the links hold a tree over all rows, in both
/// directions, which no choice takes out again. So every row can be reached from every other on
/// level 0, also among thousands of equal vectors, and a search with `ef` of at least the rows'
/// number finds all of them.
///
/// **Removed rows** are walked through and not found. Their vectors must stay in memory until the
/// row is inserted again, which takes it out of its old place.
///
/// **The same graph on any number of threads.** New rows are linked in batches: all rows of a batch
/// look for neighbours in the graph as it was before, and among each other; then every row that is
/// linked to chooses its links by itself. Neither depends on who does what when.
///
/// **Readers and a writer.** The graph is a value: a copy is a snapshot, which any number of
/// threads may search while the original is changed. The first change after a copy was made copies
/// the links (`memoryBytes`), so a writer makes several changes between two snapshots, or waits for
/// its readers. The vectors of a snapshot's rows must not change while it is searched.
public struct HNSWGraph: Sendable {
  /// The largest row a graph can hold.
  public static let largestRow = Int(Int32.max) - 1

  /// How the rows lie in memory.
  public let layout: VectorLayout
  /// How the graph is built.
  public let settings: HNSWSettings
  var tables: GraphTables

  /// A graph without rows.
  public init(layout: VectorLayout, settings: HNSWSettings) {
    self.layout = layout
    self.settings = settings
    tables = GraphTables(links: settings.links)
  }

  /// How many rows are in the graph.
  public var count: Int { tables.nodeCount - tables.removedCount }

  /// How many removed rows walks still go through; where they are more than the others, a new graph
  /// is faster.
  public var removedCount: Int { tables.removedCount }

  /// One more than the largest row that ever was inserted: so many rows the memory must hold.
  public var rowCapacity: Int { tables.rowCapacity }

  /// Whether `row` is in the graph.
  public func contains(_ row: Int) -> Bool {
    tables.states.indices.contains(row) && tables.states[row] == GraphTables.State.live
  }

  /// The bytes the links take, without the vectors.
  public var memoryBytes: Int {
    4 * (tables.ground.count + tables.upper.count) + 12 * rowCapacity
  }
}
