import FrameAnalysis
import Geometry
import TestSupport
import Testing
import Tracking

// V21: which finding a finger touched.

@Suite("Findings at a point")
struct TouchTests {
  private func frame(
    texts: [TextLineRegion] = [], barcodes: [BarcodeRegion] = [], objects: [ObjectRegion] = []
  ) throws -> AnalyzedFrame {
    var session = FrameSession()
    return session.analyze(try observed(0, texts: texts, barcodes: barcodes, objects: objects))
  }

  /// One letter a hit: o for an object, t for a text, b for a barcode.
  private func letters(_ findings: [FrameFinding]) -> String {
    String(
      findings.map { finding -> Character in
        switch finding {
        case .object: "o"
        case .text: "t"
        case .barcode: "b"
        }
      })
  }

  @Test("The smallest that contains the point comes first, sides included")
  func containing() throws {
    // A book from 0.4 to 0.6, its title from 0.45 to 0.5, a barcode from 0.5 to 0.7.
    let frame = try frame(
      texts: [text("Title", x: 0.45, y: 0.5, width: 0.05, height: 0.2)], barcodes: [barcode()],
      objects: [object(x: 0.4, width: 0.2)])
    let size = try frameSize()
    for (x, y, expected) in [
      (0.47, 0.6, "to"), (0.55, 0.55, "bo"), (0.42, 0.2, "o"), (0.65, 0.55, "b"), (0.1, 0.1, ""),
      (0.4, 0.1, "o"), (0.3999, 0.1, ""), (0.5, 0.6, "tbo"),
    ] as [(Double, Double, String)] {
      #expect(letters(frame.findings(at: Point(x: x, y: y), in: size)) == expected)
    }
  }

  @Test("Within the tolerance, in pixels, the nearest comes first, behind those that are hit")
  func tolerance() throws {
    // Right of a box that ends at x = 0.5, 500 pixels; below one whose lower side is at y = 0.5.
    let frame = try frame(objects: [
      object(x: 0.4, y: 0.1, width: 0.1, height: 0.2),
      object(x: 0.7, y: 0.5, width: 0.1, height: 0.2),
    ])
    let size = try frameSize()
    func ids(_ x: Double, _ y: Double, _ tolerance: Double) -> [Int] {
      frame.findings(at: Point(x: x, y: y), within: tolerance, in: size).compactMap { finding in
        if case .object(let object) = finding { return object.id }
        return nil
      }
    }
    // 20 pixels beside the first; a share of the height is half as long.
    #expect(ids(0.52, 0.2, 20.001) == [1] && ids(0.52, 0.2, 19.999).isEmpty)
    #expect(ids(0.75, 0.46, 20.001) == [2] && ids(0.75, 0.46, 19.999).isEmpty)
    // Over the corner: 30 and 20 pixels, that is 36.06.
    #expect(ids(0.53, 0.34, 36.06) == [1] && ids(0.53, 0.34, 36.05).isEmpty)
    // 100 pixels from the first and 100.5 from the second.
    #expect(ids(0.5995, 0.3, 10_000) == [1, 2] && ids(0.69, 0.55, 10_000) == [2, 1])
    #expect(ids(0.45, 0.2, 10_000) == [1, 2])
    for none in [0, -1, -Double.infinity, .nan] { #expect(ids(0.52, 0.2, none).isEmpty) }
  }

  @Test("A leaning spine is hit by its outline, not by the box around it")
  func outlines() throws {
    let leaning = ObjectRegion(
      outline: Quadrilateral(
        topLeft: Point(x: 0.6, y: 0.9), topRight: Point(x: 0.7, y: 0.9),
        bottomRight: Point(x: 0.3, y: 0.1), bottomLeft: Point(x: 0.2, y: 0.1)),
      confidence: 0.9)
    let frame = try frame(objects: [leaning])
    let size = try frameSize()
    #expect(frame.findings(at: Point(x: 0.45, y: 0.5), in: size).count == 1)
    #expect(frame.findings(at: Point(x: 0.25, y: 0.8), in: size).isEmpty)
  }

  @Test("The first hit is what a search of all boxes finds")
  func oracle() throws {
    var generator = SeededGenerator(seed: 7)
    let size = try frameSize()
    for _ in 0..<20 {
      let frame = try frame(
        objects: (0..<30).map { _ in
          object(
            x: 0.8 * generator.unit(), y: 0.8 * generator.unit(),
            width: 0.05 + 0.3 * generator.unit(), height: 0.05 + 0.3 * generator.unit())
        })
      for _ in 0..<50 {
        let point = Point(x: generator.unit(), y: generator.unit())
        let boxes = frame.objects.map(\.box).filter {
          $0.x <= point.x && point.x <= $0.x + $0.width && $0.y <= point.y
            && point.y <= $0.y + $0.height
        }
        let hits = frame.findings(at: point, in: size)
        #expect(hits.count == boxes.count)
        #expect(hits.first?.box.area == boxes.map(\.area).min())
      }
    }
  }

  @Test("Points that are not finite hit nothing, and nothing traps")
  func hostile() throws {
    let frame = try frame(texts: [title], barcodes: [barcode()], objects: [object()])
    let size = try frameSize()
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(frame.findings(at: Point(x: value, y: 0.5), within: 1e9, in: size).isEmpty)
    }
    #expect(frame.findings(at: Point(x: 1e300, y: -1e300), within: 10, in: size).isEmpty)
    #expect(AnalyzedFrame.empty(at: .zero).findings(at: Point(x: 0, y: 0), in: size).isEmpty)
  }
}
