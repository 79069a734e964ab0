import ISBN
import _CSVRecords

extension BookCatalogue {
  /// The most bytes of a field, without quotation marks: a title is never longer.
  private static let longestField = 65_536

  /// Reads a table of comma-separated values (RFC 4180): a header, then a line a book.
  ///
  /// The header names columns, in any order and case: `title` must be there, `subtitle`, `author`
  /// (or `authors`), `isbn` (or `isbn13`, `isbn10`) and `id` may be; others are skipped. Fields are
  /// parted by commas, semicolons or tabs, whichever the header has most of, and may stand in
  /// quotation marks, with ends of lines in them. Text is UTF-8, with or without a byte order mark.
  /// Lines without a title are skipped, and so is an ISBN that is wrong. O(*n*) for *n* bytes.
  ///
  /// - Parameter csv: the bytes of the table.
  /// - Throws: ``BookCatalogueError``, which names the line.
  public init(csv: some Collection<UInt8>) throws(BookCatalogueError) {
    let bytes = Array(csv)
    var reader = CSVReader(
      bytes, separator: CSVReader.separator(of: bytes), fieldLimit: Self.longestField)
    func next() throws(BookCatalogueError) -> [String]? {
      do throws(CSVError) {
        while let fields = try reader.next()?.fields {
          if fields.contains(where: { !$0.isEmpty }) { return fields }
        }
        return nil
      } catch {
        throw BookCatalogueError(error)
      }
    }
    guard let header = try next() else { throw .empty }
    let columns = try Columns(header)
    var entries: [Entry] = []
    while let record = try next() {
      if let entry = columns.entry(of: record) { entries.append(entry) }
    }
    self.init(entries: entries)
  }

  /// The columns of the fields in a table.
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

  fileprivate init(_ error: CSVError) {
    self =
      switch error.kind {
      case .notUTF8: .notUTF8(line: error.line)
      case .zeroByte: .zeroByte(line: error.line)
      case .fieldTooLong: .fieldTooLong(line: error.line)
      case .openQuote: .openQuote(line: error.line)
      }
  }

  /// The error, in one line.
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
