import Foundation
import Geometry
import TestSupport
import Testing

@testable import SpineHeuristics

@Suite("Titles and authors")
struct SpineLabelTests {
  let geometry = SpineGeometry()

  /// A line on a spine that is read along x, on a row, with letters of a height.
  private func line(
    _ text: String, from start: Double, row: Double = 0, height: Double = 20
  ) -> SpineTextLine {
    let length = Double(text.count) * height * 0.6
    let (top, bottom) = (row - height / 2, row + height / 2)
    return SpineTextLine(
      outline: Quadrilateral(
        topLeft: Point(x: start, y: top), topRight: Point(x: start + length, y: top),
        bottomRight: Point(x: start + length, y: bottom), bottomLeft: Point(x: start, y: bottom)),
      text: text)
  }

  /// Lines one after the other along the spine, with the heights of their letters.
  private func lines(_ texts: [(text: String, height: Double)]) -> [SpineTextLine] {
    var start = 0.0
    return texts.map { text, height in
      defer { start += Double(text.count) * height * 0.6 + 30 }
      return line(text, from: start, height: height)
    }
  }

  /// Texts of a spine with the heights of their letters, and what they say.
  struct Case: Sendable, CustomTestStringConvertible {
    let lines: [(text: String, height: Double)]
    let title: String
    let author: String?

    init(_ lines: [(String, Double)], title: String, author: String?) {
      self.lines = lines.map { (text: $0.0, height: $0.1) }
      self.title = title
      self.author = author
    }

    init(
      _ first: String, _ firstHeight: Double, _ second: String, _ secondHeight: Double,
      title: String, author: String?
    ) {
      lines = [(first, firstHeight), (second, secondHeight)]
      self.title = title
      self.author = author
    }

    init(_ only: String, title: String, author: String?) {
      lines = [(only, 20)]
      self.title = title
      self.author = author
    }

    var testDescription: String { lines.map(\.text).joined(separator: " | ") }
  }

  static let cases: [Case] = [
    Case("THOMAS HARRIS", 20, "RED DRAGON", 20, title: "RED DRAGON", author: "THOMAS HARRIS"),
    Case("HAROLD PINTER", 18, "The Dwarfs", 18, title: "The Dwarfs", author: "HAROLD PINTER"),
    Case("incendiary", 30, "chris cleave", 24, title: "incendiary", author: "chris cleave"),
    Case("MALCOLM GLADWELL", 14, "OUTLIERS", 26, title: "OUTLIERS", author: "MALCOLM GLADWELL"),
    Case(
      "IF IT BLEEDS", 30, "DUNCAN CAMPBELL", 20, title: "IF IT BLEEDS", author: "DUNCAN CAMPBELL"),
    Case("Catch-22", 40, "Joseph Heller", 24, title: "Catch-22", author: "Joseph Heller"),
    Case("BLACK HOLE", 40, "CHARLES BURNS", 30, title: "BLACK HOLE", author: "CHARLES BURNS"),
    Case("WHITE TEETH", 20, "ZADIE SMITH", 20, title: "WHITE TEETH", author: "ZADIE SMITH"),
    Case("BLUEBEARD", 12, "KURT VONNEGUT", 30, title: "BLUEBEARD", author: "KURT VONNEGUT"),
    Case(
      "ARTHUR C. CLARKE & MICHAEL KUBE-McDOWELL", 18, "THE TRIGGER", 34, title: "THE TRIGGER",
      author: "ARTHUR C. CLARKE & MICHAEL KUBE-McDOWELL"),
    Case(
      "The Food of the Gods", 24, "H.G. WELLS", 18, title: "The Food of the Gods",
      author: "H.G. WELLS"),
    Case(
      "How to Design Programs", 24, "Felleisen, Findler, Flatt, and Krishnamurthi", 20,
      title: "How to Design Programs", author: "Felleisen, Findler, Flatt, and Krishnamurthi"),
    Case(
      "Ludwig van Beethoven", 16, "Letters", 28, title: "Letters", author: "Ludwig van Beethoven"),
    Case("Rebecca Stone", 40, "Laura Field", 15, title: "Rebecca Stone", author: "Laura Field"),
    Case(
      "A History of Bees", 20, "by Anna Weber", 14, title: "A History of Bees", author: "Anna Weber"
    ),
    // As recognizers read them: spaces are lost, words come one by one, ornaments become letters.
    Case("THE TIME MACHINE", 20, "H.G.Wells", 16, title: "THE TIME MACHINE", author: "H.G. Wells"),
    Case(
      "ARTHURC.CLARKE", 16, "TRIGGER", 30, title: "TRIGGER", author: "ARTHUR C. CLARKE"),
    Case("IRVINEWELSH", 30, "CRIME", 30, title: "CRIME", author: "IRVINE WELSH"),
    Case(
      "PhilipPullman", 20, "Northern Lights", 18, title: "Northern Lights", author: "Philip Pullman"
    ),
    Case("CHRISTIANITY", 20, "A history", 20, title: "CHRISTIANITY A history", author: nil),
    Case("MARKETING", 20, "A primer", 20, title: "MARKETING A primer", author: nil),
    Case(
      [("BLACK HOLE", 30), ("CHARLES", 24), ("BURNS", 25)], title: "BLACK HOLE",
      author: "CHARLES BURNS"),
    Case([("CHARLES", 24), ("BURNS", 8)], title: "CHARLES", author: "BURNS"),
    Case(
      [("THE", 30), ("MARK", 30), ("OF", 30), ("CAIN", 30)], title: "THE MARK OF CAIN", author: nil),
    Case(
      [("BLACK HOLE", 30), ("寶", 30), ("CHARLES BURNS", 20)], title: "BLACK HOLE",
      author: "CHARLES BURNS"),
    Case(
      [("WHITE TEETH", 20), ("ZADIE SMITH", 20), ("WHITE TEETH", 20), ("ZADIE SMITH", 20)],
      title: "WHITE TEETH", author: "ZADIE SMITH"),
    Case(
      [("THE", 30), ("CAT", 30), ("IN", 30), ("THE", 30), ("HAT", 30)], title: "THE CAT IN THE HAT",
      author: nil),
    Case("BLUEBEARD", 8, "KURT VONNEGUT", 30, title: "BLUEBEARD", author: "KURT VONNEGUT"),
    Case("KURT VONNEGUT", 30, "vintage", 8, title: "KURT VONNEGUT", author: nil),
    // Both in one line.
    Case("THOMAS HARRIS BLACK SUNDAY", title: "BLACK SUNDAY", author: "THOMAS HARRIS"),
    Case(
      "Philip K. Dick The Man in the High Castle", title: "The Man in the High Castle",
      author: "Philip K. Dick"),
    Case("Philip K. Dick Ubik", title: "Ubik", author: "Philip K. Dick"),
    Case("The Raw Shark Texts Steven Hall", title: "The Raw Shark Texts", author: "Steven Hall"),
    Case("THE PICTURE OF OSCAR GRAY", title: "THE PICTURE OF OSCAR GRAY", author: nil),
    Case("Harry Potter and the Goblet", title: "Harry Potter and the Goblet", author: nil),
    Case("Jane Eyre", title: "Jane Eyre", author: nil),
    Case("Peter Pan returns", title: "Peter Pan returns", author: nil),
    Case([("Q", 30)], title: "Q", author: nil),
    Case(
      "Civil Engineering Materials", 18, "BORDEN IAN", 20, title: "Civil Engineering Materials",
      author: "BORDEN IAN"),
    Case("Bees by Anna Weber", title: "Bees", author: "Anna Weber"),
  ]

  @Test("Title and author are told apart", arguments: cases)
  func roles(spine: Case) {
    let label = geometry.label(of: lines(spine.lines))
    #expect(label.title == spine.title)
    #expect(label.author == spine.author)
    #expect(label.order == Array(spine.lines.indices))
  }

  @Test("A publisher's name in small letters is neither")
  func publisher() {
    let label = geometry.label(of: lines([("Jane Austen", 20), ("Emma", 30), ("vintage", 7)]))
    #expect(label.title == "Emma" && label.author == "Jane Austen")
  }

  @Test(
    "Without a name there is a title only",
    arguments: [["The Oxford Guide"], ["1984"], ["Jane Eyre"]])
  func titleOnly(texts: [String]) {
    let label = geometry.label(of: lines(texts.map { (text: $0, height: 20) }))
    #expect(label.title == texts.joined(separator: " "))
    #expect(label.author == nil)
  }

  @Test("Rows side by side are read one after the other", arguments: [0.0, 90, -90, 7, 180])
  func order(degrees: Double) {
    // "THE SILENCE / OF THE LAMBS" in two rows, then the author, given in another order.
    let flat = [
      line("Thomas Harris", from: 400), line("OF THE LAMBS", from: 5, row: 25),
      line("THE SILENCE", from: 0, row: -5),
    ]
    let angle = degrees * .pi / 180
    let (sine, cosine) = (sin(angle), cos(angle))
    let turned = flat.map { line in
      SpineTextLine(
        outline: line.outline.mapCorners {
          Point(x: 500 + $0.x * cosine - $0.y * sine, y: 500 + $0.x * sine + $0.y * cosine)
        }, text: line.text)
    }
    let label = geometry.label(of: turned)
    #expect(label.order == [2, 1, 0])
    #expect(label.title == "THE SILENCE OF THE LAMBS")
    #expect(label.author == "Thomas Harris")
  }

  @Test("Nothing, blanks and outlines that are none come to nothing")
  func hostile() {
    let nothing = geometry.label(of: [])
    #expect(nothing.order.isEmpty && nothing.candidates.isEmpty)
    #expect(nothing.title == nil && nothing.author == nil)
    let point = Point(x: 3, y: 4)
    let flat = Quadrilateral(
      topLeft: point, topRight: point, bottomRight: point, bottomLeft: point)
    let broken = [
      SpineTextLine(outline: flat, text: "Emma"), line("  - ", from: 0), line("", from: 0),
      line("Emma", from: .nan), line("Emma", from: .infinity),
    ]
    let label = geometry.label(of: broken)
    #expect(label.order == [0, 1, 2, 3, 4])
    #expect(label.title == nil && label.author == nil)
    let good = geometry.label(of: broken + [line("Emma", from: 10)])
    #expect(good.order.first == 5 && good.title == "Emma")
  }

  @Test(
    "Random lines come to an answer with each line once", arguments: 1...30 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let words = [
      "by", "Anna", "the", "&", "1984", "van", "J.", "", "and", "🙂", "ÉMILE", "by by", ",",
    ]
    let lines = (0..<Int(generator.unit() * 12)).map { _ in
      let count = Int(generator.unit() * 6)
      let text = (0..<count).map { _ in words[Int(generator.unit() * 12.999)] }
        .joined(separator: " ")
      return line(
        text, from: generator.unit() * 300, row: generator.unit() * 60,
        height: generator.unit() * 40)
    }
    let label = geometry.label(of: lines)
    #expect(label.order.sorted() == Array(lines.indices))
  }
}
