import Foundation

/// The pages of a database file whose structure cannot be relied upon, with the changes of its log.
///
/// The file formats are those of "Database File Format" (sqlite.org/fileformat2.html): section 1.3
/// for the header, 1.5 for pages of trees, 4 for the log.
struct DatabasePages {
  /// The length of a page.
  let size: Int
  /// How many pages the header says there are; 0 if it says nothing that can be.
  let promised: Int
  private let file: [UInt8]
  /// The offsets of the pages of the log, by their numbers, which count from 1.
  private let changed: [Int: Int]
  private let log: [UInt8]

  /// Takes the file apart.
  ///
  /// - Parameter size: the length of a page, a power of two from 512 to 65,536.
  init(file: Data, log: Data, size: Int) {
    self.file = Array(file)
    self.log = Array(log)
    self.size = size
    let log = DatabaseLog(self.log, pageSize: size)
    changed = log.pages
    let header = self.file.count >= 100 ? Int(self.file.bigEndian(at: 28, bytes: 4)) : 0
    promised = log.pageCount ?? (header <= HistorySchema.largestFile / size ? header : 0)
  }

  /// The length of pages that the header states, or nil if there can be none such.
  static func statedSize(_ file: Data) -> Int? {
    guard file.count >= 18 else { return nil }
    let stated = Int(Array(file.prefix(18)).bigEndian(at: 16, bytes: 2))
    let size = stated == 1 ? 65_536 : stated
    return size >= 512 && size & (size - 1) == 0 ? size : nil
  }

  /// How many pages the file has room for, and the log's last page in it.
  var count: Int { max(file.count / size, changed.keys.max() ?? 0) }

  /// The numbers of the pages that are there, in order.
  ///
  /// A log may say that its page is the four-billionth: not all before it are.
  var numbers: [Int] {
    let inFile = file.count / size
    return (0..<inFile).map { $0 + 1 } + changed.keys.filter { $0 > inFile }.sorted()
  }

  /// The bytes of a page, or nil if it is not whole.
  func page(_ number: Int) -> [UInt8]? {
    guard number >= 1 else { return nil }
    if let start = changed[number] { return Array(log[start..<(start + size)]) }
    let (start, overflow) = (number - 1).multipliedReportingOverflow(by: size)
    guard !overflow, start <= file.count - size else { return nil }
    return Array(file[start..<(start + size)])
  }

  /// A row in a leaf of a table: its number, and the bytes of its record; nil if it is unreadable.
  typealias Cell = (row: Int64, record: [UInt8])?

  /// What a page says it is.
  enum Kind: Equatable {
    /// A leaf of a table, which has rows.
    case leaf
    /// A page of a table's tree with the numbers of those below it.
    case interior(below: [Int])
    /// Anything else: the rest of a long row, nothing, or damage.
    case other
  }

  /// What a page says it is.
  func kind(ofPage number: Int) -> Kind {
    guard let page = page(number) else { return .other }
    // The first page begins with the header of the file.
    let start = number == 1 ? 100 : 0
    switch page[start] {
    case 0x0D: return .leaf
    case 0x05:
      let last = Int(page.bigEndian(at: start + 8, bytes: 4))
      let others = pointers(of: page, from: start + 3, array: start + 12).filter { $0 + 4 <= size }
      return .interior(below: others.map { Int(page.bigEndian(at: $0, bytes: 4)) } + [last])
    default: return .other
    }
  }

  /// The rows of a page of any type; if it is not a leaf of a table, most are nil.
  func cells(ofPage number: Int) -> [Cell] {
    guard let page = page(number) else { return [] }
    let start = number == 1 ? 100 : 0
    return pointers(of: page, from: start + 3, array: start + 8).map { cell(at: $0, of: page) }
  }

  /// The offsets of the cells of a page, from their count and the array of offsets.
  private func pointers(of page: [UInt8], from count: Int, array: Int) -> [Int] {
    // No row is that short; a page of anything else may say it has thousands.
    let count = min(Int(page.bigEndian(at: count, bytes: 2)), size / 32)
    return (0..<count).map { array + 2 * $0 }.prefix { $0 + 2 <= size }
      .map { Int(page.bigEndian(at: $0, bytes: 2)) }
  }

  private func cell(at offset: Int, of page: [UInt8]) -> Cell {
    var cursor = RecordCursor(page, at: offset)
    guard let length = cursor.variable(), let row = cursor.variable(),
      // No entry is larger.
      (1...(1 << 20)).contains(length)
    else { return nil }
    let local = Self.localLength(Int(length), size: size)
    guard var record = cursor.bytes(local) else { return nil }
    guard local < length else { return (row, record) }
    guard let first = cursor.bytes(4) else { return nil }
    var next = Int(first.bigEndian(at: 0, bytes: 4))
    while record.count < length {
      guard let page = self.page(next) else { return nil }
      next = Int(page.bigEndian(at: 0, bytes: 4))
      // Each adds bytes, so that a chain that runs in a circle ends too.
      record += page[4..<(4 + min(size - 4, Int(length) - record.count))]
    }
    return (row, record)
  }

  /// The part of a record of `length` bytes that is in the leaf itself.
  private static func localLength(_ length: Int, size: Int) -> Int {
    let most = size - 35
    guard length > most else { return length }
    let least = (size - 12) * 32 / 255 - 23
    let kept = least + (length - least) % (size - 4)
    return kept <= most ? kept : least
  }
}

/// The committed pages of a write-ahead log.
private struct DatabaseLog {
  /// The offset of the last page of each number.
  private(set) var pages: [Int: Int] = [:]
  /// The number of pages after the last commit, or nil if there is none.
  private(set) var pageCount: Int?

  init(_ log: [UInt8], pageSize: Int) {
    guard log.count >= 32 else { return }
    let magic = log.bigEndian(at: 0, bytes: 4)
    guard magic & ~1 == 0x377F_0682, log.bigEndian(at: 8, bytes: 4) == pageSize else { return }
    var sum = LogChecksum(isBigEndian: magic & 1 == 1)
    sum.add(log, 0..<24)
    guard sum.matches(log, at: 24) else { return }
    let salt = log[16..<24]
    var pending: [Int: Int] = [:]
    var frame = 32
    // The log ends at the first frame that does not belong to those before it.
    while frame + 24 + pageSize <= log.count, log[(frame + 8)..<(frame + 16)] == salt {
      sum.add(log, frame..<(frame + 8))
      sum.add(log, (frame + 24)..<(frame + 24 + pageSize))
      guard sum.matches(log, at: frame + 16) else { break }
      pending[Int(log.bigEndian(at: frame, bytes: 4))] = frame + 24
      let committed = log.bigEndian(at: frame + 4, bytes: 4)
      if committed > 0 {
        pages.merge(pending) { $1 }
        pending = [:]
        pageCount = Int(committed)
      }
      frame += 24 + pageSize
    }
    // A commit may leave fewer pages than there were.
    if let pageCount { pages = pages.filter { $0.key <= pageCount } }
  }
}

/// The running checksum of a log (section 4.2).
private struct LogChecksum {
  let isBigEndian: Bool
  private var first: UInt32 = 0
  private var second: UInt32 = 0

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
    bytes.withUnsafeBytes { bytes in
      for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        first &+= word(bytes, place) &+ second
        second &+= word(bytes, place + 4) &+ first
      }
    }
  }

  func matches(_ bytes: [UInt8], at offset: Int) -> Bool {
    bytes.bigEndian(at: offset, bytes: 4) == UInt64(first)
      && bytes.bigEndian(at: offset + 4, bytes: 4) == UInt64(second)
  }

  private func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
    let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }
}

extension [UInt8] {
  /// The number in `bytes` bytes, which must be there, most significant byte first.
  func bigEndian(at offset: Int, bytes: Int) -> UInt64 {
    self[offset..<(offset + bytes)].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
