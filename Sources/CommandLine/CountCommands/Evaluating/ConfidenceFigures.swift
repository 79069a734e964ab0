import CommandKit
import Evaluation

/// The reliability of the confidence of counts.
struct ConfidenceFigures {
  /// The number of counts with a confidence, at least 1.
  let photos: Int
  /// The number of counts, including those without a confidence.
  let counts: Int
  /// The mean of the counts' stated probabilities of being at most 5 % off, 0...1.
  let stated: Double
  /// The share of counts that are at most 5 % off or within the tolerance of the truth, 0...1.
  let observed: Double
  /// The coverage of the intervals, and their widths.
  let intervals: IntervalCoverage

  /// Compares the confidence of counts with their accuracy; nil if no count has one.
  init?(_ photos: [EvaluatedPhoto]) throws(EvaluationError) {
    var (stated, near) = (0.0, 0)
    var ranges: [ClosedRange<Int>] = []
    var known: [EvaluatedPhoto] = []
    for photo in photos {
      guard let confidence = photo.result.confidence, let interval = photo.interval else {
        continue
      }
      stated += confidence.value
      // 1 - 1/20 is not 0.95 to the last bit.
      if photo.accuracy >= 0.95 - 1e-9 { near += 1 }
      ranges.append(interval)
      known.append(photo)
    }
    let coverage = try IntervalCoverage(
      of: ranges, truths: known.map(\.truth.main), tolerances: known.map(\.truth.tolerance),
      counts: known.map(\.result.count))
    guard let coverage else { return nil }
    self.photos = ranges.count
    counts = photos.count
    self.stated = stated / Double(ranges.count)
    observed = Double(near) / Double(ranges.count)
    intervals = coverage
  }

  /// Two lines for people.
  var lines: [String] {
    func share(_ value: Double) -> String { NumberText.fixed(value, digits: 3) }
    let missing = counts - photos
    return [
      "confidence: \(share(stated)) on average, and \(share(observed)) of counts are at most 5 % off",
      "intervals:  \(share(intervals.coverage)) hold the truth, "
        + "\(NumberText.fixed(intervals.meanWidth, digits: 2)) wide on average, "
        + "the middle one \(share(intervals.medianRelativeWidth ?? 0)) of its count"
        + (missing > 0 ? "; \(Sentence.count(missing, "count has", "counts have")) none" : ""),
    ]
  }

  /// The same for machines.
  var json: JSONText {
    .object([
      ("photos", .integer(photos)), ("stated", .double(stated)), ("observed", .double(observed)),
      ("intervalCoverage", .double(intervals.coverage)),
      ("meanIntervalWidth", .double(intervals.meanWidth)),
      ("medianRelativeWidth", .optional(intervals.medianRelativeWidth) { .double($0) }),
    ])
  }
}
