import Stats
import _CLibrary

/// Whether two shares of successes differ by more than chance explains: the two-proportion z test.
///
/// The standard error is pooled: it is that of the two together, as if there were no difference.
/// `z = (a - b) / sqrt(p (1 - p) (1 / n_a + 1 / n_b))`, with `p` the share of successes of all
/// trials. The p value is two-sided. There is no continuity correction. The trials have to be
/// independent of one another.
///
/// ### Edge cases
/// If all trials of both end alike, the shares are the same: z is 0 and the p value 1.
///
/// Source: Fleiss, Levin and Paik, "Statistical Methods for Rates and Proportions", 2003, chapter
/// 3; statsmodels' `proportions_ztest`.
public struct TwoProportionTest: Hashable, Sendable, Codable {
  /// The share of the first less that of the second, -1...1.
  public let difference: Double
  /// How many standard errors the difference is away from none.
  public let z: Double
  /// How likely a difference as large as this, either way, is if there is none: 0...1.
  public let pValue: Double

  /// Tests the first against the second; nil if one of them has no trial.
  public init?(_ first: Proportion, against second: Proportion) {
    guard let a = first.share, let b = second.share else { return nil }
    difference = a - b
    let error = pooledError(first, second)
    z = error > 0 ? difference / error : 0
    pValue = min(1, erfc(abs(z) * 0.5.squareRoot()))
  }
}

/// What two shares of successes say of each other.
public enum Verdict: String, Hashable, Sendable, Codable, CaseIterable {
  /// The first has more successes than chance explains.
  case better
  /// The first has fewer successes than chance explains.
  case worse
  /// Chance alone explains a difference such as this; that is not a proof of there being none.
  case noDifferenceShown = "no difference shown"
  /// There are too few trials for the test to mean anything.
  case tooFew = "too few"

  /// Decides for the first against the second.
  ///
  /// The trials of both together give the expected share of successes. If this share predicts fewer
  /// than 5 successes or 5 failures on either side, there are too few trials: the normal
  /// distribution does not then describe chance. So if all trials of both succeed, or all fail,
  /// there are always too few.
  ///
  /// Source: Cochran, "Some methods for strengthening the common χ² tests", 1954.
  ///
  /// - Parameters:
  ///   - first: the proportion to judge.
  ///   - second: the proportion that it is compared with.
  ///   - significance: how small the p value must be, between 0 and 1.
  /// - Throws: ``ExperimentError/levelOutOfRange(name:value:)``.
  public init(
    _ first: Proportion, against second: Proportion, significance: Double = 0.05
  ) throws(ExperimentError) {
    try requireLevel(significance, named: "significance")
    guard let test = TwoProportionTest(first, against: second) else {
      self = .tooFew
      return
    }
    let pooled = pooledShare(first, second)
    let smaller = Double(min(first.trials, second.trials))
    guard smaller * min(pooled, 1 - pooled) >= leastExpected else {
      self = .tooFew
      return
    }
    guard test.pValue < significance else {
      self = .noDifferenceShown
      return
    }
    self = test.difference > 0 ? .better : .worse
  }
}

/// How many successes and failures are to be expected at least for the test to hold.
private let leastExpected = 5.0

/// The share of successes of all trials of both, of which there is at least one.
private func pooledShare(_ first: Proportion, _ second: Proportion) -> Double {
  (Double(first.successes) + Double(second.successes))
    / (Double(first.trials) + Double(second.trials))
}

/// The standard error of the difference if both have the same true share.
private func pooledError(_ first: Proportion, _ second: Proportion) -> Double {
  let pooled = pooledShare(first, second)
  let variance = pooled * (1 - pooled)
  return (variance * (1 / Double(first.trials) + 1 / Double(second.trials))).squareRoot()
}
