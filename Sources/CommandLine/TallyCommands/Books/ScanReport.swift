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

  // MARK: JSON

  /// One object: every spine with what is on it, and all lines and barcodes of the photo with the spine, counted
  /// from 0, that they are on.
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
        ("spines", .array(shelf.books.map(Self.json))),
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
        ("isbns", Self.json(shelf.isbns)),
      ])
  }

  private static func json(_ book: ShelfBook) -> JSONText {
    .object(
      SpineReport.members(of: book.outline) + [
        ("confidence", .float(book.confidence)),
        ("orientation", .optional(book.orientation) { .string($0.rawValue) }),
        ("title", .optional(book.title) { .string($0) }),
        ("author", .optional(book.author) { .string($0) }),
        ("isbns", json(book.isbns)),
        ("text", .array(book.lines.map { .string($0.text) })),
      ])
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
    var found = [books.isEmpty ? "no spines" : Sentence.count(books.count, "spine", "spines")]
    if withText < books.count { found.append("\(withText) with text") }
    if !barcodes.isEmpty { found.append(Sentence.count(barcodes.count, "barcode", "barcodes")) }
    var lines = [
      "\(PrintableText.of(path)): \(found.joined(separator: ", ")) (\(width) x \(height) pixels)"
    ]
    if books.contains(where: \.isRead) { lines += Self.table(of: books) }
    if !shelf.otherLines.isEmpty {
      lines.append(books.isEmpty ? "  text" : "  text on no spine")
      lines += shelf.otherLines.map { "  " + PrintableText.of($0.text) }
    }
    if !barcodes.isEmpty { lines += BarcodeReport.table(of: barcodes) }
    return lines
  }

  /// A line a spine with anything on it; their numbers are those of the drawing.
  private static func table(of books: [ShelfBook]) -> [String] {
    var table = TextTable([
      ("  spine", .right), ("title", .left), ("author", .left), ("isbn", .left),
    ])
    for (index, book) in books.enumerated() where book.isRead {
      table.add([
        "\(index + 1)", book.title ?? "-", book.author ?? "-",
        book.isbns.isEmpty ? "-" : book.isbns.map(\.description).joined(separator: " "),
      ])
    }
    return table.lines
  }

  // MARK: Tables

  static let columns = [
    "spine", "title", "author", "isbns", "confidence", "left", "top", "right", "bottom",
  ]

  /// How many spines there are.
  var found: Int { shelf.books.count }

  var records: [[String]] {
    shelf.books.enumerated().map { index, book in
      [
        "\(index + 1)", CSVText.text(book.title ?? ""), CSVText.text(book.author ?? ""),
        book.isbns.map(\.description).joined(separator: " "),
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
          quad: book.outline, label: "\(index + 1) \(book.title ?? "")",
          shortLabel: "\(index + 1)", color: book.isRead ? .green : .blue)
      }, caption: Sentence.count(shelf.books.count, "spine", "spines"))
  }
}

extension ShelfBook {
  /// Whether there is anything on it.
  fileprivate var isRead: Bool { !lines.isEmpty || !barcodes.isEmpty }
}
