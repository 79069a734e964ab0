/// Boxes in the order of their left edges, for finding those that overlap another.
///
/// - Complexity: O(*n* log *n*) to build. A search takes O(log *n*) and a step for every box whose
///   horizontal extent reaches the query, and for those in between: few on a shelf, all in the
///   worst case.
package struct BoxIndex {
  private let order: [Int]
  private let sorted: [Box]
  /// The greatest right edge of all boxes up to each place in the order.
  private let reach: [Float]

  /// Sorts boxes, which keep their indices.
  package init(_ boxes: [Box]) {
    order = boxes.indices.sorted { (boxes[$0].minX, $0) < (boxes[$1].minX, $1) }
    sorted = order.map { boxes[$0] }
    var furthest = -Float.infinity
    reach = sorted.map { box in
      furthest = max(furthest, box.maxX)
      return furthest
    }
  }

  /// Visits the boxes that share an area with `query`, from right to left.
  package func forEach(overlapping query: Box, _ visit: (Int) -> Void) {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].minX < query.maxX { low = middle + 1 } else { high = middle }
    }
    var place = low - 1
    while place >= 0, reach[place] > query.minX {
      let box = sorted[place]
      if box.maxX > query.minX, box.minY < query.maxY, box.maxY > query.minY { visit(order[place]) }
      place -= 1
    }
  }
}
