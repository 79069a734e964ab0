import Geometry
import Perception

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What speaks against an adaptive count: five numbers, each 0 where there is no doubt.
public struct CountDoubts: Hashable, Sendable, Codable {
  /// How far the count hangs on the score cut: the logarithm of the number of objects by a cut three
  /// times lower over that by one three times higher.
  public let cut: Double
  /// One minus the score-weighted median: how unsure the detector is.
  public let score: Double
  /// How different the number of objects is in the next best view, by how near that came to the best.
  public let views: Double
  /// How different the count were had the kinds been decided the other way, by how near that was.
  public let kinds: Double
  /// The share of the counted objects that the photo's frame cuts.
  public let frame: Double

  /// Makes doubts.
  public init(cut: Double, score: Double, views: Double, kinds: Double, frame: Double) {
    self.cut = cut
    self.score = score
    self.views = views
    self.kinds = kinds
    self.frame = frame
  }

  var values: [Double] { [cut, score, views, kinds, frame] }
}

/// How doubts become an interval and a probability.
///
/// The spread, `base` and the weighted sum of the doubts, is the usual error of the count's logarithm.
/// It was fitted on rendered scenes with known counts, `Fixtures/reference/confidence.py` says how: the
/// weights by quantile regression (Koenker and Bassett, 1978), none negative, the reach as the conformal
/// 90 % quantile (Lei et al., "Distribution-free predictive inference for regression", 2018), the
/// probability by logistic regression.
struct CountCalibration: Sendable {
  let base: Double
  let weights: [Double]
  let reach: Double
  let offset: Double
  let slope: Double

  /// Fitted with the bundled models on 240 rendered scenes; `Docs/Accuracy.md` says how it holds on others.
  static let bundled = CountCalibration(
    base: 0.01, weights: [0, 2.3763, 1.6922, 0, 0], reach: 0.91441, offset: -1.25641,
    slope: 2.09223)

  /// How sure a count is; nil for a count of 0, of which nothing is known.
  func confidence(of count: Int, doubts: CountDoubts) -> CountConfidence? {
    let spread = base + zip(weights, doubts.values).reduce(0) { $0 + $1.0 * $1.1 }
    guard count > 0, spread > 0, spread.isFinite else { return nil }
    // Beyond a factor of e^20 nothing is known, and an integer ends.
    let factor = exp(min(reach * spread, 20))
    let middle = Double(count) + 0.5
    return CountConfidence(
      value: 1 / (1 + exp(-(offset - slope * log(spread)))),
      least: min(count, max(0, Int((middle / factor - 0.5).rounded(.down)))),
      greatest: max(count, Int(min((middle * factor - 0.5).rounded(.up), 1e15))))
  }
}
