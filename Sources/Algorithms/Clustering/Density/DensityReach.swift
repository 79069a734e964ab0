/// Core samples and their clusters while close pairs come in, each once and in any order.
///
/// Two core samples are joined at once. Other pairs wait until all have come. A thing that is not
/// core yet has fewer than `minSamples` pairs, so that O(n `minSamples`) pairs wait at most.
final class DensityReach {
  private let count: Int
  private let minSamples: Int
  // Manual memory, because each access to an array of a class checks for exclusivity.
  /// How many things are near each, itself included.
  private let neighbors: UnsafeMutablePointer<Int32>
  /// Disjoint sets, whose root is the lowest member.
  private let parents: UnsafeMutablePointer<Int32>
  private var waiting: [(Int32, Int32)] = []

  /// - Precondition: fewer than `Int32.max` things.
  init(count: Int, minSamples: Int) {
    self.count = count
    self.minSamples = min(minSamples, count + 1)
    neighbors = .allocate(capacity: count)
    neighbors.initialize(repeating: 1, count: count)
    parents = .allocate(capacity: count)
    for thing in 0..<count { (parents + thing).initialize(to: Int32(thing)) }
  }

  deinit {
    neighbors.deallocate()
    parents.deallocate()
  }

  /// Takes a pair of different things that are near each other.
  func join(_ first: Int, _ second: Int) {
    neighbors[first] += 1
    neighbors[second] += 1
    if isCore(first), isCore(second) {
      merge(first, second)
    } else {
      waiting.append((Int32(first), Int32(second)))
    }
  }

  /// The clusters of all pairs.
  func assignment() -> DBSCANAssignment {
    for (first, second) in waiting where isCore(Int(first)) && isCore(Int(second)) {
      merge(Int(first), Int(second))
    }
    var labels = [Int?](repeating: nil, count: count)
    var coreSamples: [Int] = []
    var clusterCount = 0
    for thing in 0..<count where isCore(thing) {
      coreSamples.append(thing)
      let root = self.root(thing)
      // The lowest member comes first.
      if root == thing {
        labels[thing] = clusterCount
        clusterCount += 1
      } else {
        labels[thing] = labels[root]
      }
    }
    for (first, second) in waiting where isCore(Int(first)) != isCore(Int(second)) {
      let (core, edge) = isCore(Int(first)) ? (first, second) : (second, first)
      guard let label = labels[Int(core)] else { continue }
      labels[Int(edge)] = min(labels[Int(edge)] ?? label, label)
    }
    return DBSCANAssignment(labels: labels, clusterCount: clusterCount, coreSamples: coreSamples)
  }

  private func isCore(_ thing: Int) -> Bool { Int(neighbors[thing]) >= minSamples }

  private func root(_ thing: Int) -> Int {
    var node = Int32(thing)
    while parents[Int(node)] != node {
      parents[Int(node)] = parents[Int(parents[Int(node)])]
      node = parents[Int(node)]
    }
    return Int(node)
  }

  private func merge(_ first: Int, _ second: Int) {
    let (one, other) = (root(first), root(second))
    if one != other { parents[max(one, other)] = Int32(min(one, other)) }
  }
}
