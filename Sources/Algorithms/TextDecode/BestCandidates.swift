/// The best few of many, by a heap whose root is the worst that is kept.
///
/// Of equals those are kept that were offered first.
struct BestCandidates<Element> {
  private typealias Entry = (rank: Double, order: Int, element: Element)

  private var heap: [Entry] = []
  private var offered = 0
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  private static func isWorse(_ a: Entry, _ b: Entry) -> Bool {
    a.rank != b.rank ? a.rank < b.rank : a.order > b.order
  }

  /// Whether something of this rank would be kept.
  func takes(_ rank: Double) -> Bool {
    guard heap.count == capacity, let worst = heap.first else { return true }
    return rank > worst.rank
  }

  /// Keeps an element if it is among the best so far.
  ///
  /// - Complexity: O(log *capacity*).
  mutating func offer(_ element: Element, rank: Double) {
    guard takes(rank) else { return }
    let entry = (rank: rank, order: offered, element: element)
    offered += 1
    if heap.count < capacity {
      heap.append(entry)
      var child = heap.count - 1
      while child > 0, Self.isWorse(heap[child], heap[(child - 1) / 2]) {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
      return
    }
    heap[0] = entry
    var parent = 0
    while true {
      var worst = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && Self.isWorse(heap[child], heap[worst]) {
        worst = child
      }
      guard worst != parent else { return }
      heap.swapAt(parent, worst)
      parent = worst
    }
  }

  /// What is kept, best first.
  func sorted() -> [Element] {
    heap.sorted { Self.isWorse($1, $0) }.map(\.element)
  }
}
