import Foundation

/// An entry as a row of the table.
struct StoredEntry: Equatable, Sendable {
  /// Counts up with every entry that is added: which of two was added first.
  let sequence: Int64
  var entry: HistoryEntry

  /// The columns but for the sequence, which is the row's own number, in their order in the table.
  static let columns = [
    "id", "time", "count", "favorite", "name", "thresholds", "thumbnail", "checksum",
  ]

  init(sequence: Int64, entry: HistoryEntry) {
    self.sequence = sequence
    self.entry = entry
  }

  /// Reads the values of a row, or says what is wrong with them.
  init(sequence: Int64, values: [SQLValue]) throws(DamagedRow) {
    guard values.count == Self.columns.count else {
      throw DamagedRow(reason: "a row of \(values.count) columns")
    }
    guard case .blob(let id) = values[0], id.count == 16, case .integer(let time) = values[1],
      case .integer(let count) = values[2], case .integer(let favorite) = values[3],
      (0...1).contains(favorite), case .text(let thresholds) = values[5],
      case .integer(let checksum) = values[7]
    else { throw DamagedRow(reason: "a row holds values of wrong kinds") }
    let name: String?
    switch values[4] {
    case .null: name = nil
    case .text(let text): name = text
    default: throw DamagedRow(reason: "a row has a name that is no text")
    }
    let thumbnail: Data?
    switch values[6] {
    case .null: thumbnail = nil
    case .blob(let bytes): thumbnail = bytes
    default: throw DamagedRow(reason: "a row has a thumbnail that is no bytes")
    }
    self.sequence = sequence
    do throws(HistoryError) {
      entry = try HistoryEntry(
        id: Self.id(id), milliseconds: time, count: Int(clamping: count), imageName: name,
        thresholdsJSON: thresholds, thumbnail: thumbnail, isFavorite: favorite == 1)
    } catch {
      throw DamagedRow(reason: "\(error)")
    }
    guard self.checksum == checksum else {
      throw DamagedRow(
        reason: "the checksum of entry \(entry.id.uuidString.lowercased()) is wrong")
    }
  }

  /// The values of the row, in the order of ``columns``.
  var values: [SQLValue] {
    [
      Self.value(of: entry.id), .integer(entry.milliseconds), .integer(Int64(entry.count)),
      .integer(entry.isFavorite ? 1 : 0), entry.imageName.map { .text($0) } ?? .null,
      .text(entry.thresholdsJSON), entry.thumbnail.map { .blob($0) } ?? .null, .integer(checksum),
    ]
  }

  /// A checksum of all else in the row: FNV-1a with 64 bits (Fowler, Noll and Vo), which any change
  /// of a single byte changes.
  var checksum: Int64 {
    var sum = FNV1a()
    for number in [
      sequence, entry.milliseconds, Int64(entry.count), entry.isFavorite ? 1 : 0,
    ] {
      withUnsafeBytes(of: number.littleEndian) { sum.add($0) }
    }
    // Lengths keep apart what would read alike, and -1 a name that is missing from an empty one.
    for part in [
      idBytes, entry.imageName.map { Data($0.utf8) }, Data(entry.thresholdsJSON.utf8),
      entry.thumbnail,
    ] {
      withUnsafeBytes(of: Int64(part?.count ?? -1).littleEndian) { sum.add($0) }
      part?.withUnsafeBytes { sum.add($0) }
    }
    return Int64(bitPattern: sum.value)
  }

  /// An id as it stands in its column.
  static func value(of id: UUID) -> SQLValue { .blob(withUnsafeBytes(of: id.uuid) { Data($0) }) }

  private var idBytes: Data { withUnsafeBytes(of: entry.id.uuid) { Data($0) } }

  /// The id of 16 bytes.
  private static func id(_ bytes: Data) -> UUID {
    var id: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &id) { $0.copyBytes(from: bytes.prefix(16)) }
    return UUID(uuid: id)
  }
}

/// Why a row cannot be what was written.
struct DamagedRow: Error, Equatable {
  let reason: String
}

private struct FNV1a {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }
}
