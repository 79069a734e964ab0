/// The positions of the brackets of a drawn dendrogram: SciPy's `dendrogram(no_plot=True)`.
///
/// Across, places are 10 wide: the leaf at place `i` stands at `10 i + 5`, a merge in the middle
/// between its two parts. Up, the unit is that of the distances; leaves stand at 0.
public struct DendrogramLayout: Hashable, Sendable {
  /// The two legs and the bar of one merge.
  public struct Bracket: Hashable, Sendable {
    /// The merge that is drawn.
    public let merge: Int
    /// The position of the left leg.
    public let left: Double
    /// The position of the right leg.
    public let right: Double
    /// The base of the left leg: 0 or the bar of the merge below.
    public let leftBase: Double
    /// The base of the right leg.
    public let rightBase: Double
    /// The height of the bar: the distance of the merge; in an inversion, it is below a base.
    public let height: Double
    /// Which of the groups below the threshold it belongs to; nil for a merge at the threshold or
    /// above it.
    public let group: Int?
  }

  /// The nodes at the places from left to right: things, or clusters that are drawn as one leaf.
  public let leaves: [Int]
  /// For each place the group of the bracket that stands on it; nil if it stands in none.
  public let leafGroups: [Int?]
  /// The brackets by ascending number of their merge.
  public let brackets: [Bracket]
  /// The width of all places, 10 each.
  public var width: Double { 10 * Double(leaves.count) }
  /// The height of the highest bar, 0 if there is none.
  public var height: Double { brackets.reduce(0) { max($0, $1.height) } }
}

extension Dendrogram {
  /// The brackets of the tree as it is drawn, left parts on the left.
  ///
  /// Merges below the threshold form groups, counted from 0 from left to right, each for one
  /// colour: SciPy's `C1` is group 0, `C2` group 1 and so on to `C9`, and then again. Its `C0` is
  /// for merges in no group.
  ///
  /// - Parameters:
  ///   - threshold: merges below it are in groups, 0 or more; 0.7 of the highest distance if nil,
  ///     as in SciPy.
  ///   - lastClusters: the greatest number of leaves, 2 or more: the last clusters, without the
  ///     merges below them. SciPy's `lastp`. All items if nil.
  /// - Complexity: O(n).
  /// - Throws: ``ClusteringError/invalidThreshold(_:)``,
  ///   ``ClusteringError/invalidLayout(clusters:things:)`` for a number of last clusters below 2 or
  ///   above that of the things.
  public func layout(
    groupsBelow threshold: Double? = nil, lastClusters: Int? = nil
  ) throws(ClusteringError) -> DendrogramLayout {
    let threshold = threshold ?? 0.7 * (merges.map(\.distance).max() ?? 0)
    guard threshold >= 0 else { throw .invalidThreshold(threshold) }
    if let lastClusters, lastClusters < 2 || lastClusters > leafCount {
      throw .invalidLayout(clusters: lastClusters, things: leafCount)
    }
    // The first node that is drawn with a bracket.
    let first = lastClusters.map { 2 * leafCount - $0 } ?? leafCount
    let leaves = nodes { $0 < first }
    let groups = groups(below: threshold, first: first)

    var places = [Double](repeating: 0, count: leafCount + merges.count)
    var bases = places
    for (place, leaf) in leaves.enumerated() { places[leaf] = Double(place) * 10 + 5 }
    var brackets: [DendrogramLayout.Bracket] = []
    var leafGroups = [Int?](repeating: nil, count: leaves.count)
    for node in first..<max(leafCount + merges.count, first) {
      let merge = merges[node - leafCount]
      places[node] = (places[merge.left] + places[merge.right]) / 2
      bases[node] = merge.distance
      brackets.append(
        DendrogramLayout.Bracket(
          merge: node - leafCount, left: places[merge.left], right: places[merge.right],
          leftBase: bases[merge.left], rightBase: bases[merge.right], height: merge.distance,
          group: groups[node - leafCount]))
      for part in [merge.left, merge.right] where part < first {
        leafGroups[Int(places[part] / 10)] = groups[node - leafCount]
      }
    }
    return DendrogramLayout(leaves: leaves, leafGroups: leafGroups, brackets: brackets)
  }

  /// The group of each merge from node `first` on.
  ///
  /// Merges are visited after their left part and before their right one: a merge that is not below
  /// the threshold ends the group before it.
  private func groups(below threshold: Double, first: Int) -> [Int?] {
    var groups = [Int?](repeating: nil, count: merges.count)
    guard !merges.isEmpty else { return groups }
    var (group, isInGroup) = (0, false)
    var pending: [Int] = []
    var next: Int? = leafCount + merges.count - 1
    while true {
      while let node = next, node >= first {
        pending.append(node)
        next = merges[node - leafCount].left
      }
      guard let node = pending.popLast() else { return groups }
      if merges[node - leafCount].distance < threshold {
        groups[node - leafCount] = group
        isInGroup = true
      } else if isInGroup {
        group += 1
        isInGroup = false
      }
      next = merges[node - leafCount].right
    }
  }
}
