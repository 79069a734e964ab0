/// In which order the clusters of a cut are numbered.
public enum ClusterNumbering: String, Hashable, Sendable, Codable, CaseIterable {
  /// From 0 as scikit-learn's `AgglomerativeClustering` numbers them; see
  /// ``Dendrogram/labels(cut:)``.
  ///
  /// If the merges that hold are not the first ones, clusters are numbered as if they were: as in
  /// scikit-learn after moving the merges that do not hold behind all that do.
  case scikitLearn
  /// From 1 as SciPy's `fcluster` numbers them: down the tree, left before right, parts that are
  /// merges before parts that are single items.
  ///
  /// It follows the tree's own left and right. SciPy's `linkage` has the lower cluster on the left;
  /// ``Dendrogram/arranged(_:)`` with ``DendrogramArrangement/lowerFirst`` makes sure of it.
  case sciPy
  /// From 0 by the lowest member, as SciPy's `cut_tree` numbers them.
  ///
  /// If merges tie in distance, `cut_tree` may undo another one than the last.
  case appearance
}

extension ClusterSummary {
  /// Whether two labellings divide the items in the same way; SciPy's `is_isomorphic`.
  ///
  /// - Complexity: O(n).
  public static func areIsomorphic(_ labels: [Int], _ others: [Int]) -> Bool {
    guard labels.count == others.count else { return false }
    var forward: [Int: Int] = [:]
    var back: [Int: Int] = [:]
    return zip(labels, others).allSatisfy { label, other in
      if forward[label] == nil && back[other] == nil {
        forward[label] = other
        back[other] = label
      }
      return forward[label] == other && back[other] == label
    }
  }
}
