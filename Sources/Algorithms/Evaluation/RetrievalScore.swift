import _CLibrary

/// The answer of a search to one query, and what it should have found.
public struct RetrievedItems: Hashable, Sendable, Codable {
  /// The items that were found, best first, each once.
  public var ranking: [String]
  /// How relevant items are, at least 0 and finite; those that are not named have 0.
  ///
  /// An item is relevant if this is above 0. Degrees matter only for nDCG.
  public var relevances: [String: Double]

  /// Makes an answer with degrees of relevance.
  public init(ranking: [String], relevances: [String: Double]) {
    self.ranking = ranking
    self.relevances = relevances
  }

  /// Makes an answer with items that are relevant, all of one degree.
  public init(ranking: [String], relevant: Set<String>) {
    self.init(
      ranking: ranking, relevances: Dictionary(uniqueKeysWithValues: relevant.map { ($0, 1) }))
  }
}

/// How well a search finds what is relevant, and how far ahead it ranks it.
///
/// ```swift
/// let score = try RetrievalScore(of: answers)
/// try score.recall(at: 10)       // "recall@10"
/// try score.precision(at: 10)    // "P@10"
/// score.meanAveragePrecision     // "MAP"
/// score.meanReciprocalRank       // "MRR"
/// try score.nDCG(at: 10)         // "nDCG@10"
/// ```
///
/// Every figure is a mean over the queries that have something relevant. The others are left out,
/// because no answer to them is right; ``queries`` is the number of those that count.
///
/// Source: Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002, for
/// nDCG. The figures are those of trec_eval 9, and nDCG that of scikit-learn 1.9 too: the gain is
/// the relevance itself, and the discount the binary logarithm of 1 plus the rank.
public struct RetrievalScore: Hashable, Sendable {
  /// One query that counts.
  private struct Query: Hashable {
    /// The relevance of each item of the ranking as a share of the greatest, 0...1.
    let gains: [Double]
    /// The relevances of all relevant items as shares of the greatest, greatest first.
    let ideal: [Double]

    /// The number of relevant items among the first `k`.
    func found(in k: Int) -> Int { gains.prefix(k).count { $0 > 0 } }
  }

  private let counted: [Query]

  /// The number of queries with something relevant: those that count.
  public var queries: Int { counted.count }

  /// Scores the answers to queries.
  ///
  /// - Complexity: O(*n* log *n*) for *n* items of a query.
  /// - Throws: ``EvaluationError/repeatedItem(query:item:)`` for an item that a ranking has twice,
  ///   ``EvaluationError/invalidRelevance(query:item:value:)`` for a relevance that is negative or
  ///   not finite.
  public init(of answers: [RetrievedItems]) throws(EvaluationError) {
    var counted: [Query] = []
    for (index, answer) in answers.enumerated() {
      var seen: Set<String> = []
      for item in answer.ranking where !seen.insert(item).inserted {
        throw .repeatedItem(query: index, item: item)
      }
      let invalid = answer.relevances.filter { !($0.value >= 0 && $0.value.isFinite) }
      if let (item, value) = invalid.min(by: { $0.key < $1.key }) {
        throw .invalidRelevance(query: index, item: item, value: value)
      }
      // Shares of the greatest one, because the sum of large numbers may be infinite.
      let greatest = answer.relevances.values.max() ?? 0
      guard greatest > 0 else { continue }
      counted.append(
        Query(
          gains: answer.ranking.map { (answer.relevances[$0] ?? 0) / greatest },
          ideal: answer.relevances.values.filter { $0 > 0 }.map { $0 / greatest }.sorted(by: >)))
    }
    self.counted = counted
  }

  /// The share of relevant items that are among the first `k`, 0...1; nil if no query counts.
  ///
  /// - Throws: ``EvaluationError/parameterOutOfRange(name:value:range:)`` for a `k` below 1, as all
  ///   figures at a `k` do.
  public func recall(at k: Int) throws(EvaluationError) -> Double? {
    try requireDepth(k)
    return mean { Double($0.found(in: k)) / Double($0.ideal.count) }
  }

  /// The share of the first `k` items that are relevant, 0...1; nil if no query counts.
  ///
  /// The places that a shorter ranking leaves empty count as items that are not relevant.
  public func precision(at k: Int) throws(EvaluationError) -> Double? {
    try requireDepth(k)
    return mean { Double($0.found(in: k)) / Double(k) }
  }

  /// "MAP": the mean over the relevant items of the precision at their rank, 0 for those that are
  /// not found, 0...1; nil if no query counts.
  public var meanAveragePrecision: Double? {
    mean { query in
      var found = 0.0
      var sum = 0.0
      for (index, gain) in query.gains.enumerated() where gain > 0 {
        found += 1
        sum += found / Double(index + 1)
      }
      return sum / Double(query.ideal.count)
    }
  }

  /// "MRR": the mean of 1 divided by the rank of the first relevant item, 0 if there is none,
  /// 0...1; nil if no query counts.
  public var meanReciprocalRank: Double? {
    mean { query in
      query.gains.firstIndex { $0 > 0 }.map { 1 / Double($0 + 1) } ?? 0
    }
  }

  /// "nDCG": the discounted gain of the first `k` items divided by that of the best ranking, 0...1;
  /// nil if no query counts.
  ///
  /// - Parameter k: the number of items, at least 1; nil for all.
  public func nDCG(at k: Int? = nil) throws(EvaluationError) -> Double? {
    if let k { try requireDepth(k) }
    return mean { query in
      Self.discounted(query.gains.prefix(k ?? .max))
        / Self.discounted(query.ideal.prefix(k ?? .max))
    }
  }

  private func mean(_ value: (Query) -> Double) -> Double? {
    counted.isEmpty ? nil : counted.reduce(0) { $0 + value($1) } / Double(counted.count)
  }

  private static func discounted(_ gains: ArraySlice<Double>) -> Double {
    gains.enumerated().reduce(0) { $0 + $1.element / log2(Double($1.offset) + 2) }
  }
}
