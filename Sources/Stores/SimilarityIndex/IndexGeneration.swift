import Foundation
import NearestNeighbors

/// The files of one generation, open to be written: log, rows and payloads.
struct IndexGeneration: ~Copyable {
  /// What the files amount to so far.
  struct Tally: Equatable {
    var commit: UInt64 = 0
    var records = 0
    var fold: UInt64 = 0
    var rows = 0
    var entries = 0
    var payloadBytes = 0
  }

  let header: IndexHeader
  private(set) var tally = Tally()
  private(set) var committed = Tally()
  private var entries: IndexOutput
  private var vectors: IndexOutput
  private var payloads: IndexOutput

  /// Makes the files of a new generation; its log has a name of its own until ``activate(in:)``.
  ///
  /// - Parameter commit: the number of the last commit before.
  init(
    creatingIn path: String, header: IndexHeader, after commit: UInt64
  ) throws(SimilarityIndexError) {
    let number = header.generation
    var vectors = try IndexOutput(creating: "\(path)/\(IndexFormat.vectorsName(number))")
    var payloads = try IndexOutput(creating: "\(path)/\(IndexFormat.payloadsName(number))")
    var entries = try IndexOutput(creating: "\(path)/\(IndexFormat.newEntriesName)")
    try vectors.append(header.bytes(of: .vectors))
    try payloads.append(header.bytes(of: .payloads))
    try entries.append(header.bytes(of: .entries))
    self.header = header
    self.entries = entries
    self.vectors = vectors
    self.payloads = payloads
    tally.commit = commit
  }

  /// Opens the files of an index and cuts off what was not committed.
  init(opening files: IndexFiles) throws(SimilarityIndexError) {
    let number = files.header.generation
    let state = files.state
    let path = files.path
    // The log first: what nothing refers to is cut off after it.
    let entries = try IndexOutput(
      opening: "\(path)/\(IndexFormat.entriesName)", cutTo: files.entries.bytes.count)
    let vectors = try IndexOutput(
      opening: "\(path)/\(IndexFormat.vectorsName(number))", cutTo: files.vectors.bytes.count)
    let payloads = try IndexOutput(
      opening: "\(path)/\(IndexFormat.payloadsName(number))", cutTo: files.payloads.bytes.count)
    header = files.header
    self.entries = entries
    self.vectors = vectors
    self.payloads = payloads
    tally = Tally(
      commit: state.commit.number, records: state.recordCount, fold: state.fold,
      rows: state.rowCount, entries: state.liveCount, payloadBytes: state.commit.payloadBytes)
    committed = tally
  }

  /// Appends an entry and answers its row.
  mutating func add(
    id: UUID, row: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer
  ) throws(SimilarityIndexError) -> Int {
    let place = tally.rows
    guard tally.records + 1 < IndexFormat.mostRecords else {
      throw .outOfRange(
        name: "the number of additions and removals", value: tally.records + 1,
        range: "below \(IndexFormat.mostRecords) between two compactions")
    }
    try vectors.append(row)
    try payloads.append(payload)
    try append(
      .add(
        IndexRecord.Addition(
          id: id, row: place, rowCheck: IndexFiles.rowCheck(row, header: header, row: place),
          payloadOffset: tally.payloadBytes, payloadLength: payload.count,
          payloadCheck: XXHash64.digest(payload, seed: header.salt))))
    tally.rows += 1
    tally.entries += 1
    tally.payloadBytes += payload.count
    return place
  }

  /// Appends the removal of the entry in a row.
  mutating func remove(id: UUID, row: Int) throws(SimilarityIndexError) {
    try append(.remove(id: id, row: row))
    tally.entries -= 1
  }

  private mutating func append(_ record: IndexRecord) throws(SimilarityIndexError) {
    let bytes = record.bytes(at: tally.records, salt: header.salt)
    try entries.append(bytes)
    tally.fold = IndexRecord.folded(
      tally.fold, bytes.withUnsafeBytes { IndexRecord.storedCheck($0) })
    tally.records += 1
  }

  /// Commits in two steps.
  ///
  /// The record is written only when all other data are on the disk. So a commit record proves that
  /// the data before it are there.
  ///
  /// - Parameter isWritten: set once the record may be in the file; then the commit may hold in
  ///   spite of an error.
  mutating func commit(isWritten: inout Bool) throws(SimilarityIndexError) {
    try vectors.synchronize()
    try payloads.synchronize()
    try entries.synchronize()
    tally.commit += 1
    try append(
      .commit(
        IndexRecord.Commit(
          number: tally.commit, rows: tally.rows, entries: tally.entries,
          payloadBytes: tally.payloadBytes, fold: tally.fold)))
    try entries.flush()
    isWritten = true
    try entries.synchronize()
    committed = tally
  }

  /// Cuts off all since the last commit.
  mutating func rollBack() throws(SimilarityIndexError) {
    tally = committed
    try entries.cut(to: IndexFormat.headerLength + tally.records * IndexFormat.recordLength)
    try vectors.cut(to: IndexFormat.rowsHeaderLength + tally.rows * header.layout.rowStride)
    try payloads.cut(to: IndexFormat.headerLength + tally.payloadBytes)
  }

  /// Puts the log of a new generation in the place of the old one's.
  func activate(in folder: borrowing IndexFolder) throws(SimilarityIndexError) {
    // The names of the other files have to be there before the log that holds them.
    try folder.synchronize()
    try folder.rename(IndexFormat.newEntriesName, to: IndexFormat.entriesName)
  }
}
