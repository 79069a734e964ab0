import Stats

/// How right the count of one photo is: `max(0, 1 - |count - truth| / truth)`, 0...1.
///
/// Where there is nothing to count, 1 for a count of 0 and 0 for any other.
///
/// - Throws: ``EvaluationError`` for a negative number.
public func countAccuracy(count: Int, truth: Int) throws(EvaluationError) -> Double {
  guard count >= 0 else { throw .negativeCount(what: "count", index: 0, value: count) }
  guard truth >= 0 else { throw .negativeCount(what: "truth", index: 0, value: truth) }
  return accuracy(count, truth)
}

/// How far the counts of a set of photos are from the truth.
public struct CountErrors: Hashable, Sendable, Codable {
  /// The accuracy of each photo, 0...1.
  public let accuracies: [Double]
  /// Count less truth, for each photo: negative where objects were missed.
  public let errors: [Int]

  /// Compares counts with the truth, photo by photo.
  ///
  /// - Throws: ``EvaluationError`` for negative numbers, and where there are not as many of one as of
  ///   the other.
  public init(counts: [Int], truths: [Int]) throws(EvaluationError) {
    guard counts.count == truths.count else {
      throw .countMismatch(what: "counts", expected: truths.count, got: counts.count)
    }
    for (what, values) in [("count", counts), ("truth", truths)] {
      if let index = values.firstIndex(where: { $0 < 0 }) {
        throw .negativeCount(what: what, index: index, value: values[index])
      }
    }
    accuracies = zip(counts, truths).map(accuracy)
    errors = zip(counts, truths).map { $0 - $1 }
  }

  /// The mean of the accuracies, 0...1; nil for no photos, as are all figures below.
  public var meanAccuracy: Double? { mean(of: accuracies) }

  /// The share of photos whose count is right to the last object, 0...1.
  public var exactShare: Double? {
    errors.isEmpty ? nil : Double(errors.count { $0 == 0 }) / Double(errors.count)
  }

  /// The mean distance of a count from the truth, in objects.
  public var meanAbsoluteError: Double? { mean(of: errors.map { abs(Double($0)) }) }

  /// The root of the mean squared error, in objects.
  public var rootMeanSquaredError: Double? {
    mean(of: errors.map { Double($0) * Double($0) })?.squareRoot()
  }

  /// The mean error with its sign, in objects: below 0 where more is missed than counted twice.
  public var bias: Double? { mean(of: errors.map { Double($0) }) }
}

/// How often intervals hold the true count, and how wide they are.
public struct IntervalCoverage: Hashable, Sendable, Codable {
  /// The share of intervals with the truth in them, bounds included, 0...1.
  public let coverage: Double
  /// The mean of upper less lower bound, in objects.
  public let meanWidth: Double

  /// Compares intervals with the truth, photo by photo.
  ///
  /// - Returns: nil for no photos.
  /// - Throws: ``EvaluationError`` where there are not as many of one as of the other.
  public init?(of intervals: [ClosedRange<Int>], truths: [Int]) throws(EvaluationError) {
    guard intervals.count == truths.count else {
      throw .countMismatch(what: "intervals", expected: truths.count, got: intervals.count)
    }
    guard
      let coverage = mean(of: zip(intervals, truths).map { $0.contains($1) ? 1.0 : 0.0 }),
      let width = mean(of: intervals.map { Double($0.upperBound) - Double($0.lowerBound) })
    else { return nil }
    self.coverage = coverage
    meanWidth = width
  }
}

/// The accuracy of numbers that are not negative.
private func accuracy(_ count: Int, _ truth: Int) -> Double {
  guard truth > 0 else { return count == 0 ? 1 : 0 }
  return max(0, 1 - Double(abs(count - truth)) / Double(truth))
}
