import Foundation
import NearestNeighbors

/// What was saved of a damaged index.
public struct SimilaritySalvage: Hashable, Sendable {
  /// How many entries are in the new index.
  public private(set) var saved = 0
  /// How many of those are behind the last undamaged commit: the record of their own is damaged.
  public private(set) var savedBehindLastCommit = 0
  /// How many were lost because their vector or payload is damaged or missing.
  public private(set) var lost = 0
  /// How many records of the log were damaged: entries that were lost too, removals, whose entries
  /// are then among those saved, or commits.
  public private(set) var damagedRecords = 0

  /// Copies what can be read of a damaged index into a new one.
  ///
  /// An entry is saved whole or not at all. The damaged index is left as it is. The header of one
  /// of the files with the log, vectors or payloads must be whole.
  ///
  /// What an interrupted write left behind the last commit is not saved. If a damaged record there
  /// may have been a commit, all before it counts as committed.
  ///
  /// - Parameters:
  ///   - folder: the damaged index.
  ///   - target: the folder of the new index, a path at which there is nothing yet.
  /// - Complexity: O(*b*) for *b* bytes.
  /// - Throws: ``SimilarityIndexError`` if nothing can be read, or the new index cannot be written.
  public init(of folder: URL, into target: URL) throws(SimilarityIndexError) {
    let source = try DamagedIndex(path: folder.path)
    let core = try WriterCore(creating: target.path, layout: source.header.layout)
    let log = try source.committedRecords()
    damagedRecords = log.damagedBehind
    var rowOfID: [UUID: Int] = [:]
    var additions: [Int: IndexRecord.Addition] = [:]
    var rowsBehind: Set<Int> = []
    for (index, record) in log.records.enumerated() {
      switch record {
      case .add(let addition):
        if index >= log.covered { rowsBehind.insert(addition.row) }
        if let earlier = rowOfID.updateValue(addition.row, forKey: addition.id) {
          additions[earlier] = nil
        }
        additions[addition.row] = addition
      case .remove(let id, let row):
        guard rowOfID[id] == row else { continue }
        rowOfID[id] = nil
        additions[row] = nil
      case .commit: continue
      case nil: damagedRecords += 1
      }
    }
    for addition in additions.values.sorted(by: { $0.row < $1.row }) {
      guard let row = try source.row(of: addition), let payload = try source.payload(of: addition)
      else {
        lost += 1
        continue
      }
      try core.add(id: addition.id, encoded: row, payload: payload)
      saved += 1
      if rowsBehind.contains(addition.row) { savedBehindLastCommit += 1 }
    }
    _ = try core.commit()
  }
}

/// The files of an index of which not all is right.
private struct DamagedIndex: ~Copyable {
  let header: IndexHeader
  private let log: IndexInput
  private let vectors: IndexInput?
  private let payloads: IndexInput?

  init(path: String) throws(SimilarityIndexError) {
    guard let log = try IndexInput.existing("\(path)/\(IndexFormat.entriesName)") else {
      var status = stat()
      throw stat(path, &status) == 0
        ? .notAnIndex(path: path, reason: "there is no file '\(IndexFormat.entriesName)' in it")
        : .noIndex(path: path)
    }
    let header = try Self.header(log, path)
    let vectors = try IndexInput.existing("\(path)/\(IndexFormat.vectorsName(header.generation))")
    let payloads = try IndexInput.existing("\(path)/\(IndexFormat.payloadsName(header.generation))")
    self.log = log
    self.header = header
    self.vectors = vectors
    self.payloads = payloads
  }

  private static func header(
    _ log: borrowing IndexInput, _ path: String
  ) throws(SimilarityIndexError) -> IndexHeader {
    do throws(SimilarityIndexError) {
      return try IndexFiles.header(of: log, .entries)
    } catch {
      // The headers of one generation say the same.
      guard let found = headerOfOthers(path) else { throw error }
      return found
    }
  }

  private static func headerOfOthers(_ path: String) -> IndexHeader? {
    var found: [IndexHeader] = []
    for name in (try? IndexFolder.names(in: path)) ?? [] {
      for (kind, stem) in [(IndexFileKind.vectors, "vectors-"), (.payloads, "payloads-")]
      where name.hasPrefix(stem) {
        if let file = try? IndexInput.existing("\(path)/\(name)"),
          let header = try? IndexFiles.header(of: file, kind)
        {
          found.append(header)
        }
      }
    }
    // If there are two generations, the newer one is not in use yet, unless compaction was done and
    // the older one is about to be deleted.
    return found.min { $0.generation < $1.generation }
  }

  /// The part of a log that was committed.
  struct CommittedLog {
    /// The records up to the last commit, whether that is damaged or not; nil for each that is.
    var records: [IndexRecord?] = []
    /// How many of them an undamaged commit covers.
    var covered = 0
    /// How many records behind them are damaged.
    var damagedBehind = 0
  }

  func committedRecords() throws(SimilarityIndexError) -> CommittedLog {
    var log = CommittedLog()
    var committed = 0
    var number: UInt64 = 0
    let salt = header.salt
    try IndexLog.forEachRecord(of: self.log) { index, bytes in
      let record = IndexRecord(bytes, at: index, salt: salt)
      log.records.append(record)
      if case .commit(let commit) = record {
        (log.covered, number) = (index + 1, commit.number)
        committed = index + 1
        log.damagedBehind = 0
      } else if record == nil {
        if IndexRecord.mayBeCommit(bytes, at: index, salt: salt, after: number) {
          committed = index + 1
          log.damagedBehind = 0
        } else if !IndexRecord.isUnwritten(bytes) {
          log.damagedBehind += 1
        }
      }
    }
    log.records.removeLast(log.records.count - committed)
    return log
  }

  /// The bytes of an entry's row, or nil if they are damaged.
  func row(of addition: IndexRecord.Addition) throws(SimilarityIndexError) -> [UInt8]? {
    let stride = header.layout.rowStride
    let (start, overflow) = addition.row.multipliedReportingOverflow(by: stride)
    guard !overflow, start < .max / 2, vectors != nil else { return nil }
    let bytes = try vectors?.bytes(at: IndexFormat.rowsHeaderLength + start, count: stride) ?? []
    let header = header
    let check = bytes.withUnsafeBytes {
      IndexFiles.rowCheck($0, header: header, row: addition.row)
    }
    return bytes.count == stride && check == addition.rowCheck ? bytes : nil
  }

  /// An entry's payload, or nil if it is damaged.
  func payload(of addition: IndexRecord.Addition) throws(SimilarityIndexError) -> [UInt8]? {
    guard addition.payloadOffset < .max / 2,
      addition.payloadLength <= SimilarityWriter.largestPayload
    else { return nil }
    let bytes =
      try payloads?.bytes(
        at: IndexFormat.headerLength + addition.payloadOffset, count: addition.payloadLength) ?? []
    let salt = header.salt
    let check = bytes.withUnsafeBytes { XXHash64.digest($0, seed: salt) }
    return bytes.count == addition.payloadLength && check == addition.payloadCheck ? bytes : nil
  }
}
