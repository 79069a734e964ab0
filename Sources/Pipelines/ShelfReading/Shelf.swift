import Geometry
import ISBN
import SpineHeuristics
import VisionProtocols

/// What stands on a shelf or lies in a stack.
public struct Shelf: Hashable, Sendable {
  /// The books, in the order in which they are read: rows from top to bottom, each from left to
  /// right, the books of a stack from top to bottom.
  public let books: [ShelfBook]
  /// The rows in which they stand, from top to bottom, as indices of ``books``; a stack by itself
  /// is one too.
  public let rows: [[Int]]
  /// The lines of text that lie on no book, as the recognizer ordered them.
  public let otherLines: [RecognizedText]
  /// The barcodes that lie on no book, as the reader ordered them.
  public let otherBarcodes: [RecognizedBarcode]

  /// The different ISBNs of all, those of books first.
  public let isbns: [ISBN13]

  /// Says which text and which barcodes are whose.
  ///
  /// What lies on an outline with at least half of its area is that book's; where several hold so
  /// much, the one that holds most of it, and of equal ones the first. An outline in a barcode, or
  /// in the white around it, is a bar and no book, and left out. O(books (books + lines +
  /// barcodes)).
  ///
  /// - Parameters:
  ///   - outlines: of the books, in pixels with y growing downward and in any order; those that are
  ///     not convex, or have a coordinate that is not finite, hold nothing and come last.
  ///   - texts: lines of text in the same pixels.
  ///   - barcodes: barcodes in the same pixels.
  public init(
    outlines: [DetectedOutline], texts: [RecognizedText], barcodes: [RecognizedBarcode]
  ) {
    let contents = ShelfContents(outlines: outlines, texts: texts, barcodes: barcodes)
    self.init(contents, labels: contents.lines.map(ShelfContents.label))
  }

  /// Says the same, but chooses the titles of several books at a time.
  init(
    concurrently outlines: [DetectedOutline], texts: [RecognizedText],
    barcodes: [RecognizedBarcode]
  ) async {
    let contents = ShelfContents(outlines: outlines, texts: texts, barcodes: barcodes)
    let labels = await withTaskGroup(of: (index: Int, label: SpineLabel).self) { group in
      for (index, lines) in contents.lines.enumerated() {
        group.addTask { (index, ShelfContents.label(of: lines)) }
      }
      return await group.reduce(into: [Int: SpineLabel]()) { $0[$1.index] = $1.label }
    }
    self.init(contents, labels: contents.lines.indices.compactMap { labels[$0] })
  }

  private init(_ contents: ShelfContents, labels: [SpineLabel]) {
    books = contents.outlines.indices.map { index in
      ShelfBook(
        outline: contents.outlines[index], lines: contents.lines[index], label: labels[index],
        barcodes: contents.barcodes[index])
    }
    rows = SpineGeometry().rows(of: contents.outlines.map(\.outline))
    otherLines = contents.otherLines
    otherBarcodes = contents.otherBarcodes
    var seen = Set<ISBN13>()
    isbns =
      (books.flatMap(\.isbns) + Self.isbns(in: otherLines, and: otherBarcodes))
      .filter { seen.insert($0).inserted }
  }

  /// The different ISBNs that barcodes and lines name, barcodes' first.
  static func isbns(in lines: [RecognizedText], and barcodes: [RecognizedBarcode]) -> [ISBN13] {
    var seen = Set<ISBN13>()
    // An ISBN may go on in the next line.
    let text = lines.map(\.text).joined(separator: "\n")
    return
      (barcodes.compactMap { (try? EANPayload($0.payload))?.isbn }
      + ISBNExtractor().books(in: text))
      .filter { seen.insert($0).inserted }
  }
}

/// A book, and what can be read on it.
public struct ShelfBook: Hashable, Sendable {
  /// Where its spine is, in pixels of the upright image.
  public let outline: Quadrilateral
  /// How sure the detector is that it is one, 0...1.
  public let confidence: Float
  /// How it stands; nil if its outline has no long side.
  public let orientation: SpineOrientation?
  /// The lines of text on it, in the order in which they are read.
  public let lines: [RecognizedText]
  /// What the lines say of title, author and the like; its order counts them as the recognizer did.
  public let label: SpineLabel
  /// The barcodes on it.
  public let barcodes: [RecognizedBarcode]
  /// The different ISBNs on it, those of barcodes first.
  public let isbns: [ISBN13]

  /// The title that the lines propose; nil if there is no text.
  public var title: String? { label.title }
  /// The author or authors that they propose; nil if none is named.
  public var author: String? { label.author }

  fileprivate init(
    outline: DetectedOutline, lines: [RecognizedText], label: SpineLabel,
    barcodes: [RecognizedBarcode]
  ) {
    self.outline = outline.outline
    confidence = outline.confidence
    orientation = SpineGeometry().orientation(of: outline.outline)
    self.lines = label.order.map { lines[$0] }
    self.label = label
    self.barcodes = barcodes
    isbns = Shelf.isbns(in: self.lines, and: barcodes)
  }
}

/// Which text and which barcodes are whose.
private struct ShelfContents: Sendable {
  /// The outlines of the books, in reading order.
  let outlines: [DetectedOutline]
  /// The lines on each, as the recognizer ordered them.
  private(set) var lines: [[RecognizedText]]
  private(set) var barcodes: [[RecognizedBarcode]]
  private(set) var otherLines: [RecognizedText] = []
  private(set) var otherBarcodes: [RecognizedBarcode] = []

  init(outlines: [DetectedOutline], texts: [RecognizedText], barcodes codes: [RecognizedBarcode]) {
    let books = outlines.filter { outline in
      !codes.contains { $0.outline.hasBar(outline.outline) }
    }
    let ordered = SpineGeometry().readingOrder(of: books.map(\.outline)).map { books[$0] }
    let holders = ordered.map { $0.outline.isConvex ? $0.outline : nil }
    self.outlines = ordered
    lines = [[RecognizedText]](repeating: [], count: ordered.count)
    barcodes = [[RecognizedBarcode]](repeating: [], count: ordered.count)
    for text in texts {
      if let index = text.outline.holder(among: holders) {
        lines[index].append(text)
      } else {
        otherLines.append(text)
      }
    }
    for code in codes {
      if let index = code.outline.holder(among: holders) {
        barcodes[index].append(code)
      } else {
        otherBarcodes.append(code)
      }
    }
  }

  /// What the lines of one book say.
  static func label(of lines: [RecognizedText]) -> SpineLabel {
    SpineGeometry().label(
      of: lines.map {
        SpineTextLine(outline: $0.outline, text: $0.text, confidence: Double($0.confidence))
      })
  }
}

extension Quadrilateral {
  /// Which of several shapes holds most of this one, and at least half of it; nil if none does.
  fileprivate func holder(among shapes: [Quadrilateral?]) -> Int? {
    guard isFinite else { return nil }
    var best: (index: Int, points: Int)?
    for (index, shape) in shapes.enumerated() {
      guard let shape else { continue }
      let points = Self.places.count { shape.contains(point(u: $0.u, v: $0.v)) }
      if 2 * points >= Self.places.count, points > best?.points ?? 0 { best = (index, points) }
    }
    return best?.index
  }

  /// Whether another shape lies in this barcode or in the white around it, by at least half of its
  /// area.
  fileprivate func hasBar(_ shape: Quadrilateral) -> Bool {
    guard isFinite, shape.isFinite else { return false }
    let (left, right) = (point(u: 0, v: 0.5), point(u: 1, v: 0.5))
    let (top, bottom) = (point(u: 0.5, v: 0), point(u: 0.5, v: 1))
    /// How far along an axis a point is, 0 at its start and 1 at its end.
    func place(_ point: Point, _ start: Point, _ end: Point) -> Double {
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      return ((point.x - start.x) * dx + (point.y - start.y) * dy) / (dx * dx + dy * dy)
    }
    // The white at either end is some 12 % of an EAN's width; a reader may see a part of the height
    // only.
    let inside = Self.places.count { at in
      let point = shape.point(u: at.u, v: at.v)
      return abs(place(point, left, right) - 0.5) <= 0.65
        && abs(place(point, top, bottom) - 0.5) <= 1
    }
    return 2 * inside >= Self.places.count
  }

  /// Points all over a shape, as shares of its sides: many along it, as lines of text are long.
  private static let places: [(u: Double, v: Double)] = (0..<48).map { index in
    let (row, column) = (Double(index / 16), Double(index % 16))
    return (u: (column + 0.5) / 16, v: (row + 0.5) / 3)
  }
}
