import RunnerTensors

/// The options for loading and preparing a model.
public struct SessionOptions: Sendable, Equatable {
  /// The number of threads for a run, including the caller's; nil is the number of cores.
  ///
  /// Results do not depend on it. Values below 1 count as 1.
  public var threads: Int?

  /// The type of the factors in convolutions and matrix products; sums are always `float32`.
  public enum Precision: String, Sendable, CaseIterable {
    /// `float32`.
    case float32
    /// `bfloat16`, whose 8 bits of precision lose about 0.4 % per factor.
    ///
    /// 3x3 convolutions that Winograd's method computes stay in `float32` on processors without
    /// AMX. Results are the same on all of these, except denormal numbers. On those with AMX they
    /// round otherwise. If a processor has no fast instruction for it, this is slower than
    /// `float32`.
    case bfloat16
    /// ``bfloat16`` if the processor multiplies it faster (those with AMX, and AMD's with
    /// AVX512_BF16), else ``float32``.
    case fastest
  }

  /// The precision of the factors of convolutions and matrix products.
  public var precision = Precision.float32

  /// Whether products use `bfloat16` on this machine.
  var computesInBFloat16: Bool {
    precision == .bfloat16 || (precision == .fastest && BFloat16Selection.isFaster)
  }

  /// Passes and other optimizations to leave out, for tests and for measuring the benefit of each.
  ///
  /// Results stay the same except rounding: by a step of the quantisation for
  /// `quantization-fusion`, by about 1e-6 of the largest value for the others.
  package var disabledPasses: Set<PassID> = []

  /// The most bytes that weights and, separately, activations may take at one time.
  public var memoryLimit = 4 << 30

  /// Makes options with this number of threads, `float32` and 4 GiB.
  public init(threads: Int? = nil) {
    self.threads = threads
  }
}

/// The options of one run of a model.
public struct RunOptions: Sendable {
  /// Called between nodes; true ends the run with `CancellationError`.
  public var isCancelled: (@Sendable () -> Bool)?

  /// Collects the time of each node.
  public var profiler: Profiler?

  /// For tests: planned memory holds NaN before the run.
  var poisonsArena = false

  /// Makes options with the given hooks; none by default.
  public init(isCancelled: (@Sendable () -> Bool)? = nil, profiler: Profiler? = nil) {
    self.isCancelled = isCancelled
    self.profiler = profiler
  }
}

extension GraphPasses {
  /// The passes that the options select.
  init(options: SessionOptions) {
    self.init(
      disabled: options.disabledPasses,
      settings: GraphPass.Settings(
        memoryLimit: options.memoryLimit, computesInBFloat16: options.computesInBFloat16,
        usesWinograd: !options.disabledPasses.contains(.winograd)))
  }
}
