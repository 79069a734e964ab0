import CommandKit
import Counting

/// A threshold that is tuned, and the values that are tried.
struct TunedThreshold: Sendable {
  /// The name of its field in settings and configuration files.
  let name: String
  /// A configuration with each of the values, the one it had first.
  let variants: @Sendable (CountingConfiguration) -> [CountingConfiguration]

  /// The thresholds that matter most, in the order in which they are tuned.
  ///
  /// - Parameter basis: the configuration to begin with, around whose values others are tried.
  static func all(around basis: CountingConfiguration) -> [TunedThreshold] {
    let adaptive = basis.adaptive ?? AdaptiveConfiguration()
    // A detector whose scores are near to probabilities is asked for some; another for next to
    // none.
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
          // A value beyond its range is not tried.
          return (try? variant.validate()) == nil ? nil : variant
        }
    }
  }

  /// Two digits that count.
  private static func rounded(_ value: Double) -> Double {
    value >= 10 ? value.rounded() : (value * 1000).rounded() / 1000
  }
}
