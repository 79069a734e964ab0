import Geometry
import ISBN
import SpineHeuristics
import TestSupport
import Testing
import VisionProtocols

@testable import ShelfReading

/// A standing spine between two places along x, 400 pixels high.
private func spine(_ left: Double, _ right: Double, confidence: Float = 0.9) -> DetectedOutline {
  DetectedOutline(
    outline: Quadrilateral(
      topLeft: Point(x: left, y: 100), topRight: Point(x: right, y: 100),
      bottomRight: Point(x: right, y: 500), bottomLeft: Point(x: left, y: 500)),
    confidence: confidence)
}

/// Text that runs down at a place along x, with letters of a height.
private func down(
  _ text: String, x: Double, from top: Double = 120, to bottom: Double = 300, height: Double = 20
) -> RecognizedText {
  // Read from the top: the upper side of the letters is on the right.
  RecognizedText(
    outline: Quadrilateral(
      topLeft: Point(x: x + height / 2, y: top), topRight: Point(x: x + height / 2, y: bottom),
      bottomRight: Point(x: x - height / 2, y: bottom),
      bottomLeft: Point(x: x - height / 2, y: top)),
    text: text, confidence: 0.9)
}

private func code(_ payload: String, x: Float, y: Float = 400) -> RecognizedBarcode {
  RecognizedBarcode(
    payload: payload, symbology: .ean13,
    outline: Quadrilateral(Box(x: x, y: y, width: 30, height: 20)), confidence: 1)
}

@Suite("What is on which spine")
struct ShelfTests {
  @Test("Lines and barcodes go to the spine that they lie on, the others beside")
  func assignment() throws {
    let shelf = Shelf(
      outlines: [spine(200, 260), spine(100, 160)],
      texts: [
        down("RED DRAGON", x: 230), down("Somewhere else", x: 700),
        down("The Dwarfs", x: 130),
      ],
      barcodes: [code("9780306406157", x: 215), code("4006381333931", x: 900)])
    // From left to right, whatever the detector's order.
    #expect(shelf.books.map(\.title) == ["The Dwarfs", "RED DRAGON"])
    #expect(shelf.books.map(\.barcodes.count) == [0, 1])
    #expect(shelf.books.map(\.orientation) == [.standing, .standing])
    #expect(shelf.books.map(\.confidence) == [0.9, 0.9])
    #expect(shelf.otherLines.map(\.text) == ["Somewhere else"])
    #expect(shelf.otherBarcodes.map(\.payload) == ["4006381333931"])
    #expect(try shelf.isbns == [ISBN13("9780306406157")])
  }

  @Test("Title and author are told apart, lines in the order in which they are read")
  func label() {
    let shelf = Shelf(
      outlines: [spine(100, 160)],
      texts: [
        down("THOMAS HARRIS", x: 130, from: 330, to: 480, height: 12),
        down("RED DRAGON", x: 130, height: 24),
      ], barcodes: [])
    #expect(shelf.books[0].lines.map(\.text) == ["RED DRAGON", "THOMAS HARRIS"])
    #expect(shelf.books[0].title == "RED DRAGON")
    #expect(shelf.books[0].author == "THOMAS HARRIS")
  }

  @Test("A spine without text has neither title nor author")
  func blank() {
    let book = Shelf(outlines: [spine(0, 50)], texts: [], barcodes: []).books[0]
    #expect(book.title == nil)
    #expect(book.author == nil)
    #expect(book.lines.isEmpty)
    #expect(book.isbns.isEmpty)
  }

  @Test(
    "A line is a spine's from half of its area on",
    arguments: [(0.0, true), (9, true), (10, true), (11, false), (20, false), (25, false)])
  func half(beyond: Double, isHeld: Bool) {
    // Letters are 20 high: so many pixels of them lie beyond the right side. Three rows of points lie at
    // 1/6, 1/2 and 5/6 of the height; that of the middle counts as inside up to the side itself.
    let shelf = Shelf(
      outlines: [spine(100, 160)], texts: [down("On the edge", x: 150 + beyond)], barcodes: [])
    #expect(shelf.books[0].lines.isEmpty != isHeld)
    #expect(shelf.otherLines.isEmpty == isHeld)
  }

  @Test("Where spines overlap, a line goes to the one that holds more of it, and else to the first")
  func overlap() {
    let texts = [down("More on the right", x: 158), down("The same on both", x: 150)]
    let shelf = Shelf(
      outlines: [spine(100, 162), spine(138, 200)], texts: texts, barcodes: [])
    #expect(shelf.books[0].lines.map(\.text) == ["The same on both"])
    #expect(shelf.books[1].lines.map(\.text) == ["More on the right"])
  }

  @Test("A line across several spines is no one's")
  func across() {
    let sign = RecognizedText(
      outline: Quadrilateral(Box(x: 100, y: 200, width: 180, height: 30)), text: "FICTION",
      confidence: 1)
    let shelf = Shelf(
      outlines: [spine(100, 160), spine(160, 220), spine(220, 280)], texts: [sign], barcodes: [])
    #expect(shelf.books.flatMap(\.lines).isEmpty)
    #expect(shelf.otherLines == [sign])
  }

  @Test("ISBNs come from barcodes and from text, each once, those of books first")
  func isbns() throws {
    let shelf = Shelf(
      outlines: [spine(100, 160), spine(200, 260)],
      texts: [
        down("ISBN 0-306-40615-2", x: 230), down("ISBN 978-3-16-148410-0", x: 130),
        down("ISBN 978-1-4028-9462-6", x: 600),
      ],
      barcodes: [code("9780306406157", x: 215), code("4006381333931", x: 115)])
    let (first, second, third) = try (
      ISBN13("9783161484100"), ISBN13("9780306406157"), ISBN13("9781402894626")
    )
    #expect(shelf.books.map(\.isbns) == [[first], [second]])
    #expect(shelf.isbns == [first, second, third])
  }

  @Test("An ISBN that goes on in the next line is found")
  func brokenISBN() throws {
    let shelf = Shelf(
      outlines: [spine(100, 160)],
      texts: [
        down("ISBN", x: 130, from: 120, to: 200), down("978-3-16-148410-0", x: 130, from: 210),
      ], barcodes: [])
    #expect(try shelf.books[0].isbns == [ISBN13("9783161484100")])
  }

  @Test("Outlines and lines that are no shapes hold nothing and lose nothing")
  func degenerate() {
    let bad = [Double.nan, .infinity, -.infinity].map { value in
      DetectedOutline(
        outline: Quadrilateral(
          topLeft: Point(x: value, y: 0), topRight: Point(x: 900, y: 0),
          bottomRight: Point(x: 900, y: 900), bottomLeft: Point(x: 0, y: 900)), confidence: 1)
    }
    let crossed = DetectedOutline(
      outline: Quadrilateral(
        topLeft: Point(x: 0, y: 0), topRight: Point(x: 900, y: 900),
        bottomRight: Point(x: 900, y: 0), bottomLeft: Point(x: 0, y: 900)), confidence: 1)
    let nowhere = RecognizedText(
      outline: Quadrilateral(
        topLeft: Point(x: .nan, y: 0), topRight: Point(x: 1, y: 0),
        bottomRight: Point(x: 1, y: 1), bottomLeft: Point(x: 0, y: 1)), text: "?", confidence: 1)
    let shelf = Shelf(
      outlines: bad + [crossed, spine(100, 160)], texts: [nowhere, down("A TITLE", x: 130)],
      barcodes: [])
    #expect(shelf.books.count == 5)
    #expect(shelf.books.compactMap(\.title) == ["A TITLE"])
    #expect(shelf.otherLines.count == 1)
  }

  @Test("Bars of a barcode, and the white beside them, are no books; a book with a barcode is one")
  func bars() {
    // Bars one unit apart, a book below the code, and one on which the code stands.
    let barcode = code("9780306406157", x: 115, y: 300)
    let bars = (0..<8).map { index in
      DetectedOutline(
        outline: Quadrilateral(
          Box(x: 113 + 4 * Float(index), y: 298, width: 3, height: 24)), confidence: 0.9)
    }
    let white = DetectedOutline(
      outline: Quadrilateral(Box(x: 111, y: 295, width: 4, height: 30)), confidence: 0.9)
    let shelf = Shelf(
      outlines: bars + [white, spine(100, 160), spine(170, 220)], texts: [], barcodes: [barcode])
    #expect(shelf.books.map(\.outline) == [spine(100, 160).outline, spine(170, 220).outline])
    #expect(shelf.books.map(\.barcodes.count) == [1, 0])
    // A code without an extent hides nothing.
    let flat = RecognizedBarcode(
      payload: "1", symbology: .ean13,
      outline: Quadrilateral(Box(x: 130, y: 300, width: 0, height: 0)), confidence: 1)
    #expect(Shelf(outlines: bars, texts: [], barcodes: [flat]).books.count == 8)
  }

  @Test("Nothing found is an empty shelf")
  func empty() {
    let shelf = Shelf(outlines: [], texts: [], barcodes: [])
    #expect(shelf.books.isEmpty)
    #expect(shelf.isbns.isEmpty)
  }

  @Test("Every line and every barcode is somewhere, once, on seeded shelves")
  func nothingLost() {
    var random = SeededGenerator(seed: 77)
    for _ in 0..<100 {
      let outlines = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        let left = Double.random(in: 0...900, using: &random)
        return spine(left, left + Double.random(in: 1...90, using: &random))
      }
      let texts = (0..<20).map { index in
        down("\(index)", x: Double.random(in: 0...1000, using: &random))
      }
      let codes = (0..<5).map { index in
        code("\(index)", x: Float.random(in: 0...1000, using: &random))
      }
      let shelf = Shelf(outlines: outlines, texts: texts, barcodes: codes)
      let lines = shelf.books.flatMap(\.lines) + shelf.otherLines
      let found = shelf.books.flatMap(\.barcodes) + shelf.otherBarcodes
      #expect(shelf.books.count == outlines.count)
      #expect(lines.map(\.text).sorted() == texts.map(\.text).sorted())
      #expect(found.map(\.payload).sorted() == codes.map(\.payload).sorted())
    }
  }
}
