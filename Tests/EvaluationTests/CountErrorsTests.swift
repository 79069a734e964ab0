import TestSupport
import Testing

@testable import Evaluation

@Suite("Errors of counts")
struct CountErrorsTests {
  @Test(
    "The accuracy of one photo",
    arguments: [
      (56, 56, 1.0), (28, 56, 0.5), (84, 56, 0.5), (112, 56, 0.0), (500, 56, 0.0), (0, 56, 0.0),
      (0, 0, 1.0), (1, 0, 0.0), (Int.max, 1, 0.0), (Int.max, Int.max, 1.0), (0, Int.max, 0.0),
    ])
  func accuracy(count: Int, truth: Int, expected: Double) throws {
    #expect(try countAccuracy(count: count, truth: truth) == expected)
    #expect(try CountErrors(counts: [count], truths: [truth]).accuracies == [expected])
  }

  @Test("A count within the truth's own doubt is right, one beyond is as wrong as ever")
  func tolerance() throws {
    #expect(try countAccuracy(count: 38, truth: 40, tolerance: 2) == 1)
    #expect(try countAccuracy(count: 37, truth: 40, tolerance: 2) == 1 - 3.0 / 40)
    #expect(try countAccuracy(count: 1, truth: 0, tolerance: 1) == 1)
    let errors = try CountErrors(counts: [9, 9], truths: [10, 10], tolerances: [1, 0])
    #expect(errors.accuracies == [1, 0.9] && errors.errors == [-1, -1])
    #expect(throws: EvaluationError.negativeCount(what: "tolerance", index: 1, value: -1)) {
      try CountErrors(counts: [1, 1], truths: [1, 1], tolerances: [0, -1])
    }
    #expect(throws: EvaluationError.countMismatch(what: "tolerances", expected: 1, got: 0)) {
      try CountErrors(counts: [1], truths: [1], tolerances: [])
    }
  }

  @Test("Figures over a set of photos")
  func figures() throws {
    let errors = try CountErrors(counts: [10, 8, 0, 23], truths: [10, 10, 0, 20])
    #expect(errors.errors == [0, -2, 0, 3])
    #expect(abs((errors.meanAccuracy ?? 0) - (1 + 0.8 + 1 + 0.85) / 4) < 1e-12)
    #expect(errors.exactShare == 0.5)
    #expect(errors.meanAbsoluteError == 1.25)
    #expect(abs((errors.rootMeanSquaredError ?? 0) - (13.0 / 4).squareRoot()) < 1e-12)
    #expect(errors.bias == 0.25)
  }

  @Test("The errors keep their order of size")
  func properties() throws {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<50 {
      let truths = (0..<20).map { _ in Int(generator.unit() * 100) }
      let counts = truths.map { max(0, $0 + Int(generator.unit() * 20) - 10) }
      let errors = try CountErrors(counts: counts, truths: truths)
      let absolute = try #require(errors.meanAbsoluteError)
      let squared = try #require(errors.rootMeanSquaredError)
      let bias = try #require(errors.bias)
      #expect(abs(bias) <= absolute + 1e-12)
      #expect(absolute <= squared + 1e-12)
      #expect(errors.accuracies.allSatisfy { (0...1).contains($0) })
    }
  }

  @Test("No photos have no figures")
  func empty() throws {
    let errors = try CountErrors(counts: [], truths: [])
    #expect(errors.meanAccuracy == nil)
    #expect(errors.exactShare == nil)
    #expect(errors.meanAbsoluteError == nil)
    #expect(errors.rootMeanSquaredError == nil)
    #expect(errors.bias == nil)
    #expect(try IntervalCoverage(of: [], truths: []) == nil)
  }

  @Test("Intervals hold their bounds")
  func intervals() throws {
    let coverage = try #require(
      try IntervalCoverage(
        of: [1...3, 4...4, 5...9, Int.min...Int.max], truths: [3, 4, 10, 7]))
    #expect(coverage.coverage == 0.75)
    #expect(coverage.meanWidth > 1e18)
    let narrow = try #require(try IntervalCoverage(of: [1...3, 4...4], truths: [1, 5]))
    #expect(narrow.coverage == 0.5)
    #expect(narrow.meanWidth == 1 && narrow.medianRelativeWidth == nil)
    let near = try #require(
      try IntervalCoverage(
        of: [10...12, 4...8, 7...7], truths: [9, 10, 7], tolerances: [1, 1, 0], counts: [11, 6, 0]))
    #expect(near.coverage == 2.0 / 3)
    #expect(near.medianRelativeWidth == 2.0 / 11)
  }

  @Test("Negative numbers and lists of different lengths are errors that say where")
  func hostile() {
    #expect(throws: EvaluationError.negativeCount(what: "count", index: 0, value: -1)) {
      try countAccuracy(count: -1, truth: 1)
    }
    #expect(throws: EvaluationError.negativeCount(what: "truth", index: 0, value: .min)) {
      try countAccuracy(count: 1, truth: .min)
    }
    #expect(throws: EvaluationError.negativeCount(what: "truth", index: 1, value: -3)) {
      try CountErrors(counts: [1, 2], truths: [1, -3])
    }
    #expect(throws: EvaluationError.countMismatch(what: "counts", expected: 2, got: 1)) {
      try CountErrors(counts: [1], truths: [1, 3])
    }
    #expect(throws: EvaluationError.countMismatch(what: "intervals", expected: 0, got: 1)) {
      try IntervalCoverage(of: [1...2], truths: [])
    }
  }

  @Test("Scores of sets add up, and stay within what an integer holds")
  func scores() {
    let first = DetectionScore(truePositives: 3, falsePositives: 1, falseNegatives: 2)
    let sum = first + DetectionScore(truePositives: 1, falsePositives: .max, falseNegatives: -5)
    #expect(sum == DetectionScore(truePositives: 4, falsePositives: .max, falseNegatives: 2))
    #expect(first.precision == 0.75)
    #expect(first.recall == 0.6)
    #expect(abs((first.f1 ?? 0) - 2 * 0.75 * 0.6 / 1.35) < 1e-12)
    #expect(DetectionScore().precision == nil)
    #expect(DetectionScore().recall == nil)
    #expect(DetectionScore().f1 == nil)
    #expect(DetectionScore(falsePositives: 2).f1 == 0)
  }

  @Test("Errors say what was wrong, in one line")
  func descriptions() {
    let errors: [EvaluationError] = [
      .countMismatch(what: "counts", expected: 2, got: 1),
      .parameterOutOfRange(name: "minimumIoU", value: 2, range: "in 0...1"),
      .boxIsNotFinite(what: "box", index: 3), .scoreIsNotANumber(index: 1),
      .invalidPoint(index: 0), .negativeCount(what: "count", index: 0, value: -1),
    ]
    for error in errors {
      #expect(!error.description.isEmpty)
      #expect(!error.description.contains("\n"))
    }
    #expect(errors[1].description == "minimumIoU is 2.0; it must be in 0...1")
  }
}
