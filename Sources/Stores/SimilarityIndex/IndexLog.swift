import Foundation

/// Reads the log of an index: the end of committed data, and its records.
enum IndexLog {
  /// How many records are read at once.
  private static let chunk = 1 << 14

  /// The end of the last commit, which is the log's end unless a writer was stopped or is at work.
  ///
  /// A commit is written only when all data before it are on the disk. So a record with a wrong
  /// checksum is damage if a commit follows it, and otherwise a torn end.
  ///
  /// - Returns: a length in bytes, the header included.
  static func committedLength(
    of file: borrowing IndexInput, header: IndexHeader
  ) throws(SimilarityIndexError) -> Int {
    let length = IndexFormat.recordLength
    var index = 0
    var committed = 0
    var broken: Int?
    while true {
      let bytes = try file.bytes(
        at: IndexFormat.headerLength + index * length, count: chunk * length)
      let count = bytes.count / length
      bytes.withUnsafeBytes { bytes in
        for place in 0..<count {
          let record = UnsafeRawBufferPointer(
            rebasing: bytes[(place * length)..<((place + 1) * length)])
          // Past a broken record only commits matter.
          guard broken == nil || record[0] == 3 else { continue }
          switch IndexRecord(record, at: index + place, salt: header.salt) {
          case .commit: committed = index + place + 1
          case nil: broken = broken ?? index + place
          default: break
          }
        }
      }
      index += count
      if count < chunk { break }
    }
    if let broken, committed > broken {
      throw .damaged(
        path: file.path, offset: IndexFormat.headerLength + broken * length,
        reason: "the checksum of record \(broken) is wrong, and a commit follows it")
    }
    guard committed > 0 else {
      throw .damaged(
        path: file.path, offset: min(file.size, IndexFormat.headerLength),
        reason: "there is no commit in it, and the first is made with the index")
    }
    return IndexFormat.headerLength + committed * length
  }

  /// What the records of a log amount to.
  ///
  /// - Parameter bytes: the header and all records up to the last commit.
  static func state(
    of bytes: UnsafeRawBufferPointer, header: IndexHeader, path: String
  ) throws(SimilarityIndexError) -> IndexState {
    let length = IndexFormat.recordLength
    let records = UnsafeRawBufferPointer(rebasing: bytes[IndexFormat.headerLength...])
    var state = IndexState()
    for index in 0..<(records.count / length) {
      let record = UnsafeRawBufferPointer(
        rebasing: records[(index * length)..<((index + 1) * length)])
      let fault: String?
      if let parsed = IndexRecord(record, at: index, salt: header.salt) {
        fault = state.take(parsed, check: IndexRecord.storedCheck(record), in: records)
      } else {
        fault = "the checksum of record \(index) is wrong"
      }
      if let fault {
        throw .damaged(
          path: path, offset: IndexFormat.headerLength + index * length, reason: fault)
      }
    }
    return state
  }
}
