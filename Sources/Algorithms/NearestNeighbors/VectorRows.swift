import LinearAlgebra

/// Vectors as rows in memory that belongs to this value.
///
/// It is the simplest memory for a search. Rows that belong to something else, such as a mapped
/// file, are searched by the functions that take a pointer.
///
/// ```swift
/// let layout = try VectorLayout(dimension: 2)
/// let rows = try VectorRows([[1, 0], [0, 1], [1, 1]], layout: layout)
/// let near = try FlatSearch(layout: layout).nearest(to: [2, 0.1], k: 1, in: rows)
/// print(near[0].row)  // 0
/// ```
///
/// It is copied when a copy of it is changed, as an array is.
public struct VectorRows: Hashable, Sendable {
  /// The layout of the rows.
  public let layout: VectorLayout
  /// The number of rows.
  public private(set) var count = 0
  /// They are words because of their alignment.
  private var words: [UInt32] = []

  /// Makes no rows.
  public init(layout: VectorLayout) {
    self.layout = layout
  }

  /// Makes a row of each vector.
  ///
  /// - Parameters:
  ///   - vectors: as many values each as the layout's dimension, finite.
  ///   - layout: the layout of the rows.
  /// - Throws: as ``VectorLayout/encode(_:into:)-([Float],_)``, for the first vector at fault.
  /// - Complexity: O(*n* *d*).
  public init(_ vectors: [[Float]], layout: VectorLayout) throws(NeighborSearchError) {
    self.layout = layout
    words.reserveCapacity(vectors.count * layout.rowStride / 4)
    for vector in vectors { try append(vector) }
  }

  /// Makes a row of each row of a matrix.
  ///
  /// - Parameters:
  ///   - vectors: one vector in each row, as many columns as the layout's dimension; finite.
  ///   - layout: the layout of the rows.
  /// - Throws: as ``VectorLayout/encode(_:into:)-([Float],_)``, for the first row at fault.
  /// - Complexity: O(*n* *d*).
  public init(_ vectors: Matrix<Float>, layout: VectorLayout) throws(NeighborSearchError) {
    self.layout = layout
    words.reserveCapacity(vectors.rowCount * layout.rowStride / 4)
    for row in 0..<vectors.rowCount { try append(Array(vectors[row: row])) }
  }

  /// Adds a vector as the last row.
  ///
  /// If it throws, nothing is added.
  ///
  /// - Throws: as ``VectorLayout/encode(_:into:)-([Float],_)``;
  ///   ``NeighborSearchError/invalidRowCount(_:)`` if there are 2³¹ - 1 rows.
  /// - Complexity: O(*d*) on average.
  public mutating func append(_ vector: [Float]) throws(NeighborSearchError) {
    guard count < Int(Int32.max) else { throw .invalidRowCount(count + 1) }
    var row = [UInt32](repeating: 0, count: layout.rowStride / 4)
    try layout.encode(vector, into: &row)
    words += row
    count += 1
  }

  /// The vector of a row, rounded as it is stored; with cosine, the one of length 1.
  ///
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(*d*).
  public subscript(row: Int) -> [Float] {
    precondition((0..<count).contains(row), "there is no row \(row)")
    return words.withUnsafeBytes { layout.decode($0.baseAddress! + row * layout.rowStride) }
  }

  /// Calls `body` with the memory of the rows, which is valid during the call only.
  public func withUnsafeBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try words.withUnsafeBufferPointer { (words) throws(Failure) in
      try body(UnsafeRawBufferPointer(words))
    }
  }

  /// Calls `body` with the memory of the rows for a search of a layout.
  func searched<Result>(
    by other: VectorLayout,
    _ body: (UnsafeRawBufferPointer) throws(NeighborSearchError) -> Result
  ) throws(NeighborSearchError) -> Result {
    guard layout == other else { throw .layoutMismatch(expected: other, found: layout) }
    return try withUnsafeBytes(body)
  }
}
