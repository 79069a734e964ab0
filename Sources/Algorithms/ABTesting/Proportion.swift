import Stats

/// A number of successes in a number of trials.
public struct Proportion: Hashable, Sendable, Codable {
  /// How many trials were successes: 0...``trials``.
  public let successes: Int
  /// How many trials there were: at least 0.
  public let trials: Int

  /// Makes a proportion.
  ///
  /// - Throws: ``ExperimentError/invalidProportion(successes:trials:)`` if it is none.
  public init(successes: Int, trials: Int) throws(ExperimentError) {
    guard successes >= 0, successes <= trials else {
      throw .invalidProportion(successes: successes, trials: trials)
    }
    self.successes = successes
    self.trials = trials
  }

  /// Makes a proportion that is known to be one.
  init(unchecked successes: Int, of trials: Int) {
    self.successes = successes
    self.trials = trials
  }

  /// Decodes a proportion, and refuses what is none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      successes: container.decode(Int.self, forKey: .successes),
      trials: container.decode(Int.self, forKey: .trials))
  }

  /// The share of successes, 0...1; nil without a trial.
  public var share: Double? { trials > 0 ? Double(successes) / Double(trials) : nil }
}

/// An interval for the true share of successes: Wilson's score interval.
///
/// It has the shares at which a z test does not reject what was observed. The textbook's interval
/// is `p +- z sqrt(p (1 - p) / n)`. Unlike that one, this interval also has the promised confidence
/// for few trials and for shares near 0 and 1, and never leaves 0...1. Without successes, the lower
/// bound is exactly 0; without failures, the upper bound is exactly 1.
///
/// Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927;
/// without continuity correction, as statsmodels' `proportion_confint(method="wilson")`.
public struct WilsonInterval: Hashable, Sendable, Codable {
  /// The lower bound, 0...1.
  public let lower: Double
  /// The upper bound, 0...1.
  public let upper: Double

  /// Takes the interval.
  ///
  /// - Parameters:
  ///   - proportion: what was observed; without a trial the interval is 0...1.
  ///   - confidence: how often such intervals are to hold the truth, between 0 and 1.
  /// - Throws: ``ExperimentError/levelOutOfRange(name:value:)``.
  public init(_ proportion: Proportion, confidence: Double = 0.95) throws(ExperimentError) {
    try requireLevel(confidence, named: "confidence")
    guard let share = proportion.share else {
      (lower, upper) = (0, 1)
      return
    }
    let z = criticalValue(tails: 1 - confidence)
    let n = Double(proportion.trials)
    let scale = 1 + z * z / n
    let center = (share + z * z / (2 * n)) / scale
    let half = z / scale * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    lower = proportion.successes == 0 ? 0 : max(0, center - half)
    upper = proportion.successes == proportion.trials ? 1 : min(1, center + half)
  }
}

/// The distance from 0 beyond which a standard normal value lies with this probability, on either
/// side together; `tails` is between 0 and 1.
func criticalValue(tails: Double) -> Double {
  // The quantile of anything between 0 and 1 is there.
  -((try? StandardNormal.quantile(tails / 2)) ?? -.infinity)
}
