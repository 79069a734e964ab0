import LinearAlgebra

extension Dendrogram {
  /// The cophenetic distance of every two things: that of the merge which brings them together.
  ///
  /// SciPy's `cophenet`.
  ///
  /// - Complexity: O(n²) time, and memory for n² / 2 distances.
  /// - Throws: ``ClusteringError/tooMany(things:)``.
  public func copheneticDistances() throws -> CondensedDistances<Double> {
    let pairs = try CondensedDistances<Double>.pairCount(of: leafCount)
    let order = leafOrder
    let ranges = ranges()
    let values = [Double](unsafeUninitializedCapacity: pairs) { values, initialized in
      for merge in merges {
        for left in order[ranges[merge.left]] {
          for right in order[ranges[merge.right]] {
            let place = CondensedDistances<Double>.index(
              min(left, right), max(left, right), count: leafCount)
            values[place] = merge.distance
          }
        }
      }
      initialized = pairs
    }
    return CondensedDistances(unchecked: values, count: leafCount)
  }

  /// How well the tree keeps the distances it was made of: their correlation with the cophenetic ones,
  /// -1...1 up to rounding.
  ///
  /// Source: Sokal and Rohlf, "The comparison of dendrograms by objective methods", Taxon 11 (1962).
  ///
  /// - Returns: nil where one or the other are all equal or there are none, so that there is no
  ///   correlation; also where their squares are too large for numbers.
  /// - Complexity: O(n²) time, and memory for n² / 2 distances.
  /// - Throws: ``ClusteringError/distanceCount(things:expected:found:)`` where the distances are not
  ///   between as many things as the tree has, ``ClusteringError/tooMany(things:)``.
  @specialized(where Scalar == Double)
  @specialized(where Scalar == Float)
  public func copheneticCorrelation<Scalar: MatrixScalar>(
    with distances: CondensedDistances<Scalar>
  ) throws -> Double? {
    try check(distances)
    let cophenetic = try copheneticDistances().values
    // Rounding of the means must not make a correlation of what is all equal.
    guard distances.values.contains(where: { $0 != distances.values[0] }),
      cophenetic.contains(where: { $0 != cophenetic[0] })
    else { return nil }
    let count = Double(cophenetic.count)
    let meanDistance = distances.values.reduce(0) { $0 + Double($1) } / count
    let meanHeight = cophenetic.reduce(0, +) / count
    var (product, squares, heightSquares) = (0.0, 0.0, 0.0)
    for (distance, height) in zip(distances.values, cophenetic) {
      let (one, other) = (Double(distance) - meanDistance, height - meanHeight)
      product += one * other
      squares += one * one
      heightSquares += other * other
    }
    let correlation = product / (squares * heightSquares).squareRoot()
    return correlation.isFinite ? correlation : nil
  }

  /// Throws unless the distances are between as many things as the tree has.
  func check<Scalar: MatrixScalar>(_ distances: CondensedDistances<Scalar>) throws {
    guard distances.count == leafCount else {
      throw ClusteringError.distanceCount(
        things: leafCount, expected: leafCount * max(leafCount - 1, 0) / 2,
        found: distances.values.count)
    }
  }
}
