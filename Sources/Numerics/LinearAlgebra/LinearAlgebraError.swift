/// The reason why an operation on matrices or vectors has no result.
public enum LinearAlgebraError: Error, Equatable, CustomStringConvertible {
  /// A negative number of rows or columns, or more bytes than an `Int` can count.
  case invalidShape(rows: Int, columns: Int)
  /// The number of elements does not fit the shape.
  case elementCount(expected: Int, found: Int)
  /// A row is longer or shorter than the first.
  case raggedRow(index: Int, expected: Int, found: Int)
  /// The shapes of two operands do not fit; they are rows and columns, or the length of a vector.
  case shapeMismatch(operation: String, left: [Int], right: [Int])
  /// The operation needs equal numbers of rows and columns.
  case notSquare(operation: String, rows: Int, columns: Int)
  /// A dimension is too large for the integers of BLAS and LAPACK.
  case tooLarge(operation: String, dimension: Int)
  /// A value is NaN or infinite.
  case nonFinite(operation: String, row: Int, column: Int)
  /// A row has no direction: all its values are zero.
  case zeroRow(index: Int)
  /// A row has a value that is NaN or infinite.
  case nonFiniteRow(index: Int)
  /// The matrix has no inverse, or its columns (its rows, if it has more columns) are dependent.
  case singular(operation: String)
  /// The iteration of LAPACK did not converge.
  case notConverged(operation: String)
  /// A number of principal components that the data do not have.
  case componentCount(found: Int, allowed: ClosedRange<Int>)
  /// Fewer rows than a fit needs.
  case tooFewRows(operation: String, found: Int, needed: Int)

  /// A system library for the computation could not be loaded.
  case unavailable(library: String, reason: String)

  /// The error, in one line.
  public var description: String {
    switch self {
    case .invalidShape(let rows, let columns):
      "a matrix of \(rows) by \(columns) cannot be"
    case .elementCount(let expected, let found):
      "\(found) elements for a matrix of \(expected)"
    case .raggedRow(let index, let expected, let found):
      "row \(index) has \(found) values where the first has \(expected)"
    case .shapeMismatch(let operation, let left, let right):
      "\(operation): shapes \(left) and \(right) do not fit together"
    case .notSquare(let operation, let rows, let columns):
      "\(operation): needs a square matrix, not one of \(rows) by \(columns)"
    case .tooLarge(let operation, let dimension):
      "\(operation): a dimension of \(dimension) is above the limit of \(Int32.max)"
    case .nonFinite(let operation, let row, let column):
      "\(operation): the value at row \(row), column \(column) is NaN or infinite"
    case .zeroRow(let index): "row \(index) is all zeros and has no direction"
    case .nonFiniteRow(let index): "row \(index) has a value that is NaN or infinite"
    case .singular(let operation): "\(operation): the matrix is singular or of deficient rank"
    case .notConverged(let operation): "\(operation): the iteration did not converge"
    case .componentCount(let found, let allowed):
      "\(found) components asked for where \(allowed.lowerBound) to \(allowed.upperBound) exist"
    case .tooFewRows(let operation, let found, let needed):
      "\(operation): \(found) rows where at least \(needed) are needed"
    case .unavailable(let library, let reason): "\(library) cannot be used: \(reason)"
    }
  }
}
