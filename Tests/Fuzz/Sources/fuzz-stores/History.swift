import Foundation
import FuzzSupport

@testable import CountHistory

extension Target {
  /// A history and its log: checksums of entries and of the log are put right, unless the first byte
  /// says not to.
  ///
  /// What is read of the whole file is also found page by page.
  static let history = Target(
    "history",
    seeds: {
      let file = Scratch.path("seed.sqlite")
      try waiting {
        let history = HistoryFile(file)
        for index in 0..<3 {
          try await history.add(
            HistoryEntry(
              time: Date(timeIntervalSince1970: 1_700_000_000), count: index,
              interval: index == 1 ? 1...300 : nil, correctedCount: index == 1 ? 2 : nil,
              imageName: index == 0 ? nil : "photo \(index).jpg",
              imageFolder: index == 1 ? "photos" : nil, thresholds: ["a": 0.5],
              thumbnail: index == 2 ? Data(repeating: 7, count: 5000) : nil,
              isFavorite: index == 1))
        }
      }
      let bytes = Array(try Data(contentsOf: file))
      let page = HistorySchema.pageSize
      return [
        input(file: bytes, log: []),
        input(file: Array(bytes.prefix(page)), log: log(of: Array(bytes.dropFirst(page)))),
      ]
    }
  ) { bytes in
    guard bytes.count > 2 else { return }
    var choices = Choices(bytes.dropFirst())
    let length = choices.below(1 << 16)
    var file = choices.bytes(length)
    var log = choices.rest()
    if bytes[0] & 1 == 0 {
      repairLog(&log)
      repairEntries(&file)
      // Those in the log have checksums that the log's own are made of.
      repairEntries(&log)
      repairLog(&log)
    }
    let found = HistoryFile.found(in: Data(file), log: Data(log))

    for suffix in ["-wal", "-shm"] { _ = Scratch.path("history.sqlite" + suffix) }
    let url = try Scratch.write(file, to: "history.sqlite")
    if !log.isEmpty { try Scratch.write(log, to: "history.sqlite-wal") }
    let history = HistoryFile(url, patience: 0)
    let saved = HistoryFile(Scratch.path("saved.sqlite"), patience: 0)
    try refusable(HistoryError.self) {
      _ = try waiting { try await history.salvage(into: saved) }
    }
    try refusable(HistoryError.self) {
      let entries = try waiting { try await history.entries() }
      let ids = Set(found.entries.map(\.entry.id))
      expect(
        entries.allSatisfy { ids.contains($0.id) }, "\(entries.count) read, \(ids.count) found")
      try waiting {
        if let first = entries.first {
          try await history.setFavorite(true, first.id)
          try await history.setCorrectedCount(7, first.id)
          try await history.remove(first.id)
        }
        try await history.add(
          HistoryEntry(
            time: Date(timeIntervalSince1970: 0), count: 1, imageName: nil, thresholds: [0],
            thumbnail: nil))
      }
    }
  }

  private static func input(file: [UInt8], log: [UInt8]) -> [UInt8] {
    [0, UInt8(file.count >> 8 & 0xFF), UInt8(file.count & 0xFF)] + file + log
  }

  /// Pages from the second on as the frames of one commit.
  private static func log(of pages: [UInt8]) -> [UInt8] {
    let size = HistorySchema.pageSize
    var log = [UInt8](repeating: 0, count: 32)
    log.putBigEndian(0x377F_0682, at: 0, bytes: 4)
    log.putBigEndian(3_007_000, at: 4, bytes: 4)
    log.putBigEndian(UInt64(size), at: 8, bytes: 4)
    let count = pages.count / size
    for index in 0..<count {
      var frame = [UInt8](repeating: 0, count: 24)
      frame.putBigEndian(UInt64(index + 2), at: 0, bytes: 4)
      if index == count - 1 { frame.putBigEndian(UInt64(count + 1), at: 4, bytes: 4) }
      log += frame + pages[(index * size)..<((index + 1) * size)]
    }
    repairLog(&log)
    return log
  }

  /// Puts the checksums of a log right, and the salts of its frames (SQLite, "Database File Format",
  /// section 4.2).
  private static func repairLog(_ log: inout [UInt8]) {
    guard log.count >= 32 else { return }
    let isBigEndian = log[3] & 1 == 1
    var first: UInt32 = 0
    var second: UInt32 = 0
    func add(_ range: Range<Int>) {
      for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        func word(_ at: Int) -> UInt32 {
          UInt32(
            isBigEndian
              ? log.bigEndianNumber(at: at, bytes: 4) : log.littleEndian(at: at, bytes: 4))
        }
        first &+= word(place) &+ second
        second &+= word(place + 4) &+ first
      }
    }
    func put(at offset: Int) {
      log.putBigEndian(UInt64(first), at: offset, bytes: 4)
      log.putBigEndian(UInt64(second), at: offset + 4, bytes: 4)
    }
    add(0..<24)
    put(at: 24)
    let size = Int(log.bigEndianNumber(at: 8, bytes: 4))
    guard size >= 512, size <= 1 << 16, size % 8 == 0 else { return }
    var frame = 32
    while frame + 24 + size <= log.count {
      for place in 0..<8 { log[frame + 8 + place] = log[16 + place] }
      add(frame..<(frame + 8))
      add((frame + 24)..<(frame + 24 + size))
      put(at: frame + 16)
      frame += 24 + size
    }
  }

  /// Puts the checksums of the entries right that lie within a page.
  private static func repairEntries(_ bytes: inout [UInt8]) {
    for size in [HistorySchema.pageSize, 512] {
      let pages = DatabasePages(file: Data(bytes), log: Data(), size: size)
      for number in pages.numbers {
        for case let (row, record)? in pages.cells(ofPage: number) {
          guard record.count > 8, let checksum = checksum(row: row, record: record) else {
            continue
          }
          // A record on several pages is not found here, and keeps what it has.
          let start = (number - 1) * size
          guard let range = bytes[start..<(start + size)].firstRange(of: record) else { continue }
          let place = range.upperBound - checksum.following - 8
          guard place >= range.lowerBound else { continue }
          bytes.putBigEndian(UInt64(bitPattern: checksum.sum), at: place, bytes: 8)
        }
      }
    }
  }

  /// The checksum that the entry of a record should have, and how many bytes follow its place.
  private static func checksum(row: Int64, record: [UInt8]) -> (sum: Int64, following: Int)? {
    guard let values = RecordCursor.values(ofRecord: record)?.dropFirst().map({ $0 }),
      [8, StoredEntry.columns.count].contains(values.count), case .blob(let id) = values[0],
      id.count == 16, case .integer(let time) = values[1], case .integer(let count) = values[2],
      case .integer(let favorite) = values[3], case .text(let thresholds) = values[5],
      case .integer = values[7]
    else { return nil }
    func text(_ place: Int) -> String? {
      if place < values.count, case .text(let text) = values[place] { text } else { nil }
    }
    func number(_ place: Int) -> Int? {
      if place < values.count, case .integer(let number) = values[place] {
        Int(clamping: number)
      } else {
        nil
      }
    }
    var thumbnail: Data?
    if case .blob(let bytes) = values[6] { thumbnail = bytes }
    var interval: ClosedRange<Int>?
    if let least = number(10), let greatest = number(11), least <= greatest {
      interval = least...greatest
    }
    let uuid = id.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
    let entry = try? HistoryEntry(
      id: UUID(uuid: uuid), milliseconds: time, count: Int(clamping: count), interval: interval,
      correctedCount: number(9), imageName: text(4), imageFolder: text(8),
      thresholdsJSON: thresholds, thumbnail: thumbnail, isFavorite: favorite == 1)
    guard let entry, let following = bytes(after: 7, of: record) else { return nil }
    return (StoredEntry(sequence: row, entry: entry).checksum, following)
  }

  /// How many bytes of a record belong to the columns after one ("Database File Format", section 2.1).
  private static func bytes(after column: Int, of record: [UInt8]) -> Int? {
    var header = RecordCursor(record)
    guard header.variable() != nil else { return nil }
    var (types, count) = ([Int64](), RecordCursor.values(ofRecord: record)?.count ?? 0)
    while count > 0, let type = header.variable() {
      types.append(type)
      count -= 1
    }
    // The first is the row's own number.
    return types.dropFirst(column + 2).reduce(0) { sum, type in
      sum
        + (type >= 12
          ? Int(type - 12) / 2 : [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0][Int(max(0, type))])
    }
  }
}
