import LinearAlgebra

extension CondensedDistances<Double> {
  /// The distances between the rows of `embeddings`, equal to those of SciPy's `pdist` to the bit.
  ///
  /// A cosine distance is `1 - u·v / (|u| |v|)` with the quotient clipped to -1...1. The order of
  /// the sums is SciPy's. `u·v` and the squared norms are summed in two halves, the even and the
  /// odd places; then the halves are added, then a last odd place. The squares of a Euclidean
  /// distance are summed from the first to the last.
  ///
  /// - Complexity: O(n² d) time for n rows of d values, O(n² + n d) memory.
  /// - Throws: ``ClusteringError/zeroRow(index:)`` (cosine only; any row, if rows are empty),
  ///   ``ClusteringError/nonFiniteRow(index:)``, ``ClusteringError/distanceOverflow(row:other:)``
  ///   (Euclidean only), ``ClusteringError/tooMany(things:)``.
  public init(_ metric: DistanceMetric, between embeddings: Matrix<Float>) throws(ClusteringError) {
    try self.init(metric, between: embeddings.converted(to: Double.self))
  }

  /// The distances between the rows of `embeddings`, as for single precision.
  ///
  /// A row whose square is too large or too small for a number is scaled by a power of two first,
  /// which leaves its cosines as they are.
  public init(
    _ metric: DistanceMetric, between embeddings: Matrix<Double>
  ) throws(ClusteringError) {
    let count = embeddings.rowCount
    let pairs = try Self.pairCount(of: count)
    if let index = (0..<count).first(where: { !embeddings[row: $0].allSatisfy(\.isFinite) }) {
      throw .nonFiniteRow(index: index)
    }
    switch metric {
    case .cosine:
      let (rows, norms) = try embeddings.withUsableNorms()
      var values = rows.pairwise(CosineSums.self, pairs: pairs)
      var index = 0
      for row in 0..<count {
        for other in row + 1..<max(count, row + 1) {
          let cosine = values[index] / (norms[row] * norms[other])
          values[index] = 1 - min(max(cosine, -1), 1)
          index += 1
        }
      }
      self.init(unchecked: values, count: count)
    case .euclidean:
      let squares = embeddings.pairwise(EuclideanSums.self, pairs: pairs)
      self.init(unchecked: squares.map { $0.squareRoot() }, count: count)
      if let index = values.firstIndex(where: { !$0.isFinite }) {
        let (row, other) = pair(at: index)
        throw .distanceOverflow(row: row, other: other)
      }
    }
  }
}

extension Matrix<Double> {
  /// The rows, scaled if their norms would not be normal numbers, and the norms.
  fileprivate func withUsableNorms() throws(ClusteringError) -> (Matrix<Double>, [Double]) {
    var rows = self
    var norms: [Double] = []
    for index in 0..<rowCount {
      var square = self[row: index].squareInHalves
      if !square.isNormal {
        let largest = self[row: index].norm(.infinity)
        guard largest > 0 else { throw .zeroRow(index: index) }
        // Two factors: the inverse of a subnormal number is infinite.
        let half = largest.exponent / 2
        let first = Double(sign: .plus, exponent: -half, significand: 1)
        let second = Double(sign: .plus, exponent: half - largest.exponent, significand: 1)
        for column in 0..<columnCount { rows[index, column] = self[index, column] * first * second }
        square = rows[row: index].squareInHalves
      }
      norms.append(square.squareRoot())
    }
    return (rows, norms)
  }

  /// One sum over the columns for every two rows, in condensed order.
  ///
  /// Four rows at a time lie in the lanes of a vector. So each pair's sum runs from the first
  /// column to the last as in a plain loop, and four pairs are summed at once. Two other rows are
  /// processed together, so that each vector is loaded once for both.
  fileprivate func pairwise<Sums: PairSums>(_ sums: Sums.Type, pairs: Int) -> [Double] {
    let (count, width) = (rowCount, columnCount)
    guard width > 0 else { return [Double](repeating: 0, count: pairs) }
    return [Double](unsafeUninitializedCapacity: pairs) { result, initialized in
      // Plain pointers: bounds checks in the innermost loop would cost more than the arithmetic.
      var lanes = [SIMD4<Double>](repeating: .zero, count: width)
      elements.withUnsafeBufferPointer { elements in
        let rows = elements.baseAddress!
        for start in stride(from: 0, to: count, by: 4) {
          let filled = Swift.min(4, count - start)
          for column in 0..<width {
            for lane in 0..<filled { lanes[column][lane] = rows[(start + lane) * width + column] }
          }
          lanes.withUnsafeBufferPointer { lanes in
            // The last row against these four is the one before their last.
            for row in stride(from: 0, to: start + filled - 1, by: 2) {
              let (first, second) = Sums.totals(
                rows + row * width, rows + (row + 1) * width, lanes.baseAddress!, count: width)
              for lane in 0..<filled {
                let other = start + lane
                if other > row {
                  result[CondensedDistances<Double>.index(row, other, count: count)] = first[lane]
                }
                if other > row + 1 {
                  result[CondensedDistances<Double>.index(row + 1, other, count: count)] =
                    second[lane]
                }
              }
            }
          }
        }
      }
      initialized = pairs
    }
  }
}

extension ArraySlice<Double> {
  /// The sum of the squares in the order of ``CosineSums``.
  fileprivate var squareInHalves: Double {
    var (even, odd) = (0.0, 0.0)
    var index = startIndex
    while index + 1 < endIndex {
      even += self[index] * self[index]
      odd += self[index + 1] * self[index + 1]
      index += 2
    }
    let sum = even + odd
    return index < endIndex ? sum + self[index] * self[index] : sum
  }
}

/// A sum over the columns for each of two rows and each of four others.
private protocol PairSums {
  static func totals(
    _ first: UnsafePointer<Double>, _ second: UnsafePointer<Double>,
    _ lanes: UnsafePointer<SIMD4<Double>>, count: Int
  ) -> (SIMD4<Double>, SIMD4<Double>)
}

/// Dot products, even places apart from odd ones.
private enum CosineSums: PairSums {
  static func totals(
    _ first: UnsafePointer<Double>, _ second: UnsafePointer<Double>,
    _ lanes: UnsafePointer<SIMD4<Double>>, count: Int
  ) -> (SIMD4<Double>, SIMD4<Double>) {
    var (even1, odd1) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    var (even2, odd2) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    var index = 0
    while index + 1 < count {
      even1 += first[index] * lanes[index]
      even2 += second[index] * lanes[index]
      odd1 += first[index + 1] * lanes[index + 1]
      odd2 += second[index + 1] * lanes[index + 1]
      index += 2
    }
    let (sum1, sum2) = (even1 + odd1, even2 + odd2)
    guard index < count else { return (sum1, sum2) }
    return (sum1 + first[index] * lanes[index], sum2 + second[index] * lanes[index])
  }
}

/// Sums of squared differences, from the first place to the last.
private enum EuclideanSums: PairSums {
  static func totals(
    _ first: UnsafePointer<Double>, _ second: UnsafePointer<Double>,
    _ lanes: UnsafePointer<SIMD4<Double>>, count: Int
  ) -> (SIMD4<Double>, SIMD4<Double>) {
    var (sum1, sum2) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    for index in 0..<count {
      let difference1 = first[index] - lanes[index]
      let difference2 = second[index] - lanes[index]
      sum1 += difference1 * difference1
      sum2 += difference2 * difference2
    }
    return (sum1, sum2)
  }
}
