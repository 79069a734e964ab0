import Foundation
import RunnerTensors

/// A loaded model, ready to run: load it once, and run it from any number of tasks.
///
/// ```swift
/// let session = try InferenceSession(contentsOf: url)
/// let image = try Tensor(shape: [1, 3, 416, 416], pixels)
/// let outputs = try session.run(["images": image])
/// ```
public final class InferenceSession: Sendable {
  /// The inputs of the model.
  public let inputs: [ValueDescription]

  /// The outputs of the model.
  ///
  /// This is a hint: some exporters write a fixed batch size here, and yet the model runs with any.
  public let outputs: [ValueDescription]

  /// The model's description of itself.
  public let metadata: ModelMetadata

  let plans: PlanCache
  let pool: BufferPool
  let threads: ThreadPool
  let observer = InputObserver()

  /// Loads the model in a file.
  ///
  /// Weights in other files are found relative to the file's folder. The file stays mapped while
  /// the session lives, and must not be shortened in that time.
  ///
  /// - Throws: ``/RunnerTensors/ModelError``.
  public convenience init(contentsOf url: URL, options: SessionOptions = .init()) throws {
    try self.init(
      file: try ModelFile(mapping: url), folder: url.deletingLastPathComponent(),
      options: options)
  }

  /// Loads a model from bytes, which are copied.
  ///
  /// If weights are in other files, `folder` is the folder of these files.
  ///
  /// - Throws: ``/RunnerTensors/ModelError``.
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
    plans = loaded.plans
    pool = BufferPool(limit: max(options.memoryLimit, 0))
    threads = ThreadPool(
      threadCount: options.threads ?? ProcessInfo.processInfo.activeProcessorCount)
  }

  /// The number of threads for a run, including the caller's.
  package var threadCount: Int { threads.threadCount }

  /// The most bytes that activations took at one time so far, without inputs from callers.
  public var peakActivationBytes: Int { pool.peakBytesInUse }

  /// Runs the model: tensors by input name in, tensors by output name out.
  ///
  /// You can choose any dimension that the model leaves open. You can also choose the first of
  /// several dimensions, the batch size, if the graph allows it. The first run with inputs of new
  /// shapes makes a plan for them, and the plans used last are kept. You can call this from several
  /// threads at once: runs share the process's threads. Sessions share the memory of activations
  /// that no run uses at the time.
  ///
  /// - Throws: ``/RunnerTensors/ModelError``, or `CancellationError` if the options' hook requests
  ///   it.
  public func run(
    _ inputs: [String: Tensor], options: RunOptions = .init()
  ) throws -> [String: Tensor] {
    observer.note(inputs)
    let values = try run(arguments(inputs).map { .tensor($0) }, options)
    let results = try zip(values, outputs).map { value, output in
      guard case .tensor(let tensor) = value else {
        throw ModelError.unsupported(
          node: output.name, operation: "output", reason: "it is \(value.kind), not a tensor")
      }
      return tensor
    }
    return Dictionary(
      zip(outputs.map(\.name), results), uniquingKeysWith: { first, _ in first })
  }

  /// The inputs in the model's order, after checks.
  func arguments(_ inputs: [String: Tensor]) throws -> [Tensor] {
    let names = self.inputs.map(\.name)
    if let unknown = inputs.keys.filter({ !names.contains($0) }).min() {
      throw ModelError.unknownInput(name: unknown, expected: names)
    }
    return try self.inputs.map { description in
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
  }

  /// Runs the plan for these inputs, or the general plan if there is none for them.
  func run(_ arguments: [ModelValue], _ options: RunOptions) throws -> [ModelValue] {
    let profile = options.profiler?.beginRun(threadCount: threads.threadCount)
    defer { if let profile { profile.profiler.end(profile) } }
    var execution = Execution(
      pool: pool, threads: threads, isCancelled: options.isCancelled, profile: profile)
    execution.poisonsArena = options.poisonsArena
    let facts = arguments.compactMap { $0.tensor.map { ValueFact($0) } }
    return try threads.duringRun {
      if facts.count == arguments.count, let plan = plans.plan(for: facts) {
        if let results = try plan.run(execution, values: arguments) { return results }
        assertionFailure("a shape is not as inferred: \(plan.surprises)")
        plans.drop(facts)
      }
      return try execution.run(plans.generalPlan(), values: arguments)
    }
  }
}

extension ValueDescription {
  /// Throws if `tensor` cannot be this input.
  func check(_ tensor: Tensor) throws {
    guard tensor.elementType == elementType else {
      throw ModelError.inputType(name: name, got: tensor.elementType, expected: elementType)
    }
    guard let shape else { return }
    var fits = tensor.shape.count == shape.count
    for (axis, (got, expected)) in zip(tensor.shape, shape).enumerated() {
      // The first of several dimensions is the batch size; the graph decides whether it can vary.
      if case .fixed(let extent) = expected, extent != got, axis > 0 || shape.count == 1 {
        fits = false
      }
    }
    guard fits else {
      throw ModelError.inputShape(name: name, got: tensor.shape, expected: shapeText)
    }
  }
}
