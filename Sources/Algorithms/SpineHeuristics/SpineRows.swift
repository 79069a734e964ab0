import Geometry

extension SpineGeometry {
  /// The rows in which books stand or lie, as indices of their outlines.
  ///
  /// A row is the content of one board: books that stand or lean beside each other, with or without
  /// gaps, and the stacks beside or on top of them. A stack on a table is a row too. Two outlines
  /// are in one row if they share at least ``SpineConfiguration/rowOverlap`` of the smaller one's
  /// height and none of that kind is between them, or if one lies on the other. So a row may run at
  /// a slant, as in a tilted photo. A stack whose middle book has no outline is two rows, because a
  /// board would leave such a gap too.
  ///
  /// Rows are in the reading order of their first books. The books of a row are in reading order
  /// too, see ``readingOrder(of:)-([Quadrilateral])``. Outlines with a coordinate that is infinite
  /// or NaN are in no row. Coordinates are pixels with the origin at the top left: y grows
  /// downward.
  ///
  /// - Complexity: O(n^2).
  public func rows(of outlines: [Quadrilateral]) -> [[Int]] {
    let order = readingOrder(of: outlines)
    var rows = SpineRows(
      order.map { outlines[$0] }.prefix { $0.isFinite }.map(Extent.init(of:)),
      overlap: configuration.rowOverlap)
    return rows.groups().map { $0.map { order[$0] } }
  }
}

/// The rows of outlines, from links between neighbours.
private struct SpineRows {
  private let extents: [Extent]
  private let overlap: Double
  /// For each outline, an earlier one in its row, or itself.
  private var leader: [Int]

  init(_ extents: [Extent], overlap: Double) {
    self.extents = extents
    self.overlap = overlap
    leader = Array(extents.indices)
  }

  /// The rows, in the order of their first members; each is ascending.
  mutating func groups() -> [[Int]] {
    let fromLeft = extents.indices.sorted { extents[$0].middle < extents[$1].middle }
    for (place, index) in fromLeft.enumerated() {
      // The next outline on either side: a tall book's neighbour may have a nearer one of its own
      // height.
      for next in [
        fromLeft[(place + 1)...].first(where: { areBeside(index, $0) }),
        fromLeft[..<place].last(where: { areBeside(index, $0) }),
      ] {
        if let next { link(index, next) }
      }
      for other in extents.indices where lies(index, on: other) { link(index, other) }
    }
    var rows: [Int: [Int]] = [:]
    for index in extents.indices { rows[first(of: index), default: []].append(index) }
    return rows.keys.sorted().compactMap { rows[$0] }
  }

  private func areBeside(_ a: Int, _ b: Int) -> Bool {
    let (first, second) = (extents[a], extents[b])
    let shared = min(first.bottom, second.bottom) - max(first.top, second.top)
    return shared > 0 && shared >= overlap * min(first.height, second.height)
  }

  /// Whether the lower side of a flat outline is near the upper side of another, above it.
  private func lies(_ upper: Int, on lower: Int) -> Bool {
    let (first, second) = (extents[upper], extents[lower])
    guard upper != lower, first.width > first.height, first.top < second.top else { return false }
    let shared = min(first.right, second.right) - max(first.left, second.left)
    // Books on the board above are farther away: the board and a gap are in between.
    return 2 * shared >= min(first.width, second.width)
      && abs(second.top - first.bottom) <= first.height / 2
  }

  private mutating func link(_ a: Int, _ b: Int) {
    let (first, second) = (first(of: a), first(of: b))
    leader[max(first, second)] = min(first, second)
  }

  private mutating func first(of index: Int) -> Int {
    var index = index
    while leader[index] != index {
      leader[index] = leader[leader[index]]
      index = leader[index]
    }
    return index
  }
}
