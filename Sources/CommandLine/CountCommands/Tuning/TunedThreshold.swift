import CommandKit
import Counting

/// A threshold to tune, and its values to try.
struct TunedThreshold: Sendable {
  /// The name of its field in settings and configuration files.
  let name: String
  /// The configuration with each of the values, its present one first.
  let variants: @Sendable (CountingConfiguration) -> [CountingConfiguration]

  /// The most important thresholds, in the order of tuning.
  ///
  /// - Parameter basis: the initial configuration; values around its own are tried.
  static func all(around basis: CountingConfiguration) -> [TunedThreshold] {
    let adaptive = basis.adaptive ?? AdaptiveConfiguration()
    // If a detector's scores are close to probabilities, multiples of its confidence are tried; for
    // others, fixed values.
    let confidences =
      basis.confidence >= 0.05
      ? [0.5, 0.7, 0.85, 1.2, 1.5].map { rounded(basis.confidence * $0) }
      : [0.001, 0.005, 0.02, 0.05, 0.1, 0.2]
    return [
      TunedThreshold(
        "confidence", \.confidence, confidences),
      TunedThreshold(
        "adaptive.targetSide", \.adaptiveOrDefault.targetSide,
        [0.6, 0.8, 1.25, 1.6].map { rounded(adaptive.targetSide * $0) }),
      TunedThreshold(
        "adaptive.sizeFactor", \.adaptiveOrDefault.sizeFactor, [1.25, 1.4, 1.6, 2, 2.6, nil]),
      TunedThreshold(
        "adaptive.scoreShare", \.adaptiveOrDefault.scoreShare, [0.06, 0.2, 0.35, 0.5, 0.65, 0.8]),
      TunedThreshold(
        "adaptive.leastKindDistance", \.adaptiveOrDefault.leastKindDistance,
        [0, 0.3, 0.4, 0.45, 0.5, 0.6, 0.75]),
      TunedThreshold(
        "adaptive.leastSilhouette", \.adaptiveOrDefault.leastSilhouette,
        [0.3, 0.4, 0.5, 0.6, 0.7, nil]),
    ]
  }

  private init<Value: Equatable & Sendable>(
    _ name: String, _ place: any WritableKeyPath<CountingConfiguration, Value> & Sendable,
    _ values: [Value]
  ) {
    self.name = name
    variants = { configuration in
      let own = configuration[keyPath: place]
      return [configuration]
        + values.filter { $0 != own }.compactMap { value in
          var variant = configuration
          variant[keyPath: place] = value
          // A value outside its range is not tried.
          return (try? variant.validate()) == nil ? nil : variant
        }
    }
  }

  /// The value with two significant digits.
  private static func rounded(_ value: Double) -> Double {
    value >= 10 ? value.rounded() : (value * 1000).rounded() / 1000
  }
}
