import TestSupport
import Testing

@testable import Evaluation

/// What trec_eval and scikit-learn answered for rankings that
/// `Fixtures/generate/classification_metrics.py` makes.
private struct RankingGolden: Decodable {
  let answers: [RetrievedItems]
  let means: [String: Double]
  let ndcgOfLearn: Double
}

// C43: the figures of a similarity search.

@Suite("Scores of retrieval")
struct RetrievalScoreTests {
  @Test("The figures are trec_eval's, and nDCG scikit-learn's too")
  func golden() throws {
    let goldens: [RankingGolden] = try Folders.golden("Evaluation/rankings.json")
    for golden in goldens {
      let score = try RetrievalScore(of: golden.answers)
      func expectEqual(_ value: Double?, _ name: String) {
        #expect(abs((value ?? -1) - (golden.means[name] ?? -2)) < 1e-12, "\(name)")
      }
      for k in [1, 3, 10] {
        expectEqual(try score.recall(at: k), "recall_\(k)")
        expectEqual(try score.precision(at: k), "P_\(k)")
        expectEqual(try score.nDCG(at: k), "ndcg_cut_\(k)")
      }
      expectEqual(score.meanAveragePrecision, "map")
      expectEqual(score.meanReciprocalRank, "recip_rank")
      expectEqual(try score.nDCG(), "ndcg")
      #expect(abs((try score.nDCG(at: 10) ?? -1) - golden.ndcgOfLearn) < 1e-12)
      #expect(score.queries == golden.answers.count)
    }
  }

  @Test("Figures by hand")
  func byHand() throws {
    let score = try RetrievalScore(of: [
      RetrievedItems(ranking: ["x", "a", "y", "b"], relevant: ["a", "b", "c"]),
      RetrievedItems(ranking: [], relevant: ["a"]),
      RetrievedItems(ranking: ["a", "b"], relevant: []),
      RetrievedItems(ranking: ["a"], relevances: ["a": 0]),
    ])
    #expect(score.queries == 2)
    #expect(try score.recall(at: 2) == (1.0 / 3) / 2)
    #expect(try score.recall(at: .max) == (2.0 / 3) / 2)
    #expect(try score.precision(at: 2) == 0.25)
    #expect(try score.precision(at: 8) == 0.125)
    #expect(abs((score.meanAveragePrecision ?? 0) - (0.5 + 0.5) / 3 / 2) < 1e-12)
    #expect(score.meanReciprocalRank == 0.25)
  }

  @Test("The best ranking has an nDCG of 1, and the degrees' unit means nothing")
  func ideal() throws {
    let relevances = ["a": 3.0, "b": 2, "c": 1, "d": 0]
    let best = try RetrievalScore(of: [
      RetrievedItems(ranking: ["a", "b", "c", "d"], relevances: relevances)
    ])
    #expect(try best.nDCG() == 1 && best.nDCG(at: 2) == 1 && best.meanAveragePrecision == 1)
    func worse(_ unit: Double) throws -> Double {
      let answer = RetrievedItems(
        ranking: ["c", "b", "a"], relevances: relevances.mapValues { $0 * unit })
      return try #require(try RetrievalScore(of: [answer]).nDCG())
    }
    let plain = try worse(1)
    #expect(plain < 1)
    for unit in [1e-300, 5e307] { #expect(abs(try worse(unit) - plain) < 1e-12) }
  }

  @Test("Items twice, relevances that are none and depths below 1 are errors")
  func hostile() throws {
    let good = RetrievedItems(ranking: ["a"], relevant: ["a"])
    #expect(throws: EvaluationError.repeatedItem(query: 1, item: "b")) {
      try RetrievalScore(of: [good, RetrievedItems(ranking: ["b", "a", "b"], relevant: ["a"])])
    }
    #expect(
      EvaluationError.repeatedItem(query: 1, item: "b").description
        == "query 1: \"b\" occurs twice in the ranking; each item may occur once")
    for value in [-1, Double.infinity] {
      #expect(throws: EvaluationError.invalidRelevance(query: 0, item: "a", value: value)) {
        try RetrievalScore(of: [RetrievedItems(ranking: [], relevances: ["a": value, "b": 1])])
      }
    }
    #expect(throws: EvaluationError.self) {
      try RetrievalScore(of: [RetrievedItems(ranking: [], relevances: ["a": .nan])])
    }
    let score = try RetrievalScore(of: [good])
    for k in [0, -1, .min] {
      #expect(throws: EvaluationError.self) { try score.recall(at: k) }
      #expect(throws: EvaluationError.self) { try score.precision(at: k) }
      #expect(throws: EvaluationError.self) { try score.nDCG(at: k) }
    }
    let none = try RetrievalScore(of: [])
    #expect(none.meanAveragePrecision == nil && none.meanReciprocalRank == nil)
    #expect(try none.recall(at: 1) == nil && none.precision(at: 1) == nil && none.nDCG() == nil)
  }
}
