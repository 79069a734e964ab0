/// What `body` makes of each element, in the elements' order, with up to `limit` of them at a time.
///
/// Elements are begun in their order, so the ones that take longest should come first. Several runs
/// of a network at a time, with a thread each, take less time than one after the other with all
/// threads, because a run's threads wait for each other at every node. They take the memory of
/// `limit` runs.
///
/// - Throws: the first error of `body`; the other elements are cancelled.
func mapConcurrently<Element: Sendable, Result: Sendable>(
  _ elements: [Element], limit: Int,
  _ body: @escaping @Sendable (Element) async throws -> Result
) async throws -> [Result] {
  guard limit > 1, elements.count > 1 else {
    var results: [Result] = []
    for element in elements { results.append(try await body(element)) }
    return results
  }
  return try await withThrowingTaskGroup(of: (index: Int, result: Result).self) { group in
    var results = [Result?](repeating: nil, count: elements.count)
    var rest = elements.enumerated().makeIterator()
    func begin() {
      guard let (index, element) = rest.next() else { return }
      group.addTask { (index, try await body(element)) }
    }
    for _ in 0..<limit { begin() }
    while let (index, result) = try await group.next() {
      results[index] = result
      begin()
    }
    return results.compactMap { $0 }
  }
}
