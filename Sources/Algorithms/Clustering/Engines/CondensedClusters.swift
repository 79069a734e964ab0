import LinearAlgebra

/// Clusters by the distances of all pairs, in SciPy's condensed order.
///
/// New distances are those of Lance and Williams, The Computer Journal 9 (1967).
///
/// Time O(n²), memory that of the distances.
struct CondensedClusters<Scalar: MatrixScalar>: NearestNeighborChain {
  private let count: Int
  private let linkage: Linkage
  /// The distances between clusters under the indices of their members; stale for indices no longer
  /// in use.
  private var distances: [Scalar]
  private var sizes: [Int]
  /// The indices in use, ascending.
  private var active: [Int]
  /// The offset that, added to the higher index of a pair, gives its place among the distances.
  private let offsets: [Int]
  /// The sums that break ties within rounding, and under which rows' numbers it knows the indices.
  private let sums: (of: DirectionSums, rows: [Int])?

  /// Makes clusters.
  ///
  /// Takes the number of items of each index, 1 by default, and sums that break ties of rounded
  /// distances.
  init(
    _ distances: CondensedDistances<Scalar>, linkage: Linkage, sizes: [Int]? = nil,
    breakingTiesBy sums: (of: DirectionSums, rows: [Int])? = nil
  ) {
    count = distances.count
    self.linkage = linkage
    self.sums = sums
    self.distances = distances.values
    self.sizes = sizes ?? [Int](repeating: 1, count: count)
    active = Array(0..<count)
    let count = count
    offsets = (0..<count).map { CondensedDistances<Scalar>.rowOffset($0, count: count) }
  }

  var activeCount: Int { active.count }

  func lowest() -> Int { active[0] }

  func nearestNeighbor(
    of cluster: Int, preferring preferred: Int?
  ) -> (neighbor: Int, distance: Scalar) {
    let (neighbor, distance, second) = twoNearest(of: cluster, preferring: preferred)
    guard let sums, second - distance < Scalar(DirectionSums.doubt) else {
      return (neighbor, distance)
    }
    let most = distance + Scalar(DirectionSums.doubt)
    func place(_ other: Int) -> Int { offsets[min(cluster, other)] + max(cluster, other) }
    let chosen = sums.of.nearest(
      of: cluster, preferring: preferred, rows: sums.rows,
      among: active.filter { $0 != cluster && distances[place($0)] < most })
    return (chosen, distances[place(chosen)])
  }

  private func twoNearest(
    of cluster: Int, preferring preferred: Int?
  ) -> (neighbor: Int, distance: Scalar, second: Scalar) {
    // One pass over plain memory; most of the time is spent here.
    distances.withUnsafeBufferPointer { distances in
      offsets.withUnsafeBufferPointer { offsets in
        active.withUnsafeBufferPointer { active in
          var nearest = preferred ?? -1
          var (least, second) = (Scalar.infinity, Scalar.infinity)
          if let preferred {
            least = distances[offsets[min(cluster, preferred)] + max(cluster, preferred)]
          }
          var position = 0
          while active[position] < cluster {
            let other = active[position]
            let distance = distances[offsets[other] + cluster]
            if distance < second, other != preferred {
              if distance < least {
                (nearest, least, second) = (other, distance, least)
              } else {
                second = distance
              }
            }
            position += 1
          }
          let offset = offsets[cluster]
          for position in position + 1..<max(active.count, position + 1) {
            let other = active[position]
            let distance = distances[offset + other]
            if distance < second, other != preferred {
              if distance < least {
                (nearest, least, second) = (other, distance, least)
              } else {
                second = distance
              }
            }
          }
          return (nearest, least, second)
        }
      }
    }
  }

  mutating func merge(_ dropped: Int, into kept: Int, distance: Scalar) -> Double {
    remove(dropped)
    let height = sums.map { $0.of.merge($0.rows[dropped], into: $0.rows[kept]) }
    let (droppedSize, keptSize) = (Double(sizes[dropped]), Double(sizes[kept]))
    let (linkage, sizes, active, offsets) = (linkage, sizes, active, offsets)
    let between = Double(distance)
    distances.withUnsafeMutableBufferPointer { distances in
      for other in active where other != kept {
        let place = offsets[min(kept, other)] + max(kept, other)
        let first = distances[offsets[min(dropped, other)] + max(dropped, other)]
        let second = distances[place]
        switch linkage {
        case .average:
          let sum = droppedSize * Double(first) + keptSize * Double(second)
          distances[place] = Scalar(sum / (droppedSize + keptSize))
        case .complete: distances[place] = max(first, second)
        case .single: distances[place] = min(first, second)
        case .weighted: distances[place] = (first + second) / 2
        case .ward:
          // In SciPy's order, so that the roundings are its own.
          let (a, b) = (Double(first), Double(second))
          let otherSize = Double(sizes[other])
          let share = 1 / (droppedSize + keptSize + otherSize)
          let square =
            (otherSize + droppedSize) * share * a * a + (otherSize + keptSize) * share * b * b
            - otherSize * share * between * between
          distances[place] = Scalar(max(square, 0).squareRoot())
        }
      }
    }
    self.sizes[kept] += sizes[dropped]
    return height ?? between
  }

  mutating func remove(_ cluster: Int) {
    var (low, high) = (0, active.count)
    while low < high {
      let middle = (low + high) / 2
      if active[middle] < cluster { low = middle + 1 } else { high = middle }
    }
    active.remove(at: low)
  }
}
