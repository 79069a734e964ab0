/// Which merges of a dendrogram hold, by the criteria of SciPy's `fcluster`.
///
/// A merge holds only if all merges below it do. Unlike ``DendrogramCut/distance(_:)``, which is
/// scikit-learn's, a merge exactly at a threshold holds here.
public enum MergeCriterion: Hashable, Sendable, Codable {
  /// Merges at this distance or below: 0 or more. SciPy's `distance`.
  case distance(atMost: Double)
  /// Merges whose inconsistency, measured over `depth` levels, is at most this: not NaN, `depth` at
  /// least 1. SciPy's `inconsistent`, where the depth is 2 unless said otherwise.
  case inconsistency(atMost: Double, depth: Int)
  /// The merges at or below the lowest distance that leaves at most this many clusters, 1 or more.
  ///
  /// If merges tie, there can be fewer. SciPy's `maxclust`.
  case count(atMost: Int)
  /// Merges whose value is at most a threshold. Values are one a merge and not NaN; a merge whose
  /// value is below one under it counts with that one's. SciPy's `monocrit`.
  case values([Double], atMost: Double)
  /// The merges at or below the lowest of the values that leaves at most `count` clusters. SciPy's
  /// `maxclust_monocrit`.
  case valueCount([Double], atMost: Int)
}

extension Dendrogram {
  /// The labels of the clusters that merges holding by `criterion` make: SciPy's `fcluster`.
  ///
  /// In ``ClusterNumbering/sciPy`` the labels are those of `fcluster` on the tree's
  /// ``orderedLinkageMatrix``; a count that is not below that of the things numbers them in their
  /// own order, as there. One difference: SciPy's `maxclust` and `maxclust_monocrit` take the
  /// merges to be sorted, and in a tree with inversions may find fewer clusters than they could;
  /// here distances and values are sorted first.
  ///
  /// - Complexity: O(n log n); by inconsistency that of ``inconsistency(depth:)`` besides.
  /// - Throws: ``ClusteringError/invalidThreshold(_:)``,
  ///   ``ClusteringError/invalidClusterCount(found:things:)``,
  ///   ``ClusteringError/invalidDepth(_:)``, ``ClusteringError/mergeValueCount(merges:found:)``,
  ///   ``ClusteringError/invalidMergeValue(index:)``, ``ClusteringError/invalidMergeThreshold``.
  public func labels(
    where criterion: MergeCriterion, numbering: ClusterNumbering = .scikitLearn
  ) throws(ClusteringError) -> [Int] {
    let holds = try holds(criterion)
    switch (criterion, numbering) {
    // If the limit is the number of items or more, SciPy does not use the tree.
    case (.count(let count), .sciPy) where count >= leafCount,
      (.valueCount(_, let count), .sciPy) where count >= leafCount:
      return Array(1..<leafCount + 1)
    default: return labels(holding: holds, numbering: numbering)
    }
  }

  /// The node under which all things of a label are, and no others, by label: SciPy's `leaders`.
  ///
  /// - Parameter labels: one label a thing; any numbers.
  /// - Complexity: O(n).
  /// - Throws: ``ClusteringError/labelCount(labels:rows:)``,
  ///   ``ClusteringError/brokenCluster(label:)`` for a label that is not one whole cluster of the
  ///   tree.
  public func leaders(of labels: [Int]) throws(ClusteringError) -> [Int: Int] {
    guard labels.count == leafCount else {
      throw .labelCount(labels: labels.count, rows: leafCount)
    }
    // The label of all things under a node; nil if there are several.
    var shared: [Int?] = labels
    var leaders: [Int: Int] = [:]
    func close(_ node: Int) throws(ClusteringError) {
      guard let label = shared[node] else { return }
      guard leaders.updateValue(node, forKey: label) == nil else {
        throw .brokenCluster(label: label)
      }
    }
    for merge in merges {
      let label = shared[merge.left] == shared[merge.right] ? shared[merge.left] : nil
      if label == nil {
        try close(merge.left)
        try close(merge.right)
      }
      shared.append(label)
    }
    if !shared.isEmpty { try close(shared.count - 1) }
    return leaders
  }

  /// Whether each merge holds; none holds unless those below it do.
  private func holds(_ criterion: MergeCriterion) throws(ClusteringError) -> [Bool] {
    switch criterion {
    case .distance(let threshold):
      guard threshold >= 0 else { throw .invalidThreshold(threshold) }
      return maximumDistances.map { $0 <= threshold }
    case .inconsistency(let threshold, let depth):
      let values = try inconsistency(depth: depth).map(\.coefficient)
      return try holds(.values(values, atMost: threshold))
    case .count(let count):
      return try holds(.valueCount(merges.map(\.distance), atMost: count))
    case .values(let values, let threshold):
      guard !threshold.isNaN else { throw .invalidMergeThreshold }
      return try maximaBelow(values).map { $0 <= threshold }
    case .valueCount(let values, let count):
      guard count >= 1 else { throw .invalidClusterCount(found: count, things: leafCount) }
      let maxima = try maximaBelow(values)
      guard count < leafCount else { return maxima.map { _ in false } }
      // With the merges up to the i-th value, and those that tie with it, at most n - 1 - i are
      // left.
      let threshold = maxima.sorted()[leafCount - 1 - count]
      return maxima.map { $0 <= threshold }
    }
  }
}
