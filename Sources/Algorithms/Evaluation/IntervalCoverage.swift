import Stats

/// How often intervals hold the true count, and how wide they are.
public struct IntervalCoverage: Hashable, Sendable, Codable {
  /// The share of intervals with the truth in them, bounds included, 0...1.
  public let coverage: Double
  /// The mean of upper less lower bound, in objects.
  public let meanWidth: Double
  /// The median of upper less lower bound, as a share of the count; nil if the counts are not
  /// given.
  public let medianRelativeWidth: Double?

  /// Compares intervals with the truth, photo by photo.
  ///
  /// - Parameters:
  ///   - intervals: what the counts say the truth may be.
  ///   - truths: what it is.
  ///   - tolerances: how far each truth is in doubt, at least 0: an interval that comes that close
  ///     holds it. Nil for no doubt.
  ///   - counts: the counts that the intervals belong to; a count of 0 is taken for 1. Nil if the
  ///     widths as shares are not asked for.
  /// - Returns: nil for no photos.
  /// - Throws: ``EvaluationError`` if there are not as many of one as of the other, or for a
  ///   negative tolerance.
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
    // In floating point, for that bounds may be as far out as integers go.
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
