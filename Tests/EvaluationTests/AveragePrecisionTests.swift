import Geometry
import TestSupport
import Testing

@testable import Evaluation

@Suite("Average precision")
struct AveragePrecisionTests {
  private let unit = Box(minX: 0, minY: 0, maxX: 10, maxY: 10)

  @Test("It is pycocotools' at every threshold, with and without a limit")
  func goldens() throws {
    for golden in try COCOCase.all() {
      let images = golden.images.map(\.evaluated)
      #expect(AveragePrecision.cocoThresholds == golden.thresholds)
      let full = try #require(try AveragePrecision(of: images))
      let limited = try #require(try AveragePrecision(of: images, limit: golden.limit))
      // The peer adds 2.2e-16 to every denominator, and sums in another order.
      for (value, expected) in zip(full.values, golden.values) {
        #expect(abs(value - expected) < 1e-12)
      }
      for (value, expected) in zip(limited.values, golden.limitedValues) {
        #expect(abs(value - expected) < 1e-12)
      }
      #expect(full.values.count == 10)
      #expect(full.at50 == full.values[0])
      #expect(full.at75 == full.values[5])
      #expect(abs(full.mean - golden.values.reduce(0, +) / 10) < 1e-12)
    }
  }

  @Test("It does not fall where a wrong prediction goes, nor hang on the size of scores")
  func properties() throws {
    for golden in try COCOCase.all() {
      let images = golden.images.map(\.evaluated)
      let before = try #require(try AveragePrecision(of: images)).at50
      let scaled = images.map { image in
        EvaluatedImage(
          predictions: image.predictions.map { ScoredBox(box: $0.box, score: $0.score * 8 - 3) },
          truths: image.truths)
      }
      #expect(try AveragePrecision(of: scaled)?.at50 == before)
      for (index, image) in images.enumerated() {
        let matching = try BoxMatching(image)
        let wrong = matching.truthOfPrediction.firstIndex { $0 == nil }
        guard let wrong else { continue }
        var fewer = images
        fewer[index].predictions.remove(at: wrong)
        let after = try #require(try AveragePrecision(of: fewer)).at50
        #expect(after >= before - 1e-12)
      }
    }
  }

  @Test("All found and nothing else is 1, nothing found is 0, nothing to find is none")
  func extremes() throws {
    let truths = (0..<7).map { TrueBox(box: unit.translated(dx: Float($0) * 20, dy: 0)) }
    let all = truths.map { ScoredBox(box: $0.box, score: 0.5) }
    let right = try AveragePrecision(of: [EvaluatedImage(predictions: all, truths: truths)])
    #expect(right?.values == [Double](repeating: 1, count: 10))
    #expect(right?.mean == 1)
    let none = try AveragePrecision(of: [EvaluatedImage(predictions: [], truths: truths)])
    #expect(none?.mean == 0)
    #expect(try AveragePrecision(of: [EvaluatedImage(predictions: all, truths: [])]) == nil)
    #expect(try AveragePrecision(of: []) == nil)
  }

  @Test("The curve steps through the scores, from the highest")
  func curve() throws {
    let image = EvaluatedImage(
      predictions: [
        ScoredBox(box: unit, score: 0.9),
        ScoredBox(box: unit.translated(dx: 50, dy: 0), score: 0.7),
        ScoredBox(box: unit.translated(dx: 100, dy: 0), score: 0.5),
      ],
      truths: [TrueBox(box: unit), TrueBox(box: unit.translated(dx: 100, dy: 0))])
    let curve = try #require(try PrecisionRecallCurve(of: [image]))
    #expect(curve.points.map(\.score) == [0.9, 0.7, 0.5])
    #expect(curve.points.map(\.recall) == [0.5, 0.5, 1])
    #expect(curve.points.map(\.precision) == [1, 0.5, 2.0 / 3])
    // 51 recalls up to 0.5 at precision 1, 50 beyond it at 2/3.
    #expect(abs(curve.averagePrecision - (51 + 50 * 2.0 / 3) / 101) < 1e-12)
  }
}
