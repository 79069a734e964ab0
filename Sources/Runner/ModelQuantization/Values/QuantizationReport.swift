/// What became of a model.
public struct QuantizationReport: Sendable, Equatable {
  /// A node that multiplies by known weights.
  public struct Node: Sendable, Equatable {
    /// The node's name.
    public let name: String
    /// Its operator.
    public let operation: String
    /// How many weights it has.
    public let weightCount: Int
    /// Why it stays in floating point; nil if it is quantised.
    public let reason: String?

    /// Whether it is computed in 8 bits.
    public var isQuantized: Bool { reason == nil }
  }

  /// A value that is rounded to 8 bits.
  public struct Activation: Sendable, Equatable {
    /// The value's name.
    public let name: String
    /// The least number observed.
    public let least: Float
    /// The greatest number observed.
    public let greatest: Float
    /// What one step stands for.
    public let scale: Float
    /// The step that stands for 0.
    public let zeroPoint: UInt8
    /// The signal-to-noise ratio on the examples in decibels, all that was lost before included;
    /// nil if it was not measured or nothing is lost.
    public internal(set) var signalToNoise: Double?
  }

  /// How near an output is to that of the float model.
  public struct Output: Sendable, Equatable {
    /// The output's name.
    public let name: String
    /// The signal-to-noise ratio on the examples in decibels; infinite if they are equal.
    public let signalToNoise: Double
    /// The largest difference.
    public let largestDifference: Float
  }

  /// The nodes that multiply by known weights, in their order.
  public internal(set) var nodes: [Node] = []
  /// The values that are rounded.
  public internal(set) var activations: [Activation] = []
  /// The outputs.
  public internal(set) var outputs: [Output] = []
  /// How many examples the ranges come from.
  public internal(set) var exampleCount = 0
  /// Bytes of the file as it was given, without weights in other files.
  public internal(set) var bytesBefore = 0
  /// Bytes of the quantised file.
  public internal(set) var bytesAfter = 0

  /// How many nodes are computed in 8 bits.
  public var quantizedCount: Int { nodes.count { $0.isQuantized } }
}
