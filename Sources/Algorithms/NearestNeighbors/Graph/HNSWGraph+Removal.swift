extension HNSWGraph {
  /// Removes a row: searches find it no more, and walk through it still.
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
  ///   the graph is as before then.
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
  /// Takes a removed row out of the links, as far as they can be found from it, and out of the
  /// tree; its neighbours choose others in its place.
  ///
  /// A few links from afar may still lead to it. They do no harm: they lead to where it will be.
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
        // Links are not always both ways: whoever links to it is mostly a neighbour's neighbour.
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
  /// Hangs the children of a row elsewhere, and takes the row out of the tree.
  func leaveTree(_ row: Int32, largestChildCount: Int) {
    let children = links(of: row, level: 0).filter { parents[Int($0)] == row }
    let parent = parents[Int(row)]
    parents[Int(row)] = -1
    childCounts[Int(row)] = 0
    if parent >= 0 { childCounts[Int(parent)] -= 1 }
    for child in children { parents[Int(child)] = -1 }
    guard let first = children.first else { return }
    // The first takes the row's place, the others go below it: all of them hang on the same tree
    // then, and none on one of its own descendants.
    if parent >= 0 { hang(first, on: parent) }
    for child in children.dropFirst() {
      hang(child, on: host(among: [first], largestChildCount: largestChildCount))
    }
  }
}
