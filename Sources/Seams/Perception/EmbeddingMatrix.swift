/// Embeddings as rows: `count` rows of `dimension` values, row after row.
public struct EmbeddingMatrix: Hashable, Sendable {
  /// The number of rows.
  public let count: Int
  /// The number of values in a row.
  public let dimension: Int
  /// All values, row after row: `count * dimension` of them.
  public let values: [Float]

  /// Makes a matrix of `values.count / dimension` rows.
  ///
  /// - Throws: ``EmbeddingMatrixError/notRectangular(values:dimension:)`` where the values do not fill
  ///   whole rows.
  public init(values: [Float], dimension: Int) throws {
    guard dimension > 0, values.count.isMultiple(of: dimension) else {
      throw EmbeddingMatrixError.notRectangular(values: values.count, dimension: dimension)
    }
    self.values = values
    self.dimension = dimension
    count = values.count / dimension
  }

  /// The values of row `index`, which must be in `0..<count`, as an array's must.
  public subscript(row index: Int) -> ArraySlice<Float> {
    values[index * dimension..<(index + 1) * dimension]
  }
}

/// Why values do not make an ``EmbeddingMatrix``.
public enum EmbeddingMatrixError: Error, Equatable, CustomStringConvertible {
  /// The values do not fill whole rows of the dimension, or the dimension is not positive.
  case notRectangular(values: Int, dimension: Int)

  /// What was wrong, in one line.
  public var description: String {
    switch self {
    case .notRectangular(let values, let dimension):
      "\(values) values do not fill whole rows of dimension \(dimension)"
    }
  }
}
