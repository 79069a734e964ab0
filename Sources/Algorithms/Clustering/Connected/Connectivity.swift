/// Which things may be merged with one another: a graph whose edges join neighbours.
///
/// Two clusters may be merged only if an edge leads from one to the other. For pixels these are the
/// pixels beside one another, for books on a shelf the next ones.
public struct Connectivity: Hashable, Sendable {
  /// How many things there are.
  public let count: Int
  /// For each thing its neighbours, ascending.
  let neighbors: [[Int]]

  /// Takes pairs of neighbours, in any order; a pair may be there more than once.
  ///
  /// A pair of a thing with itself has no effect.
  ///
  /// - Complexity: O(n + m log m) for m pairs.
  /// - Throws: ``ClusteringError/pairOutOfRange(index:)``, ``ClusteringError/tooMany(things:)`` if
  ///   the count is negative, or 2^31 - 1 or more.
  public init(
    count: Int, pairs: some Sequence<(Int, Int)>
  ) throws(ClusteringError) {
    guard count >= 0, count < Int32.max else { throw .tooMany(things: count) }
    var neighbors = [[Int]](repeating: [], count: count)
    var index = 0
    for (first, second) in pairs {
      guard (0..<count).contains(first), (0..<count).contains(second) else {
        throw .pairOutOfRange(index: index)
      }
      if first != second {
        neighbors[first].append(second)
        neighbors[second].append(first)
      }
      index += 1
    }
    self.init(count: count, neighbors: neighbors)
  }

  /// Sorts neighbours and drops those that are there twice.
  private init(count: Int, neighbors: [[Int]]) {
    self.count = count
    self.neighbors = neighbors.map { things in
      let sorted = things.sorted()
      return sorted.indices.filter { $0 == 0 || sorted[$0] != sorted[$0 - 1] }.map { sorted[$0] }
    }
  }

  /// For each thing the number of its part: parts are not connected with one another, and are
  /// numbered by their first things.
  private var parts: (numbers: [Int], count: Int) {
    var numbers = [Int](repeating: -1, count: count)
    var next = 0
    for thing in 0..<count where numbers[thing] < 0 {
      numbers[thing] = next
      var pending = [thing]
      while let thing = pending.popLast() {
        for other in neighbors[thing] where numbers[other] < 0 {
          numbers[other] = next
          pending.append(other)
        }
      }
      next += 1
    }
    return (numbers, next)
  }

  /// The graph with an edge between the nearest things of each two parts, the first of several.
  ///
  /// - Complexity: O(n²) distances if there are several parts.
  func joined(_ distance: (Int, Int) -> Double) -> Connectivity {
    let (numbers, partCount) = parts
    guard partCount > 1 else { return self }
    var members = [[Int]](repeating: [], count: partCount)
    for (thing, number) in numbers.enumerated() { members[number].append(thing) }
    var neighbors = neighbors
    for part in 1..<partCount {
      for other in 0..<part {
        var nearest = (
          distance: Double.infinity, first: members[part][0], second: members[other][0]
        )
        for first in members[part] {
          for second in members[other] {
            let found = distance(first, second)
            if found < nearest.distance { nearest = (found, first, second) }
          }
        }
        neighbors[nearest.first].append(nearest.second)
        neighbors[nearest.second].append(nearest.first)
      }
    }
    return Connectivity(count: count, neighbors: neighbors)
  }
}
