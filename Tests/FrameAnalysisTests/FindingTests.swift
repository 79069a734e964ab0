import Foundation
import FrameAnalysis
import Geometry
import ISBN
import Testing
import Tracking
import VisionProtocols

@Suite("Findings")
struct FindingTests {
  private func primary(
    _ priority: FindingPriority?, texts: [TextLineRegion] = [], barcodes: [BarcodeRegion] = [],
    objects: [ObjectRegion] = []
  ) throws -> FrameFinding? {
    var configuration = FrameConfiguration()
    if let priority { configuration.priority = priority }
    var session = try FrameSession(configuration: configuration)
    return session.analyze(
      try observed(0, texts: texts, barcodes: barcodes, objects: objects)
    ).primary
  }

  private func kind(_ finding: FrameFinding?) -> String {
    switch finding {
    case .barcode(let barcode): barcode.isbn == nil ? "barcode" : "isbn"
    case .object: "object"
    case .text: "text"
    case nil: "nothing"
    }
  }

  @Test("A valid ISBN goes before objects, these before text, unless the setting says otherwise")
  func priority() throws {
    let other = barcode("4006381333931")
    func kinds(_ priority: FindingPriority?) throws -> [String] {
      try [
        primary(priority, texts: [text()], barcodes: [other, barcode()], objects: [object()]),
        primary(priority, texts: [text()], barcodes: [other], objects: [object()]),
        primary(priority, texts: [text()], barcodes: [other]),
        primary(priority, barcodes: [other], objects: [object()]),
        primary(priority, barcodes: [other]), primary(priority),
      ].map(kind)
    }
    #expect(try kinds(nil) == ["isbn", "object", "text", "object", "nothing", "nothing"])
    #expect(try kinds(.objectsFirst) == kinds(nil))
    #expect(try kinds(.textFirst) == ["isbn", "text", "text", "object", "nothing", "nothing"])
    let any = try FindingPriority([.text, .barcode])
    #expect(try kinds(any) == ["text", "text", "text", "barcode", "barcode", "nothing"])
    #expect(try kinds(FindingPriority([])) == [String](repeating: "nothing", count: 6))
    #expect(throws: FrameConfigurationError.repeatedKind(.text)) {
      try FindingPriority([.text, .object, .text])
    }
  }

  @Test("Of one kind the surest counts, then the largest, then the first")
  func best() throws {
    let sure = text("sure", confidence: 0.95)
    let large = text("large", width: 0.5)
    #expect(try primary(nil, texts: [text(), large, sure]) == .text(sure))
    #expect(try primary(nil, texts: [text(), large]) == .text(large))
    #expect(try primary(nil, texts: [text("a"), text("b")]) == .text(text("a")))
    // A product's barcode that is surer is still no ISBN.
    let any = try FindingPriority([.barcode])
    let isbn = barcode(confidence: 0.2)
    #expect(try primary(any, barcodes: [barcode("4006381333931"), isbn]) == .barcode(isbn))
  }

  @Test(
    "A barcode is an ISBN where its payload is thirteen digits of a book",
    arguments: [
      ("9780306406157", "9780306406157"), ("9780306406157 51495", "9780306406157"),
      ("9791034304554", "9791034304554"), ("9780306406158", nil), ("9790060115615", nil),
      ("4006381333931", nil), ("0306406152", nil), ("", nil), ("https://isbn.org", nil),
      ("036000291452", nil), ("\u{0}\u{FFFF}", nil),
    ] as [(String, String?)])
  func isbn(payload: String, isbn: String?) throws {
    #expect(barcode(payload).isbn?.description == isbn)
    let data = try JSONEncoder().encode(barcode(payload))
    #expect(try JSONDecoder().decode(BarcodeRegion.self, from: data) == barcode(payload))
  }

  @Test("An ISBN in the text is only believed where the payload proves it")
  func forgedISBN() throws {
    let json = """
      {"box":{"x":0,"y":0,"width":1,"height":1},"payload":"4006381333931","symbology":"EAN-13",
      "confidence":1,"isbn":"9780306406157"}
      """
    let barcode = try JSONDecoder().decode(BarcodeRegion.self, from: Data(json.utf8))
    #expect(barcode.isbn == nil && barcode.symbology == .ean13)
  }

  @Test("An ISBN seen before the shutter fills in, and never overrides")
  func preScanned() throws {
    let first = try ISBN13("9780306406157")
    let second = try ISBN13("9791034304554")
    var session = FrameSession()
    #expect(session.preScanned.merged(into: nil) == nil)
    #expect(session.preScanned.merged(into: second) == second)
    _ = session.analyze(try observed(0, barcodes: [barcode()]))
    for time in [150, 300, 450] { _ = session.analyze(try observed(Int64(time))) }
    #expect(session.preScanned.merged(into: nil) == first)
    #expect(session.preScanned.merged(into: second) == second)
    // The newest counts; of one frame the surest.
    _ = session.analyze(
      try observed(600, barcodes: [barcode(confidence: 0.5), barcode("9791034304554")]))
    #expect(session.preScanned.isbn == second)
    session.preScanned.clear()
    #expect(session.preScanned.merged(into: nil) == nil)
  }

  @Test("Everything of a frame is there at once, with ids that stay")
  func everything() throws {
    var session = FrameSession()
    for frame in 0..<3 {
      let x = 0.1 + 0.01 * Double(frame)
      let analyzed = session.analyze(
        try observed(
          Int64(frame) * 150, texts: [text(), text(confidence: 0.3)],
          barcodes: [barcode(), barcode("4006381333931")],
          objects: [object(x: x), object(x: x + 0.3), object(x: x + 0.3)]))
      #expect(analyzed.time == .milliseconds(Int64(frame) * 150))
      #expect(analyzed.texts == [text()])
      #expect(analyzed.barcodes.map { $0.isbn != nil } == [true, false])
      // One object seen twice is one.
      #expect(analyzed.objects.map(\.id) == [1, 2])
      #expect(analyzed.objects.map(\.isConfirmed) == [frame > 0, frame > 0])
      #expect(analyzed.objects.first?.box == object(x: x).box)
      #expect(analyzed.objects.first?.outline == object(x: x).outline)
      #expect(analyzed.distinctObjects == (frame > 0 ? 2 : 0))
      #expect(analyzed.isbn == (try ISBN13("9780306406157")))
    }
  }

  @Test("Observations that are no numbers are passed over")
  func hostile() throws {
    var session = FrameSession()
    let values: [Double] = [
      .nan, .infinity, -.infinity, 1e300, -1e300, 0, -0.0, .leastNonzeroMagnitude,
    ]
    for (index, value) in values.enumerated() {
      for other in values {
        let box = NormalizedBox(x: value, y: other, width: other, height: value)
        let analyzed = session.analyze(
          try observed(
            Int64(index) * 150,
            texts: [
              TextLineRegion(box: box, text: "x", confidence: 1),
              text(confidence: .nan), text(width: value, height: other),
            ],
            barcodes: [
              BarcodeRegion(box: box, payload: "x", symbology: .qr, confidence: Float(value))
            ],
            objects: [
              object(confidence: .nan), ObjectRegion(box: box, confidence: 1),
              object(x: value, width: other),
            ]))
        #expect(analyzed.texts.allSatisfy { $0.box.x.isFinite && $0.box.width > 0 })
        #expect(analyzed.objects.allSatisfy { $0.outline.isFinite })
      }
    }
    // As good as new after that.
    #expect(session.analyze(try Sight.spine.observations(at: 9000)).reading == .spineDetected)
  }

  @Test("Hundreds of everything take a while, and nothing else")
  func many() throws {
    var session = FrameSession()
    for frame in 0..<2 {
      let analyzed = session.analyze(
        try observed(
          Int64(frame) * 150,
          texts: (0..<500).map { text(x: Double($0) / 500, width: 0.01, height: 0.01) },
          barcodes: (0..<500).map { barcode("\($0)") },
          objects: (0..<500).map { object(x: Double($0) / 500, width: 0.0016) }))
      #expect(analyzed.objects.map(\.id) == Array(1...500))
    }
  }
}
