import Foundation
import FrameAnalysis
import Geometry
import Testing
import Tracking

// H14, H15, V24, V25: styles, badges, labels, colours, texts and symbols as plain values.

@Suite("How findings and hints are shown")
struct PresentationTests {
  @Test(
    "H14: opacity and width by confidence, exactly at the limits",
    arguments: [
      (1, 1, 2.5), (0.9, 1, 2.5), (Float(0.9).nextDown, 0.7, 1.5), (0.85, 0.7, 1.5),
      (0.8, 0.7, 1.5), (Float(0.8).nextDown, 0.5, 1.5), (0, 0.5, 1.5), (.nan, 0.5, 1.5),
      (-.infinity, 0.5, 1.5), (.infinity, 1, 2.5),
    ] as [(Float, Double, Double)])
  func style(confidence: Float, opacity: Double, lineWidth: Double) {
    let style = FindingStyle(confidence: confidence)
    #expect(style.opacity == opacity && style.lineWidth == lineWidth)
    #expect(mark(of: text(confidence: confidence)).style == style)
  }

  @Test(
    "H15: the badge is the confidence in whole percent",
    arguments: [
      (0.95, "95%"), (0.954, "95%"), (0.956, "96%"), (1, "100%"), (0.999, "100%"), (0, "0%"),
      (0.004, "0%"), (0.5, "50%"), (1.7, "100%"), (-3, "0%"), (.infinity, "100%"), (.nan, nil),
    ] as [(Float, String?)])
  func badge(confidence: Float, badge: String?) {
    #expect(mark(of: text(confidence: confidence)).badge == badge)
  }

  private func mark(of text: TextLineRegion) -> FindingMark { FindingMark(.text(text)) }

  @Test("V24: objects are blue, texts orange with what they say, barcodes green with their ISBN")
  func marks() throws {
    var session = FrameSession()
    let analyzed = session.analyze(
      try observed(
        0, texts: [text("The Histories")], barcodes: [barcode(), barcode("4006381333931")],
        objects: [object(confidence: 0.85)]))
    let marks = analyzed.marks
    #expect(marks.map(\.finding) == analyzed.findings)
    #expect(marks.map(\.color) == [.blue, .orange, .green, .green])
    #expect(
      marks.map { $0.label?.description } == [
        nil, "The Histories", "ISBN: 978-0-306-40615-7", "4006381333931",
      ])
    #expect(marks.map { $0.label?.key } == [nil, nil, "label.isbn", nil])
    #expect(marks.map(\.badge) == ["85%", "90%", nil, nil])
    #expect(marks.map(\.style.lineWidth) == [1.5, 2.5, 2.5, 2.5])
    let orange = FindingColor.orange
    #expect(orange.red == 1 && abs(orange.green - 0.584) < 1e-3 && orange.blue == 0)
    let green = FindingColor.green
    #expect(green.green > green.red && green.green > green.blue)
    let data = try JSONEncoder().encode(marks)
    #expect(try JSONDecoder().decode([FindingMark].self, from: data) == marks)
  }

  @Test(
    "A label is one short line, whatever was read",
    arguments: [
      ("", ""), ("a\nb\u{0}c\u{2028}d", "a b c d"), ("\u{202E}txet", " txet"),
      ("\u{1B}[2J", " [2J"),
      (String(repeating: "x", count: 40), String(repeating: "x", count: 40)),
      (String(repeating: "x", count: 41), String(repeating: "x", count: 39) + "…"),
      ("戦争と平和", "戦争と平和"), ("👩‍👩‍👧", "👩‍👩‍👧"),
    ])
  func lines(read: String, label: String) {
    #expect(mark(of: text(read)).label?.description == label)
  }

  @Test("A label of endless marks on one letter is cut as well")
  func endlessMarks() {
    let read = "e" + String(repeating: "\u{301}", count: 1_000_000)
    #expect((mark(of: text(read)).label?.description.unicodeScalars.count ?? .max) <= 320)
  }

  @Test("V25: every hint has a text and a symbol, and no book has neither")
  func guidance() {
    for guidance in Guidance.allCases {
      #expect(guidance.text?.key == (guidance == .noBook ? nil : "guidance.\(guidance.rawValue)"))
      #expect((guidance.text == nil) == (guidance == .noBook))
      #expect((guidance.symbolName == nil) == (guidance == .noBook))
    }
    #expect(Guidance.moveCloser.text?.description == "Move closer")
    #expect(Guidance.holdSteady.text?.description == "Hold steady")
    #expect(Guidance.spineDetected.text?.description == "Book found")
    let shown =
      Guidance.allCases.compactMap(\.symbolName) + FeedbackEvent.allCases.map(\.symbolName)
    #expect(Set(shown).count == shown.count)
    #expect(shown.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "." } })
  }

  @Test("V25: every event has a text and a symbol")
  func events() {
    for event in FeedbackEvent.allCases {
      #expect(event.text.key == "event.\(event.rawValue)" && !event.symbolName.isEmpty)
    }
    #expect(FeedbackEvent.isbnFound.text.description == "ISBN found")
    #expect(FeedbackEvent.spineFound.text.description == "Spine found")
  }

  @Test("A translation comes by the key, with the arguments in its own places")
  func translation() throws {
    let label = try #require(FindingMark(.barcode(barcode())).label)
    #expect(label.arguments == ["978-0-306-40615-7"])
    for (pattern, expected) in [
      ("Buch %@ gelesen", "Buch 978-0-306-40615-7 gelesen"), ("100 % sicher", "100 % sicher"),
      ("%@ und %@", "978-0-306-40615-7 und "), ("%%@", "%978-0-306-40615-7"), ("%", "%"),
      ("", ""), (nil, "ISBN: 978-0-306-40615-7"),
    ] as [(String?, String)] {
      #expect(label.filled { $0 == "label.isbn" ? pattern : "wrong key" } == expected)
    }
    // What was read is neither translated nor taken for a pattern.
    let read = try #require(FindingMark(.text(text("50 %@ off"))).label)
    #expect(read.filled { _ in "wrong" } == "50 %@ off")
  }
}
