import LinearAlgebra

/// A minimum spanning tree of mutual reachability that grows from thing 0, by the nearest thing
/// outside at each step, the lowest of several.
///
/// Source: Prim, "Shortest connection networks and some generalizations", Bell System Technical
/// Journal 36 (1957).
struct ReachTree {
  /// How far each thing outside is from the tree; infinity for those inside.
  private(set) var reach: [Double]
  /// The thing of the tree that is so far.
  private var sources: [Int]
  private var isInside: [Bool]
  private(set) var edges: [FoundMerge] = []
  /// The thing that was added last.
  private(set) var last = 0
  /// Whether an edge ends at the thing that gave the distance; else at the one added before, as
  /// scikit-learn has it for distances.
  private let keepsSources: Bool

  init(count: Int, keepsSources: Bool) {
    self.keepsSources = keepsSources
    reach = [Double](repeating: .infinity, count: count)
    sources = [Int](repeating: 0, count: count)
    isInside = [Bool](repeating: false, count: count)
    if count > 0 { isInside[0] = true }
    edges.reserveCapacity(count)
  }

  func contains(_ thing: Int) -> Bool { isInside[thing] }

  /// Takes the distance between the last thing and one outside, if it is less than before.
  mutating func offer(_ thing: Int, _ distance: Double) {
    if distance < reach[thing] {
      reach[thing] = distance
      sources[thing] = last
    }
  }

  /// Adds the nearest thing outside.
  ///
  /// - Precondition: there is one, and each was offered.
  mutating func grow() {
    let nearest = reach.firstLeast
    edges.append(
      FoundMerge(
        first: keepsSources ? sources[nearest] : last, second: nearest, distance: reach[nearest]))
    isInside[nearest] = true
    reach[nearest] = .infinity
    last = nearest
  }

  /// The edges of things by their distances.
  ///
  /// - Parameter neighbors: how many things are within a core distance, at most all.
  static func edges<Scalar: MatrixScalar>(
    _ distances: CondensedDistances<Scalar>, neighbors: Int
  ) -> [FoundMerge] {
    let count = distances.count
    guard count > 1 else { return [] }
    var row = [Double](repeating: 0, count: count)
    var nearest = NearestKeys<Double>(capacity: neighbors)
    let cores = (0..<count).map { thing in
      distances.copyRow(thing, into: &row)
      nearest.removeAll()
      for distance in row { nearest.offer(distance) }
      return nearest.greatest
    }
    var tree = ReachTree(count: count, keepsSources: false)
    for _ in 1..<count {
      distances.copyRow(tree.last, into: &row)
      let core = cores[tree.last]
      for thing in 0..<count where !tree.contains(thing) {
        tree.offer(thing, max(core, cores[thing], row[thing]))
      }
      tree.grow()
    }
    return tree.edges
  }
}

extension [Double] {
  /// The first place of the least value; no value is NaN, and there is one below infinity.
  fileprivate var firstLeast: Int {
    withUnsafeBytes { bytes in
      let size = MemoryLayout<Double>.stride
      var least = SIMD8<Double>(repeating: .infinity)
      var place = 0
      while place + 8 <= count {
        let values = bytes.loadUnaligned(fromByteOffset: place * size, as: SIMD8<Double>.self)
        least.replace(with: values, where: values .< least)
        place += 8
      }
      var smallest = Double.infinity
      for lane in 0..<8 where least[lane] < smallest { smallest = least[lane] }
      for index in place..<count where self[index] < smallest { smallest = self[index] }
      return firstIndex(of: smallest) ?? 0
    }
  }
}

extension CondensedDistances {
  /// The distances of one thing to all.
  fileprivate func copyRow(_ thing: Int, into row: inout [Double]) {
    values.withUnsafeBufferPointer { values in
      for other in 0..<thing { row[other] = Double(values[Self.index(other, thing, count: count)]) }
      row[thing] = 0
      let start = Self.rowOffset(thing, count: count)
      for other in thing + 1..<Swift.max(count, thing + 1) {
        row[other] = Double(values[start + other])
      }
    }
  }
}
