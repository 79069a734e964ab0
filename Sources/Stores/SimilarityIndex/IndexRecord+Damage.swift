// What can be said of 64 bytes that are not a record.

extension IndexRecord {
  /// Whether nothing was written here, or not to the end of the record.
  ///
  /// A file may get its length before its content, and then has zeros. No record ends in them.
  static func isUnwritten(_ bytes: UnsafeRawBufferPointer) -> Bool { storedCheck(bytes) == 0 }

  /// Whether a damaged record may have been a commit.
  ///
  /// It may, unless it can be recognized as an addition or a removal.
  ///
  /// - Parameter number: the number of the last commit before it.
  static func mayBeCommit(
    _ bytes: UnsafeRawBufferPointer, at index: Int, salt: UInt64, after number: UInt64
  ) -> Bool {
    guard !isUnwritten(bytes) else { return false }
    if bytes[0] == 1 || bytes[0] == 2 {
      // Their ids are hardly ever two numbers as small as a commit has in this place.
      let (commit, rows): (UInt64, UInt64) = (bytes.number(at: 8), bytes.number(at: 16))
      return commit > number && commit <= UInt32.max && rows <= UInt64(index)
    }
    // The kind itself may be what is damaged.
    var changed = Array(bytes)
    return !([1, 2] as [UInt8]).contains { kind in
      changed[0] = kind
      return changed.withUnsafeBytes { IndexRecord($0, at: index, salt: salt) != nil }
    }
  }
}
