/// A binary heap with the greatest element on top.
///
/// Source: Williams, "Algorithm 232: Heapsort", Communications of the ACM 7 (1964).
struct MaxHeap<Element: Comparable> {
  /// The elements as the heap has them: that at `i` is not below those at `2 i + 1` and `2 i + 2`.
  private(set) var elements: [Element] = []

  init(capacity: Int) {
    elements.reserveCapacity(capacity)
  }

  mutating func removeAll() { elements.removeAll(keepingCapacity: true) }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var place = elements.count - 1
    while place > 0, elements[(place - 1) / 2] < elements[place] {
      elements.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes the top away and puts an element in its place.
  ///
  /// - Precondition: there is an element.
  mutating func replaceTop(with element: Element) {
    elements[0] = element
    var place = 0
    while case let left = 2 * place + 1, left < elements.count {
      let right = left + 1
      let higher = right < elements.count && elements[right] > elements[left] ? right : left
      guard elements[higher] > elements[place] else { break }
      elements.swapAt(place, higher)
      place = higher
    }
  }
}
