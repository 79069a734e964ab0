/// The directions in which rows vary most, and the variance along each.
///
/// They are computed by a singular value decomposition of the centered rows (Pearson 1901;
/// Jolliffe, "Principal Component Analysis", section 3.5). Signs are fixed as in scikit-learn: the
/// value of largest magnitude in a component, the first of several, is positive.
public struct PrincipalComponents<Scalar: MatrixScalar>: Hashable, Sendable {
  /// The mean of the fitted rows: d values.
  public let mean: [Scalar]
  /// The components as rows, k by d, orthonormal, by descending variance.
  public let components: Matrix<Scalar>
  /// The sample variance (divisor n - 1) along each component.
  public let explainedVariance: [Scalar]
  /// The share of each component in the total variance, 0...1; 0 if all rows are equal.
  public let explainedVarianceRatio: [Scalar]

  /// Fits the components to `rows`, n by d.
  ///
  /// - Parameters:
  ///   - rows: the data, a row for each sample: two rows at least.
  ///   - componentCount: the number of components to keep: from 0 to min(n, d), which is the
  ///     default.
  /// - Complexity: O(n d min(n, d)).
  /// - Throws: ``LinearAlgebraError/tooFewRows(operation:found:needed:)`` for fewer than two rows,
  ///   ``LinearAlgebraError/componentCount(found:allowed:)``,
  ///   ``LinearAlgebraError/nonFinite(operation:row:column:)``,
  ///   ``LinearAlgebraError/tooLarge(operation:dimension:)``,
  ///   ``LinearAlgebraError/notConverged(operation:)``.
  public init(fitting rows: Matrix<Scalar>, componentCount: Int? = nil) throws(LinearAlgebraError) {
    let operation = "principal components"
    guard rows.rowCount > 1 else {
      throw .tooFewRows(operation: operation, found: rows.rowCount, needed: 2)
    }
    let possible = min(rows.rowCount, rows.columnCount)
    let kept = componentCount ?? possible
    guard (0...possible).contains(kept) else {
      throw .componentCount(found: kept, allowed: 0...possible)
    }
    _ = try rows.lapackShape(operation)
    mean = Self.mean(of: rows)
    let decomposition = try Self.centered(rows, by: mean).singularValueDecomposition()
    var components = decomposition.vTransposed.rows(0..<kept)
    for index in 0..<kept {
      var largest: Scalar = 0
      for value in components[row: index] where value.magnitude > largest.magnitude {
        largest = value
      }
      guard largest < 0 else { continue }
      for column in 0..<components.columnCount {
        components[index, column] = -components[index, column]
      }
    }
    self.components = components
    let variances = decomposition.values.map { $0 * $0 / Scalar(rows.rowCount - 1) }
    let total = variances.reduce(0, +)
    explainedVariance = Array(variances.prefix(kept))
    explainedVarianceRatio = explainedVariance.map { total > 0 ? $0 / total : 0 }
  }

  /// The coordinates of `rows`, n by d, along the components: n by k.
  ///
  /// - Throws: ``LinearAlgebraError/shapeMismatch(operation:left:right:)``.
  public func project(_ rows: Matrix<Scalar>) throws(LinearAlgebraError) -> Matrix<Scalar> {
    guard rows.columnCount == mean.count else {
      throw .shapeMismatch(
        operation: "project", left: [rows.rowCount, rows.columnCount],
        right: [components.rowCount, components.columnCount])
    }
    return try Self.centered(rows, by: mean).multiplied(by: components, transposingOther: true)
  }

  /// The rows, n by d, that have these `coordinates`, n by k.
  ///
  /// - Throws: ``LinearAlgebraError/shapeMismatch(operation:left:right:)``.
  public func reconstruct(
    _ coordinates: Matrix<Scalar>
  ) throws(LinearAlgebraError) -> Matrix<Scalar> {
    try Self.centered(coordinates.multiplied(by: components), by: mean.map { -$0 })
  }

  /// The mean of every column, summed in double precision.
  private static func mean(of rows: Matrix<Scalar>) -> [Scalar] {
    var sums = [Double](repeating: 0, count: rows.columnCount)
    for row in 0..<rows.rowCount {
      for (column, value) in rows[row: row].enumerated() { sums[column] += Double(value) }
    }
    return sums.map { Scalar($0 / Double(rows.rowCount)) }
  }

  private static func centered(_ rows: Matrix<Scalar>, by mean: [Scalar]) -> Matrix<Scalar> {
    var elements: [Scalar] = []
    elements.reserveCapacity(rows.elements.count)
    for row in 0..<rows.rowCount {
      for (value, center) in zip(rows[row: row], mean) { elements.append(value - center) }
    }
    return Matrix(
      unchecked: elements, rowCount: rows.rowCount, columnCount: rows.columnCount)
  }
}
