import LinearAlgebra

/// The least of many numbers, in a heap with the greatest of them on top.
struct NearestKeys<Key: MatrixScalar> {
  private var heap: [Key] = []
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    heap.reserveCapacity(capacity)
  }

  /// The greatest of those kept.
  var greatest: Key { heap.first ?? .infinity }

  mutating func removeAll() { heap.removeAll(keepingCapacity: true) }

  mutating func offer(_ key: Key) {
    if heap.count < capacity {
      heap.append(key)
      var place = heap.count - 1
      while place > 0, heap[(place - 1) / 2] < heap[place] {
        heap.swapAt(place, (place - 1) / 2)
        place = (place - 1) / 2
      }
    } else if key < heap[0] {
      heap[0] = key
      var place = 0
      while case let left = 2 * place + 1, left < heap.count {
        let right = left + 1
        let higher = right < heap.count && heap[right] > heap[left] ? right : left
        guard heap[higher] > heap[place] else { break }
        heap.swapAt(place, higher)
        place = higher
      }
    }
  }
}
