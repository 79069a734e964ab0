import FrameAnalysis
import Geometry
import Testing
import Tracking

@Suite("What one frame says")
struct GuidanceTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var texts: [TextLineRegion] = []
    var barcodes: [BarcodeRegion] = []
    var objects: [ObjectRegion] = []
    let reading: Guidance

    init(
      _ rule: String, texts: [TextLineRegion] = [], barcodes: [BarcodeRegion] = [],
      objects: [ObjectRegion] = [], _ reading: Guidance
    ) {
      testDescription = rule
      self.texts = texts
      self.barcodes = barcodes
      self.objects = objects
      self.reading = reading
    }
  }

  static let rows = [
    Row("Nothing: no book", .noBook),
    Row("A valid ISBN: spine detected", barcodes: [barcode()], .spineDetected),
    Row("A product that is no book: no book", barcodes: [barcode("4006381333931")], .noBook),
    Row("An ISBN with a wrong check digit: no book", barcodes: [barcode("9780306406158")], .noBook),
    Row("Printed music, 979-0: no book", barcodes: [barcode("9790060115615")], .noBook),
    Row("Text that reads like a spine: spine detected", texts: [title], .spineDetected),
    Row("A spine among other text", texts: [text(width: 0.1, height: 0.1), title], .spineDetected),
    Row("Text under 5 %: move closer", texts: [text(width: 0.25, height: 0.19)], .moveCloser),
    Row("Text of exactly 5 %: near enough", texts: [text(width: 0.25, height: 0.2)], .holdSteady),
    Row(
      "Two texts that cover 5 % together",
      texts: [text(y: 0.1, width: 0.25, height: 0.1), text(y: 0.6, width: 0.25, height: 0.1)],
      .holdSteady),
    Row(
      "Two texts in one place cover it once",
      texts: [text(width: 0.25, height: 0.1), text(width: 0.25, height: 0.1)], .moveCloser),
    Row(
      "What sticks out of the frame does not count",
      texts: [text(x: 0.9, width: 0.5, height: 0.4)], .moveCloser),
    Row(
      "Text of a confidence of exactly 0.5 is none", texts: [text(confidence: 0.5)], .noBook),
    Row(
      "Text just above 0.5 is one", texts: [text(confidence: Float(0.5).nextUp)], .holdSteady),
    Row("Objects only, sure: move closer", objects: [object(confidence: 0.95)], .moveCloser),
    Row("Objects only, exactly 0.9: hold steady", objects: [object(confidence: 0.9)], .holdSteady),
    Row(
      "Just above 0.9: move closer", objects: [object(confidence: Float(0.9).nextUp)], .moveCloser),
    Row(
      "The surest object decides",
      objects: [object(confidence: 0.3), object(x: 0.7, confidence: 0.91)], .moveCloser),
    Row(
      "Text goes before objects", texts: [text()], objects: [object(x: 0.8, confidence: 0.95)],
      .holdSteady),
    Row(
      "An ISBN goes before small text", texts: [text(width: 0.1, height: 0.1)],
      barcodes: [barcode()], .spineDetected),
  ]

  @Test("Every rule", arguments: rows)
  func rules(row: Row) throws {
    var session = FrameSession()
    let analyzed = session.analyze(
      try observed(0, texts: row.texts, barcodes: row.barcodes, objects: row.objects))
    #expect(analyzed.reading == row.reading)
  }

  @Test(
    "Boxes that move by more than 10 % of the frame within 5 results: hold steady",
    arguments: [
      // Steps in x and y, how many frames, the shift, whether that is steady.
      (0.02, 0.0, 5, 0.08, true), (0.025, 0.0, 5, 0.1, true), (0.026, 0.0, 5, 0.104, false),
      (0.0, 0.025, 5, 0.1, true), (0.0, 0.03, 5, 0.12, false), (0.03, 0.03, 4, 0.09, true),
      // Only the last five count: ten steps of 2.5 % are still 10 %.
      (0.025, 0.0, 11, 0.1, true), (0.1, 0.0, 2, 0.1, true), (0.1001, 0.0, 2, 0.1001, false),
      (0.0, 0.0, 9, 0.0, true),
    ])
  func shift(dx: Double, dy: Double, frames: Int, expected: Double, isSteady: Bool) throws {
    var session = FrameSession()
    var last: AnalyzedFrame?
    for frame in 0..<frames {
      let book = object(
        x: 0.1 + Double(frame) * dx, y: 0.02 + Double(frame) * dy, width: 0.3, height: 0.6,
        confidence: 0.95)
      last = session.analyze(try observed(Int64(frame) * 150, objects: [book]))
    }
    let shift = try #require(last?.shift)
    #expect(abs(shift - expected) < 1e-12)
    #expect(last?.reading == (isSteady ? .moveCloser : .holdSteady))
  }

  @Test("Small text goes before motion, and motion before large text")
  func orderOfRules() throws {
    for (height, reading) in [(0.05, Guidance.moveCloser), (0.3, .holdSteady)] {
      var session = FrameSession()
      var last: AnalyzedFrame?
      for frame in 0..<3 {
        let line = text(x: 0.1 + 0.1 * Double(frame), width: 0.5, height: height)
        last = session.analyze(try observed(Int64(frame) * 150, texts: [line]))
      }
      #expect(abs((last?.shift ?? 0) - 0.2) < 1e-12)
      #expect(last?.reading == reading)
    }
  }

  @Test("One box that jumps among several that stay is no motion of the camera")
  func medianShift() throws {
    var session = FrameSession()
    var last: AnalyzedFrame?
    for frame in 0..<3 {
      let still = [0.1, 0.3].map { object(x: $0, width: 0.1, confidence: 0.95) }
      let moving = object(x: 0.5 + 0.06 * Double(frame), width: 0.2, confidence: 0.95)
      last = session.analyze(try observed(Int64(frame) * 150, objects: still + [moving]))
    }
    #expect(last?.shift == 0)
    #expect(last?.reading == .moveCloser)
  }

  @Test("Without a box seen twice there is no shift")
  func noShift() throws {
    var session = FrameSession()
    #expect(session.analyze(try observed(0, objects: [object()])).shift == nil)
    #expect(session.analyze(try observed(150)).shift == nil)
    #expect(session.analyze(try observed(300, barcodes: [barcode()])).shift == nil)
  }
}
