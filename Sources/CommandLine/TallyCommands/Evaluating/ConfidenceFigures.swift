import Evaluation

/// How far the confidence of counts can be believed.
struct ConfidenceFigures {
  /// The number of counts that came with a confidence, at least 1.
  let photos: Int
  /// The mean of what the counts say of themselves: the probability of being at most 5 % off, 0...1.
  let stated: Double
  /// The share of counts that are at most 5 % off, 0...1.
  let observed: Double
  /// How often the intervals hold the truth, and how wide they are.
  let intervals: IntervalCoverage

  /// Compares the confidence of counts with how right they are; nil where no count came with one.
  init?(_ photos: [EvaluatedPhoto]) throws(EvaluationError) {
    var (stated, near) = (0.0, 0)
    var ranges: [ClosedRange<Int>] = []
    var truths: [Int] = []
    for photo in photos {
      guard let confidence = photo.result.confidence else { continue }
      stated += confidence.value
      let accuracy = try countAccuracy(count: photo.result.count, truth: photo.truth.main)
      // 1 less 1/20 is not 0.95 to the last bit.
      if accuracy >= 0.95 - 1e-9 { near += 1 }
      ranges.append(
        min(confidence.least, confidence.greatest)...max(confidence.least, confidence.greatest))
      truths.append(photo.truth.main)
    }
    guard let intervals = try IntervalCoverage(of: ranges, truths: truths) else { return nil }
    self.photos = ranges.count
    self.stated = stated / Double(ranges.count)
    observed = Double(near) / Double(ranges.count)
    self.intervals = intervals
  }

  /// Two lines for people.
  var lines: [String] {
    func share(_ value: Double) -> String { NumberText.fixed(value, digits: 3) }
    return [
      "confidence: \(share(stated)) on average, and \(share(observed)) of counts are at most 5 % off",
      "intervals:  \(share(intervals.coverage)) hold the truth, "
        + "\(NumberText.fixed(intervals.meanWidth, digits: 2)) wide on average",
    ]
  }

  /// The same for machines.
  var json: JSONText {
    .object([
      ("photos", .integer(photos)), ("stated", .double(stated)), ("observed", .double(observed)),
      ("intervalCoverage", .double(intervals.coverage)),
      ("meanIntervalWidth", .double(intervals.meanWidth)),
    ])
  }
}
