/// Which of two clusters is on the left.
public enum DendrogramArrangement: String, Hashable, Sendable, Codable, CaseIterable {
  /// The one with the lower number, as SciPy's `linkage` has it.
  case lowerFirst
  /// The one with fewer items; in a tie, the two are not exchanged.
  ///
  /// `count_sort` of SciPy's `dendrogram`, ascending.
  case smallerFirst
  /// The one with more items; in a tie, the two are exchanged. `count_sort`, descending.
  case largerFirst
  /// The one merged at the lower distance, things at 0. `distance_sort`, ascending.
  case nearerFirst
  /// The one merged at the higher distance; in a tie, the two are exchanged.
  ///
  /// `distance_sort`, descending.
  case fartherFirst
}

extension Dendrogram {
  /// The things from left to right, as they stand under the tree: SciPy's `leaves_list`.
  ///
  /// - Complexity: O(n).
  public var leafOrder: [Int] { nodes { $0 < leafCount } }

  /// The same tree with the sides of its merges chosen again.
  ///
  /// Clusters keep their members. Their numbers under ``ClusterNumbering/scikitLearn`` and
  /// ``ClusterNumbering/sciPy`` depend on the sides and can change.
  ///
  /// - Complexity: O(n).
  public func arranged(_ arrangement: DendrogramArrangement) -> Dendrogram {
    let size = { node in node < leafCount ? 1 : merges[node - leafCount].size }
    let distance = { node in node < leafCount ? 0 : merges[node - leafCount].distance }
    return turned { _, merge in
      switch arrangement {
      case .lowerFirst: merge.left > merge.right
      case .smallerFirst: size(merge.left) > size(merge.right)
      case .largerFirst: size(merge.left) <= size(merge.right)
      case .nearerFirst: distance(merge.left) > distance(merge.right)
      case .fartherFirst: distance(merge.left) <= distance(merge.right)
      }
    }
  }

  /// The same tree with the merges turned round for which `isTurned` holds.
  func turned(where isTurned: (Int, Merge) -> Bool) -> Dendrogram {
    let merges = merges.enumerated().map { index, merge in
      isTurned(index, merge)
        ? Merge(left: merge.right, right: merge.left, distance: merge.distance, size: merge.size)
        : merge
    }
    return Dendrogram(unchecked: merges, leafCount: leafCount)
  }

  /// The nodes from left to right for which `isEnd` holds, without the nodes below them.
  ///
  /// `isEnd` must hold for leaves.
  func nodes(where isEnd: (Int) -> Bool) -> [Int] {
    guard leafCount > 0 else { return [] }
    var nodes: [Int] = []
    var pending = [leafCount + merges.count - 1]
    while let node = pending.popLast() {
      if isEnd(node) {
        nodes.append(node)
      } else {
        pending.append(merges[node - leafCount].right)
        pending.append(merges[node - leafCount].left)
      }
    }
    return nodes
  }

  /// For every node the places under it in the order of the leaves.
  func ranges() -> [Range<Int>] {
    var ranges = [Range<Int>](repeating: 0..<0, count: leafCount)
    for (place, leaf) in leafOrder.enumerated() { ranges[leaf] = place..<place + 1 }
    for merge in merges {
      ranges.append(ranges[merge.left].lowerBound..<ranges[merge.right].upperBound)
    }
    return ranges
  }
}
