extension HNSWGraph {
  /// Builds a graph of the rows `0..<count`.
  ///
  /// - Parameters:
  ///   - layout: the layout of the rows in memory.
  ///   - settings: the settings for building the graph.
  ///   - rows: the rows' memory, at an address that is a multiple of 4.
  ///   - count: the number of rows.
  ///   - threads: the number of threads; the graph does not depend on it.
  /// - Complexity: as ``insert(_:rows:threads:)``.
  /// - Throws: as ``insert(_:rows:threads:)``, and ``NeighborSearchError/invalidRowCount(_:)``.
  public init(
    layout: VectorLayout, settings: HNSWSettings, rows: UnsafeRawBufferPointer, count: Int,
    threads: Int = 1
  ) throws(NeighborSearchError) {
    try layout.check(rows, count: count)
    self.init(layout: layout, settings: settings)
    try insert(0..<count, rows: rows, threads: threads)
  }

  /// Inserts a row, whose vector is in `rows` already.
  ///
  /// - Complexity: as for several rows.
  /// - Throws: as for several rows.
  public mutating func insert(
    _ row: Int, rows: UnsafeRawBufferPointer
  ) throws(NeighborSearchError) {
    try insert(CollectionOfOne(row), rows: rows, threads: 1)
  }

  /// Inserts several rows, whose vectors are in `rows` already.
  ///
  /// Rows may be inserted in any order, with gaps, and again after they were removed. The graph
  /// depends on the order, and a little on which rows are inserted by one call.
  ///
  /// - Parameters:
  ///   - newRows: rows that are not in the graph, each once.
  ///   - rows: the memory of all rows up to the largest that is or was in the graph.
  ///   - threads: the number of threads; the graph does not depend on it.
  /// - Complexity: about O(breadth log n d) per row.
  /// - Throws: ``NeighborSearchError/invalidRow(_:)``,
  ///   ``NeighborSearchError/alreadyInserted(row:)``,
  ///   ``NeighborSearchError/memoryTooShort(expected:found:)``, ``NeighborSearchError/misaligned``;
  ///   the graph does not change then.
  public mutating func insert(
    _ newRows: some Collection<Int>, rows: UnsafeRawBufferPointer, threads: Int = 1
  ) throws(NeighborSearchError) {
    let capacity = try checkedCapacity(for: newRows, rows: rows)
    guard let base = rows.baseAddress, !newRows.isEmpty else { return }
    tables.extend(to: capacity - 1)
    var batch: [Int32] = []
    for row in newRows {
      if tables.states[row] == GraphTables.State.removed {
        link(&batch, base, threads)
        reinsert(Int32(row), base)
      } else {
        let level = GraphTables.level(of: row, seed: settings.seed, links: settings.links)
        tables.place(row, level: level)
        batch.append(Int32(row))
        // A batch finds its neighbours in the present graph, so it must be small compared with the
        // graph.
        if batch.count >= min(128, max(1, tables.nodeCount / 16)) { link(&batch, base, threads) }
      }
    }
    link(&batch, base, threads)
  }

  /// Checks rows to insert, and computes the number of rows that the memory must hold.
  private func checkedCapacity(
    for newRows: some Collection<Int>, rows: UnsafeRawBufferPointer
  ) throws(NeighborSearchError) -> Int {
    var capacity = rowCapacity
    var seen: Set<Int> = []
    var last = -1
    var isAscending = true
    for row in newRows {
      guard (0...Self.largestRow).contains(row) else { throw .invalidRow(row) }
      guard !contains(row) else { throw .alreadyInserted(row: row) }
      capacity = max(capacity, row + 1)
      isAscending = isAscending && row > last
      last = row
    }
    if !isAscending {
      for row in newRows where !seen.insert(row).inserted {
        throw .alreadyInserted(row: row)
      }
    }
    try layout.check(rows, count: capacity)
    return capacity
  }

  /// Links the rows of a batch, which have their levels and room, and empties it.
  private mutating func link(_ batch: inout [Int32], _ base: UnsafeRawPointer, _ threads: Int) {
    guard !batch.isEmpty else { return }
    var rest = batch[...]
    batch = []
    if tables.nodeCount == 0 {
      tables.begin(with: rest.removeFirst())
      if rest.isEmpty { return }
    }
    let linking = BatchLinking(layout: layout, settings: settings, batch: Array(rest))
    let stride = layout.rowStride
    let lanes = min(max(threads, 1), rest.count)
    let largestChildCount = tables.largestChildCount
    tables.withEditor(rows: base, stride: stride) { editor in
      let found = linking.findNeighbors(editor, lanes: lanes)
      linking.growTree(editor, found, largestChildCount: largestChildCount)
      linking.linkBack(editor, found, lanes: lanes)
    }
    for row in rest { tables.finish(row) }
  }

  /// Inserts a removed row again.
  private mutating func reinsert(_ row: Int32, _ base: UnsafeRawPointer) {
    let stride = layout.rowStride
    tables.detach(row, rows: base, stride: stride, rowRuler: RowRuler(layout: layout))
    var batch = [row]
    link(&batch, base, 1)
  }
}

extension GraphTables {
  /// Makes a row the first of an empty graph.
  mutating func begin(with row: Int32) {
    parents[Int(row)] = -1
    finish(row)
  }

  /// Counts a row that has its links; walks begin there if its level is the highest.
  mutating func finish(_ row: Int32) {
    states[Int(row)] = State.live
    nodeCount += 1
    if entry < 0 || levels[Int(row)] > levels[Int(entry)] { entry = row }
  }
}
