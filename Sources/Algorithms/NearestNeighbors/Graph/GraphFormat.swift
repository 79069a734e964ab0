/// The format of a graph as bytes.
///
/// All numbers are little-endian.
///
/// | bytes | are |
/// |---|---|
/// | 8 | `TallyNNG` |
/// | 4 each | version (1), dimension, precision, metric, links, breadth |
/// | 8 | seed |
/// | 4 each | rows, links above the lowest level in all, entry (-1: none) |
/// | 4 | zero |
/// | 1 for each row | its state: 0 absent, 1 in the graph, 2 removed |
/// | 0 to 3 | zeros, up to a multiple of four |
/// | 4 for each row | its parent in the tree, or -1 |
/// | 8 x links for each row | its links on level 0; -1 ends a shorter list |
/// | 4 each | links on the levels above, row after row, level after level |
/// | 8 | checksum over everything before |
///
/// Levels are not written: they follow from row and seed.
enum GraphFormat {
  static let magic: [UInt8] = Array("TallyNNG".utf8)
  static let version: UInt32 = 1
  static let headerSize = 56
  static let precisions: [VectorPrecision] = [.float32, .float16, .int8]
  static let metrics: [VectorMetric] = [.cosine, .innerProduct, .squaredEuclidean]

  /// A checksum that changes with every changed bit.
  ///
  /// Words are added and mixed as in SplitMix64. The mixing is reversible, so two inputs of one
  /// length that differ in one word always have different checksums.
  ///
  /// - Precondition: `bytes.count` is a multiple of 4.
  static func check(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = UInt64(bytes.count)
    for offset in stride(from: 0, to: bytes.count, by: 4) {
      state ^= UInt64(
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      state = (state ^ (state >> 31)) &* 0xBF58_476D_1CE4_E5B9
    }
    return state ^ (state >> 29)
  }
}

extension HNSWGraph {
  /// The graph as bytes, for ``init(bytes:layout:)``.
  ///
  /// The same graph gives the same bytes on every machine.
  ///
  /// - Complexity: O(n M) time and memory.
  public func serialized() -> [UInt8] {
    var bytes = GraphFormat.magic
    let tables = tables
    let size = 4 * (tables.ground.count + tables.upper.count) + 5 * rowCapacity + 128
    bytes.reserveCapacity(size)
    func append(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    func append(_ values: ArraySlice<Int32>) {
      if UInt32(1).littleEndian == 1 {
        values.withUnsafeBytes { bytes += $0 }
      } else {
        for value in values { append(UInt32(bitPattern: value)) }
      }
    }
    append(GraphFormat.version)
    append(UInt32(layout.dimension))
    append(UInt32(GraphFormat.precisions.firstIndex(of: layout.precision) ?? 0))
    append(UInt32(GraphFormat.metrics.firstIndex(of: layout.metric) ?? 0))
    append(UInt32(settings.links))
    append(UInt32(settings.breadth))
    append(UInt32(truncatingIfNeeded: settings.seed))
    append(UInt32(truncatingIfNeeded: settings.seed >> 32))
    append(UInt32(rowCapacity))
    append(UInt32(tables.upper.count))
    append(UInt32(bitPattern: tables.entry))
    append(0)
    bytes += tables.states
    while bytes.count % 4 != 0 { bytes.append(0) }
    append(tables.parents[...])
    append(tables.ground[...])
    for row in 0..<rowCapacity where tables.levels[row] > 0 {
      let start = Int(tables.upperStarts[row])
      append(tables.upper[start..<start + Int(tables.levels[row]) * tables.links])
    }
    let check = bytes.withUnsafeBytes { GraphFormat.check($0) }
    append(UInt32(truncatingIfNeeded: check))
    append(UInt32(truncatingIfNeeded: check >> 32))
    return bytes
  }

  /// Reads a graph from the bytes of ``serialized()``.
  ///
  /// Everything is checked before it is used: the checksum, every link, the levels, the tree. If
  /// bytes pass, they are a graph whose searches end and stay inside its rows, whatever their
  /// source.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of ``serialized()``, at any address.
  ///   - layout: the layout of the rows' memory, which must be the graph's own.
  /// - Complexity: O(n M) time and memory.
  /// - Throws: ``NeighborSearchError/damagedGraph(reason:)``.
  public init(bytes: UnsafeRawBufferPointer, layout: VectorLayout) throws(NeighborSearchError) {
    var reader = GraphReader(bytes: bytes)
    let settings = try reader.header(layout: layout)
    self.init(layout: layout, settings: settings)
    tables = try reader.tables(settings: settings)
    try tables.validate()
  }
}
