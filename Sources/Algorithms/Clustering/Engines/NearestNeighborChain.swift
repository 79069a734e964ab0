import LinearAlgebra

/// Agglomerative clustering by following nearest neighbours until two are each other's.
///
/// In a chain of clusters, each is the nearest neighbour of the one before. The chain ends at two
/// clusters that are each other's nearest neighbours; these are merged. The merges are those of the
/// greedy algorithm if no merge brings a cluster nearer to a third than both its parts were. This
/// is so for all linkages except centroid and median.
///
/// If distances tie, the choice among equally near neighbours decides the tree. So it is fixed as
/// in SciPy: the one before in the chain, else the lowest index. A chain begins at the lowest index
/// left; a merged cluster continues under the higher index of its two.
///
/// Sources: Murtagh, "A survey of recent advances in hierarchical clustering algorithms", The
/// Computer Journal 26 (1983). Müllner, "Modern hierarchical, agglomerative clustering algorithms",
/// arXiv:1109.2378 (2011), section 3.2. For new distances: Lance and Williams, The Computer Journal
/// 9 (1967).
protocol NearestNeighborChain {
  associatedtype Distance: BinaryFloatingPoint

  /// How many clusters are in use.
  var activeCount: Int { get }
  /// The lowest index in use.
  mutating func lowest() -> Int
  /// The nearest cluster and its distance.
  mutating func nearestNeighbor(
    of cluster: Int, preferring preferred: Int?
  ) -> (neighbor: Int, distance: Distance)
  /// Takes one cluster into another, and returns the distance that the merge goes by.
  mutating func merge(_ dropped: Int, into kept: Int, distance: Distance) -> Double
  /// Takes a cluster out of use.
  mutating func remove(_ cluster: Int)
}

extension NearestNeighborChain {
  /// All merges below a limit in the order in which they are found, which is not that of their
  /// distances.
  mutating func chainedMerges(below limit: Distance = .infinity) -> [FoundMerge] {
    var merges: [FoundMerge] = []
    merges.reserveCapacity(max(activeCount - 1, 0))
    var chain: [Int] = []
    while activeCount > 1 {
      if chain.isEmpty { chain.append(lowest()) }
      let last = chain[chain.count - 1]
      let before = chain.count > 1 ? chain[chain.count - 2] : nil
      let (neighbor, distance) = nearestNeighbor(of: last, preferring: before)
      guard distance < limit || limit == .infinity else {
        // Merges bring nothing nearer, so this cluster stays alone. The clusters before it in the
        // chain are at least as far from all others as it is, so it must be the first of the chain.
        remove(last)
        chain.removeLast()
        continue
      }
      guard neighbor == before else {
        chain.append(neighbor)
        continue
      }
      chain.removeLast(2)
      let (dropped, kept) = (min(last, neighbor), max(last, neighbor))
      let height = merge(dropped, into: kept, distance: distance)
      merges.append(FoundMerge(first: dropped, second: kept, distance: height))
    }
    return merges
  }
}
