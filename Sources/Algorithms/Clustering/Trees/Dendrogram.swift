/// The tree of merges that agglomerative clustering makes, the nearest clusters first.
///
/// Things are numbered from 0 to `leafCount - 1`; merge `i` makes cluster `leafCount + i`. This is
/// the convention of SciPy's linkage matrix and of scikit-learn's `children_`.
///
/// What SciPy's `scipy.cluster.hierarchy` calls
///
/// - `fcluster` and `cut_tree` is ``labels(where:numbering:)`` and ``labels(cut:numbering:)``,
/// - `leaders` is ``leaders(of:)``, `is_isomorphic` ``ClusterSummary/areIsomorphic(_:_:)``,
/// - `inconsistent` is ``inconsistency(depth:)``, `maxdists` ``maximumDistances``, `maxinconsts`
///   and `maxRstat` ``maximaBelow(_:)``, `is_monotonic` ``isMonotonic``,
/// - `cophenet` is ``copheneticDistances()`` and ``copheneticCorrelation(with:)``,
/// - `leaves_list` is ``leafOrder``, `optimal_leaf_ordering` ``optimallyArranged(for:)``,
/// - `dendrogram(no_plot=True)` is ``layout(groupsBelow:lastClusters:)``, after ``arranged(_:)`` if
///   it sorts,
/// - `is_valid_linkage` is the check of ``init(linkageMatrix:allowsInversions:)``.
public struct Dendrogram: Hashable, Sendable {
  /// One merge of two clusters.
  public struct Merge: Hashable, Sendable {
    /// A thing, or a cluster of an earlier merge.
    public var left: Int
    /// The right part, which is higher than ``left`` except in two cases.
    ///
    /// In single linkage on Euclidean distances the order is scikit-learn's, and the leaves of a
    /// tree may have been reordered.
    public var right: Int
    /// The distance between the two, by the linkage; never below that of the merge before, except
    /// in a tree with inversions.
    public var distance: Double
    /// How many things are in the new cluster.
    public var size: Int

    /// Makes a merge.
    public init(left: Int, right: Int, distance: Double, size: Int) {
      self.left = left
      self.right = right
      self.distance = distance
      self.size = size
    }
  }

  /// How many things were clustered.
  public let leafCount: Int
  /// The merges: `leafCount - 1`, or none of no things; by ascending distance, except in a tree
  /// with inversions.
  public let merges: [Merge]

  init(unchecked merges: [Merge], leafCount: Int) {
    self.leafCount = leafCount
    self.merges = merges
  }

  /// Makes a dendrogram of merges that come from elsewhere.
  ///
  /// - Parameters:
  ///   - leafCount: the number of things.
  ///   - merges: the merges in order: `leafCount - 1`, or none of no things.
  ///   - allowsInversions: whether a merge may be at a lower distance than one before, as happens
  ///     in centroid and median linkage. It still has to come after the merges of its parts.
  /// - Complexity: O(n).
  /// - Throws: ``ClusteringError/invalidMerge(index:reason:)`` for the first merge that is wrong;
  ///   its index is `merges.count` if there are too few or too many.
  public init(
    leafCount: Int, merges: [Merge], allowsInversions: Bool = false
  ) throws(ClusteringError) {
    guard leafCount >= 0, merges.count == max(leafCount, 1) - 1 else {
      throw .invalidMerge(
        index: merges.count, reason: "is not the last: \(leafCount) things need one merge fewer")
    }
    var isMerged = [Bool](repeating: false, count: leafCount + merges.count)
    var distance = 0.0
    for (index, merge) in merges.enumerated() {
      let known = 0..<leafCount + index
      guard known.contains(merge.left), known.contains(merge.right), merge.left != merge.right,
        !isMerged[merge.left], !isMerged[merge.right]
      else {
        throw .invalidMerge(index: index, reason: "joins clusters that are not there, or no longer")
      }
      isMerged[merge.left] = true
      isMerged[merge.right] = true
      guard merge.distance >= distance, merge.distance.isFinite else {
        let bound = allowsInversions ? "0" : "the one before"
        throw .invalidMerge(
          index: index, reason: "has a distance that is not finite or below \(bound)")
      }
      if !allowsInversions { distance = merge.distance }
      let size = [merge.left, merge.right].reduce(0) { sum, node in
        sum + (node < leafCount ? 1 : merges[node - leafCount].size)
      }
      guard merge.size == size else {
        throw .invalidMerge(
          index: index, reason: "has size \(merge.size) where its parts have \(size)")
      }
    }
    self.init(unchecked: merges, leafCount: leafCount)
  }
}
