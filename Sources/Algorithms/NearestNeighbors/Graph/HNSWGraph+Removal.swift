extension HNSWGraph {
  /// Removes a row: searches no longer find it, but still pass through it.
  ///
  /// Its vector must stay in memory, unchanged, until the row is inserted again.
  ///
  /// - Complexity: O(1).
  /// - Throws: ``NeighborSearchError/notInserted(row:)``.
  public mutating func remove(_ row: Int) throws(NeighborSearchError) {
    guard contains(row) else { throw .notInserted(row: row) }
    tables.states[row] = GraphTables.State.removed
    tables.removedCount += 1
  }

  /// Links a row again whose vector in `rows` has changed.
  ///
  /// - Complexity: as inserting a row.
  /// - Throws: ``NeighborSearchError/notInserted(row:)``,
  ///   ``NeighborSearchError/memoryTooShort(expected:found:)``, ``NeighborSearchError/misaligned``;
  ///   the graph does not change then.
  public mutating func update(
    _ row: Int, rows: UnsafeRawBufferPointer
  ) throws(NeighborSearchError) {
    guard contains(row) else { throw .notInserted(row: row) }
    try layout.check(rows, count: rowCapacity)
    try remove(row)
    try insert(row, rows: rows)
  }
}

extension GraphTables {
  /// Takes a removed row out of the tree and out of the links that can be found from it.
  ///
  /// Its neighbours choose other links in its place. A few links from far away may still lead to
  /// it. They do no harm, because they lead to its future place.
  mutating func detach(_ row: Int32, rows: UnsafeRawPointer, stride: Int, rowRuler: RowRuler) {
    nodeCount -= 1
    removedCount -= 1
    states[Int(row)] = State.absent
    let others = RowRuler(layout: rowRuler.layout)
    let level = Int(levels[Int(row)])
    let limit = largestChildCount
    withEditor(rows: rows, stride: stride) { editor in
      let near = (0...level).map { editor.links(of: row, level: $0) }
      editor.leaveTree(row, largestChildCount: limit)
      for level in 0...level {
        editor.setLinks(of: row, level: level, to: [])
        // Links may be in one direction; a row that links to it is mostly a neighbour's neighbour.
        var around = Set(near[level])
        for neighbor in near[level] { around.formUnion(editor.links(of: neighbor, level: level)) }
        around.remove(row)
        for neighbor in around.sorted()
        where editor.removeLink(from: neighbor, to: row, level: level) {
          let links = editor.links(of: neighbor, level: level)
          let candidates = Set(links + near[level]).subtracting([neighbor, row]).sorted()
          editor.setLinks(
            of: neighbor, level: level,
            to: editor.chosenLinks(
              of: neighbor, among: candidates, level: level, rowRuler, others))
        }
      }
    }
    if entry == row {
      entry = -1
      for other in 0..<rowCapacity where states[other] != State.absent {
        if entry < 0 || levels[other] > levels[Int(entry)] { entry = Int32(other) }
      }
    }
  }
}

extension GraphEditor {
  /// Attaches the children of a row elsewhere, and takes the row out of the tree.
  func leaveTree(_ row: Int32, largestChildCount: Int) {
    let children = links(of: row, level: 0).filter { parents[Int($0)] == row }
    let parent = parents[Int(row)]
    parents[Int(row)] = -1
    childCounts[Int(row)] = 0
    if parent >= 0 { childCounts[Int(parent)] -= 1 }
    for child in children { parents[Int(child)] = -1 }
    guard let first = children.first else { return }
    // The first child takes the row's place, and the others go below it. All of them are then in
    // the same tree, and none is below its own descendants.
    if parent >= 0 { hang(first, on: parent) }
    for child in children.dropFirst() {
      hang(child, on: host(among: [first], largestChildCount: largestChildCount))
    }
  }
}
