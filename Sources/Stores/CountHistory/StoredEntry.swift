import Foundation

/// An entry as a row of the table.
struct StoredEntry: Equatable, Sendable {
  /// Counts up with every entry that is added: which of two was added first.
  let sequence: Int64
  var entry: HistoryEntry

  /// The columns except the sequence, which is the row's own number, in their order in the table.
  static let columns =
    ["id", "time", "count", "favorite", "name", "thresholds", "thumbnail", "checksum"]
    + laterColumns

  /// The columns that version 1 of the schema did not have; its rows have none of them.
  private static let laterColumns = ["folder", "corrected", "least", "greatest"]

  init(sequence: Int64, entry: HistoryEntry) {
    self.sequence = sequence
    self.entry = entry
  }

  /// Reads the values of a row; throws the error in them.
  init(sequence: Int64, values: [SQLValue]) throws(DamagedRow) {
    var values = values
    if values.count == Self.columns.count - Self.laterColumns.count {
      values += Self.laterColumns.map { _ in .null }
    }
    guard values.count == Self.columns.count else {
      throw DamagedRow(reason: "a row of \(values.count) columns")
    }
    guard case .blob(let id) = values[0], id.count == 16, case .integer(let time) = values[1],
      case .integer(let count) = values[2], case .integer(let favorite) = values[3],
      (0...1).contains(favorite), case .text(let thresholds) = values[5],
      case .integer(let checksum) = values[7]
    else { throw DamagedRow(reason: "a row holds values of wrong kinds") }
    let name = try Self.text(values[4], "name")
    let thumbnail: Data?
    switch values[6] {
    case .null: thumbnail = nil
    case .blob(let bytes): thumbnail = bytes
    default: throw DamagedRow(reason: "a row has a thumbnail that is not bytes")
    }
    let folder = try Self.text(values[8], "folder")
    let corrected = try Self.integer(values[9], "corrected count")
    let interval = try Self.interval(values[10], values[11])
    self.sequence = sequence
    do throws(HistoryError) {
      entry = try HistoryEntry(
        id: Self.id(id), milliseconds: time, count: Int(clamping: count), interval: interval,
        correctedCount: corrected, imageName: name, imageFolder: folder,
        thresholdsJSON: thresholds, thumbnail: thumbnail, isFavorite: favorite == 1)
    } catch {
      throw DamagedRow(reason: "\(error)")
    }
    guard self.checksum == checksum else {
      throw DamagedRow(
        reason: "the checksum of entry \(entry.id.uuidString.lowercased()) is wrong")
    }
  }

  private static func text(_ value: SQLValue, _ name: String) throws(DamagedRow) -> String? {
    switch value {
    case .null: return nil
    case .text(let text): return text
    default: throw DamagedRow(reason: "a row has a \(name) that is not text")
    }
  }

  private static func integer(_ value: SQLValue, _ name: String) throws(DamagedRow) -> Int? {
    switch value {
    case .null: return nil
    case .integer(let number): return Int(clamping: number)
    default: throw DamagedRow(reason: "a row has a \(name) that is not a number")
    }
  }

  private static func interval(
    _ least: SQLValue, _ greatest: SQLValue
  ) throws(DamagedRow) -> ClosedRange<Int>? {
    switch (try integer(least, "least"), try integer(greatest, "greatest")) {
    case (nil, nil): return nil
    case (let least?, let greatest?) where least <= greatest: return least...greatest
    default: throw DamagedRow(reason: "a row has an interval that is none")
    }
  }

  /// The values of the row, in the order of ``columns``.
  var values: [SQLValue] {
    [
      Self.value(of: entry.id), .integer(entry.milliseconds), .integer(Int64(entry.count)),
      .integer(entry.isFavorite ? 1 : 0), entry.imageName.map { .text($0) } ?? .null,
      .text(entry.thresholdsJSON), entry.thumbnail.map { .blob($0) } ?? .null, .integer(checksum),
      entry.imageFolder.map { .text($0) } ?? .null, Self.value(of: entry.correctedCount),
      Self.value(of: entry.interval?.lowerBound), Self.value(of: entry.interval?.upperBound),
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
    // A row of version 1 keeps its checksum: nothing is added for what it does not have.
    guard entry.imageFolder != nil || entry.correctedCount != nil || entry.interval != nil else {
      return Int64(bitPattern: sum.value)
    }
    let folder = entry.imageFolder.map { Data($0.utf8) }
    withUnsafeBytes(of: Int64(folder?.count ?? -1).littleEndian) { sum.add($0) }
    folder?.withUnsafeBytes { sum.add($0) }
    for number in [
      entry.correctedCount, entry.interval?.lowerBound, entry.interval?.upperBound,
    ] {
      withUnsafeBytes(of: Int64(number ?? -1).littleEndian) { sum.add($0) }
    }
    return Int64(bitPattern: sum.value)
  }

  /// A number that may be missing as it stands in its column.
  static func value(of number: Int?) -> SQLValue { number.map { .integer(Int64($0)) } ?? .null }

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

/// A hash of bytes in 64 bits (Fowler, Noll and Vo).
struct FNV1a {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }
}
