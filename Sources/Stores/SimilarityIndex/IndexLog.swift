import Foundation

/// Reads the log of an index: the end of committed data, and its records.
enum IndexLog {
  /// How many records are read at once.
  private static let chunk = 1 << 14

  /// The end of the last commit, which is the log's end unless a writer was stopped or is at work.
  ///
  /// A commit is written only when all data before it are on the disk. So a wrong record is damage
  /// if a commit follows it. Behind the last commit, an interrupted write leaves whole records,
  /// zeros, and less than a record at the end of the file. Anything else is damage there too: most
  /// likely to the record of a commit, without which all entries of that commit would be gone.
  ///
  /// - Returns: a length in bytes, the header included.
  static func committedLength(
    of file: borrowing IndexInput, header: IndexHeader
  ) throws(SimilarityIndexError) -> Int {
    // A writer at work may cut off what is behind the last commit and write it again while it is
    // read. So damage counts only if it is found twice.
    var earlier: SimilarityIndexError?
    var attempts = 100
    while true {
      do throws(SimilarityIndexError) {
        return try committedLengthNow(of: file, header: header)
      } catch {
        attempts -= 1
        guard error != earlier, attempts > 0 else { throw error }
        earlier = error
        usleep(1000)
      }
    }
  }

  private static func committedLengthNow(
    of file: borrowing IndexInput, header: IndexHeader
  ) throws(SimilarityIndexError) -> Int {
    let length = IndexFormat.recordLength
    var committed = 0
    // The first places that are not a record, and that an interrupted write does not leave.
    var (broken, damaged): (Int?, Int?)
    try forEachRecord(of: file) { index, bytes in
      // Past a damaged record only commits matter.
      guard damaged == nil || bytes[0] == 3 else { return }
      switch IndexRecord(bytes, at: index, salt: header.salt) {
      case .commit: committed = index + 1
      case nil:
        broken = broken ?? index
        if !IndexRecord.isUnwritten(bytes) { damaged = damaged ?? index }
      default: break
      }
    }
    if let broken, committed > broken {
      throw .damaged(
        path: file.path, offset: IndexFormat.headerLength + broken * length,
        reason: "the checksum of record \(broken) is wrong, and a commit follows it")
    }
    if let damaged {
      throw .damaged(
        path: file.path, offset: IndexFormat.headerLength + damaged * length,
        reason: "the checksum of record \(damaged) is wrong, and no interrupted write leaves this")
    }
    guard committed > 0 else {
      throw .damaged(
        path: file.path, offset: min(file.size, IndexFormat.headerLength),
        reason: "there is no commit in it, and the first is made with the index")
    }
    return IndexFormat.headerLength + committed * length
  }

  /// Calls `body` with the place and the bytes of each record, whether it is valid or not.
  static func forEachRecord(
    of file: borrowing IndexInput, _ body: (Int, UnsafeRawBufferPointer) -> Void
  ) throws(SimilarityIndexError) {
    let length = IndexFormat.recordLength
    var index = 0
    while true {
      let bytes = try file.bytes(
        at: IndexFormat.headerLength + index * length, count: chunk * length)
      let count = bytes.count / length
      bytes.withUnsafeBytes { bytes in
        for place in 0..<count {
          body(
            index + place,
            UnsafeRawBufferPointer(rebasing: bytes[(place * length)..<((place + 1) * length)]))
        }
      }
      if count < chunk { return }
      index += count
    }
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
