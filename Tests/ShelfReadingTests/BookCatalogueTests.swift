import Geometry
import ISBN
import TestSupport
import Testing
import VisionProtocols

@testable import ShelfReading

/// A shelf whose spines have one line each, or several below each other.
private func shelf(_ spines: [[String]]) -> Shelf {
  var outlines: [DetectedOutline] = []
  var texts: [RecognizedText] = []
  for (index, lines) in spines.enumerated() {
    let left = Float(100 * index)
    outlines.append(
      DetectedOutline(
        outline: Quadrilateral(Box(x: left, y: 0, width: 60, height: 2000)), confidence: 1))
    for (row, line) in lines.enumerated() {
      let top = Double(20 + 400 * row)
      let (a, b) = (Double(left) + 40, Double(left) + 20)
      texts.append(
        RecognizedText(
          outline: Quadrilateral(
            topLeft: Point(x: a, y: top), topRight: Point(x: a, y: top + 350),
            bottomRight: Point(x: b, y: top + 350), bottomLeft: Point(x: b, y: top)),
          text: line, confidence: 1))
    }
  }
  return Shelf(outlines: outlines, texts: texts, barcodes: [])
}

@Suite("A catalogue of books")
struct BookCatalogueTests {
  /// Some of one's own books, and many that share words with them.
  static let entries: [BookCatalogue.Entry] =
    [
      .init(title: "Moby-Dick", author: "Herman Melville"),
      .init(title: "Dune", author: "Frank Herbert"),
      .init(title: "Dune Messiah", author: "Frank Herbert"),
      .init(title: "Le Petit Prince", author: "Antoine de Saint-Exupéry"),
      .init(title: "Walden", author: "Henry David Thoreau"),
      .init(title: "Walden", author: "Henry David Thoreau"),
    ]
    + (0..<400).map {
      .init(
        title:
          "The \(["Red", "Old", "Last", "Lost"][$0 % 4]) \(["Whale", "Desert", "Pond", "Rose"][$0 / 4 % 4]) \($0)"
      )
    }

  let catalogue = BookCatalogue(entries: entries)

  @Test("Books are found through misreadings and lost spaces, the rest is missing or unknown")
  func found() {
    let matches = catalogue.matches(
      of: shelf([
        ["MOBYDICK", "HERMANMELVI1LE"], ["FRANK HERBERT", "DUNE MESSIAH"], ["LePetit Prince"],
        ["KNITTING FOR BEGINNERS", "ANNA WEBER"], [],
      ]))
    #expect(matches.matches.map { $0?.entry } == [0, 2, 3, nil, nil])
    #expect(
      matches.matches.compactMap { $0 }.allSatisfy { $0.probability >= 0.7 && $0.probability <= 1 })
    #expect(matches.unknown == [3])
    #expect(matches.missing.count == Self.entries.count - 3 && matches.missing.contains(1))
  }

  @Test("Of two copies two spines are found, and not a third")
  func copies() {
    let spine = ["WALDEN", "HENRY DAVID THOREAU"]
    let matches = catalogue.matches(of: shelf([spine, spine, spine]))
    #expect(Set(matches.matches.compactMap { $0?.entry }) == [4, 5])
    #expect(matches.unknown.count == 1)
  }

  @Test("Another volume of a series is another book")
  func volumes() {
    let matches = catalogue.matches(
      of: shelf([["Antoine de Saint-Exupéry", "Le Petit Nuage"], ["The Lost Kingdom"]]))
    #expect(matches.matches == [nil, nil])
  }

  @Test("An ISBN decides")
  func isbn() throws {
    let catalogue = BookCatalogue(
      entries: Self.entries + [.init(title: "Something else", isbn: try ISBN13("9780306406157"))])
    let matches = catalogue.matches(of: shelf([["ISBN 0-306-40615-2"]]))
    #expect(matches.matches[0]?.entry == Self.entries.count)
  }

  @Test(
    "Tables are read with any of three separators, with and without a mark at the start",
    arguments: [",", ";", "\t"], ["", "\u{FEFF}"])
  func tables(separator: String, mark: String) throws {
    func line(_ fields: String...) -> String { fields.joined(separator: separator) }
    let head = line("Author", "TITLE", "ISBN", "shelf", "id")
    let first = line(
      "Melville", "\"Moby\(separator) \"\"Dick\"\"\n2\"", "0-306-40615-2", "A", "7")
    let (none, last) = (line("", "", "", "", ""), line("x", "Emma", "123"))
    let text = "\(mark)\(head)\r\n\(first)\r\n\r\n\(none)\n\(last)"
    let entries = try BookCatalogue(csv: text.utf8).entries
    #expect(
      entries.map(\.title) == ["Moby\(separator == "\t" ? "" : separator) \"Dick\" 2", "Emma"])
    #expect(entries.map(\.author) == ["Melville", "x"])
    #expect(entries.map { $0.isbn?.description } == ["9780306406157", nil])
    #expect(entries.map(\.id) == ["7", nil])
  }

  @Test(
    "Tables that are none say why",
    arguments: [
      ("", BookCatalogueError.empty), ("\n\r\n ,", .noTitleColumn),
      ("Moby Dick,Melville\n", .noTitleColumn),
      ("title,author,Title\n", .duplicateColumn("title")), ("title\na\0b\n", .zeroByte(line: 2)),
      ("title\n\"open\n\n", .openQuote(line: 2)),
      ("title\n" + String(repeating: "x", count: 70_000), .fieldTooLong(line: 2)),
      ("title,id\n\"a\nb\"," + String(repeating: "x", count: 70_000), .fieldTooLong(line: 3)),
    ])
  func errors(table: String, error: BookCatalogueError) {
    #expect(throws: error) { try BookCatalogue(csv: table.utf8) }
    #expect(!error.description.isEmpty)
  }

  @Test("Bytes that are no UTF-8 are told by their line")
  func bytes() {
    #expect(throws: BookCatalogueError.notUTF8(line: 2)) {
      try BookCatalogue(csv: Array("title\n".utf8) + [0xFF, 0x41])
    }
    #expect(throws: BookCatalogueError.notUTF8(line: 1)) {
      try BookCatalogue(csv: [0xFF, 0xFE, 0x41, 0])
    }
  }

  @Test("A catalogue of nothing, and hostile lines, come to an answer")
  func hostile() {
    let empty = BookCatalogue(entries: [])
    #expect(
      empty.matches(of: shelf([["Emma"], ["\u{0}"], [String(repeating: "a", count: 5000)]])).matches
        == [nil, nil, nil])
    let odd = BookCatalogue(entries: [
      .init(title: ""), .init(title: "🙂"), .init(title: "?", author: "&"),
    ])
    #expect(odd.matches(of: shelf([["🙂"], ["?"]])).missing == [0, 1, 2])
  }
}
