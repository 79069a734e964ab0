import TestSupport
import Testing

@testable import Evaluation

/// What scikit-learn answered for labels that `Fixtures/generate/classification_metrics.py` makes;
/// "" is for things without a prediction.
private struct MatrixGolden: Decodable {
  let truths, predictions, labels: [String]
  let matrix: [[Int]]
  let precision, recall, f1, support, macro, weighted: [Double]
  let accuracy, balanced, matthews: Double
  let kappa: Double?
}

private struct TopGolden: Decodable {
  let truths: [String]
  let rankings: [[String]]
  let depths: [Int]
  let accuracies: [Double]
}

private func isNear(_ value: Double?, _ expected: Double?) -> Bool {
  guard let value, let expected else { return value == nil && expected == nil }
  return abs(value - expected) < 1e-12
}

@Suite("Confusion matrices")
struct ConfusionMatrixTests {
  @Test("The matrix and all figures are scikit-learn's")
  func golden() throws {
    let goldens: [MatrixGolden] = try Folders.golden("Evaluation/confusion_matrices.json")
    #expect(goldens.count > 10)
    for golden in goldens {
      let matrix = try ConfusionMatrix(
        truths: golden.truths, predictions: golden.predictions.map { $0.isEmpty ? nil : $0 })
      #expect(matrix.classes.map(\.label) == golden.labels)
      for (row, truth) in golden.labels.enumerated() {
        for (column, prediction) in golden.labels.enumerated() {
          let count = matrix.count(truth: truth, prediction: prediction)
          #expect(count == golden.matrix[row][column])
        }
      }
      #expect(matrix.unanswered == golden.predictions.count(where: \.isEmpty))
      #expect(matrix.total == golden.truths.count)
      for (index, own) in matrix.classes.enumerated() {
        #expect(isNear(own.score.precision ?? 0, golden.precision[index]))
        #expect(isNear(own.score.recall ?? 0, golden.recall[index]))
        #expect(isNear(own.score.f1, golden.f1[index]))
        #expect(Double(own.support) == golden.support[index])
      }
      #expect(isNear(matrix.accuracy, golden.accuracy))
      for (average, expected) in [
        (matrix.macroAverage, golden.macro), (matrix.weightedAverage, golden.weighted),
      ] {
        #expect(isNear(average?.precision, expected[0]))
        #expect(isNear(average?.recall, expected[1]))
        #expect(isNear(average?.f1, expected[2]))
      }
      #expect(isNear(matrix.balancedAccuracy, golden.balanced))
      #expect(isNear(matrix.cohenKappa, golden.kappa))
      #expect(isNear(matrix.matthewsCorrelation, golden.matthews))
    }
  }

  @Test("The pairs that are mixed up most often come first")
  func confusions() throws {
    let matrix = try ConfusionMatrix(
      truths: ["b", "a", "a", "a", "c", "c", "b", "c"],
      predictions: ["c", "b", "b", "a", nil, "a", "b", nil])
    #expect(matrix.confusions.map(\.truth) == ["a", "b", "c"])
    #expect(matrix.confusions.map(\.prediction) == ["b", "c", "a"])
    #expect(matrix.confusions.map(\.count) == [2, 1, 1])
    #expect(matrix.count(truth: "c", prediction: nil) == 2 && matrix.unanswered == 2)
    #expect(matrix.cells.map(\.count).reduce(0, +) == 8)
    #expect(matrix.cells.map(\.isRight) == [true, false, true, false, false, false])
    #expect(matrix.count(truth: "z", prediction: "a") == 0)
    #expect(matrix.count(truth: "", prediction: nil) == 0)
  }

  @Test("The order of things means nothing, and exchanged sides exchange precision and recall")
  func invariances() throws {
    var generator = SeededGenerator(seed: 60)
    let pairs = (0..<400).map { _ in
      ("\(Int(generator.unit() * 6))", "\(Int(generator.unit() * 7))")
    }
    let shuffled = pairs.shuffled(using: &generator)
    let matrix = try ConfusionMatrix(truths: pairs.map(\.0), predictions: pairs.map(\.1))
    #expect(
      try matrix == ConfusionMatrix(truths: shuffled.map(\.0), predictions: shuffled.map(\.1)))
    let other = try ConfusionMatrix(truths: pairs.map(\.1), predictions: pairs.map(\.0))
    for (one, two) in zip(matrix.classes, other.classes) {
      #expect(one.score.precision == two.score.recall && one.support == two.predicted)
    }
    #expect(isNear(matrix.cohenKappa, other.cohenKappa))
    #expect(isNear(matrix.matthewsCorrelation, other.matthewsCorrelation))
    #expect(isNear(matrix.weightedAverage?.recall, matrix.accuracy))
  }

  @Test("A label is the same however its accents are encoded")
  func accents() throws {
    let matrix = try ConfusionMatrix(truths: ["caf\u{E9}"], predictions: ["cafe\u{301}"])
    #expect(matrix.accuracy == 1 && matrix.classes.count == 1)
  }

  @Test("Nothing has no figures, and different numbers are an error")
  func hostile() throws {
    let none = try ConfusionMatrix(truths: [], predictions: [])
    #expect(none.accuracy == nil && none.macroAverage == nil && none.weightedAverage == nil)
    #expect(none.balancedAccuracy == nil && none.cohenKappa == nil)
    #expect(none.matthewsCorrelation == 0 && none.confusions.isEmpty)
    #expect(none.count(truth: "a", prediction: "a") == 0)
    #expect(throws: EvaluationError.countMismatch(what: "predictions", expected: 1, got: 2)) {
      try ConfusionMatrix(truths: ["a"], predictions: ["a", "b"])
    }
  }

  @Test("Twenty thousand classes need no square of that")
  func many() throws {
    let labels = (0..<20_000).map(String.init)
    let matrix = try ConfusionMatrix(truths: labels, predictions: labels)
    #expect(matrix.accuracy == 1 && matrix.cells.count == labels.count)
    #expect(isNear(matrix.matthewsCorrelation, 1))
  }
}

@Suite("Top-k accuracy")
struct TopKAccuracyTests {
  @Test("The accuracies are scikit-learn's")
  func golden() throws {
    let goldens: [TopGolden] = try Folders.golden("Evaluation/top_k.json")
    for golden in goldens {
      let top = try TopKAccuracy(truths: golden.truths, rankings: golden.rankings)
      for (k, expected) in zip(golden.depths, golden.accuracies) {
        #expect(isNear(try top.accuracy(at: k), expected))
      }
      #expect(try top.accuracy(at: .max) == 1)
    }
  }

  @Test("Short rankings count with what they have, and a label twice with its first place")
  func places() throws {
    let top = try TopKAccuracy(
      truths: ["a", "b", "c", "d"], rankings: [["a"], [], ["x", "x", "c", "c"], ["x", "d"]])
    #expect(top.ranks == [1, nil, 3, 2])
    #expect(try (1...4).map { try top.accuracy(at: $0) } == [0.25, 0.5, 0.75, 0.75])
  }

  @Test("A depth below 1 and different numbers are errors")
  func hostile() throws {
    let none = try TopKAccuracy(truths: [], rankings: [])
    #expect(try none.accuracy(at: 1) == nil)
    for k in [0, -1, .min] {
      #expect(
        throws: EvaluationError.parameterOutOfRange(
          name: "k", value: Double(k), range: "at least 1")
      ) { try none.accuracy(at: k) }
    }
    #expect(throws: EvaluationError.countMismatch(what: "rankings", expected: 1, got: 0)) {
      try TopKAccuracy(truths: ["a"], rankings: [])
    }
  }
}
