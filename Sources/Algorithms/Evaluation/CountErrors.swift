import Stats

/// How right the count of one photo is: `max(0, 1 - |count - truth| / truth)`, 0...1.
///
/// If there is nothing to count, it is 1 for a count of 0 and 0 for any other. A count that is as
/// close to the truth as the truth itself is known is right: its accuracy is 1.
///
/// - Parameter tolerance: how far the truth itself is in doubt, at least 0.
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

/// How far the counts of a set of photos are from the truth.
public struct CountErrors: Hashable, Sendable, Codable {
  /// The accuracy of each photo, 0...1.
  public let accuracies: [Double]
  /// Count less truth, for each photo: negative where objects were missed.
  public let errors: [Int]

  /// Compares counts with the truth, photo by photo.
  ///
  /// - Parameters:
  ///   - counts: the counts.
  ///   - truths: what they should be.
  ///   - tolerances: how far each truth is in doubt, at least 0: a count that close has an accuracy
  ///     of 1. Nil for no doubt. ``errors`` and what is made of them know no tolerance.
  /// - Throws: ``EvaluationError`` for negative numbers, and if there are not as many of one as of
  ///   the other.
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

  /// The mean error with its sign, in objects: below 0 if more is missed than counted twice.
  public var bias: Double? { mean(of: errors.map { Double($0) }) }
}

/// The tolerances of as many truths, 0 if none are given.
///
/// - Throws: ``EvaluationError`` if one is negative, or there are not as many as truths.
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
