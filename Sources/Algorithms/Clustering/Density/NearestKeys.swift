import LinearAlgebra

/// The least of many numbers, the greatest of them at hand.
struct NearestKeys<Key: MatrixScalar> {
  private var heap: MaxHeap<Key>
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    heap = MaxHeap(capacity: capacity)
  }

  /// The greatest of those kept.
  var greatest: Key { heap.elements.first ?? .infinity }

  mutating func removeAll() { heap.removeAll() }

  mutating func offer(_ key: Key) {
    if heap.elements.count < capacity {
      heap.insert(key)
    } else if key < heap.elements[0] {
      heap.replaceTop(with: key)
    }
  }
}
