import LinearAlgebra

/// The format of a quantizer as bytes.
///
/// All numbers are little-endian.
///
/// | bytes | are |
/// |---|---|
/// | 8 | `TallyNPQ` |
/// | 4 each | version (1), dimension, subspaces, bits, metric, zero |
/// | 4 each | the centroids in single precision: subspace after subspace, row after row |
/// | 8 | checksum over everything before |
///
/// The checksum is that of a graph's bytes.
enum QuantizerFormat {
  static let magic: [UInt8] = Array("TallyNPQ".utf8)
  static let version = 1
  static let headerSize = 32
}

extension ProductQuantizer {
  /// The quantizer as bytes, for ``init(bytes:)``.
  ///
  /// The same quantizer gives the same bytes on every machine.
  ///
  /// - Complexity: O(2^bits d) time and memory.
  public func serialized() -> [UInt8] {
    var bytes = QuantizerFormat.magic
    bytes.reserveCapacity(QuantizerFormat.headerSize + 4 * lanes.count + 8)
    func append(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    let metric = GraphFormat.metrics.firstIndex(of: metric) ?? 0
    for number in [QuantizerFormat.version, dimension, subspaceCount, bits, metric, 0] {
      append(UInt32(number))
    }
    for book in codebooks {
      for value in book.elements { append(value.bitPattern) }
    }
    let check = bytes.withUnsafeBytes { GraphFormat.check($0) }
    append(UInt32(truncatingIfNeeded: check))
    append(UInt32(truncatingIfNeeded: check >> 32))
    return bytes
  }

  /// Reads a quantizer from the bytes of ``serialized()``.
  ///
  /// Everything is checked before it is used: the checksum, the numbers and every centroid.
  ///
  /// - Complexity: O(2^bits d) time and memory.
  /// - Throws: ``NeighborSearchError/damagedQuantizer(reason:)``.
  public init(bytes: UnsafeRawBufferPointer) throws(NeighborSearchError) {
    func number(_ offset: Int) -> UInt32 {
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    func damage(_ reason: String) -> NeighborSearchError { .damagedQuantizer(reason: reason) }
    let (header, end) = (QuantizerFormat.headerSize, bytes.count - 8)
    guard end >= header, bytes.count % 4 == 0 else {
      throw damage("\(bytes.count) bytes are not the length of a quantizer")
    }
    guard bytes.starts(with: QuantizerFormat.magic) else {
      throw damage("it does not begin as one")
    }
    let check = UInt64(number(end)) | UInt64(number(end + 4)) << 32
    guard check == GraphFormat.check(UnsafeRawBufferPointer(rebasing: bytes[..<end])) else {
      throw damage("the check does not agree")
    }
    let numbers = (0..<6).map { Int(number(8 + 4 * $0)) }
    guard numbers[0] == QuantizerFormat.version else {
      throw damage("version \(numbers[0]) is unknown")
    }
    let (dimension, subspaceCount, bits) = (numbers[1], numbers[2], numbers[3])
    guard (1...VectorLayout.largestDimension).contains(dimension), subspaceCount >= 1,
      dimension % subspaceCount == 0, bits == 4 || bits == 8,
      GraphFormat.metrics.indices.contains(numbers[4]), numbers[5] == 0,
      end - header == 4 * dimension << bits
    else { throw damage("its header does not describe it") }
    let width = dimension / subspaceCount
    let books = (0..<subspaceCount).map { subspace in
      let start = header + 4 * (subspace * width) << bits
      let values = (0..<width << bits).map { Float(bitPattern: number(start + 4 * $0)) }
      return Matrix(unchecked: values, rowCount: 1 << bits, columnCount: width)
    }
    do {
      try self.init(codebooks: books, metric: GraphFormat.metrics[numbers[4]])
    } catch { throw damage("\(error)") }
  }
}
