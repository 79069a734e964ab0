/// How one vector lies in memory as bytes.
///
/// | precision | bytes of a row of d values |
/// |---|---|
/// | `float32` | d single-precision numbers |
/// | `float16` | d half-precision numbers |
/// | `int8` | a single-precision scale, then d signed bytes; a value is its byte times the scale |
///
/// Numbers are in the machine's byte order, which is little-endian on everything Tally runs on. A
/// row takes a multiple of four bytes; what is left over is zero. Rows lie one after the other
/// without gaps, the first at an address that four divides.
///
/// With ``VectorMetric/cosine`` rows are divided by their length when they are encoded: the length
/// is not kept.
public struct VectorLayout: Hashable, Sendable {
  /// The most values a vector may have.
  public static let largestDimension = 65_536

  /// How many values a vector has.
  public let dimension: Int
  /// How its values are kept.
  public let precision: VectorPrecision
  /// How vectors are compared.
  public let metric: VectorMetric

  /// Describes vectors of `dimension` values.
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

  /// Checks that `count` rows lie in `rows`.
  func check(_ rows: UnsafeRawBufferPointer, count: Int) throws(NeighborSearchError) {
    guard (0...Int(Int32.max)).contains(count) else { throw .invalidRowCount(count) }
    // At most 2^31 times 2^18: no overflow.
    let expected = count * rowStride
    guard rows.count >= expected else {
      throw .memoryTooShort(expected: expected, found: rows.count)
    }
    guard UInt(bitPattern: rows.baseAddress) & 3 == 0 else { throw .misaligned }
  }
}
