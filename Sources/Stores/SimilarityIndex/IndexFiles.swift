import Foundation
import NearestNeighbors

/// The committed part of an index's files, opened together and mapped.
struct IndexFiles: Sendable {
  /// The folder.
  let path: String
  /// What begins the log.
  let header: IndexHeader
  /// What the log amounts to.
  let state: IndexState
  /// The log up to the last commit, its header included.
  let entries: MappedBytes
  /// Header and rows.
  let vectors: MappedBytes
  /// Header and payloads.
  let payloads: MappedBytes
  /// How many bytes of the log follow the last commit.
  let tornBytes: Int

  /// Opens an index as of its last commit.
  ///
  /// - Complexity: O(*n*) for *n* records; rows and payloads are mapped, not read.
  init(path: String) throws(SimilarityIndexError) {
    try Self.checkFolder(path)
    // A writer that compacts puts a new log in place and then deletes the files of the old one; who
    // opened the old log just before finds them gone, and begins again.
    var attempts = 100
    while true {
      if let files = try IndexFiles(opening: path) {
        self = files
        return
      }
      attempts -= 1
      guard attempts > 0 else {
        throw .notAnIndex(path: path, reason: "the log is there and the files it names are not")
      }
      usleep(1000)
    }
  }

  /// Opens the files, or returns nil if those that the log names are not there.
  private init?(opening path: String) throws(SimilarityIndexError) {
    guard let log = try IndexInput.existing("\(path)/\(IndexFormat.entriesName)") else {
      throw .notAnIndex(path: path, reason: "there is no file '\(IndexFormat.entriesName)' in it")
    }
    let header = try Self.header(of: log, .entries)
    let names = [
      IndexFormat.vectorsName(header.generation), IndexFormat.payloadsName(header.generation),
    ]
    guard let vectors = try IndexInput.existing("\(path)/\(names[0])"),
      let payloads = try IndexInput.existing("\(path)/\(names[1])")
    else { return nil }

    let committed = try IndexLog.committedLength(of: log, header: header)
    self.path = path
    self.header = header
    entries = try log.map(count: committed)
    state = try IndexLog.state(of: entries.bytes, header: header, path: log.path)
    tornBytes = log.size - committed
    self.vectors = try Self.map(
      vectors, .vectors, kinOf: header, body: state.rowCount * header.layout.rowStride)
    self.payloads = try Self.map(
      payloads, .payloads, kinOf: header, body: state.commit.payloadBytes)
  }

  private static func checkFolder(_ path: String) throws(SimilarityIndexError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw errno == ENOENT ? .noIndex(path: path) : .reading(path, errno)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .notAnIndex(path: path, reason: "it is not a folder")
    }
  }

  static func header(
    of file: borrowing IndexInput, _ kind: IndexFileKind
  ) throws(SimilarityIndexError) -> IndexHeader {
    let bytes = try file.bytes(at: 0, count: 1 << 16)
    let path = file.path
    return try bytes.withBytes { bytes throws(SimilarityIndexError) in
      try IndexHeader(bytes, of: kind, path: path)
    }
  }

  private static func map(
    _ file: borrowing IndexInput, _ kind: IndexFileKind, kinOf header: IndexHeader, body: Int
  ) throws(SimilarityIndexError) -> MappedBytes {
    guard try Self.header(of: file, kind).isKin(of: header) else {
      throw .damaged(path: file.path, offset: 16, reason: "it belongs to another index")
    }
    let (length, overflow) = body.addingReportingOverflow(kind.headerLength)
    guard !overflow, file.size >= length else {
      throw .damaged(
        path: file.path, offset: file.size,
        reason: "it ends here, and \(length) bytes were committed")
    }
    return try file.map(count: length)
  }

  // MARK: Entries

  /// All rows, dead ones included.
  var rows: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: vectors.bytes[IndexFormat.rowsHeaderLength...])
  }

  /// The bytes of a row.
  func row(_ row: Int) -> UnsafeRawBufferPointer {
    let stride = header.layout.rowStride
    return UnsafeRawBufferPointer(rebasing: rows[(row * stride)..<((row + 1) * stride)])
  }

  /// What the log says of the entry in a row.
  func addition(inRow row: Int) -> IndexRecord.Addition {
    let bytes = recordBytes(ofRow: row)
    return IndexRecord.Addition(
      id: IndexRecord.id(in: bytes), row: row, rowCheck: bytes.number(at: 48),
      payloadOffset: Int(bytes.number(at: 32) as UInt64),
      payloadLength: Int(bytes.number(at: 4) as UInt32), payloadCheck: bytes.number(at: 40))
  }

  /// The id of the entry in a row.
  func id(inRow row: Int) -> UUID { IndexRecord.id(in: recordBytes(ofRow: row)) }

  /// The rows of all entries by their ids.
  func rowOfID() throws(SimilarityIndexError) -> [UUID: Int] {
    var rows: [UUID: Int] = [:]
    rows.reserveCapacity(state.liveCount)
    for row in 0..<state.rowCount where state.isLive[row] {
      guard rows.updateValue(row, forKey: id(inRow: row)) == nil else {
        throw .damaged(
          path: "\(path)/\(IndexFormat.entriesName)",
          offset: IndexFormat.headerLength
            + Int(state.recordOfRow[row]) * IndexFormat.recordLength,
          reason: "two entries have one id")
      }
    }
    return rows
  }

  private func recordBytes(ofRow row: Int) -> UnsafeRawBufferPointer {
    let start =
      IndexFormat.headerLength + Int(state.recordOfRow[row]) * IndexFormat.recordLength
    return UnsafeRawBufferPointer(
      rebasing: entries.bytes[start..<(start + IndexFormat.recordLength)])
  }

  /// The error of a row, or nil.
  func fault(inRow row: Int) -> SimilarityIndexError? {
    let stride = header.layout.rowStride
    guard Self.rowCheck(self.row(row), header: header, row: row) == rowCheck(row) else {
      return .damaged(
        path: "\(path)/\(IndexFormat.vectorsName(header.generation))",
        offset: IndexFormat.rowsHeaderLength + row * stride,
        reason: "the checksum of row \(row) is wrong")
    }
    return nil
  }

  private func rowCheck(_ row: Int) -> UInt64 { recordBytes(ofRow: row).number(at: 48) }

  /// The checksum of a row's bytes.
  static func rowCheck(
    _ bytes: UnsafeRawBufferPointer, header: IndexHeader, row: Int
  ) -> UInt64 {
    XXHash64.digest(bytes, seed: header.salt &+ UInt64(row))
  }

  /// The payload of an entry, with its checksum checked.
  func payload(inRow row: Int) throws(SimilarityIndexError) -> Data {
    let addition = addition(inRow: row)
    let start = IndexFormat.headerLength + addition.payloadOffset
    let bytes = UnsafeRawBufferPointer(
      rebasing: payloads.bytes[start..<(start + addition.payloadLength)])
    guard XXHash64.digest(bytes, seed: header.salt) == addition.payloadCheck else {
      throw .damaged(
        path: "\(path)/\(IndexFormat.payloadsName(header.generation))", offset: start,
        reason: "the checksum of a payload of \(bytes.count) bytes is wrong")
    }
    return Data(bytes)
  }
}
