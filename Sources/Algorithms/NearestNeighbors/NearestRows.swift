/// The `capacity` nearest of the offered rows, in a heap with the farthest on top.
struct NearestRows {
  private(set) var heap: [RankedRow] = []
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    heap.reserveCapacity(min(capacity, 4096))
  }

  /// The limit: a row must be nearer to be kept.
  var limit: RankedRow { heap.count < capacity ? .farthest : heap.first ?? RankedRow(bits: 0) }

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

  /// The rows kept, nearest first.
  var neighbors: [Neighbor] { heap.sorted().map(\.neighbor) }
}
