/// How often the true label is among the first labels of a ranking: top-1, top-3 and so on.
///
/// ```swift
/// let top = try TopKAccuracy(truths: ["cat", "dog"], rankings: [["cat", "fox"], ["fox", "dog"]])
/// print(try top.accuracy(at: 1) ?? 0)  // 0.5
/// print(try top.accuracy(at: 2) ?? 0)  // 1.0
/// ```
///
/// The figures are those of scikit-learn 1.9 if no two scores are equal.
public struct TopKAccuracy: Hashable, Sendable {
  /// The place of each true label in its ranking, 1 for the first; nil if it is not there.
  public let ranks: [Int?]

  /// Finds each true label in its ranking.
  ///
  /// - Parameters:
  ///   - truths: the true label of each thing.
  ///   - rankings: for each thing the predicted labels, best first; there may be none. If a label
  ///     occurs twice, its first place counts, and the second is a place like any other.
  /// - Complexity: O(*n*) for *n* labels in all rankings.
  /// - Throws: ``EvaluationError/countMismatch(what:expected:got:)`` if the numbers differ.
  public init(truths: [String], rankings: [[String]]) throws(EvaluationError) {
    guard truths.count == rankings.count else {
      throw .countMismatch(what: "rankings", expected: truths.count, got: rankings.count)
    }
    ranks = zip(truths, rankings).map { truth, ranking in
      ranking.firstIndex(of: truth).map { $0 + 1 }
    }
  }

  /// The share of things with the true label among the first `k`, 0...1; nil if there are no
  /// things.
  ///
  /// A ranking with fewer labels counts with those that it has.
  ///
  /// - Parameter k: the number of labels, at least 1.
  /// - Complexity: O(*n*) for *n* things.
  /// - Throws: ``EvaluationError/parameterOutOfRange(name:value:range:)`` for a `k` below 1.
  public func accuracy(at k: Int) throws(EvaluationError) -> Double? {
    try requireDepth(k)
    guard !ranks.isEmpty else { return nil }
    return Double(ranks.count { $0.map { $0 <= k } ?? false }) / Double(ranks.count)
  }
}
