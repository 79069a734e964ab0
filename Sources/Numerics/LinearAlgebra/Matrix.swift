/// A matrix of `rowCount` by `columnCount` values, in row-major order.
///
/// Matrices without rows or without columns are valid. Operations throw a ``LinearAlgebraError`` if
/// their operands do not fit; subscripts trap outside the matrix, as in an array.
public struct Matrix<Scalar: MatrixScalar>: Hashable, Sendable {
  /// The number of rows.
  public let rowCount: Int
  /// The number of columns.
  public let columnCount: Int
  @usableFromInline var storage: [Scalar]

  /// All values in row-major order: `rowCount * columnCount` of them.
  @inlinable public var elements: [Scalar] { storage }

  /// Makes a matrix of values in row-major order.
  ///
  /// - Throws: ``LinearAlgebraError/invalidShape(rows:columns:)`` if a count is negative or their
  ///   product overflows; ``LinearAlgebraError/elementCount(expected:found:)`` if the number of
  ///   elements is not `rowCount * columnCount`.
  public init(rowCount: Int, columnCount: Int, elements: [Scalar]) throws(LinearAlgebraError) {
    let count = try Self.elementCount(rows: rowCount, columns: columnCount)
    guard elements.count == count else {
      throw .elementCount(expected: count, found: elements.count)
    }
    self.init(unchecked: elements, rowCount: rowCount, columnCount: columnCount)
  }

  /// Makes a matrix of `rows`; no rows make a matrix of 0 by 0.
  ///
  /// - Throws: ``LinearAlgebraError/raggedRow(index:expected:found:)`` if a row is not as long as
  ///   the first.
  public init(rows: [[Scalar]]) throws(LinearAlgebraError) {
    let width = rows.first?.count ?? 0
    for (index, row) in rows.enumerated() where row.count != width {
      throw .raggedRow(index: index, expected: width, found: row.count)
    }
    self.init(unchecked: Array(rows.joined()), rowCount: rows.count, columnCount: width)
  }

  /// Makes a matrix in which all values are `value`.
  ///
  /// - Throws: ``LinearAlgebraError/invalidShape(rows:columns:)``.
  public init(repeating value: Scalar, rowCount: Int, columnCount: Int) throws(LinearAlgebraError) {
    let count = try Self.elementCount(rows: rowCount, columns: columnCount)
    self.init(
      unchecked: [Scalar](repeating: value, count: count), rowCount: rowCount,
      columnCount: columnCount)
  }

  /// The matrix of `size` by `size` with ones on its diagonal and zeros elsewhere.
  ///
  /// - Throws: ``LinearAlgebraError/invalidShape(rows:columns:)``.
  public static func identity(_ size: Int) throws(LinearAlgebraError) -> Matrix {
    var matrix = try Matrix(repeating: 0, rowCount: size, columnCount: size)
    for index in 0..<size { matrix[index, index] = 1 }
    return matrix
  }

  /// Makes a matrix of exactly `rowCount * columnCount` elements, which is not checked.
  @inlinable package init(unchecked elements: [Scalar], rowCount: Int, columnCount: Int) {
    self.rowCount = rowCount
    self.columnCount = columnCount
    storage = elements
  }

  private static func elementCount(rows: Int, columns: Int) throws(LinearAlgebraError) -> Int {
    let (count, overflow) = rows.multipliedReportingOverflow(by: columns)
    guard rows >= 0, columns >= 0, !overflow,
      !count.multipliedReportingOverflow(by: MemoryLayout<Scalar>.stride).overflow
    else {
      throw .invalidShape(rows: rows, columns: columns)
    }
    return count
  }

  /// The value at `row` and `column`, both counted from 0; each must be inside the matrix.
  @inlinable public subscript(row: Int, column: Int) -> Scalar {
    get {
      precondition(
        row >= 0 && row < rowCount && column >= 0 && column < columnCount, "outside the matrix")
      return storage[row * columnCount + column]
    }
    set {
      precondition(
        row >= 0 && row < rowCount && column >= 0 && column < columnCount, "outside the matrix")
      storage[row * columnCount + column] = newValue
    }
  }

  /// The values of row `index`, which must be in `0..<rowCount`.
  @inlinable public subscript(row index: Int) -> ArraySlice<Scalar> {
    precondition(index >= 0 && index < rowCount, "no such row")
    return storage[index * columnCount..<(index + 1) * columnCount]
  }

  /// The values of column `index`, which must be in `0..<columnCount`.
  @inlinable public subscript(column index: Int) -> [Scalar] {
    precondition(index >= 0 && index < columnCount, "no such column")
    return (0..<rowCount).map { storage[$0 * columnCount + index] }
  }

  /// Whether the numbers of rows and columns are equal.
  public var isSquare: Bool { rowCount == columnCount }

  /// The matrix with rows and columns exchanged.
  @inlinable public var transposed: Matrix {
    var result: [Scalar] = []
    result.reserveCapacity(storage.count)
    for column in 0..<columnCount {
      for row in 0..<rowCount { result.append(storage[row * columnCount + column]) }
    }
    return Matrix(unchecked: result, rowCount: columnCount, columnCount: rowCount)
  }

  /// The rows of `indices`, in that order; each must be in `0..<rowCount`.
  @inlinable public func rows(_ indices: some Sequence<Int>) -> Matrix {
    var result: [Scalar] = []
    var count = 0
    for index in indices {
      result.append(contentsOf: self[row: index])
      count += 1
    }
    return Matrix(unchecked: result, rowCount: count, columnCount: columnCount)
  }

  /// The same values in another precision.
  @inlinable public func converted<Other: MatrixScalar>(
    to type: Other.Type = Other.self
  ) -> Matrix<Other> {
    Matrix<Other>(
      unchecked: storage.map { Other($0) }, rowCount: rowCount, columnCount: columnCount)
  }

  /// The place of the first value that is NaN or infinite.
  var firstNonFinite: (row: Int, column: Int)? {
    guard let index = storage.firstIndex(where: { !$0.isFinite }) else { return nil }
    return index.quotientAndRemainder(dividingBy: columnCount) as (Int, Int)
  }
}

extension Matrix: CustomStringConvertible {
  /// The shape and, for a small matrix, the values.
  public var description: String {
    guard storage.count <= 64 else { return "Matrix(\(rowCount)x\(columnCount))" }
    let rows = (0..<rowCount).map { "\(Array(self[row: $0]))" }
    return "Matrix(\(rowCount)x\(columnCount): \(rows.joined(separator: ", ")))"
  }
}
