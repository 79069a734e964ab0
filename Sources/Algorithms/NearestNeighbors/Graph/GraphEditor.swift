/// The tables of a graph as pointers, for changing links.
///
/// It is unchecked, because several threads change links at once, each those of its own rows.
struct GraphEditor: @unchecked Sendable {
  let view: GraphView
  let ground: UnsafeMutablePointer<Int32>
  let upper: UnsafeMutablePointer<Int32>
  let parents: UnsafeMutablePointer<Int32>
  let childCounts: UnsafeMutablePointer<UInt16>

  /// The places of a row's links on a level.
  func places(of row: Int32, level: Int) -> UnsafeMutableBufferPointer<Int32> {
    let links = view.links
    if level == 0 {
      return UnsafeMutableBufferPointer(start: ground + Int(row) * 2 * links, count: 2 * links)
    }
    let start = Int(view.upperStarts[Int(row)]) + (level - 1) * links
    return UnsafeMutableBufferPointer(start: upper + start, count: links)
  }

  /// The links of a row on a level.
  func links(of row: Int32, level: Int) -> [Int32] {
    Array(places(of: row, level: level).prefix { $0 >= 0 })
  }

  /// Replaces the links of a row on a level.
  func setLinks(of row: Int32, level: Int, to links: [Int32]) {
    let places = places(of: row, level: level)
    for index in 0..<places.count { places[index] = index < links.count ? links[index] : -1 }
  }

  /// Whether the tree needs the link between two rows on level 0.
  func isTreeLink(_ row: Int32, _ other: Int32) -> Bool {
    parents[Int(row)] == other || parents[Int(other)] == row
  }

  /// Puts `other` among the links of `row` on level 0.
  ///
  /// If all places are taken, it replaces the last link that the tree does not need.
  func ensureLink(from row: Int32, to other: Int32) {
    let places = places(of: row, level: 0)
    if let free = places.firstIndex(where: { $0 < 0 || $0 == other }) {
      places[free] = other
    } else if let last = places.lastIndex(where: { !isTreeLink(row, $0) }) {
      places[last] = other
    }
  }

  /// Attaches a row without a parent to `host`, with links in both directions.
  func hang(_ row: Int32, on host: Int32) {
    parents[Int(row)] = host
    childCounts[Int(host)] += 1
    ensureLink(from: host, to: row)
    ensureLink(from: row, to: host)
  }

  /// The first of `rows` that has room for another child, or else a row below the first of them.
  ///
  /// - Parameter unlinked: children of rows that are not among their links yet.
  func host(
    among rows: [Int32], largestChildCount: Int, unlinked: [Int32: [Int32]] = [:]
  ) -> Int32 {
    for row in rows where Int(childCounts[Int(row)]) < largestChildCount { return row }
    // Down the tree, level by level: at least its leaves have room.
    var below = [rows[0]]
    var next = 0
    while next < below.count {
      let row = below[next]
      if Int(childCounts[Int(row)]) < largestChildCount { return row }
      below += links(of: row, level: 0).filter { parents[Int($0)] == row }
      below += unlinked[row] ?? []
      next += 1
    }
    return rows[0]
  }

  /// Removes `other` from the links of `row` on a level.
  ///
  /// - Returns: whether it was there.
  @discardableResult
  func removeLink(from row: Int32, to other: Int32, level: Int) -> Bool {
    let links = links(of: row, level: level)
    guard links.contains(other) else { return false }
    setLinks(of: row, level: level, to: links.filter { $0 != other })
    return true
  }
}

extension GraphTables {
  /// Calls `body` with the memory of the tables and the rows, for changing links.
  mutating func withEditor<Result>(
    rows: UnsafeRawPointer, stride: Int, _ body: (GraphEditor) -> Result
  ) -> Result {
    let (links, rowCapacity, entry, top) = (links, rowCapacity, entry, top)
    return states.withUnsafeBufferPointer { states in
      levels.withUnsafeBufferPointer { levels in
        upperStarts.withUnsafeBufferPointer { upperStarts in
          ground.withUnsafeMutableBufferPointer { ground in
            upper.withUnsafeMutableBufferPointer { upper in
              parents.withUnsafeMutableBufferPointer { parents in
                childCounts.withUnsafeMutableBufferPointer { childCounts in
                  let ground = ground.baseAddress!
                  // It is not used if it is empty.
                  let upper = upper.baseAddress ?? ground
                  let view = GraphView(
                    states: states.baseAddress!, levels: levels.baseAddress!,
                    upperStarts: upperStarts.baseAddress!, ground: ground, upper: upper,
                    links: links, rowCapacity: rowCapacity, entry: entry, top: top, rows: rows,
                    stride: stride)
                  return body(
                    GraphEditor(
                      view: view, ground: ground, upper: upper, parents: parents.baseAddress!,
                      childCounts: childCounts.baseAddress!))
                }
              }
            }
          }
        }
      }
    }
  }
}
