import Foundation
import Geometry
import NMS
import TestSupport
import Testing

@Suite struct SoftTests {
  struct Golden: Decodable {
    let linear: Double?
    let gaussian: Double?
    let selected: [[Double]]
  }

  @Test func equalsThePaper() throws {
    let (boxes, scores) = clustered(seed: 77, count: 300, clusters: 20, ties: false)
    for golden in try Folders.golden("NMS/soft.json", as: [Golden].self) {
      let decay: ScoreDecay =
        if let threshold = golden.linear {
          .linear(iouThreshold: threshold)
        } else {
          .gaussian(sigma: try #require(golden.gaussian))
        }
      let selected = try softNonMaximumSuppression(
        boxes: boxes, scores: scores, decay: decay, minimumScore: 0.05)
      #expect(selected.map(\.index) == golden.selected.map { Int($0[0]) })
      for (mine, theirs) in zip(selected, golden.selected) {
        #expect(abs(Double(mine.score) - theirs[1]) < 1e-7)
      }
    }
  }

  /// With a threshold that any overlap passes and a minimum that any decay fails, it is the hard
  /// kind.
  @Test func identicalBoxesLoseEverything() throws {
    let box = Box(minX: 0, minY: 0, maxX: 2, maxY: 2)
    let selected = try softNonMaximumSuppression(
      boxes: [box, box, box.translated(dx: 9, dy: 0)], scores: [0.5, 0.75, 0.25],
      decay: .linear(iouThreshold: 0.5))
    #expect(
      selected == [SoftSelection(index: 1, score: 0.75), SoftSelection(index: 2, score: 0.25)])
  }

  @Test func scoresOnlyFallAndComeInOrder() throws {
    let (boxes, scores) = clustered(seed: 5, count: 200, clusters: 10, ties: true)
    for decay in [ScoreDecay.gaussian(sigma: 0.3), .linear(iouThreshold: 0)] {
      let selected = try softNonMaximumSuppression(
        boxes: boxes, scores: scores, decay: decay, minimumScore: 0)
      #expect(Set(selected.map(\.index)) == Set(boxes.indices))
      #expect(zip(selected, selected.dropFirst()).allSatisfy { $0.score >= $1.score })
      #expect(selected.allSatisfy { $0.score <= scores[$0.index] })
    }
  }

  @Test func minimumIsInclusiveAndTiesKeepTheirOrder() throws {
    let box = Box(minX: 0, minY: 0, maxX: 2, maxY: 2)
    let apart = (0..<4).map { box.translated(dx: Float($0 * 3), dy: 0) }
    let selected = try softNonMaximumSuppression(
      boxes: apart, scores: [0.25, 0.5, 0.5, 0.2], decay: .gaussian(sigma: 0.5),
      minimumScore: 0.25)
    #expect(selected.map(\.index) == [1, 2, 0])
  }

  @Test func wrongInputIsRefused() {
    let box = Box(minX: 0, minY: 0, maxX: 1, maxY: 1)
    func run(_ score: Float, _ decay: ScoreDecay, minimum: Float = 0) throws -> [SoftSelection] {
      try softNonMaximumSuppression(
        boxes: [box], scores: [score], decay: decay, minimumScore: minimum)
    }
    for score in [-0.5, Float.infinity, .nan] {
      #expect(throws: SuppressionError.self) { try run(score, .gaussian(sigma: 1)) }
    }
    for sigma in [0, -1, Double.nan] {
      #expect(throws: SuppressionError.self) { try run(1, .gaussian(sigma: sigma)) }
    }
    for threshold in [-0.1, 1.1, Double.nan] {
      #expect(throws: SuppressionError.self) { try run(1, .linear(iouThreshold: threshold)) }
    }
    for minimum in [-0.1, Float.nan] {
      #expect(throws: SuppressionError.self) { try run(1, .gaussian(sigma: 1), minimum: minimum) }
    }
    #expect(throws: SuppressionError.self) {
      try softNonMaximumSuppression(boxes: [], scores: [1], decay: .gaussian(sigma: 1))
    }
  }

  @Test func nothingAndInfiniteBoxesEnd() throws {
    #expect(
      try softNonMaximumSuppression(boxes: [], scores: [], decay: .gaussian(sigma: 1)).isEmpty)
    let endless = Box(minX: -.infinity, minY: 0, maxX: .infinity, maxY: 1)
    #expect(
      try softNonMaximumSuppression(
        boxes: [endless, endless], scores: [1, 1], decay: .linear(iouThreshold: 0)
      ).count == 2)
  }

  @Test func survivesCoding() throws {
    for decay in [ScoreDecay.gaussian(sigma: 0.5), .linear(iouThreshold: 0.3)] {
      let data = try JSONEncoder().encode(decay)
      #expect(try JSONDecoder().decode(ScoreDecay.self, from: data) == decay)
    }
  }
}
