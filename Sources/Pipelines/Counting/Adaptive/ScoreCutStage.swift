import VisionProtocols

/// Drops detections whose score is far below that of the others.
///
/// The level of scores differs between photos. For ancient coins, a detector that was trained on
/// other objects gives at most 0.01, and yet every coin stands out. So the cut is a share of the
/// photo's own score-weighted median: the score at which the running sum of the ascending scores
/// reaches half of the total.
///
/// Complexity: O(n log n).
package struct ScoreCutStage: Hashable, Sendable {
  /// The least score as a share of the score-weighted median, 0...1; nil lets all pass.
  package var share: Double?

  /// Makes the stage.
  package init(share: Double? = 0.06) {
    self.share = share
  }

  /// The detections that pass, in order.
  package func filter(_ detections: [Detection]) -> StageOutput<[Detection]> {
    guard let share, let median = Self.weightedMedian(of: detections.map { Double($0.score) })
    else { return StageOutput(detections, outOf: detections.count) }
    return StageOutput(
      detections.filter { Double($0.score) >= share * median }, outOf: detections.count)
  }

  /// The score at which the running sum of the ascending scores reaches half of the total; nil if
  /// there are none.
  package static func weightedMedian(of scores: [Double]) -> Double? {
    let scores = scores.filter(\.isFinite).sorted()
    // The same running sum both times, so that its end is the total to the last bit.
    var total = 0.0
    for score in scores { total += score }
    var sum = 0.0
    for score in scores {
      sum += score
      if sum >= total / 2 { return score }
    }
    return scores.last
  }
}
