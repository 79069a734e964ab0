/// The true and the predicted labels of a classification, counted in pairs.
///
/// ```swift
/// let matrix = try ConfusionMatrix(
///   truths: ["cat", "cat", "dog", "dog"], predictions: ["cat", "dog", "dog", nil])
/// print(matrix.accuracy ?? 0)  // 0.5
/// matrix.macroAverage?.f1      // the mean over the classes
/// matrix.confusions.first      // the pair that is mixed up most often
/// ```
///
/// The classes are all labels that occur, true or predicted. Labels are equal if Swift's strings
/// are: upper case matters, and how an accent is encoded does not. A thing without a prediction is
/// not right. It counts as a prediction that is never true.
///
/// The figures are those of scikit-learn 1.9, where an undefined precision or recall is 0 in an
/// average.
public struct ConfusionMatrix: Hashable, Sendable {
  /// A field of the matrix that is not 0.
  public struct Cell: Hashable, Sendable {
    /// The true label: the row.
    public let truth: String
    /// The predicted label: the column; nil for things without a prediction.
    public let prediction: String?
    /// The number of things, at least 1.
    public let count: Int

    /// Whether the prediction is right.
    public var isRight: Bool { truth == prediction }
  }

  /// The figures of one class.
  public struct ClassScore: Hashable, Sendable {
    /// The label.
    public let label: String
    /// The numbers of right and wrong predictions of this label, and of things that were missed.
    ///
    /// Its recall is nil for a label that is never true, its precision for one that is never
    /// predicted. Its F1 is never nil.
    public let score: DetectionScore

    /// The number of things with this true label.
    public var support: Int { score.truePositives + score.falseNegatives }
    /// The number of things with this predicted label.
    public var predicted: Int { score.truePositives + score.falsePositives }
  }

  /// Means over the classes.
  public struct Average: Hashable, Sendable {
    /// The mean precision, 0...1.
    public let precision: Double
    /// The mean recall, 0...1.
    public let recall: Double
    /// The mean F1, 0...1.
    public let f1: Double
  }

  /// The classes with their figures, in the order of their labels.
  public let classes: [ClassScore]
  /// The fields that are not 0, in the order of true labels and then of predicted ones.
  ///
  /// Those without a prediction are the last of their true label.
  public let cells: [Cell]
  /// The number of all things.
  public let total: Int
  /// The number of things with the right prediction.
  public let correct: Int
  /// The number of things without a prediction.
  public let unanswered: Int

  /// Counts pairs of labels.
  ///
  /// - Parameters:
  ///   - truths: the true label of each thing.
  ///   - predictions: the predicted label of each thing in the same order; nil if there is none.
  /// - Complexity: O(*n* + *c* log *c*) for *n* things and *c* different pairs. Memory: O(*c*).
  /// - Throws: ``EvaluationError/countMismatch(what:expected:got:)`` if the numbers differ.
  public init(truths: [String], predictions: [String?]) throws(EvaluationError) {
    guard truths.count == predictions.count else {
      throw .countMismatch(what: "predictions", expected: truths.count, got: predictions.count)
    }
    var counts: [LabelPair: Int] = [:]
    var scores: [String: DetectionScore] = [:]
    for (truth, prediction) in zip(truths, predictions) {
      counts[LabelPair(truth: truth, prediction: prediction), default: 0] += 1
      if truth == prediction {
        scores[truth, default: DetectionScore()].truePositives += 1
      } else {
        scores[truth, default: DetectionScore()].falseNegatives += 1
        if let prediction { scores[prediction, default: DetectionScore()].falsePositives += 1 }
      }
    }
    classes = scores.sorted { $0.key < $1.key }.map { ClassScore(label: $0.key, score: $0.value) }
    cells = counts.sorted { $0.key < $1.key }.map {
      Cell(truth: $0.key.truth, prediction: $0.key.prediction, count: $0.value)
    }
    total = truths.count
    correct = scores.values.reduce(0) { $0 + $1.truePositives }
    unanswered = predictions.count { $0 == nil }
  }

  /// The number of things with a true and a predicted label; 0 for labels that do not occur.
  ///
  /// - Parameters:
  ///   - truth: the true label.
  ///   - prediction: the predicted label; nil for things without a prediction.
  /// - Complexity: O(log *c*) for *c* different pairs.
  public func count(truth: String, prediction: String?) -> Int {
    let wanted = LabelPair(truth: truth, prediction: prediction)
    var (low, high) = (0, cells.count)
    while low < high {
      let middle = low + (high - low) / 2
      if LabelPair(cells[middle]) < wanted { low = middle + 1 } else { high = middle }
    }
    guard low < cells.count, LabelPair(cells[low]) == wanted else { return 0 }
    return cells[low].count
  }

  /// The wrong pairs, the most frequent first; things without a prediction are not included.
  ///
  /// Pairs with equal numbers are in the order of their labels.
  ///
  /// - Complexity: O(*c* log *c*) for *c* different pairs.
  public var confusions: [Cell] {
    cells.filter { !$0.isRight && $0.prediction != nil }.sorted {
      ($1.count, LabelPair($0)) < ($0.count, LabelPair($1))
    }
  }

  // MARK: Figures

  /// The share of things with the right prediction, 0...1; nil if there are no things.
  public var accuracy: Double? { total > 0 ? Double(correct) / Double(total) : nil }

  /// The mean over all classes; nil if there are none.
  ///
  /// A class without a precision or without a recall counts with 0.
  public var macroAverage: Average? { average { _ in 1 } }

  /// The mean over all classes, each weighted with its ``ClassScore/support``; nil if there are
  /// none.
  ///
  /// Its recall is the ``accuracy``.
  public var weightedAverage: Average? { average { Double($0.support) } }

  /// The mean recall of the classes that are true of something, 0...1; nil if there are none.
  ///
  /// A label that is only predicted has no recall and does not count, unlike in ``macroAverage``.
  public var balancedAccuracy: Double? {
    let recalls = classes.compactMap(\.score.recall)
    return recalls.isEmpty ? nil : recalls.reduce(0, +) / Double(recalls.count)
  }

  /// Cohen's kappa: the agreement beyond chance, -1...1.
  ///
  /// It is 0 if predictions are right as often as their frequencies make likely.
  /// Nil if there are no things, and if chance alone gives full agreement: a single label on both
  /// sides.
  ///
  /// Source: Cohen, "A coefficient of agreement for nominal scales", 1960.
  public var cohenKappa: Double? {
    let things = Double(total)
    let rest = things * things - chance
    return rest > 0 ? (Double(correct) * things - chance) / rest : nil
  }

  /// The Matthews correlation coefficient of any number of classes, -1...1.
  ///
  /// It is 0 if it is not defined: if there are no things, or one side has a single label.
  ///
  /// Source: Gorodkin, "Comparing two K-category assignments by a K-category correlation
  /// coefficient", 2004.
  public var matthewsCorrelation: Double {
    let things = Double(total)
    var ofTruths = 0.0
    var ofPredictions = Double(unanswered) * Double(unanswered)
    for own in classes {
      ofTruths += Double(own.support) * Double(own.support)
      ofPredictions += Double(own.predicted) * Double(own.predicted)
    }
    let spread = (things * things - ofTruths) * (things * things - ofPredictions)
    return spread > 0 ? (Double(correct) * things - chance) / spread.squareRoot() : 0
  }

  /// The number of things that chance alone would make right, times the number of things.
  private var chance: Double {
    classes.reduce(0) { $0 + Double($1.support) * Double($1.predicted) }
  }

  private func average(_ weight: (ClassScore) -> Double) -> Average? {
    let weights = classes.map(weight)
    let all = weights.reduce(0, +)
    guard all > 0 else { return nil }
    func mean(_ value: (DetectionScore) -> Double?) -> Double {
      zip(classes, weights).reduce(0) { $0 + $1.1 * (value($1.0.score) ?? 0) } / all
    }
    return Average(precision: mean(\.precision), recall: mean(\.recall), f1: mean(\.f1))
  }
}

/// A true label with a predicted one; those without a prediction come last.
private struct LabelPair: Hashable, Comparable {
  let truth: String
  let prediction: String?

  init(truth: String, prediction: String?) {
    self.truth = truth
    self.prediction = prediction
  }

  init(_ cell: ConfusionMatrix.Cell) {
    self.init(truth: cell.truth, prediction: cell.prediction)
  }

  static func < (first: LabelPair, second: LabelPair) -> Bool {
    guard first.truth == second.truth else { return first.truth < second.truth }
    guard let one = first.prediction else { return false }
    guard let other = second.prediction else { return true }
    return one < other
  }
}
