/// The numbers of right predictions, wrong predictions and missed true objects.
public struct DetectionScore: Hashable, Sendable, Codable {
  /// Predictions of a true object: at least 0.
  public var truePositives: Int
  /// Predictions without a true object: at least 0.
  public var falsePositives: Int
  /// True objects without a prediction: at least 0.
  public var falseNegatives: Int

  /// Makes a score from its three numbers; those below 0 become 0.
  public init(truePositives: Int = 0, falsePositives: Int = 0, falseNegatives: Int = 0) {
    self.truePositives = max(truePositives, 0)
    self.falsePositives = max(falsePositives, 0)
    self.falseNegatives = max(falseNegatives, 0)
  }

  /// The share of predictions that are right, 0...1; nil if nothing was predicted.
  public var precision: Double? {
    Self.share(truePositives, and: falsePositives)
  }

  /// The share of true objects that were found, 0...1; nil if there are none.
  public var recall: Double? {
    Self.share(truePositives, and: falseNegatives)
  }

  /// The harmonic mean of precision and recall, `2 TP / (2 TP + FP + FN)`, 0...1.
  ///
  /// Nil if nothing was predicted and there was nothing to find.
  public var f1: Double? {
    let found = 2 * Double(truePositives)
    let all = found + Double(falsePositives) + Double(falseNegatives)
    return all > 0 ? found / all : nil
  }

  /// The score of two sets of images together.
  ///
  /// Numbers that are too large for an `Int` become the largest.
  public static func + (first: DetectionScore, second: DetectionScore) -> DetectionScore {
    DetectionScore(
      truePositives: sum(first.truePositives, second.truePositives),
      falsePositives: sum(first.falsePositives, second.falsePositives),
      falseNegatives: sum(first.falseNegatives, second.falseNegatives))
  }

  /// The sum, or the largest `Int`.
  static func sum(_ first: Int, _ second: Int) -> Int {
    let (result, overflow) = first.addingReportingOverflow(second)
    return overflow ? .max : result
  }

  private static func share(_ part: Int, and rest: Int) -> Double? {
    let all = Double(part) + Double(rest)
    return all > 0 ? Double(part) / all : nil
  }
}
