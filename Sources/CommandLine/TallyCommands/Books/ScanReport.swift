import CommandKit
import Drawing
import ISBN
import ShelfReading
import VisionProtocols

/// The books of a photo as text for people, as JSON for machines, and as a drawing.
struct ScanReport: PhotoReport {
  let path: String
  let width: Int
  let height: Int
  let shelf: Shelf
  /// A catalogue, and which of its books these are; nil if none was named.
  var known: (catalogue: BookCatalogue, matches: CatalogueMatches)?

  private var rows: SpineRowNumbers { SpineRowNumbers(shelf.rows) }

  // MARK: JSON

  /// One object: every spine with what is on it, all lines and barcodes of the photo with the
  /// spine, counted from 0, that they are on, and the rows with their spines.
  var json: JSONText {
    let lines = shelf.books.enumerated().flatMap { index, book in
      book.lines.map { ($0, index as Int?) }
    }
    let barcodes = shelf.books.enumerated().flatMap { index, book in
      book.barcodes.map { ($0, index as Int?) }
    }
    func spine(_ index: Int?) -> [(String, JSONText)] {
      [("spine", .optional(index) { .integer($0) })]
    }
    return .object(
      JSONText.members(ofImage: path, width: width, height: height) + [
        ("spines", .array(shelf.books.indices.map(json))),
        (
          "lines",
          .array(
            (lines + shelf.otherLines.map { ($0, nil) }).map { line, index in
              .object(TextReport.members(of: line) + spine(index))
            })
        ),
        (
          "barcodes",
          .array(
            (barcodes + shelf.otherBarcodes.map { ($0, nil) }).map { barcode, index in
              .object(BarcodeReport.members(of: barcode) + spine(index))
            })
        ),
        ("isbns", Self.json(shelf.isbns)), ("rows", rows.json),
      ] + catalogueMembers)
  }

  /// What of the catalogue is missing, and which spines are not in it, counted from 0.
  private var catalogueMembers: [(String, JSONText)] {
    guard let (catalogue, matches) = known else { return [] }
    return [
      ("missing", .array(matches.missing.map { Self.json(catalogue.entries[$0]) })),
      ("unknown", .array(matches.unknown.map { .integer($0) })),
    ]
  }

  private static func json(_ entry: BookCatalogue.Entry) -> JSONText {
    .object([
      ("title", .string(entry.title)), ("author", .optional(entry.author) { .string($0) }),
      ("isbn", .optional(entry.isbn) { .string($0.description) }),
      ("id", .optional(entry.id) { .string($0) }),
    ])
  }

  /// The entry of the catalogue that a spine is.
  private func entry(of book: Int) -> (entry: BookCatalogue.Entry, probability: Double)? {
    guard let (catalogue, matches) = known, let match = matches.matches[book] else { return nil }
    return (catalogue.entries[match.entry], match.probability)
  }

  private func title(of book: Int) -> String? {
    entry(of: book)?.entry.title ?? shelf.books[book].title
  }

  private func author(of book: Int) -> String? {
    if let entry = entry(of: book)?.entry { return entry.author }
    return shelf.books[book].author
  }

  private func json(_ index: Int) -> JSONText {
    let book = shelf.books[index]
    let label = book.label
    func text(_ text: String?) -> JSONText { .optional(text) { .string($0) } }
    let candidates = label.candidates.map { candidate -> JSONText in
      .object([
        ("title", .string(candidate.title)), ("author", text(candidate.author)),
        ("probability", .float(Float(candidate.probability))),
      ])
    }
    let entry = entry(of: index).map { entry, probability -> JSONText in
      .object([
        ("title", .string(entry.title)), ("author", text(entry.author)), ("id", text(entry.id)),
        ("probability", .float(Float(probability))),
      ])
    }
    return .object(
      SpineReport.members(of: book.outline) + [
        ("confidence", .float(book.confidence)),
        ("orientation", .optional(book.orientation) { .string($0.rawValue) }),
        ("title", text(label.title)), ("author", text(label.author)),
        ("subtitle", text(label.subtitle)), ("volume", text(label.volume)),
        ("publisher", text(label.publisher)), ("series", text(label.series)),
        ("edition", text(label.edition)), ("candidates", .array(candidates)),
        ("isbns", Self.json(book.isbns)),
        ("text", .array(book.lines.map { .string($0.text) })),
      ] + (known == nil ? [] : [("catalogue", .optional(entry) { $0 })]))
  }

  private static func json(_ isbns: [ISBN13]) -> JSONText {
    .array(isbns.map { .string($0.description) })
  }

  // MARK: Text

  /// What was found, the spines, the lines of text on none, and the barcodes.
  var lines: [String] {
    let books = shelf.books
    let barcodes = books.flatMap(\.barcodes) + shelf.otherBarcodes
    let withText = books.count(where: \.isRead)
    var found = [
      books.isEmpty ? "no spines" : Sentence.count(books.count, "spine", "spines") + rows.counts
    ]
    if withText < books.count { found.append("\(withText) with text") }
    if !barcodes.isEmpty { found.append(Sentence.count(barcodes.count, "barcode", "barcodes")) }
    var lines = [
      "\(PrintableText.of(path)): \(found.joined(separator: ", ")) (\(width) x \(height) pixels)"
    ]
    if books.contains(where: \.isRead) { lines += table(of: books) }
    lines += catalogueLines
    if !shelf.otherLines.isEmpty {
      lines.append(books.isEmpty ? "  text" : "  text on no spine")
      lines += shelf.otherLines.map { "  " + PrintableText.of($0.text) }
    }
    if !barcodes.isEmpty { lines += BarcodeReport.table(of: barcodes) }
    return lines
  }

  /// A line a spine with anything on it; their numbers are those of the drawing.
  private func table(of books: [ShelfBook]) -> [String] {
    var table = TextTable(
      [("  spine", .right), ("title", .left), ("author", .left), ("isbn", .left)]
        + (known == nil ? [] : [("from", .left)]))
    for (index, book) in books.enumerated() where book.isRead {
      table.add(
        [
          "\(index + 1)", title(of: index) ?? "-", author(of: index) ?? "-",
          book.isbns.isEmpty ? "-" : book.isbns.map(\.description).joined(separator: " "),
        ] + (known == nil ? [] : [source(of: index)]))
    }
    return table.lines
  }

  /// The source of title and author.
  private func source(of book: Int) -> String { entry(of: book) == nil ? "spine" : "catalogue" }

  /// The number of books found in the catalogue, and the first of the missing ones.
  private var catalogueLines: [String] {
    guard let (catalogue, matches) = known else { return [] }
    let seen = catalogue.entries.count - matches.missing.count
    var lines = [
      "  \(seen) of \(Sentence.count(catalogue.entries.count, "book", "books")) of the catalogue seen, "
        + "\(matches.missing.count) missing, \(Sentence.count(matches.unknown.count, "spine", "spines")) unknown"
    ]
    for place in matches.missing.prefix(Self.mostMissing) {
      let entry = catalogue.entries[place]
      let author = entry.author.map { ", \($0)" } ?? ""
      lines.append("  missing: " + PrintableText.of(entry.title + author))
    }
    if matches.missing.count > Self.mostMissing {
      lines.append("  and \(matches.missing.count - Self.mostMissing) more; --json has all")
    }
    return lines
  }

  /// More missing books than this are not listed.
  private static let mostMissing = 50

  // MARK: Tables

  static let columns = [
    "spine", "row", "title", "author", "isbns", "from", "confidence", "left", "top", "right",
    "bottom",
  ]

  /// The number of spines.
  var found: Int { shelf.books.count }

  var records: [[String]] {
    let rows = rows
    return shelf.books.enumerated().map { index, book in
      [
        "\(index + 1)", "\(rows.number(of: index))", CSVText.text(title(of: index) ?? ""),
        CSVText.text(author(of: index) ?? ""),
        book.isbns.map(\.description).joined(separator: " "), source(of: index),
        JSONText.float(book.confidence).text,
      ] + CSVText.sides(of: book.outline.boundingBox)
    }
  }

  // MARK: Drawing

  /// The outlines with numbers and titles; spines without text are blue.
  var overlay: Overlay {
    Overlay(
      marks: shelf.books.enumerated().map { index, book in
        Overlay.Mark(
          quad: book.outline, label: "\(index + 1) \(title(of: index) ?? "")",
          shortLabel: "\(index + 1)", color: book.isRead ? .green : .blue)
      }, caption: Sentence.count(shelf.books.count, "spine", "spines"))
  }
}

extension ShelfBook {
  /// Whether there is anything on it.
  fileprivate var isRead: Bool { !lines.isEmpty || !barcodes.isEmpty }
}
