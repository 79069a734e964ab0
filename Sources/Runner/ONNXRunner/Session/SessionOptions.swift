import RunnerTensors

/// How a model is loaded and prepared.
public struct SessionOptions: Sendable, Equatable {
  /// Threads that work on a run, the caller's among them; nil is as many as there are cores.
  ///
  /// Results do not depend on it. Values below 1 count as 1.
  public var threads: Int?

  /// What numbers convolutions and matrix products multiply; sums are `float32` always.
  public enum Precision: String, Sendable, CaseIterable {
    /// `float32`.
    case float32
    /// `bfloat16`, whose 8 bits of precision lose about 0.4 % a factor, except 3x3 convolutions
    /// that Winograd's method computes.
    ///
    /// Results are the same on every processor, except denormal numbers; where it has no fast
    /// instruction for it, this is slower than `float32`.
    case bfloat16
    /// ``bfloat16`` where the processor multiplies it faster (AMD's with AVX512_BF16), else
    /// ``float32``.
    case fastest
  }

  /// How precise the factors of convolutions and matrix products are.
  public var precision = Precision.float32

  /// Whether products take `bfloat16` on this machine.
  var computesInBFloat16: Bool {
    precision == .bfloat16 || (precision == .fastest && BFloat16Selection.isFaster)
  }

  /// Passes and other optimizations that are left out, for tests and for measuring what each is
  /// worth.
  ///
  /// Results stay the same except rounding: by a step of the quantisation for
  /// `quantization-fusion`, by about 1e-6 of the largest value for the others.
  package var disabledPasses: Set<PassID> = []

  /// The most bytes that weights and, separately, activations may take at any one time.
  public var memoryLimit = 4 << 30

  /// As many threads as given, `float32`, 4 GiB.
  public init(threads: Int? = nil) {
    self.threads = threads
  }
}

/// How one run of a model goes.
public struct RunOptions: Sendable {
  /// Asked between nodes; true ends the run with `CancellationError`.
  public var isCancelled: (@Sendable () -> Bool)?

  /// Collects the time each node takes.
  public var profiler: Profiler?

  /// For tests: planned memory holds NaN before the run.
  var poisonsArena = false

  /// A run with the given hooks; none by default.
  public init(isCancelled: (@Sendable () -> Bool)? = nil, profiler: Profiler? = nil) {
    self.isCancelled = isCancelled
    self.profiler = profiler
  }
}

extension GraphPasses {
  /// The passes that the options want.
  init(options: SessionOptions) {
    self.init(
      disabled: options.disabledPasses,
      settings: GraphPass.Settings(
        memoryLimit: options.memoryLimit, computesInBFloat16: options.computesInBFloat16,
        usesWinograd: !options.disabledPasses.contains(.winograd)))
  }
}
