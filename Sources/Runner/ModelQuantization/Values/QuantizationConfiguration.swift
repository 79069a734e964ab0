import ONNXRunner

/// How a model is quantised.
public struct QuantizationConfiguration: Sendable, Equatable {
  /// How the range of an activation is chosen from what was observed.
  public enum RangeMethod: Sendable, Equatable {
    /// From the least to the greatest number.
    case minMax
    /// The narrowest range for which this many percent of the numbers are not above it, and this
    /// many percent are not below it.
    case percentile(Double)
    /// The range whose rounding and cutting off cost the least mean squared error.
    case meanSquaredError
  }

  /// How ranges of activations are chosen.
  public var ranges = RangeMethod.meanSquaredError

  /// The names of nodes that stay in floating point.
  public var keptNodes: Set<String> = []

  /// Whether products whose results reach an output through no other product stay in floating
  /// point.
  ///
  /// Their rounding is in the answer itself, and they are mostly small.
  public var keepsLastLayers = true

  /// The least signal-to-noise ratio of each output in decibels; nil for any.
  ///
  /// Nodes that cost the most accuracy are kept in floating point until each output reaches it.
  /// Each node is tried by itself for that, which takes a few runs of the network each.
  public var minimumSignalToNoise: Double? = 20

  /// How many examples are kept to measure accuracy on.
  public var sampleCount = 8

  /// Threads, and the most memory that weights and activations may take.
  public var session = SessionOptions()

  /// Ranges by mean squared error, last layers in floating point, outputs with at least 20 dB.
  public init() {}

  func check() throws {
    if case .percentile(let percent) = ranges, !(percent > 50 && percent <= 100) {
      throw ModelQuantizationError.setting(
        name: "the percentile", reason: "is \(percent); it must be above 50 and at most 100")
    }
    guard (1...1000).contains(sampleCount) else {
      throw ModelQuantizationError.setting(
        name: "the number of samples", reason: "is \(sampleCount); it must be from 1 to 1000")
    }
    if let minimumSignalToNoise, !minimumSignalToNoise.isFinite {
      throw ModelQuantizationError.setting(
        name: "the least signal-to-noise ratio", reason: "is \(minimumSignalToNoise)")
    }
  }
}
