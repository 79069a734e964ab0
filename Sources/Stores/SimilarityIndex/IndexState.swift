import Foundation

/// What the records of a log amount to: which rows are entries, and which are dead.
struct IndexState {
  /// The last commit.
  private(set) var commit = IndexRecord.Commit()
  /// How many records there are up to the last commit, it included.
  private(set) var recordCount = 0
  /// The checksums of their records, folded into one number.
  private(set) var fold: UInt64 = 0
  /// For each row the place of its record.
  private(set) var recordOfRow: [UInt32] = []
  /// For each row whether it is an entry's.
  private(set) var isLive: [Bool] = []
  /// How many are.
  private(set) var liveCount = 0
  /// How many bytes of payloads belong to entries.
  private(set) var livePayloadBytes = 0
  private var payloadBytes = 0

  /// The number of rows, dead ones included.
  var rowCount: Int { isLive.count }

  /// Takes in the next record of a log.
  ///
  /// - Parameter bytes: all records so far and this one.
  /// - Returns: the error of the record, or nil.
  mutating func take(
    _ record: IndexRecord, check: UInt64, in bytes: UnsafeRawBufferPointer
  ) -> String? {
    switch record {
    case .add(let addition):
      guard addition.row == rowCount, recordCount < IndexFormat.mostRecords else {
        return "an entry in row \(addition.row), where \(rowCount) is next"
      }
      guard addition.payloadOffset == payloadBytes,
        addition.payloadLength <= SimilarityWriter.largestPayload
      else { return "a payload at byte \(addition.payloadOffset), where \(payloadBytes) is next" }
      recordOfRow.append(UInt32(recordCount))
      isLive.append(true)
      liveCount += 1
      payloadBytes += addition.payloadLength
      livePayloadBytes += addition.payloadLength
    case .remove(let id, let row):
      guard row < rowCount, isLive[row] else {
        return "row \(row) is removed, and belongs to no entry"
      }
      let added = UnsafeRawBufferPointer(
        rebasing: bytes[(Int(recordOfRow[row]) * IndexFormat.recordLength)...])
      guard IndexRecord.id(in: added) == id else {
        return "row \(row) is removed by the id of another"
      }
      isLive[row] = false
      liveCount -= 1
      livePayloadBytes -= Int(added.number(at: 4) as UInt32)
    case .commit(let commit):
      guard commit.rows == rowCount, commit.entries == liveCount,
        commit.payloadBytes == payloadBytes, commit.fold == fold,
        self.commit.number == 0 || commit.number == self.commit.number + 1,
        (1..<(1 << 62)).contains(commit.number)
      else { return "a commit that does not agree with what is before it" }
      self.commit = commit
    }
    recordCount += 1
    fold = IndexRecord.folded(fold, check)
    return nil
  }
}
