import Foundation

/// One record of the log: 64 bytes with a checksum of their own.
enum IndexRecord: Equatable {
  /// An entry whose vector is in the next row.
  case add(Addition)
  /// The entry in a row is removed.
  case remove(id: UUID, row: Int)
  /// Everything up to here holds.
  case commit(Commit)

  /// What an entry's record says.
  struct Addition: Equatable {
    var id: UUID
    var row: Int
    var rowCheck: UInt64
    var payloadOffset: Int
    var payloadLength: Int
    var payloadCheck: UInt64
  }

  /// What a commit says of all before it.
  struct Commit: Equatable {
    /// Counts up by one.
    var number: UInt64 = 0
    /// How many rows there are, dead ones included.
    var rows = 0
    /// How many entries there are.
    var entries = 0
    /// How many bytes of payloads there are, dead ones included.
    var payloadBytes = 0
    /// The checksums of all records before this one, folded into one number.
    var fold: UInt64 = 0
  }

  /// The bytes of the record at a place in the log.
  func bytes(at index: Int, salt: UInt64) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: IndexFormat.recordLength)
    bytes.withUnsafeMutableBytes { bytes in
      switch self {
      case .add(let addition):
        bytes[0] = 1
        bytes.store(UInt32(addition.payloadLength), at: 4)
        Self.store(addition.id, at: 8, in: bytes)
        bytes.store(UInt64(addition.row), at: 24)
        bytes.store(UInt64(addition.payloadOffset), at: 32)
        bytes.store(addition.payloadCheck, at: 40)
        bytes.store(addition.rowCheck, at: 48)
      case .remove(let id, let row):
        bytes[0] = 2
        Self.store(id, at: 8, in: bytes)
        bytes.store(UInt64(row), at: 24)
      case .commit(let commit):
        bytes[0] = 3
        bytes.store(commit.number, at: 8)
        bytes.store(UInt64(commit.rows), at: 16)
        bytes.store(UInt64(commit.entries), at: 24)
        bytes.store(UInt64(commit.payloadBytes), at: 32)
        bytes.store(commit.fold, at: 40)
      }
      bytes.store(
        Self.check(UnsafeRawBufferPointer(bytes), at: index, salt: salt), at: Self.checkOffset)
    }
    return bytes
  }

  /// Reads the record at a place in the log; nil if its checksum is wrong or its kind is unknown.
  ///
  /// The checksum also depends on the place and the index.
  ///
  /// - Parameter bytes: 64 of them.
  init?(_ bytes: UnsafeRawBufferPointer, at index: Int, salt: UInt64) {
    guard
      bytes.number(at: Self.checkOffset) == Self.check(bytes, at: index, salt: salt)
    else { return nil }
    switch bytes[0] {
    case 1:
      guard let row = Int(exactly: bytes.number(at: 24) as UInt64),
        let offset = Int(exactly: bytes.number(at: 32) as UInt64)
      else { return nil }
      self = .add(
        Addition(
          id: Self.id(in: bytes), row: row, rowCheck: bytes.number(at: 48), payloadOffset: offset,
          payloadLength: Int(bytes.number(at: 4) as UInt32), payloadCheck: bytes.number(at: 40)))
    case 2:
      guard let row = Int(exactly: bytes.number(at: 24) as UInt64) else { return nil }
      self = .remove(id: Self.id(in: bytes), row: row)
    case 3:
      guard let rows = Int(exactly: bytes.number(at: 16) as UInt64),
        let entries = Int(exactly: bytes.number(at: 24) as UInt64),
        let payloadBytes = Int(exactly: bytes.number(at: 32) as UInt64)
      else { return nil }
      self = .commit(
        Commit(
          number: bytes.number(at: 8), rows: rows, entries: entries, payloadBytes: payloadBytes,
          fold: bytes.number(at: 40)))
    default: return nil
    }
  }

  private static let checkOffset = 56

  /// The checksum of a record's content and place.
  private static func check(
    _ bytes: UnsafeRawBufferPointer, at index: Int, salt: UInt64
  ) -> UInt64 {
    XXHash64.digest(
      UnsafeRawBufferPointer(rebasing: bytes[..<checkOffset]), seed: salt &+ UInt64(index))
  }

  /// The checksum that stands in a record's bytes.
  static func storedCheck(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    bytes.number(at: checkOffset)
  }

  /// The fold of one more record's checksum.
  static func folded(_ fold: UInt64, _ check: UInt64) -> UInt64 {
    (fold << 5 | fold >> 59) ^ check
  }

  /// The id in the bytes of an addition or a removal.
  static func id(in bytes: UnsafeRawBufferPointer) -> UUID {
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &uuid) {
      $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[8..<24]))
    }
    return UUID(uuid: uuid)
  }

  private static func store(_ id: UUID, at offset: Int, in bytes: UnsafeMutableRawBufferPointer) {
    withUnsafeBytes(of: id.uuid) {
      UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + 16)]).copyMemory(from: $0)
    }
  }
}
