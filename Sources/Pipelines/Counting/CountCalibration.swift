import _CLibrary

/// How the doubts about a count become an interval and a probability, for one pair of models.
///
/// A calibration holds for the detector, embedder and thresholds that it was fitted with. A counter
/// of other models has none, and its counts have no ``CountingResult/confidence``.
///
/// The spread, a base and the weighted sum of the doubts, is the usual error of the count's
/// logarithm. The weights come from quantile regression (Koenker and Bassett, 1978), none negative;
/// the reach is the conformal 90 % quantile (Lei et al., "Distribution-free predictive inference
/// for regression", 2018); the probability is fitted by logistic regression.
public struct CountCalibration: Hashable, Sendable {
  /// The numbers of one fit.
  public struct Fit: Hashable, Sendable {
    /// The spread without any doubt, above 0.
    public var base: Double
    /// A weight for each of ``CountDoubts``, in their order, none negative; missing ones are 0.
    public var weights: [Double]
    /// How many spreads from the count nine of ten truths lie.
    public var reach: Double
    /// The logit of the probability at a spread of 1.
    public var offset: Double
    /// How much it falls with the logarithm of the spread.
    public var slope: Double

    /// Makes a fit.
    public init(base: Double, weights: [Double], reach: Double, offset: Double, slope: Double) {
      self.base = base
      self.weights = weights
      self.reach = reach
      self.offset = offset
      self.slope = slope
    }

    /// How sure a count is; nil for a count of 0, of which nothing is known.
    ///
    /// - Parameter others: what the count would be by other kinds that are as sensible. The
    ///   interval holds theirs, and the chance is shared among those that differ by more than 5 %.
    func confidence(of count: Int, doubts: CountDoubts, others: [Int]) -> CountConfidence? {
      guard let own = confidence(of: count, doubts: doubts) else { return nil }
      let theirs = others.compactMap { confidence(of: $0, doubts: doubts) }
      let different = Set(others.filter { 20 * abs($0 - count) > count })
      return CountConfidence(
        value: own.value / Double(1 + different.count),
        least: theirs.reduce(own.least) { min($0, $1.least) },
        greatest: theirs.reduce(own.greatest) { max($0, $1.greatest) })
    }

    /// How sure a count is by its doubts alone.
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

  /// For counts without exemplars.
  public var free: Fit
  /// For counts that exemplars or a template guide.
  public var guided: Fit

  /// The thresholds that it was fitted with; nil if they are not known.
  ///
  /// The doubts know nothing of what a stricter threshold of scores drops. So if
  /// ``CountingConfiguration/confidence`` or ``AdaptiveConfiguration/scoreShare`` of a count is
  /// higher than here, the objects are found that these would count as well, similar in size and
  /// look to those counted. The interval holds the count with them, and if it differs by more than
  /// 5 %, the chance is half.
  public var configuration: CountingConfiguration?

  /// Makes a calibration.
  public init(free: Fit, guided: Fit, configuration: CountingConfiguration? = nil) {
    self.free = free
    self.guided = guided
    self.configuration = configuration
  }

  /// For the models that come with the package and the configuration that suits them, fitted by
  /// `Fixtures/reference/calibrate.py` on photos and rendered scenes; `Docs/Accuracy.md` has the
  /// figures.
  public static let bundledModels = CountCalibration(
    free: Fit(
      base: 0.01, weights: [0, 0.81432, 1.98022, 0, 0.42191, 0.66893], reach: 0.93865,
      offset: -2.14885, slope: 1.54841),
    guided: Fit(
      base: 0.01, weights: [0, 1.06008, 0, 0.11865, 0.33568, 2.30920], reach: 0.94505,
      offset: -3.57815, slope: 2.42776),
    configuration: .adaptive.suitedToBundledModels())
}
