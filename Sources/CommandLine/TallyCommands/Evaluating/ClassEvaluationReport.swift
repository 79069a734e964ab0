import CommandKit
import Evaluation

/// The classes of images compared with the true ones, for people and as JSON for machines.
struct ClassEvaluationReport {
  private let answers: JoinedAnswers
  private let matrix: ConfusionMatrix
  /// The place of each image's true class among the predicted ones; nil if it is not there.
  private let ranks: [Int?]
  private let tops: [(k: Int, accuracy: Double?)]

  init(_ answers: JoinedAnswers, depths: [Int]) throws(EvaluationError) {
    self.answers = answers
    let truths = answers.images.map(\.trueLabel)
    matrix = try ConfusionMatrix(
      truths: truths, predictions: answers.images.map(\.predictedLabel))
    let top = try TopKAccuracy(truths: truths, rankings: answers.images.map(\.prediction.values))
    ranks = top.ranks
    var tops: [(k: Int, accuracy: Double?)] = []
    for k in depths { tops.append((k, try top.accuracy(at: k))) }
    self.tops = tops
  }

  /// An image with a wrong answer or none.
  private struct Fault {
    let image, truth: String
    let prediction: String?
    let rank: Int?
  }

  private var faults: [Fault] {
    zip(answers.images, ranks).compactMap { image, rank in
      image.trueLabel == image.predictedLabel
        ? nil
        : Fault(
          image: image.name, truth: image.trueLabel, prediction: image.predictedLabel, rank: rank)
    }
  }

  // MARK: Text

  var lines: [String] {
    classTable + [""] + figureTable + [""] + [summary] + confusionLines + faultLines
      + answers.notes
  }

  private var classTable: [String] {
    var table = TextTable(
      [("class", .left)]
        + ["images", "predicted", "right", "precision", "recall", "F1"].map { ($0, .right) })
    for own in matrix.classes {
      table.add([
        own.label, "\(own.support)", "\(own.predicted)", "\(own.score.truePositives)",
        FigureText.share(own.score.precision), FigureText.share(own.score.recall),
        FigureText.share(own.score.f1),
      ])
    }
    for (name, average) in [
      ("macro average", matrix.macroAverage), ("weighted average", matrix.weightedAverage),
    ] {
      table.add([
        name, "", "", "", FigureText.share(average?.precision), FigureText.share(average?.recall),
        FigureText.share(average?.f1),
      ])
    }
    return table.lines
  }

  private var figureTable: [String] {
    var table = TextTable([("figure", .left), ("value", .right)])
    for (name, value) in [
      ("accuracy", matrix.accuracy), ("balanced accuracy", matrix.balancedAccuracy),
      ("Cohen's kappa", matrix.cohenKappa), ("Matthews correlation", matrix.matthewsCorrelation),
    ] + tops.map({ ("top-\($0.k) accuracy", $0.accuracy) }) {
      table.add([name, FigureText.share(value)])
    }
    return table.lines
  }

  private var summary: String {
    "\(matrix.correct) of \(Sentence.count(matrix.total, "image", "images")) right, "
      + "\(matrix.unanswered) without an answer"
  }

  private var confusionLines: [String] {
    let confusions = matrix.confusions
    guard !confusions.isEmpty else { return [] }
    var table = TextTable([("truth", .left), ("predicted", .left), ("images", .right)])
    for cell in confusions.prefix(JoinedAnswers.longestList) {
      table.add([cell.truth, cell.prediction ?? "", "\(cell.count)"])
    }
    return ["", "mixed up most often:"] + table.lines + JoinedAnswers.rest(of: confusions.count)
  }

  private var faultLines: [String] {
    let faults = faults
    guard !faults.isEmpty else { return [] }
    var table = TextTable([
      ("image", .left), ("truth", .left), ("predicted", .left), ("rank of the truth", .right),
    ])
    for fault in faults.prefix(JoinedAnswers.longestList) {
      table.add([
        fault.image, fault.truth, fault.prediction ?? "-", fault.rank.map { "\($0)" } ?? "-",
      ])
    }
    return ["", "wrong:"] + table.lines + JoinedAnswers.rest(of: faults.count)
  }

  // MARK: JSON

  var json: JSONText {
    .object(
      [
        ("images", .integer(matrix.total)), ("right", .integer(matrix.correct)),
        ("unanswered", .integer(matrix.unanswered)),
        ("accuracy", FigureText.json(matrix.accuracy)),
        ("balancedAccuracy", FigureText.json(matrix.balancedAccuracy)),
        ("kappa", FigureText.json(matrix.cohenKappa)),
        ("matthews", .double(matrix.matthewsCorrelation)),
        (
          "top",
          .array(
            tops.map {
              .object([("k", .integer($0.k)), ("accuracy", FigureText.json($0.accuracy))])
            })
        ),
        ("macro", Self.json(matrix.macroAverage)), ("weighted", Self.json(matrix.weightedAverage)),
        ("classes", .array(matrix.classes.map(Self.json))),
        (
          "confusions",
          .array(
            matrix.confusions.map { cell in
              .object([
                ("truth", .string(cell.truth)), ("predicted", .string(cell.prediction ?? "")),
                ("images", .integer(cell.count)),
              ])
            })
        ),
        ("wrong", .array(faults.map(Self.json))),
      ] + answers.members)
  }

  private static func json(_ average: ConfusionMatrix.Average?) -> JSONText {
    .optional(average) {
      .object([
        ("precision", .double($0.precision)), ("recall", .double($0.recall)),
        ("f1", .double($0.f1)),
      ])
    }
  }

  private static func json(_ own: ConfusionMatrix.ClassScore) -> JSONText {
    .object([
      ("class", .string(own.label)), ("images", .integer(own.support)),
      ("predicted", .integer(own.predicted)), ("right", .integer(own.score.truePositives)),
      ("precision", FigureText.json(own.score.precision)),
      ("recall", FigureText.json(own.score.recall)), ("f1", FigureText.json(own.score.f1)),
    ])
  }

  private static func json(_ fault: Fault) -> JSONText {
    .object([
      ("image", .string(fault.image)), ("truth", .string(fault.truth)),
      ("predicted", .optional(fault.prediction) { .string($0) }),
      ("rank", .optional(fault.rank) { .integer($0) }),
    ])
  }
}
