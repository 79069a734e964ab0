import LinearAlgebra
import TestSupport

extension Matrix {
  /// Whole numbers from -4 to 4: small enough for products that both precisions compute exactly.
  static func integers(
    _ rowCount: Int, _ columnCount: Int, using generator: inout SeededGenerator
  ) throws -> Matrix {
    try Matrix(
      rowCount: rowCount, columnCount: columnCount,
      elements: (0..<rowCount * columnCount).map { _ in
        Scalar(Int.random(in: -4...4, using: &generator))
      })
  }

  /// The largest difference to `other`, which must have the same shape.
  func distance(to other: Matrix) -> Scalar {
    zip(elements, other.elements).reduce(0) { Swift.max($0, ($1.0 - $1.1).magnitude) }
  }

  /// This matrix times `other` by the definition.
  func naiveProduct(_ other: Matrix) throws -> Matrix {
    var result = try Matrix(repeating: 0, rowCount: rowCount, columnCount: other.columnCount)
    for row in 0..<rowCount {
      for column in 0..<other.columnCount {
        for inner in 0..<columnCount {
          result[row, column] += self[row, inner] * other[inner, column]
        }
      }
    }
    return result
  }
}
