/// How a model is loaded and prepared.
public struct SessionOptions: Sendable, Equatable {
  /// Threads that work on a run, the caller's among them; nil is as many as there are cores.
  ///
  /// Results do not depend on it. Values below 1 count as 1.
  public var threads: Int?

  /// Computes nodes whose inputs are all constant once, at load.
  public var foldsConstants = true

  /// Folds batch normalization into the convolution before it.
  public var foldsBatchNormalization = true

  /// Folds products and sums with a constant into the convolution before them.
  public var foldsArithmetic = true

  /// Computes slices that take every other pixel, joined along the channels, as one space-to-depth, and
  /// folds that into the convolution after it.
  public var fusesSpaceToDepth = true

  /// Lets convolutions apply the activation that follows them.
  public var fusesActivations = true

  /// Writes maps of pixels as the rows of a matrix at once, where a detector ends that way.
  public var fusesPixelRows = true

  /// Computes squeeze-and-excitation, which rates each channel by all channels' means, at once.
  public var fusesSqueezeExcite = true

  /// Computes GELU at once where the model spells it out.
  public var fusesGELU = true

  /// Computes layer normalization at once where the model spells it out.
  public var fusesLayerNormalization = true

  /// Computes attention at once where the model spells it out.
  public var fusesAttention = true

  /// Packs the known right matrices of products, which then add bias and residual and apply the
  /// activation that follow.
  public var packsProducts = true

  /// Keeps images in blocks of sixteen channels between convolutions.
  public var blocksChannels = true

  /// Computes 3x3 convolutions by Winograd's method where that is faster.
  ///
  /// Results differ by rounding: by about 1e-6 of the largest value.
  public var usesWinograd = true

  /// What numbers convolutions and matrix products multiply; sums are `float32` always.
  public enum Precision: String, Sendable, CaseIterable {
    /// `float32`.
    case float32
    /// `bfloat16`, whose 8 bits of precision lose about 0.4 % a factor, but for 3x3 convolutions that
    /// Winograd's method computes.
    ///
    /// Results are the same on every processor, but for denormal numbers; where it has no fast
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

  /// Computes with 8-bit numbers where a model's values are quantised before and after.
  ///
  /// Results may differ from those of float operators by a step of the quantisation.
  public var fusesQuantization = true

  /// Keeps images of 8-bit numbers with the channels of a pixel side by side between convolutions.
  public var sortsPixels = true

  /// Makes a plan of its own for each shape of inputs: what depends on shapes alone is computed once,
  /// and nodes that do nothing go.
  public var specializesShapes = true

  /// Gives activations of known shape their places in one block of memory, reused by lifetime.
  public var plansMemory = true

  /// Drops nodes on which no output depends.
  public var removesDeadNodes = true

  /// Computes `float16` parts of a model in `float32`, as ONNX Runtime does on a CPU.
  public var widensHalfPrecision = true

  /// The most bytes that weights and, separately, activations may take at any one time.
  public var memoryLimit = 4 << 30

  /// All passes on, all cores, 4 GiB.
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

  /// For tests: planned memory holds not-a-number before the run.
  var poisonsArena = false

  /// A run with the given hooks; none by default.
  public init(isCancelled: (@Sendable () -> Bool)? = nil, profiler: Profiler? = nil) {
    self.isCancelled = isCancelled
    self.profiler = profiler
  }
}
