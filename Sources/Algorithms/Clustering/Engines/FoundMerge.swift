/// A merge as an engine finds it: two things that stand for the clusters they are in.
struct FoundMerge {
  var first: Int
  var second: Int
  var distance: Double
}

extension Dendrogram {
  /// Puts the merges that an engine found in the order of their distances, and names clusters.
  ///
  /// Merges at the same distance stay in the order in which they were found.
  ///
  /// - Parameter sortsPairs: whether the lower of two clusters comes first, as in SciPy; else the
  ///   cluster of `first` does.
  init(leafCount: Int, found: [FoundMerge], sortsPairs: Bool = true) {
    let order = found.indices.sorted {
      (found[$0].distance, $0) < (found[$1].distance, $1)
    }
    var clusters = ClusterNames(leafCount: leafCount)
    let merges = order.map { index in
      let (first, second) = (
        clusters.cluster(of: found[index].first), clusters.cluster(of: found[index].second)
      )
      let size = clusters.merge(first, second)
      return sortsPairs && first > second
        ? Merge(left: second, right: first, distance: found[index].distance, size: size)
        : Merge(left: first, right: second, distance: found[index].distance, size: size)
    }
    self.init(unchecked: merges, leafCount: leafCount)
  }
}

/// Which cluster a thing is in while merges go on: disjoint sets, whose new sets get new numbers.
struct ClusterNames {
  private var parents: [Int]
  private var sizes: [Int]

  init(leafCount: Int) {
    parents = Array(0..<leafCount)
    sizes = [Int](repeating: 1, count: leafCount)
  }

  /// The number of the cluster that thing or cluster `node` is in now.
  mutating func cluster(of node: Int) -> Int {
    var root = node
    while parents[root] != root { root = parents[root] }
    var node = node
    while parents[node] != root { (node, parents[node]) = (parents[node], root) }
    return root
  }

  /// Merges two clusters into a new one, and says how many things are in it.
  mutating func merge(_ first: Int, _ second: Int) -> Int {
    let new = parents.count
    parents[first] = new
    parents[second] = new
    parents.append(new)
    sizes.append(sizes[first] + sizes[second])
    return sizes[new]
  }
}
