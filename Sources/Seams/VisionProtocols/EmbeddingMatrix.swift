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
  /// - Throws: ``EmbeddingMatrixError/notRectangular(values:dimension:)`` if the values do not fill
  ///   whole rows.
  public init(values: [Float], dimension: Int) throws(EmbeddingMatrixError) {
    guard dimension > 0, values.count.isMultiple(of: dimension) else {
      throw .notRectangular(values: values.count, dimension: dimension)
    }
    self.values = values
    self.dimension = dimension
    count = values.count / dimension
  }

  /// Rows that are known to be whole.
  init(checked values: [Float], count: Int, dimension: Int) {
    self.values = values
    self.count = count
    self.dimension = dimension
  }

  /// The values of row `index`, which must be in `0..<count`, as an array's must.
  public subscript(row index: Int) -> ArraySlice<Float> {
    values[index * dimension..<(index + 1) * dimension]
  }
}

/// Why values do not make an ``EmbeddingMatrix``, or its rows no embeddings.
public enum EmbeddingMatrixError: Error, Equatable, CustomStringConvertible {
  /// The values do not fill whole rows of the dimension, or the dimension is not positive.
  case notRectangular(values: Int, dimension: Int)
  /// A row is all zeros, so that it has no direction and no cosine.
  case zeroRow(index: Int)
  /// A row holds a NaN or an infinity.
  case nonFiniteRow(index: Int)

  /// What was wrong, in one line.
  public var description: String {
    switch self {
    case .notRectangular(let values, let dimension):
      "\(values) values do not fill whole rows of dimension \(dimension)"
    case .zeroRow(let index):
      "embedding \(index) is all zeros; its cosine to another is undefined"
    case .nonFiniteRow(let index):
      "embedding \(index) holds a value that is not a finite number"
    }
  }
}
