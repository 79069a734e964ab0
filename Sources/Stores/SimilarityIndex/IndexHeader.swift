import NearestNeighbors

/// The first bytes of each file of an index: what it is, and to which index it belongs.
struct IndexHeader: Equatable, Sendable {
  /// What the rows are.
  var layout: VectorLayout
  /// Counts how often the index was written again; part of the names of files.
  var generation: UInt64
  /// Drawn at random for each generation: files of another index never pass for this one's, and
  /// checksums are seeded with it.
  var salt: UInt64
  /// What a graph says of itself; zeros elsewhere.
  var graph = GraphFacts()

  /// The facts of a graph before it is read.
  struct GraphFacts: Equatable, Sendable {
    /// How many rows it was made of, dead ones included.
    var rows: UInt64 = 0
    /// The length of its bytes.
    var length: UInt64 = 0
    /// Their checksum.
    var check: UInt64 = 0
    /// The share of the true nearest that it found when it was measured, in millionths.
    var recall: UInt32 = 0
    /// With how many queries.
    var queries: UInt32 = 0
  }

  /// Whether two files belong to the same generation of the same index.
  func isKin(of other: IndexHeader) -> Bool {
    generation == other.generation && salt == other.salt && layout == other.layout
  }

  /// Its bytes, in the length that the header of such a file has.
  func bytes(of kind: IndexFileKind) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: kind.headerLength)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.store(kind.rawValue, at: 0)
      bytes.store(IndexFormat.version, at: 8)
      bytes.store(UInt32(kind.headerLength), at: 12)
      bytes.store(generation, at: 16)
      bytes.store(salt, at: 24)
      bytes.store(UInt32(layout.dimension), at: 32)
      bytes[36] = layout.metric.code
      bytes[37] = layout.precision.code
      bytes.store(UInt32(layout.rowStride), at: 40)
      bytes.store(graph.rows, at: 48)
      bytes.store(graph.length, at: 56)
      bytes.store(graph.check, at: 64)
      bytes.store(graph.recall, at: 72)
      bytes.store(graph.queries, at: 76)
      let end = bytes.count - 8
      bytes.store(
        XXHash64.digest(UnsafeRawBufferPointer(rebasing: bytes[..<end]), seed: 0), at: end)
    }
    return bytes
  }

  /// Reads the header at the beginning of a file.
  ///
  /// - Parameter path: names the file in errors.
  init(
    _ bytes: UnsafeRawBufferPointer, of kind: IndexFileKind, path: String
  ) throws(SimilarityIndexError) {
    guard bytes.count >= 16, bytes.number(at: 0) as UInt64 == kind.rawValue else {
      throw .notAnIndex(
        path: path,
        reason: bytes.count < 16
          ? "it ends after \(bytes.count) bytes" : "it does not begin as such a file does")
    }
    // These places keep their meaning in all versions, so that a later version is not reported as
    // damage.
    let length = Int(bytes.number(at: 12) as UInt32)
    guard length >= 64, length <= 1 << 16, length % 8 == 0 else {
      throw .damaged(path: path, offset: 12, reason: "a header of \(length) bytes")
    }
    guard bytes.count >= length else {
      throw .damaged(
        path: path, offset: bytes.count, reason: "it ends inside its header of \(length) bytes")
    }
    let covered = UnsafeRawBufferPointer(rebasing: bytes[..<(length - 8)])
    guard XXHash64.digest(covered, seed: 0) == bytes.number(at: length - 8) else {
      throw .damaged(path: path, offset: 0, reason: "the header's checksum is wrong")
    }
    let version: UInt32 = bytes.number(at: 8)
    guard version <= IndexFormat.version else {
      throw .fromTheFuture(path: path, version: version)
    }
    let dimension = Int(bytes.number(at: 32) as UInt32)
    guard version == IndexFormat.version, length == kind.headerLength,
      IndexFormat.dimensions.contains(dimension), let metric = VectorMetric(code: bytes[36]),
      let precision = VectorPrecision(code: bytes[37]),
      let layout = try? VectorLayout(dimension: dimension, precision: precision, metric: metric),
      layout.rowStride == Int(bytes.number(at: 40) as UInt32)
    else {
      throw .damaged(
        path: path, offset: 8, reason: "the header holds values that no writer of it writes")
    }
    // Far above the count of any writer, so that further counting does not overflow.
    guard (1...(1 << 53)).contains(bytes.number(at: 16) as UInt64) else {
      throw .damaged(path: path, offset: 16, reason: "a generation that no writer counts to")
    }
    self.layout = layout
    generation = bytes.number(at: 16)
    salt = bytes.number(at: 24)
    graph = GraphFacts(
      rows: bytes.number(at: 48), length: bytes.number(at: 56), check: bytes.number(at: 64),
      recall: bytes.number(at: 72), queries: bytes.number(at: 76))
  }

  /// The header of an index's first or next generation.
  init(layout: VectorLayout, generation: UInt64, salt: UInt64) {
    self.layout = layout
    self.generation = generation
    self.salt = salt
  }
}

// Numbers are little-endian in files, whatever the machine's order.

extension UnsafeRawBufferPointer {
  /// The number at a byte, which must leave room for it.
  func number<Number: FixedWidthInteger>(at offset: Int) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Puts a number at a byte, which must leave room for it.
  func store<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
    storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
  }
}
