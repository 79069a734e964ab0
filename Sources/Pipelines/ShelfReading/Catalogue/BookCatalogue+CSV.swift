import ISBN

extension BookCatalogue {
  /// The most bytes of a field, without quotation marks: a title is never longer.
  private static let longestField = 65_536

  /// Reads a table of comma-separated values (RFC 4180): a header, then a line a book.
  ///
  /// The header names columns, in any order and case: `title` must be there, `subtitle`, `author` (or `authors`),
  /// `isbn` (or `isbn13`, `isbn10`) and `id` may be; others are passed over. Fields are parted by commas,
  /// semicolons or tabs, whichever the header has most of, and may stand in quotation marks, with ends of lines in
  /// them. Text is UTF-8, with or without a byte order mark. Lines without a title are passed over, and so is an ISBN
  /// that is wrong. O(*n*) for *n* bytes.
  ///
  /// - Parameter csv: the bytes of the table.
  /// - Throws: ``BookCatalogueError``, which names the line.
  public init(csv: some Collection<UInt8>) throws(BookCatalogueError) {
    var bytes = Array(csv)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw .notUTF8(line: 1)
    }
    var scanner = CSVRecords(bytes, separator: CSVRecords.separator(of: bytes))
    guard let header = try scanner.next(fieldLimit: Self.longestField) else { throw .empty }
    let columns = try Columns(header)
    var entries: [Entry] = []
    while let record = try scanner.next(fieldLimit: Self.longestField) {
      if let entry = columns.entry(of: record) { entries.append(entry) }
    }
    self.init(entries: entries)
  }

  /// Where a table has which field.
  private struct Columns {
    private var places: [String: Int] = [:]

    init(_ header: [String]) throws(BookCatalogueError) {
      let names = [
        "title": "title", "subtitle": "subtitle", "author": "author", "authors": "author",
        "isbn": "isbn", "isbn13": "isbn", "isbn10": "isbn", "id": "id",
      ]
      for (place, name) in header.enumerated() {
        let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
        guard let column = names[letters] else { continue }
        if places[column] != nil {
          // ISBN-10 and ISBN-13 side by side: the first that is named.
          if column == "isbn" { continue }
          throw .duplicateColumn(column)
        }
        places[column] = place
      }
      if places["title"] == nil { throw .noTitleColumn }
    }

    func entry(of record: [String]) -> Entry? {
      func text(_ column: String) -> String? {
        guard let place = places[column], place < record.count else { return nil }
        let text = record[place].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return text.isEmpty ? nil : text
      }
      guard let title = text("title") else { return nil }
      return Entry(
        title: title, subtitle: text("subtitle"), author: text("author"),
        isbn: text("isbn").flatMap(Self.isbn), id: text("id"))
    }

    /// An ISBN of either length.
    private static func isbn(_ text: String) -> ISBN13? {
      if let isbn = try? ISBN13(text) { return isbn }
      return (try? ISBN10(text)).map { ISBN13($0) }
    }
  }
}

/// Why a table cannot be read as a catalogue.
public enum BookCatalogueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is nothing in it.
  case empty
  /// No column is called `title`.
  case noTitleColumn
  /// Two columns have one name.
  case duplicateColumn(String)
  /// A line, counted from 1, has bytes that are not UTF-8.
  case notUTF8(line: Int)
  /// A line has a byte of 0, which no text has.
  case zeroByte(line: Int)
  /// A field that begins on a line is longer than 65,536 bytes.
  case fieldTooLong(line: Int)
  /// A quotation mark on a line is never closed.
  case openQuote(line: Int)

  /// What is wrong, in one line.
  public var description: String {
    switch self {
    case .empty: "the catalogue is empty; it must begin with a line that names its columns"
    case .noTitleColumn:
      "the first line of the catalogue names no column 'title'; it must, such as in 'title,author,isbn'"
    case .duplicateColumn(let name): "the catalogue has two columns '\(name)'"
    case .notUTF8(let line): "line \(line) of the catalogue is not UTF-8"
    case .zeroByte(let line): "line \(line) of the catalogue has a byte of 0; it must be text"
    case .fieldTooLong(let line):
      "line \(line) of the catalogue has a field of more than 65,536 bytes"
    case .openQuote(let line):
      "line \(line) of the catalogue opens a quotation mark and never closes it"
    }
  }
}

/// Takes a table apart, record by record.
private struct CSVRecords {
  private let bytes: [UInt8]
  private let separator: UInt8
  private var place = 0
  private var line = 1

  init(_ bytes: [UInt8], separator: UInt8) {
    self.bytes = bytes
    self.separator = separator
  }

  /// The comma, semicolon or tab that the first line has most of.
  static func separator(of bytes: [UInt8]) -> UInt8 {
    let header = bytes.prefix(4096).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let candidates = ",;\t".utf8
    let counts = candidates.map { sign in (sign, header.count { $0 == sign }) }
    // Of equal counts the comma.
    return counts.reduce((UInt8(ascii: ","), 0)) { $1.1 > $0.1 ? $1 : $0 }.0
  }

  /// The fields of the next record that is not blank; nil at the end.
  mutating func next(fieldLimit: Int) throws(BookCatalogueError) -> [String]? {
    while place < bytes.count {
      let fields = try record(fieldLimit)
      if fields.contains(where: { !$0.isEmpty }) { return fields }
    }
    return nil
  }

  private mutating func record(_ fieldLimit: Int) throws(BookCatalogueError) -> [String] {
    var fields: [String] = []
    var field: [UInt8] = []
    let start = line
    var isQuoted = false
    var quoteLine = line
    func text() throws(BookCatalogueError) -> String {
      let isBroken = transcode(
        field.makeIterator(), from: UTF8.self, to: UTF32.self, stoppingOnError: true, into: { _ in }
      )
      if isBroken { throw .notUTF8(line: start) }
      return String(decoding: field, as: UTF8.self)
    }
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case 0: throw .zeroByte(line: line)
      case UInt8(ascii: "\""):
        if isQuoted, place < bytes.count, bytes[place] == byte {
          field.append(byte)
          place += 1
        } else if isQuoted {
          isQuoted = false
        } else if field.isEmpty {
          isQuoted = true
          quoteLine = line
        } else {
          // A mark within a field that has none around it stands for itself.
          field.append(byte)
        }
      case separator where !isQuoted:
        fields.append(try text())
        field = []
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        let isPair =
          byte == UInt8(ascii: "\r") && place < bytes.count && bytes[place] == UInt8(ascii: "\n")
        if isPair { place += 1 }
        line += 1
        if isQuoted {
          field.append(UInt8(ascii: "\n"))
        } else {
          fields.append(try text())
          return fields
        }
      default: field.append(byte)
      }
      if field.count > fieldLimit { throw .fieldTooLong(line: start) }
    }
    if isQuoted { throw .openQuote(line: quoteLine) }
    fields.append(try text())
    return fields
  }
}
