/// Keeps the rows that a search asks for, of those that are offered.
protocol RowCollector: Sendable {
  /// The limit: only a nearer row is kept.
  var limit: RankedRow { get }
  /// Keeps `row`, which is nearer than the limit.
  mutating func offer(_ row: RankedRow)
  /// Keeps what `other` kept of other rows, if it is near enough.
  mutating func merge(_ other: Self)
  /// The rows kept, nearest first.
  var neighbors: [Neighbor] { get }
}

/// The `capacity` nearest of the offered rows, in a heap with the farthest on top.
struct NearestRows: RowCollector {
  private(set) var heap: [RankedRow] = []
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    heap.reserveCapacity(min(capacity, 4096))
  }

  /// The limit: a row must be nearer to be kept.
  var limit: RankedRow { heap.count < capacity ? .farthest : heap.first ?? .nearest }

  /// Keeps `row` if it is among the nearest so far.
  mutating func offer(_ row: RankedRow) {
    if heap.count < capacity {
      var place = heap.count
      heap.append(row)
      while place > 0, heap[(place - 1) / 2] < row {
        heap[place] = heap[(place - 1) / 2]
        place = (place - 1) / 2
      }
      heap[place] = row
    } else if let top = heap.first, row < top {
      var place = 0
      while true {
        var child = 2 * place + 1
        guard child < heap.count else { break }
        if child + 1 < heap.count, heap[child] < heap[child + 1] { child += 1 }
        guard row < heap[child] else { break }
        heap[place] = heap[child]
        place = child
      }
      heap[place] = row
    }
  }

  mutating func merge(_ other: NearestRows) {
    for row in other.heap { offer(row) }
  }

  /// The rows kept, nearest first.
  var neighbors: [Neighbor] { heap.sorted().map(\.neighbor) }
}

/// All offered rows up to a distance.
struct RowsWithin: RowCollector {
  private(set) var rows: [RankedRow] = []
  let limit: RankedRow

  /// - Parameter distance: not NaN; it is within itself.
  init(distance: Float) {
    // No row has this number. The sum makes -0 a 0, which ranks after it.
    limit = RankedRow(distance + 0, row: .max)
  }

  mutating func offer(_ row: RankedRow) { rows.append(row) }

  mutating func merge(_ other: RowsWithin) { rows += other.rows }

  var neighbors: [Neighbor] { rows.sorted().map(\.neighbor) }
}
