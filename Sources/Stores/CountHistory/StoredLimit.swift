/// The limit of entries, as the only row of its table.
///
/// It is in the file, so that every program that adds entries uses the same limit.
struct StoredLimit: Equatable, Sendable {
  /// The most entries that there are.
  var limit: Int
  /// How many entries have made room since the last time that all were removed.
  var dropped: Int

  /// What holds in a new file, and in one of a version without limits of its own.
  static let usual = StoredLimit(limit: HistoryFile.usualLimit, dropped: 0)

  /// The columns except the row's own number, in their order in the table.
  static let columns = ["capacity", "dropped", "checksum"]

  init(limit: Int, dropped: Int) {
    self.limit = limit
    self.dropped = dropped
  }

  /// Reads the values of the row; throws the error in them.
  init(values: [SQLValue]) throws(DamagedRow) {
    guard values.count == Self.columns.count, case .integer(let limit) = values[0],
      case .integer(let dropped) = values[1], case .integer(let checksum) = values[2]
    else { throw DamagedRow(reason: "the row of the limit holds values of wrong kinds") }
    self.limit = Int(clamping: limit)
    self.dropped = Int(clamping: dropped)
    guard HistoryFile.limits.contains(self.limit), self.dropped >= 0, self.checksum == checksum
    else { throw DamagedRow(reason: "the checksum of the limit is wrong") }
  }

  /// The values of the row, in the order of ``columns``.
  var values: [SQLValue] {
    [.integer(Int64(limit)), .integer(Int64(dropped)), .integer(checksum)]
  }

  /// A checksum of all else in the row, as that of an entry: one bit must not make a history
  /// shorter.
  var checksum: Int64 {
    var sum = FNV1a()
    for number in [Int64(limit), Int64(dropped)] {
      withUnsafeBytes(of: number.littleEndian) { sum.add($0) }
    }
    return Int64(bitPattern: sum.value)
  }
}
