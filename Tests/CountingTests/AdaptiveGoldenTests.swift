import Foundation
import Geometry
import TestSupport
import Testing
import VisionProtocols

@testable import Counting

/// The stages of the adaptive method against `Fixtures/reference/adaptive.py` and `confidence.py`.
@Suite("Adaptive stages against the Python reference")
struct AdaptiveGoldenTests {
  struct Selected: Decodable {
    let seed: UInt64
    let side, aspect: Double
    let slopes: [Double]
    /// After size, after shape and frame, after containment.
    let stages: [Int]
    let kept: [Int]
    let fits: [Double]
    let median: Double
    let others: [Int]
    let worth: Double
  }

  private static let (width, height) = (1200, 900)

  /// What `scene` in `Fixtures/generate/adaptive.py` makes of a seed.
  private func scene(seed: UInt64) -> [Detection] {
    var generator = SeededGenerator(seed: seed)
    func next() -> Double { generator.unit() }
    let side = 20 + 60 * next()
    let slope = seed % 2 == 1 ? 2 * next() - 1 : 0
    let ratio = 0.6 + 1.1 * next()
    let (width, height) = (Double(Self.width), Double(Self.height))
    var found: [Detection] = []

    func add(_ x: Double, _ y: Double, _ w: Double, _ h: Double, _ score: Double) {
      found.append(
        detection(
          Box(
            minX: Float(max(x - w / 2, 0)), minY: Float(max(y - h / 2, 0)),
            maxX: Float(min(x + w / 2, width)), maxY: Float(min(y + h / 2, height))),
          score: Float(score)))
    }

    for _ in 0..<40 {
      let (x, y) = (width * next(), height * next())
      let here = side * exp(slope * (y / height - 0.5) + 0.16 * (next() - 0.5))
      let (w, h) = (here * ratio.squareRoot(), here / ratio.squareRoot())
      let score = 0.2 + 0.7 * next()
      add(x, y, w, h, score)
      switch next() {
      case ..<0.3: add(x + 0.2 * w, y, w * 0.4, h * 0.5, score * 0.6 * next())
      case ..<0.5: add(x + 0.1 * w, y - 0.1 * h, w * 1.1, h, score * next())
      case ..<0.6: add(x, y, w * 2.4, h * 2.2, 0.3 * next())
      case ..<0.7:
        let (otherX, otherY) = (width * next(), height * next())
        add(otherX, otherY, w * 0.6, h * 0.6, score)
      default: break
      }
    }
    return found
  }

  @Test("what is typical, what is kept, and what of other sizes comes back")
  func selection() throws {
    let cases = try Folders.golden("Counting/adaptive.json", as: [Selected].self)
    #expect(cases.count == 24)
    for golden in cases {
      let name: Comment = "seed \(golden.seed)"
      let detections = scene(seed: golden.seed)
      let view = try PhotoView(
        StageOutput(items: detections, itemsIn: detections.count, itemsOut: detections.count),
        tilesPerSide: 2,
        exemplars: try Exemplars(CountingGuide(), width: Self.width, height: Self.height),
        settings: AdaptiveConfiguration(), width: Self.width,
        height: Self.height)
      let typical = try #require(view.typical, name)
      // The reference finds the mode on a grid, with a parabola through three of its nodes.
      #expect(abs(typical.side / golden.side - 1) < 4e-3, name)
      #expect(abs(typical.aspect / golden.aspect - 1) < 4e-3, name)
      #expect(abs(typical.slopeDown - golden.slopes[0]) < 1e-9, name)
      #expect(abs(typical.slopeAcross - golden.slopes[1]) < 1e-9, name)
      #expect(view.reports.dropFirst().map(\.step.itemsOut) == golden.stages, name)

      // Nearly equal fits may come in either order.
      let expected = golden.kept.map { detections[$0] }
      #expect(Set(view.kept.map(\.detection)) == Set(expected), name)
      for (kept, fit) in zip(expected, golden.fits) {
        let found = try #require(view.kept.first { $0.detection == kept }, name)
        #expect(abs(found.fit - fit) < 5e-3, name)
      }

      #expect(abs(try #require(view.medianScore) - golden.median) < 1e-9, name)
      let kept = ScoreCutStage().filter(view.kept.map(\.detection)).items
      let others = try OtherSizesStage().others(
        among: detections, than: kept, median: golden.median, side: typical.side)
      #expect(others == golden.others.map { detections[$0] }, name)
      let search = ViewSearch(scales: [0.5, 0.8], targetSide: 80)
      #expect(abs(search.worth(of: view) / golden.worth - 1) < 2e-2, name)
    }
  }

  struct Interval: Decodable {
    let count: Int
    let doubts: [Double]
    let least, greatest: Int
    let value: Double
  }

  @Test("intervals and probabilities of doubts")
  func confidence() throws {
    let calibration = CountCalibration.Fit(
      base: 0.03, weights: [0.2, 0.1, 0.4, 0.3, 0.05], reach: 1.9, offset: -3, slope: 1.1)
    let cases = try Folders.golden("Counting/confidence.json", as: [Interval].self)
    #expect(cases.count == 15)
    for golden in cases {
      let doubts = CountDoubts(
        cut: golden.doubts[0], score: golden.doubts[1], views: golden.doubts[2],
        kinds: golden.doubts[3], frame: golden.doubts[4])
      let found = try #require(calibration.confidence(of: golden.count, doubts: doubts))
      #expect(found.least == golden.least && found.greatest == golden.greatest)
      #expect(abs(found.value - golden.value) < 1e-12)
    }
  }

  @Test("an interval holds the counts of all readings, and the chance is shared among them")
  func sharedConfidence() throws {
    let fit = CountCalibration.Fit(
      base: 0.05, weights: [], reach: 1, offset: -1, slope: 1)
    let doubts = CountDoubts(cut: 0, score: 0, views: 0, kinds: 0, frame: 0)
    func confidence(_ count: Int, _ others: [Int]) throws -> CountConfidence {
      try #require(fit.confidence(of: count, doubts: doubts, others: others))
    }
    let (own, less) = (try confidence(40, []), try confidence(20, []))
    #expect(own == fit.confidence(of: 40, doubts: doubts))
    #expect(own.least == 38 && own.greatest == 43 && less.least == 19)
    let both = try confidence(40, [20])
    #expect(both.least == less.least && both.greatest == own.greatest)
    #expect(both.value == own.value / 2)
    // Two more readings, one of them with nearly the same count, and one that is there twice.
    let many = try confidence(40, [20, 41, 60, 20])
    let more = try confidence(60, [])
    #expect(many.least == less.least && many.greatest == more.greatest)
    #expect(many.value == own.value / 3)
    #expect(fit.confidence(of: 0, doubts: doubts, others: [3]) == nil)
  }

  @Test("no doubt makes an interval that leaves the count out, or overflows")
  func hostileDoubts() {
    for doubt in [0, 1, 1e300, .infinity, -1, .nan] {
      let doubts = CountDoubts(cut: doubt, score: doubt, views: doubt, kinds: doubt, frame: doubt)
      for count in [1, 7, 1 << 40] {
        guard let found = CountCalibration.bundledModels.free.confidence(of: count, doubts: doubts)
        else {
          continue
        }
        #expect(found.least <= count && count <= found.greatest && found.least >= 0)
        #expect((0...1).contains(found.value))
      }
      #expect(CountCalibration.bundledModels.free.confidence(of: 0, doubts: doubts) == nil)
    }
  }
}
