import FuzzSupport
import Geometry
import NMS

extension Target {
  /// Boxes that overlap: whatever they are, of what is kept each is kept once, best first.
  static let kept = Target(
    "kept", seeds: { [[100, 0, 24, 128] + (0..<120).map { UInt8($0 * 7 % 256) }] }
  ) { bytes in
    var choices = Choices(bytes)
    let threshold = Double(choices.share())
    let measure = OverlapMeasure.allCases[choices.below(OverlapMeasure.allCases.count)]
    let count = choices.below(100)
    let limit = choices.once(in: 4) ? choices.integer() : nil
    let boxes = (0..<count).map { _ in choices.box() }
    let scores = (0..<count).map { _ in choices.share() }
    let classes = (0..<count).map { _ in choices.once(in: 8) ? choices.integer() : 1 }

    func check(_ kept: [Int]) {
      expect(Set(kept).count == kept.count, "\(kept) has an index twice")
      expect(kept.allSatisfy(boxes.indices.contains), "\(kept) of \(count)")
      expect(kept.count <= limit ?? count, "\(kept.count) of \(limit ?? count)")
      expect(
        zip(kept, kept.dropFirst()).allSatisfy { scores[$0] >= scores[$1] }, "\(kept) by \(scores)")
      expect(kept.isEmpty == boxes.isEmpty || limit == 0, "nothing is kept of \(count)")
    }
    try refusable(SuppressionError.self) {
      let kept = try nonMaximumSuppression(
        boxes: boxes, scores: scores, iouThreshold: threshold, measure: measure, topK: limit)
      check(kept)
      if limit == nil {
        let merged = try mergeOverlaps(
          boxes: boxes, order: kept, iouThreshold: threshold, measure: measure)
        expect(merged == kept, "\(kept) are kept, and of those \(merged)")
      }
    }
    try refusable(SuppressionError.self) {
      check(
        try nonMaximumSuppression(
          boxes: boxes, scores: scores, classes: classes, iouThreshold: threshold,
          measure: measure, topK: limit))
    }
    for decay in [
      ScoreDecay.linear(iouThreshold: threshold), .gaussian(sigma: Double(choices.share())),
    ] {
      try refusable(SuppressionError.self) {
        let soft = try softNonMaximumSuppression(boxes: boxes, scores: scores, decay: decay)
        for selection in soft {
          let score = scores[selection.index]
          expect(selection.score <= score, "\(selection.score) of \(score)")
        }
      }
    }
    try refusable(SuppressionError.self) {
      let candidates = zip(boxes, zip(scores, classes)).map {
        FusionCandidate(box: $0, score: $1.0, classID: $1.1)
      }
      let fused = try weightedBoxFusion(
        [Array(candidates.prefix(count / 2)), Array(candidates.dropFirst(count / 2))],
        weights: [1, Double(choices.share())], iouThreshold: threshold,
        minimumScore: choices.share())
      expect(fused.allSatisfy { $0.box.isFinite }, "\(fused)")
    }
  }
}
