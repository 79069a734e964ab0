import Stats

/// The accuracy of one photo's count: `max(0, 1 - |count - truth| / truth)`, 0...1.
///
/// If there is nothing to count, it is 1 for a count of 0 and 0 for any other. If the count differs
/// from the truth by at most the tolerance, it is 1.
///
/// - Parameters:
///   - count: the count, at least 0.
///   - truth: the true count, at least 0.
///   - tolerance: the uncertainty of the truth itself, at least 0.
/// - Throws: ``EvaluationError`` for a negative number.
public func countAccuracy(
  count: Int, truth: Int, tolerance: Int = 0
) throws(EvaluationError) -> Double {
  for (what, value) in [("count", count), ("truth", truth), ("tolerance", tolerance)]
  where value < 0 {
    throw .negativeCount(what: what, index: 0, value: value)
  }
  return accuracy(count, truth, tolerance)
}

/// The errors of the counts of a set of photos.
public struct CountErrors: Hashable, Sendable, Codable {
  /// The accuracy of each photo, 0...1.
  public let accuracies: [Double]
  /// Count minus truth for each photo: negative if objects were missed.
  public let errors: [Int]

  /// Compares counts with the truth, photo by photo.
  ///
  /// - Parameters:
  ///   - counts: the counts.
  ///   - truths: the true counts.
  ///   - tolerances: the uncertainty of each truth, at least 0: a count within it has an accuracy
  ///     of 1. Nil for none. ``errors`` and the figures from them do not use tolerances.
  /// - Throws: ``EvaluationError`` for negative numbers, and if the numbers of values differ.
  public init(counts: [Int], truths: [Int], tolerances: [Int]? = nil) throws(EvaluationError) {
    guard counts.count == truths.count else {
      throw .countMismatch(what: "counts", expected: truths.count, got: counts.count)
    }
    let tolerances = try requireTolerances(tolerances, for: truths)
    for (what, values) in [("count", counts), ("truth", truths)] {
      if let index = values.firstIndex(where: { $0 < 0 }) {
        throw .negativeCount(what: what, index: index, value: values[index])
      }
    }
    accuracies = truths.indices.map { accuracy(counts[$0], truths[$0], tolerances[$0]) }
    errors = zip(counts, truths).map { $0 - $1 }
  }

  /// The mean of the accuracies, 0...1; nil for no photos, as are all figures below.
  public var meanAccuracy: Double? { mean(of: accuracies) }

  /// The share of photos whose count is exactly right, 0...1.
  public var exactShare: Double? {
    errors.isEmpty ? nil : Double(errors.count { $0 == 0 }) / Double(errors.count)
  }

  /// The mean absolute error, in objects.
  public var meanAbsoluteError: Double? { mean(of: errors.map { abs(Double($0)) }) }

  /// The root of the mean squared error, in objects.
  public var rootMeanSquaredError: Double? {
    mean(of: errors.map { Double($0) * Double($0) })?.squareRoot()
  }

  /// The mean error with its sign, in objects: below 0 if more objects are missed than counted
  /// twice.
  public var bias: Double? { mean(of: errors.map { Double($0) }) }
}

/// One tolerance per truth, 0 if none are given.
///
/// - Throws: ``EvaluationError`` if one is negative, or if the number of tolerances differs.
func requireTolerances(
  _ tolerances: [Int]?, for truths: [Int]
) throws(EvaluationError) -> [Int] {
  guard let tolerances else { return truths.map { _ in 0 } }
  guard tolerances.count == truths.count else {
    throw .countMismatch(what: "tolerances", expected: truths.count, got: tolerances.count)
  }
  if let index = tolerances.firstIndex(where: { $0 < 0 }) {
    throw .negativeCount(what: "tolerance", index: index, value: tolerances[index])
  }
  return tolerances
}

/// The accuracy of numbers that are not negative.
private func accuracy(_ count: Int, _ truth: Int, _ tolerance: Int) -> Double {
  let error = abs(count - truth)
  guard error > tolerance else { return 1 }
  return truth > 0 ? max(0, 1 - Double(error) / Double(truth)) : 0
}
