import Stats

/// The share of intervals that contain the true count, and their widths.
public struct IntervalCoverage: Hashable, Sendable, Codable {
  /// The share of intervals that contain the truth, bounds included, 0...1.
  public let coverage: Double
  /// The mean of upper minus lower bound, in objects.
  public let meanWidth: Double
  /// The median of upper minus lower bound, as a share of the count; nil if the counts are not
  /// given.
  public let medianRelativeWidth: Double?

  /// Compares intervals with the true counts, photo by photo.
  ///
  /// - Parameters:
  ///   - intervals: the intervals of the counts.
  ///   - truths: the true counts.
  ///   - tolerances: the uncertainty of each truth, at least 0: an interval within it contains the
  ///     truth. Nil for none.
  ///   - counts: the counts of the intervals; a count of 0 is treated as 1. Nil if the relative
  ///     widths are not needed.
  /// - Returns: nil for no photos.
  /// - Throws: ``EvaluationError`` if the numbers of values differ, or for a negative tolerance.
  public init?(
    of intervals: [ClosedRange<Int>], truths: [Int], tolerances: [Int]? = nil, counts: [Int]? = nil
  ) throws(EvaluationError) {
    guard intervals.count == truths.count else {
      throw .countMismatch(what: "intervals", expected: truths.count, got: intervals.count)
    }
    if let counts, counts.count != truths.count {
      throw .countMismatch(what: "counts", expected: truths.count, got: counts.count)
    }
    let tolerances = try requireTolerances(tolerances, for: truths)
    // The subtraction is in floating point, because bounds may be at the limits of integers.
    let widths = intervals.map { Double($0.upperBound) - Double($0.lowerBound) }
    let holds = truths.indices.map { index -> Double in
      let (truth, tolerance) = (Double(truths[index]), Double(tolerances[index]))
      let (lower, upper) = (intervals[index].lowerBound, intervals[index].upperBound)
      return truth + tolerance >= Double(lower) && truth - tolerance <= Double(upper) ? 1 : 0
    }
    guard let coverage = mean(of: holds), let width = mean(of: widths) else { return nil }
    self.coverage = coverage
    meanWidth = width
    medianRelativeWidth = counts.flatMap { counts in
      median(of: zip(widths, counts).map { $0 / Double(max($1, 1)) })
    }
  }
}
