import FrameAnalysis
import Geometry
import TestSupport
import Testing
import Tracking

// V20, V21: what an app shows is there as a value, smoothed, and drawn again only when it changes.

@Suite("What is shown of the frames")
struct DisplayTests {
  private struct Smoothing: Decodable {
    let seed: UInt64
    let interval: Int64
    let constant: Int64
    let smoothed: [Double]
  }

  private func display(
    smoothing: Int64 = 0, shift: Double = 0.002, confidence: Double = 0.02
  ) throws -> FrameDisplay {
    var configuration = FrameConfiguration()
    configuration.smoothing = .milliseconds(smoothing)
    configuration.redrawShift = shift
    configuration.redrawConfidence = confidence
    return try FrameDisplay(configuration: configuration)
  }

  @Test("Boxes are smoothed by SciPy's filter of first order")
  func smoothing() throws {
    let rows = try golden([Smoothing].self, "smoothing")
    #expect(rows.count == 4)
    for row in rows {
      var session = FrameSession()
      var display = try display(smoothing: row.constant, shift: 0, confidence: 0)
      var generator = SeededGenerator(seed: row.seed)
      for (frame, expected) in row.smoothed.enumerated() {
        // Wide enough that the box always overlaps the one before.
        let x = 0.3 + 0.1 * generator.unit()
        let time = Int64(frame) * row.interval
        _ = display.update(
          with: session.analyze(
            try observed(
              time, texts: [text(x: x, width: 0.3)],
              objects: [object(x: x, width: 0.3, confidence: Float(x))])))
        let shown = try #require(display.frame.objects.first)
        #expect(abs(shown.box.x - expected) < 1e-12)
        #expect(abs(shown.outline.topLeft.x - expected) < 1e-12)
        #expect(abs(shown.outline.bottomRight.x - expected - 0.3) < 1e-12)
        #expect(abs(shown.box.width - 0.3) < 1e-12)
        // Rounded to `Float` in every frame.
        #expect(abs(Double(shown.confidence) - expected) < 1e-6)
        #expect(abs(try #require(display.frame.texts.first).box.x - expected) < 1e-12)
        guard case .object(let primary) = display.frame.primary else {
          Issue.record("the object is the primary finding")
          return
        }
        #expect(primary == shown)
      }
    }
  }

  @Test("The share of a step depends on the time, not on the number of frames")
  func time() throws {
    for interval in [50, 100, 400] as [Int64] {
      var session = FrameSession()
      var display = try display(smoothing: 100, shift: 0)
      _ = display.update(with: session.analyze(try observed(0, objects: [object(width: 0.2)])))
      let moved = session.analyze(try observed(interval, objects: [object(x: 0.5, width: 0.2)]))
      _ = display.update(with: moved)
      let share = Double(interval) / Double(interval + 100)
      #expect(abs(try #require(display.frame.objects.first).box.x - 0.4 - 0.1 * share) < 1e-12)
      // The analysed frame itself is as it was measured.
      #expect(moved.objects.first?.box.x == 0.5)
    }
  }

  @Test("A box that moves on is not held back, and one whose corners swap names starts again")
  func jumps() throws {
    var session = FrameSession()
    var display = try display(smoothing: 1000, shift: 0)
    func shelf(at x: Double) -> [ObjectRegion] {
      [object(x: x, width: 0.05), object(x: x + 0.2, width: 0.04), object(x: x + 0.4, width: 0.03)]
    }
    for time in [0, 150] as [Int64] {
      _ = display.update(with: session.analyze(try observed(time, objects: shelf(at: 0.2))))
    }
    // The camera pans by more than the books are wide, and they are still known.
    let far = session.analyze(try observed(300, objects: shelf(at: 0.26)))
    _ = display.update(with: far)
    #expect(far.objects.map(\.id) == [1, 2, 3] && display.frame.objects == far.objects)

    var turned = shelf(at: 0.261)
    let corners = turned[0].outline.corners
    turned[0].outline = try Quadrilateral(corners: Array(corners[2...]) + corners[..<2])
    let swapped = session.analyze(try observed(450, objects: turned))
    _ = display.update(with: swapped)
    #expect(display.frame.objects.map { swapped.objects.contains($0) } == [true, false, false])
  }

  @Test("A box that was away for ten time constants starts again")
  func absence() throws {
    for (gap, isSmoothed) in [(900, true), (1100, false)] as [(Int64, Bool)] {
      var session = FrameSession()
      var display = try display(smoothing: 100, shift: 0)
      for (time, seen) in [
        (0, [object(x: 0.4)]), (150, [object(x: 0.4)]), (150 + gap, []),
        (300 + gap, [object(x: 0.41)]),
      ] as [(Int64, [ObjectRegion])] {
        _ = display.update(with: session.analyze(try observed(time, objects: seen)))
      }
      let shown = try #require(display.frame.objects.first)
      #expect(shown.id == 1 && (shown.outline != object(x: 0.41).outline) == isSmoothed)
    }
  }

  @Test("Without smoothing, boxes are shown as measured; a time that goes back starts again")
  func raw() throws {
    var session = FrameSession()
    var display = try display(shift: 0)
    var smooth = try self.display(smoothing: 1000, shift: 0)
    for (time, x) in [(5000, 0.4), (5150, 0.41), (4000, 0.42)] as [(Int64, Double)] {
      let analyzed = session.analyze(try observed(time, objects: [object(x: x, width: 0.2)]))
      _ = display.update(with: analyzed)
      _ = smooth.update(with: analyzed)
      #expect(display.frame == analyzed)
      #expect((smooth.frame.objects == analyzed.objects) == (time != 5150))
    }
  }

  @Test("Nothing is drawn again for less than the limits, and slow motion adds up")
  func limits() throws {
    var session = FrameSession()
    var display = try display(shift: 0.01)
    var changed: [Int] = []
    for frame in 0..<12 {
      let x = 0.3 + 0.004 * Double(frame)
      let changes = display.update(
        with: session.analyze(try observed(Int64(frame) * 150, objects: [object(x: x)])))
      if changes.contains(.objects) { changed.append(frame) }
      // What is shown is what was last reported.
      let last = try #require(changed.last)
      #expect(
        abs(try #require(display.frame.objects.first).box.x - 0.3 - 0.004 * Double(last)) < 1e-12)
    }
    // The first comes; the second is confirmed; then every third has moved by more than 0.01.
    #expect(changed == [0, 1, 4, 7, 10])
  }

  @Test("Each part is reported by itself")
  func parts() throws {
    var session = FrameSession()
    var display = try display()
    func shown(
      _ time: Int64, texts: [TextLineRegion] = [], barcodes: [BarcodeRegion] = [],
      objects: [ObjectRegion] = []
    ) throws -> FrameChanges {
      display.update(
        with: session.analyze(
          try observed(time, texts: texts, barcodes: barcodes, objects: objects)))
    }
    #expect(try shown(0) == [])
    #expect(try shown(150) == [.guidance, .message])
    #expect(try shown(300) == [])
    #expect(try shown(450, objects: [object()]) == [.objects, .primary])
    #expect(
      try shown(600, objects: [object()])
        == [.objects, .primary, .guidance, .message, .distinctObjects])
    // Less than two hundredths surer is the same.
    #expect(try shown(750, objects: [object(confidence: 0.815)]) == [])
    #expect(try shown(900, objects: [object(confidence: 0.84)]) == [.objects, .primary])
    let large = text(width: 0.3, height: 0.3)
    #expect(try shown(1050, texts: [large], objects: [object(confidence: 0.84)]) == [.texts])
    var other = large
    other.text = "SOLE"
    #expect(try shown(1200, texts: [other], objects: [object(confidence: 0.84)]) == [.texts])
    let changes = try shown(
      1350, texts: [other], barcodes: [barcode()], objects: [object(confidence: 0.84)])
    #expect(changes == [.barcodes, .primary, .isbn, .events])
    // The message has been shown for its time.
    #expect(
      try shown(3650, texts: [other], barcodes: [barcode()], objects: [object(confidence: 0.84)])
        .contains(.message))
  }

  @Test("Events are reported with each frame that has them")
  func events() throws {
    var session = FrameSession()
    var display = FrameDisplay()
    var reported = 0
    for frame in 0..<20 {
      let analyzed = session.analyze(try Sight.isbn.observations(at: Int64(frame) * 150))
      let changes = display.update(with: analyzed)
      #expect(changes.contains(.events) == !analyzed.events.isEmpty)
      #expect(display.frame.events == analyzed.events)
      if changes.contains(.events) { reported += 1 }
    }
    #expect(reported == 2)
  }

  @Test("A failure is reported when it comes and when it goes")
  func failures() throws {
    var session = FrameSession()
    var display = FrameDisplay()
    var changed: [Int] = []
    for frame in 0..<9 {
      var seen = try observed(Int64(frame) * 150)
      if (3..<6).contains(frame) {
        seen.failures = [RecognizerFailure(.text, underlying: Failure(description: "busy"))]
      }
      if display.update(with: session.analyze(seen)).contains(.failures) { changed.append(frame) }
    }
    #expect(changed == [3, 6])
  }

  @Test("H13, V23: cleared, it shows nothing, and says what was shown")
  func clearing() throws {
    var session = FrameSession()
    var display = FrameDisplay()
    #expect(display.frame == .empty(at: .zero) && display.clear() == [])
    for time in [0, 150] as [Int64] {
      _ = display.update(
        with: session.analyze(
          try observed(time, texts: [title], barcodes: [barcode()], objects: [object()])))
    }
    let parts: FrameChanges = [
      .objects, .texts, .barcodes, .primary, .isbn, .guidance, .message,
    ]
    #expect(display.clear() == parts)
    #expect(display.frame.findings.isEmpty && display.frame.message == nil)
    #expect(display.frame.distinctObjects == 1 && display.clear() == [])
    // Nothing of before holds the next boxes back.
    let next = session.analyze(try observed(151, objects: [object(x: 0.41)]))
    _ = display.update(with: next)
    #expect(display.frame.objects == next.objects)
  }

  @Test("A camera that shakes by less than the limit draws nothing again")
  func shaking() throws {
    var session = FrameSession()
    var display = FrameDisplay()
    var generator = SeededGenerator(seed: 21)
    var redrawn = 0
    for frame in 0..<100 {
      let shake = 0.003 * (generator.unit() - 0.5)
      let changes = display.update(
        with: session.analyze(
          try observed(
            Int64(frame) * 150, objects: [object(x: 0.4 + shake, width: 0.2, confidence: 0.8)])))
      if frame > 1, changes.contains(.objects) { redrawn += 1 }
    }
    #expect(redrawn == 0)
  }

  @Test("Settings out of range are refused")
  func ranges() {
    for (field, change) in [
      ("smoothing", { $0.smoothing = .milliseconds(-1) }),
      ("redrawShift", { $0.redrawShift = .nan }),
      ("redrawConfidence", { $0.redrawConfidence = 1.5 }),
    ] as [(String, (inout FrameConfiguration) -> Void)] {
      var configuration = FrameConfiguration()
      change(&configuration)
      do {
        _ = try FrameDisplay(configuration: configuration)
        Issue.record("\(field) is not refused")
      } catch {
        #expect("\(error)".hasPrefix("\(field) is "))
      }
    }
  }
}
