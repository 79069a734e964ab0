/// Possible merges with the nearest on top: the heap of Python's `heapq`, whose order of ties
/// scikit-learn has.
struct MergeHeap {
  /// A possible merge of two clusters.
  typealias Entry = (distance: Double, first: Int, second: Int)

  private var entries: [Entry] = []
  /// Whether the clusters decide between equal distances; else their places in the heap do.
  private let isOrderedByClusters: Bool

  init(isOrderedByClusters: Bool) {
    self.isOrderedByClusters = isOrderedByClusters
  }

  /// Takes all merges at once; the heap is empty.
  mutating func fill(_ entries: [Entry]) {
    self.entries = entries
    for place in (0..<entries.count / 2).reversed() { sink(place) }
  }

  mutating func push(_ distance: Double, _ first: Int, _ second: Int) {
    entries.append((distance, first, second))
    rise(from: entries.count - 1, upTo: 0)
  }

  /// Takes the nearest merge away; nil if there is none.
  mutating func pop() -> Entry? {
    guard let last = entries.popLast() else { return nil }
    guard let top = entries.first else { return last }
    entries[0] = last
    sink(0)
    return top
  }

  private func isLess(_ one: Entry, _ other: Entry) -> Bool {
    isOrderedByClusters ? one < other : one.distance < other.distance
  }

  /// Moves an entry down to a leaf, and up again from there.
  private mutating func sink(_ start: Int) {
    let entry = entries[start]
    var place = start
    var child = 2 * place + 1
    while child < entries.count {
      let right = child + 1
      if right < entries.count, !isLess(entries[child], entries[right]) { child = right }
      entries[place] = entries[child]
      place = child
      child = 2 * place + 1
    }
    entries[place] = entry
    rise(from: place, upTo: start)
  }

  private mutating func rise(from start: Int, upTo top: Int) {
    let entry = entries[start]
    var place = start
    while place > top {
      let parent = (place - 1) / 2
      guard isLess(entry, entries[parent]) else { break }
      entries[place] = entries[parent]
      place = parent
    }
    entries[place] = entry
  }
}
