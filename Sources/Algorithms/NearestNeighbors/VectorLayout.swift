/// The layout of a vector in memory as bytes.
///
/// | precision | bytes of a row of d values |
/// |---|---|
/// | `float32` | d single-precision numbers |
/// | `float16` | d half-precision numbers |
/// | `int8` | a single-precision scale, then d signed bytes; a value is its byte times the scale |
///
/// Numbers are in the machine's byte order, which is little-endian on all platforms of Tally. A row
/// takes a multiple of four bytes; the rest is zero. Rows follow each other without gaps, and the
/// first is at an address that is a multiple of four.
///
/// With ``VectorMetric/cosine`` rows are divided by their length when they are encoded: the length
/// is not kept.
public struct VectorLayout: Hashable, Sendable {
  /// The greatest number of values in a vector.
  public static let largestDimension = 65_536

  /// The number of values in a vector.
  public let dimension: Int
  /// The precision of the stored values.
  public let precision: VectorPrecision
  /// The metric for comparing vectors.
  public let metric: VectorMetric

  /// Makes the layout of vectors with `dimension` values.
  ///
  /// - Throws: ``NeighborSearchError/invalidDimension(_:)`` unless `dimension` is 1 to
  ///   ``largestDimension``.
  public init(
    dimension: Int, precision: VectorPrecision = .float32, metric: VectorMetric = .cosine
  ) throws(NeighborSearchError) {
    guard (1...Self.largestDimension).contains(dimension) else {
      throw .invalidDimension(dimension)
    }
    self.dimension = dimension
    self.precision = precision
    self.metric = metric
  }

  /// The bytes from one row to the next, a multiple of 4.
  public var rowStride: Int {
    let bytes =
      switch precision {
      case .float32: 4 * dimension
      case .float16: 2 * dimension
      case .int8: 4 + dimension
      }
    return (bytes + 3) & ~3
  }

  /// Checks that `rows` has room for `count` rows.
  func check(_ rows: UnsafeRawBufferPointer, count: Int) throws(NeighborSearchError) {
    guard (0...Int(Int32.max)).contains(count) else { throw .invalidRowCount(count) }
    // This is at most 2^31 times 2^18, so it does not overflow.
    let expected = count * rowStride
    guard rows.count >= expected else {
      throw .memoryTooShort(expected: expected, found: rows.count)
    }
    guard UInt(bitPattern: rows.baseAddress) & 3 == 0 else { throw .misaligned }
  }
}
