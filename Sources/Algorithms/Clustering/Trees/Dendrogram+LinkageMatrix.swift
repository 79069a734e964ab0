import LinearAlgebra

extension Dendrogram {
  /// The tree as SciPy's `linkage` writes it: one row a merge, of the two clusters (the lower
  /// first), their distance and the size.
  public var linkageMatrix: Matrix<Double> {
    arranged(.lowerFirst).orderedLinkageMatrix
  }

  /// The tree in SciPy's form with the left cluster first, so that the order of the leaves is kept,
  /// as SciPy's `optimal_leaf_ordering` writes it.
  public var orderedLinkageMatrix: Matrix<Double> {
    Matrix(
      unchecked: merges.flatMap { merge in
        [Double(merge.left), Double(merge.right), merge.distance, Double(merge.size)]
      },
      rowCount: merges.count, columnCount: 4)
  }

  /// Reads a tree in SciPy's form; no rows are the tree of one thing.
  ///
  /// Stricter than SciPy's `is_valid_linkage`: sizes have to be right and distances finite.
  ///
  /// - Parameters:
  ///   - linkageMatrix: a row for each merge, of four values.
  ///   - allowsInversions: whether a merge may be at a lower distance than one before.
  /// - Complexity: O(n).
  /// - Throws: ``ClusteringError/invalidMerge(index:reason:)`` for the first row that is not a
  ///   merge of the tree.
  public init(
    linkageMatrix: Matrix<Double>, allowsInversions: Bool = false
  ) throws(ClusteringError) {
    guard linkageMatrix.columnCount == 4 else {
      throw .invalidMerge(
        index: 0, reason: "has \(linkageMatrix.columnCount) columns instead of 4")
    }
    let merges = try (0..<linkageMatrix.rowCount).map { (index) throws(ClusteringError) in
      guard let left = Int(exactly: linkageMatrix[index, 0]),
        let right = Int(exactly: linkageMatrix[index, 1]),
        let size = Int(exactly: linkageMatrix[index, 3])
      else {
        throw .invalidMerge(
          index: index, reason: "has a cluster or a size that is not a whole number")
      }
      return Merge(left: left, right: right, distance: linkageMatrix[index, 2], size: size)
    }
    try self.init(
      leafCount: merges.count + 1, merges: merges, allowsInversions: allowsInversions)
  }
}
