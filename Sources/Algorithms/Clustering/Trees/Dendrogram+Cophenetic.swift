import LinearAlgebra

extension Dendrogram {
  /// The cophenetic distance of every two things: that of the merge which brings them together.
  ///
  /// SciPy's `cophenet`.
  ///
  /// - Complexity: O(n²) time, and memory for n² / 2 distances.
  /// - Throws: ``ClusteringError/tooMany(things:)``.
  public func copheneticDistances() throws(ClusteringError) -> CondensedDistances<Double> {
    let pairs = try CondensedDistances<Double>.pairCount(of: leafCount)
    let ranges = ranges()
    let siblings = siblings()
    // Those of one thing, by place in the order of the leaves: all in a cluster lie side by side.
    var row = [Double](repeating: 0, count: leafCount)
    let values = [Double](unsafeUninitializedCapacity: pairs) { values, initialized in
      var index = 0
      for thing in 0..<leafCount {
        var node = thing
        while let (sibling, merge) = siblings[node] {
          for place in ranges[sibling] { row[place] = merges[merge].distance }
          node = leafCount + merge
        }
        for other in thing + 1..<max(leafCount, thing + 1) {
          values[index] = row[ranges[other].lowerBound]
          index += 1
        }
      }
      initialized = pairs
    }
    return CondensedDistances(unchecked: values, count: leafCount)
  }

  /// For every node the one that it is merged with, and by which merge; nil for the last.
  private func siblings() -> [(sibling: Int, merge: Int)?] {
    var siblings = [(sibling: Int, merge: Int)?](repeating: nil, count: leafCount + merges.count)
    for (index, merge) in merges.enumerated() {
      siblings[merge.left] = (merge.right, index)
      siblings[merge.right] = (merge.left, index)
    }
    return siblings
  }

  /// How well the tree keeps the distances it was made of: their correlation with the cophenetic
  /// ones, -1...1 up to rounding.
  ///
  /// Source: Sokal and Rohlf, "The comparison of dendrograms by objective methods", Taxon 11
  /// (1962).
  ///
  /// - Returns: nil if one or the other are all equal or there are none, so that there is no
  ///   correlation.
  /// - Complexity: O(n²) time, and memory for n² / 2 distances.
  /// - Throws: ``ClusteringError/distanceCount(things:expected:found:)`` if the distances are not
  ///   between as many things as the tree has, ``ClusteringError/tooMany(things:)``.
  @_specialize(where Scalar == Double)
  @_specialize(where Scalar == Float)
  public func copheneticCorrelation<Scalar: MatrixScalar>(
    with distances: CondensedDistances<Scalar>
  ) throws(ClusteringError) -> Double? {
    try check(distances)
    let cophenetic = try copheneticDistances().values
    // Rounding of the means must not make a correlation of what is all equal.
    guard distances.values.contains(where: { $0 != distances.values[0] }),
      cophenetic.contains(where: { $0 != cophenetic[0] })
    else { return nil }
    // In units of the largest, so that no square is too large or too small for a number.
    let unit = Self.unit(Double(distances.values.max() ?? 0))
    let heightUnit = Self.unit(cophenetic.max() ?? 0)
    let count = Double(cophenetic.count)
    let meanDistance = distances.values.reduce(0) { $0 + Double($1) * unit } / count
    let meanHeight = cophenetic.reduce(0) { $0 + $1 * heightUnit } / count
    var (product, squares, heightSquares) = (0.0, 0.0, 0.0)
    for (distance, height) in zip(distances.values, cophenetic) {
      let one = Double(distance) * unit - meanDistance
      let other = height * heightUnit - meanHeight
      product += one * other
      squares += one * one
      heightSquares += other * other
    }
    return product / (squares.squareRoot() * heightSquares.squareRoot())
  }

  /// The power of two that brings `largest` near 1.
  private static func unit(_ largest: Double) -> Double {
    largest > 0 ? Double(sign: .plus, exponent: min(-largest.exponent, 1022), significand: 1) : 1
  }

  /// Throws unless the distances are between as many things as the tree has.
  func check<Scalar: MatrixScalar>(
    _ distances: CondensedDistances<Scalar>
  ) throws(ClusteringError) {
    guard distances.count == leafCount else {
      throw .distanceCount(
        things: leafCount, expected: leafCount * max(leafCount - 1, 0) / 2,
        found: distances.values.count)
    }
  }
}
