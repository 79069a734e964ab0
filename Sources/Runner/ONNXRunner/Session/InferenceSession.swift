import Foundation

/// A loaded model, ready to run: load once, run from as many tasks as you like.
///
/// ```swift
/// let session = try InferenceSession(contentsOf: url)
/// let image = try Tensor(shape: [1, 3, 416, 416], values)
/// let outputs = try session.run(["images": image])
/// ```
public final class InferenceSession: Sendable {
  /// What the model takes.
  public let inputs: [ValueDescription]

  /// What the model gives.
  ///
  /// A hint: some exporters write a fixed batch here though any batch runs.
  public let outputs: [ValueDescription]

  /// What the model says about itself.
  public let metadata: ModelMetadata

  let plan: Plan
  let pool: BufferPool
  let threads: ThreadPool

  /// Loads the model in a file; weights kept beside it are found relative to its folder.
  ///
  /// The file stays mapped while the session lives, and must not be shortened meanwhile.
  ///
  /// - Throws: ``ModelError``.
  public convenience init(contentsOf url: URL, options: SessionOptions = .init()) throws {
    try self.init(
      file: try ModelFile(mapping: url), folder: url.deletingLastPathComponent(),
      options: options)
  }

  /// Loads a model from bytes, which are copied; `folder` is where weights kept outside are, if any
  /// are.
  ///
  /// - Throws: ``ModelError``.
  public convenience init(
    data: Data, folder: URL? = nil, options: SessionOptions = .init()
  ) throws {
    try self.init(file: try ModelFile(copying: data), folder: folder, options: options)
  }

  private init(file: ModelFile, folder: URL?, options: SessionOptions) throws {
    let loaded = try LoadedModel(file: file, folder: folder, options: options)
    inputs = loaded.inputs
    outputs = loaded.outputs
    metadata = loaded.metadata
    plan = loaded.plan
    pool = BufferPool(limit: max(options.memoryLimit, 0))
    threads = ThreadPool(
      threadCount: options.threads ?? ProcessInfo.processInfo.activeProcessorCount)
    _ = BLAS.isSingleThreaded
  }

  /// The most bytes that activations took at any one time so far, inputs given by callers not
  /// counted.
  public var peakActivationBytes: Int { pool.peakBytesInUse }

  /// Runs the model: tensors by input name in, tensors by output name out.
  ///
  /// Any dimension the model leaves open may be chosen, and so may the first of several, the batch,
  /// as far as the graph lets it. Safe to call from several threads at once: one run at a time uses
  /// the session's threads, further ones work on their callers' alone.
  ///
  /// - Throws: ``ModelError``, or `CancellationError` where the options' hook asks for it.
  public func run(
    _ inputs: [String: Tensor], options: RunOptions = .init()
  ) throws -> [String: Tensor] {
    let names = self.inputs.map(\.name)
    if let unknown = inputs.keys.filter({ !names.contains($0) }).min() {
      throw ModelError.unknownInput(name: unknown, expected: names)
    }
    let arguments = try self.inputs.map { description in
      guard let tensor = inputs[description.name] else {
        throw ModelError.missingInput(name: description.name, expected: names)
      }
      guard description.kind != .sequence else {
        throw ModelError.unsupported(
          node: description.name, operation: "input",
          reason: "it is a sequence, which run(values:) takes")
      }
      try description.check(tensor)
      return tensor
    }
    let execution = Execution(
      pool: pool, threads: threads, isCancelled: options.isCancelled, profiler: options.profiler)
    let results = try execution.run(plan, inputs: arguments)
    return Dictionary(
      zip(outputs.map(\.name), results), uniquingKeysWith: { first, _ in first })
  }
}

extension ValueDescription {
  /// Throws where `tensor` cannot be this input.
  func check(_ tensor: Tensor) throws {
    guard tensor.elementType == elementType else {
      throw ModelError.inputType(name: name, got: tensor.elementType, expected: elementType)
    }
    guard let shape else { return }
    var fits = tensor.shape.count == shape.count
    for (axis, (got, expected)) in zip(tensor.shape, shape).enumerated() {
      // The first of several dimensions is the batch; whether it can vary is up to the graph.
      if case .fixed(let extent) = expected, extent != got, axis > 0 || shape.count == 1 {
        fits = false
      }
    }
    guard fits else {
      throw ModelError.inputShape(name: name, got: tensor.shape, expected: shapeText)
    }
  }
}
