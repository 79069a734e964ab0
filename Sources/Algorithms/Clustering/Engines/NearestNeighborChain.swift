import LinearAlgebra

/// Agglomerative clustering by following nearest neighbours until two are each other's.
///
/// A chain of clusters, each the nearest neighbour of the one before, ends at a pair that are each
/// other's; that pair is merged. For linkages under which a merge brings no cluster nearer to a third
/// than both its parts were (all but centroid and median) the merges are those of the greedy algorithm.
///
/// Which of several equally near neighbours is taken decides the tree where distances tie, so it is
/// fixed, and is what SciPy does: the one before in the chain, else the lowest index. A chain begins
/// at the lowest index left; a merged cluster goes on under the higher index of its two.
///
/// Sources: Murtagh, "A survey of recent advances in hierarchical clustering algorithms", The
/// Computer Journal 26 (1983); Müllner, "Modern hierarchical, agglomerative clustering algorithms",
/// arXiv:1109.2378 (2011), section 3.2; for new distances Lance and Williams, The Computer Journal 9
/// (1967).
///
/// Time O(n²), memory that of the distances.
struct NearestNeighborChain<Scalar: MatrixScalar> {
  private let count: Int
  private let linkage: Linkage
  /// Merges at this distance or beyond are not wanted.
  private let limit: Scalar
  /// The distances between clusters under the indices of their members; stale for indices no longer
  /// in use.
  private var distances: [Scalar]
  private var sizes: [Int]
  /// The indices in use, ascending.
  private var active: [Int]
  /// What is added to the higher index of a pair for its place among the distances.
  private let offsets: [Int]
  /// Which of several about equally near neighbours is nearest, and as what it knows the indices.
  private let umpire: (sums: DirectionSums, rows: [Int])?

  /// Takes how many things each index stands for, one unless said; below which distance merges are wanted,
  /// all unless said; and who decides where rounding may.
  init(
    _ distances: CondensedDistances<Scalar>, linkage: Linkage, sizes: [Int]? = nil,
    limit: Scalar = .infinity, umpire: (sums: DirectionSums, rows: [Int])? = nil
  ) {
    count = distances.count
    self.linkage = linkage
    self.limit = limit
    self.umpire = umpire
    self.distances = distances.values
    self.sizes = sizes ?? [Int](repeating: 1, count: count)
    active = Array(0..<count)
    let count = count
    offsets = (0..<count).map { CondensedDistances<Scalar>.rowOffset($0, count: count) }
  }

  /// All merges below the limit in the order in which they are found, which is not that of their distances.
  mutating func merges() -> [FoundMerge] {
    var merges: [FoundMerge] = []
    merges.reserveCapacity(max(count - 1, 0))
    var chain: [Int] = []
    while active.count > 1 {
      if chain.isEmpty { chain.append(active[0]) }
      let last = chain[chain.count - 1]
      let before = chain.count > 1 ? chain[chain.count - 2] : nil
      var (neighbor, distance, second) = nearestNeighbor(of: last, preferring: before)
      if let umpire, second - distance < Scalar(DirectionSums.doubt) {
        (neighbor, distance) = decided(last, before, neighbor, distance, umpire)
      }
      guard distance < limit || limit == .infinity else {
        // Merges bring nothing nearer, so that it stays alone. Those before it in the chain are no nearer to
        // anything than it is, so it is the first.
        active.remove(at: position(of: last))
        chain.removeLast()
        continue
      }
      guard neighbor == before else {
        chain.append(neighbor)
        continue
      }
      chain.removeLast(2)
      let (dropped, kept) = (min(last, neighbor), max(last, neighbor))
      let exact = umpire.map { $0.sums.merge($0.rows[dropped], into: $0.rows[kept]) }
      merges.append(FoundMerge(first: dropped, second: kept, distance: exact ?? Double(distance)))
      merge(dropped, into: kept, distance: distance)
    }
    return merges
  }

  /// The nearest of those that are as near as `distance` but for rounding, by their sums.
  private func decided(
    _ cluster: Int, _ before: Int?, _ nearest: Int, _ distance: Scalar,
    _ umpire: (sums: DirectionSums, rows: [Int])
  ) -> (neighbor: Int, distance: Scalar) {
    let most = distance + Scalar(DirectionSums.doubt)
    func place(_ other: Int) -> Int { offsets[min(cluster, other)] + max(cluster, other) }
    let contenders = active.filter { $0 != cluster && distances[place($0)] < most }
    let isBeforeNear = before.map { distances[place($0)] < most } ?? false
    let first = isBeforeNear ? before : nil
    let chosen: Int
    if contenders.count > DirectionSums.mostContenders {
      // Among crowds of equals it does not matter; the one before ends the chain.
      chosen = first ?? nearest
    } else {
      // Equal to the last digits: the one before in the chain, else the lowest.
      let ordered = (first.map { [$0] } ?? []) + contenders.filter { $0 != first }
      chosen = umpire.sums.nearest(
        of: umpire.rows[cluster], among: ordered.map { ($0, umpire.rows[$0]) })
    }
    return (chosen, distances[place(chosen)])
  }

  private func nearestNeighbor(
    of cluster: Int, preferring preferred: Int?
  ) -> (neighbor: Int, distance: Scalar, second: Scalar) {
    // One pass over plain memory; this is where the time goes.
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

  private mutating func merge(_ dropped: Int, into kept: Int, distance: Scalar) {
    active.remove(at: position(of: dropped))
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
  }

  /// Where `cluster` is among the active ones.
  private func position(of cluster: Int) -> Int {
    var (low, high) = (0, active.count)
    while low < high {
      let middle = (low + high) / 2
      if active[middle] < cluster { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
