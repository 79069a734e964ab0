import LinearAlgebra

/// Finds rows near a query by walking a graph of links between rows.
///
/// For the moment every row is looked at; the interface stays.
public struct HNSWGraph: Sendable {
  /// The largest row a graph can hold.
  public static let largestRow = Int(Int32.max) - 1

  /// How the rows lie in memory.
  public let layout: VectorLayout
  /// How the graph is built.
  public let settings: HNSWSettings
  /// How many rows are in the graph.
  public private(set) var count = 0
  private var isIn: [Bool] = []

  /// A graph without rows.
  public init(layout: VectorLayout, settings: HNSWSettings) {
    self.layout = layout
    self.settings = settings
  }

  /// One more than the largest row that ever was inserted: so many rows the memory must hold.
  public var rowCapacity: Int { isIn.count }

  /// Whether `row` is in the graph.
  public func contains(_ row: Int) -> Bool { isIn.indices.contains(row) && isIn[row] }

  /// Inserts a row, whose vector is in `rows` already.
  public mutating func insert(_ row: Int, rows: UnsafeRawBufferPointer) throws {
    try insert([row], rows: rows, threads: 1)
  }

  /// Inserts several rows, whose vectors are in `rows` already.
  public mutating func insert(
    _ newRows: some Collection<Int>, rows: UnsafeRawBufferPointer, threads: Int = 1
  ) throws {
    for row in newRows {
      guard (0...Self.largestRow).contains(row) else { throw NeighborSearchError.invalidRow(row) }
      guard !contains(row) else { throw NeighborSearchError.alreadyInserted(row: row) }
      try layout.check(rows, count: max(row + 1, rowCapacity))
      while isIn.count <= row { isIn.append(false) }
      isIn[row] = true
      count += 1
    }
  }

  /// Removes a row. Its vector must stay in memory until the row is inserted again.
  public mutating func remove(_ row: Int) throws {
    guard contains(row) else { throw NeighborSearchError.notInserted(row: row) }
    isIn[row] = false
    count -= 1
  }

  /// Links a row anew whose vector in `rows` has changed.
  public mutating func update(_ row: Int, rows: UnsafeRawBufferPointer) throws {
    try remove(row)
    try insert(row, rows: rows)
  }

  /// The rows nearest to `query` that the walk finds, nearest first.
  public func nearest(
    to query: [Float], k: Int, ef: Int, rows: UnsafeRawBufferPointer,
    isIncluded: ((Int) -> Bool)? = nil
  ) throws -> [Neighbor] {
    try FlatSearch(layout: layout).nearest(to: query, k: k, rows: rows, count: rowCapacity) {
      isIn[$0] && (isIncluded?($0) ?? true)
    }
  }

  /// The rows nearest to each of the queries' rows.
  public func nearest(
    to queries: Matrix<Float>, k: Int, ef: Int, rows: UnsafeRawBufferPointer, threads: Int = 1,
    isIncluded: (@Sendable (Int) -> Bool)? = nil
  ) throws -> [[Neighbor]] {
    try (0..<queries.rowCount).map {
      try nearest(to: Array(queries[row: $0]), k: k, ef: ef, rows: rows, isIncluded: isIncluded)
    }
  }

  /// The graph as bytes, from which it can be read again.
  public func serialized() -> [UInt8] { isIn.map { $0 ? 1 : 0 } }

  /// Reads a graph from bytes.
  public init(
    bytes: UnsafeRawBufferPointer, layout: VectorLayout, settings: HNSWSettings
  ) throws {
    self.init(layout: layout, settings: settings)
    isIn = bytes.map { $0 == 1 }
    count = isIn.filter { $0 }.count
  }
}
