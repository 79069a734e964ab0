import RunnerTensors

/// One node's computation, made once at load and run many times, from several threads at once.
package protocol Kernel: Sendable {
  /// Computes the outputs, in order, from the inputs.
  ///
  /// An optional input that is not given is nil or missing at the end; required ones were checked
  /// at load (see ``KernelContext/input(_:of:)``). Outer values that the node's subgraphs read
  /// follow after the declared inputs. Outputs that the graph does not use may be left out at the
  /// end.
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor]

  /// The method of the computation and the reason, in a few words; nil if there is no choice.
  ///
  /// An example is `Winograd F(4x4, 3x3): stride 1, 128 channels`.
  var choice: String? { get }
}

extension Kernel {
  package var choice: String? { nil }
}

/// Memory that is reserved for the outputs of one node.
package protocol OutputMemory: Sendable {
  /// Memory for an output of this type and shape, or for scratch; nil if there is none.
  func storage(_ type: ElementType, _ shape: [Int], byteCount: Int) -> TensorStorage?
}

/// A node's name and operator, for errors.
///
/// It is an object because a run hands it to each kernel: that counts one reference, and two strings would be two.
package final class NodeLabel: Sendable {
  package let name: String
  package let operation: String

  package init(name: String, operation: String) {
    self.name = name
    self.operation = operation
  }
}

/// What the nodes of one graph share during a run.
package final class RunTools: Sendable {
  /// The pool for output and scratch memory.
  package let pool: BufferPool

  /// The threads for splitting work.
  package let threads: ThreadPool

  /// Whether the caller wants the run to end.
  package let isCancelled: (@Sendable () -> Bool)?

  /// Receives the activity of the threads.
  package let profile: Profiler.Run?

  package init(
    pool: BufferPool, threads: ThreadPool, isCancelled: (@Sendable () -> Bool)?,
    profile: Profiler.Run? = nil
  ) {
    self.pool = pool
    self.threads = threads
    self.isCancelled = isCancelled
    self.profile = profile
  }

  /// The same for a graph inside a node: its activity counts as the node's.
  package var withoutProfile: RunTools {
    profile == nil ? self : RunTools(pool: pool, threads: threads, isCancelled: isCancelled)
  }
}

/// A kernel's surroundings during a run.
package struct KernelContext: Sendable {
  private let label: NodeLabel

  package let tools: RunTools

  /// The planned memory of the step's outputs, if it is planned.
  private let memory: (any OutputMemory)?

  package init(_ label: NodeLabel, _ tools: RunTools, memory: (any OutputMemory)? = nil) {
    self.label = label
    self.tools = tools
    self.memory = memory
  }

  package init(
    nodeName: String, operation: String, pool: BufferPool, threads: ThreadPool,
    isCancelled: (@Sendable () -> Bool)?
  ) {
    self.init(
      NodeLabel(name: nodeName, operation: operation),
      RunTools(pool: pool, threads: threads, isCancelled: isCancelled))
  }

  /// The node's name, for errors.
  package var nodeName: String { label.name }

  /// The node's operator, for errors.
  package var operation: String { label.operation }

  /// The pool for output and scratch memory.
  package var pool: BufferPool { tools.pool }

  /// The threads for splitting work.
  package var threads: ThreadPool { tools.threads }

  /// Whether the caller wants the run to end.
  package var isCancelled: (@Sendable () -> Bool)? { tools.isCancelled }

  /// A tensor whose elements are not set yet, from the session's pool.
  ///
  /// - Throws: ``ModelError/memoryLimit(node:requested:limit:)``, or
  ///   ``ModelError/invalidNode(node:operation:reason:)`` if the shape is impossible.
  package func allocate(_ type: ElementType, _ shape: [Int]) throws -> Tensor {
    // Text is not stored as bytes, so a kernel that works on bytes must not get this far.
    guard type != .string else { throw unsupported("elements of type string") }
    let count: Int
    do {
      count = try Tensor.elementCount(of: shape, bytesEach: max(type.byteCount, 1))
    } catch ModelError.invalidTensor(let reason) {
      throw failure(reason)
    }
    let byteCount = count * type.byteCount
    if let storage = memory?.storage(type, shape, byteCount: byteCount) {
      return Tensor(elementType: type, shape: shape, count: count, storage: storage)
    }
    guard let storage = pool.storage(byteCount: byteCount) else {
      throw ModelError.memoryLimit(
        node: "node '\(nodeName)' (\(operation))", requested: byteCount, limit: pool.limit)
    }
    return Tensor(elementType: type, shape: shape, count: count, storage: storage)
  }

  /// Splits `count` items into pieces of `grain` and calls `body` with each piece, on any thread.
  ///
  /// The pieces depend only on `count` and `grain`, never on the number of threads, so that results
  /// do not either. `body` may only write to memory that no other piece touches.
  package func parallel(_ count: Int, grain: Int = 1, _ body: (Range<Int>) -> Void) {
    guard count > 0 else { return }
    let grain = max(grain, 1)
    let pieces = (count - 1) / grain + 1
    if pieces == 1 {
      body(0..<count)
      return
    }
    forEach(count: pieces) { piece, _ in
      let start = piece * grain
      body(start..<min(start + grain, count))
    }
  }

  /// Like ``parallel(_:grain:_:)``, with one item per piece, and `scratch` floats for each piece.
  package func parallel(
    _ count: Int, scratch: Int, _ body: (Int, UnsafeMutablePointer<Float>) -> Void
  ) throws {
    let stride = (scratch + 15) & ~15
    // Any thread may take any item, even if there are few.
    let memory = try allocate(.float32, [count > 1 ? threads.threadCount : 1, stride])
    withExtendedLifetime(memory) {
      let base = memory.mutablePointer(to: Float.self)
      if memory.shape[0] == 1 {
        for index in 0..<count { body(index, base) }
      } else {
        forEach(count: count) { body($0, base + $1 * stride) }
      }
    }
  }

  /// Calls `body` with each index below `count` and the number of the thread.
  private func forEach(count: Int, _ body: (_ index: Int, _ thread: Int) -> Void) {
    if let profile = tools.profile {
      profile.profiler.forEach(
        threads, count: count, node: nodeName, operation: operation, in: profile, body)
    } else {
      threads.forEach(count: count, body)
    }
  }

  /// The input at `index`, which the node must have.
  package func input(_ index: Int, of inputs: [Tensor?]) throws -> Tensor {
    guard index < inputs.count, let tensor = inputs[index] else {
      throw failure("input \(index) is missing")
    }
    return tensor
  }

  /// The input at `index`, or nil if it is not given.
  package func optionalInput(_ index: Int, of inputs: [Tensor?]) -> Tensor? {
    index < inputs.count ? inputs[index] : nil
  }

  /// The error for a node that cannot run with its inputs.
  package func failure(_ reason: String) -> ModelError {
    .invalidNode(node: nodeName, operation: operation, reason: reason)
  }

  /// The error for a use that the operator allows and this kernel does not support.
  package func unsupported(_ reason: String) -> ModelError {
    .unsupported(node: nodeName, operation: operation, reason: reason)
  }

  /// Ends the run with `CancellationError` if the caller requests it; for long kernels, between
  /// pieces of work.
  package func checkCancellation() throws {
    if let isCancelled, isCancelled() { throw CancellationError() }
  }

  /// The elements of an integer tensor (`int64` or `int32`) as `Int`.
  package func integers(_ tensor: Tensor) throws -> [Int] {
    // Not by `withElements`: generic code of another module takes longer than the few numbers do.
    let bytes = tensor.bytes
    defer { withExtendedLifetime(tensor) {} }
    switch tensor.elementType {
    case .int64:
      let elements = bytes.assumingMemoryBound(to: Int64.self)
      return (0..<tensor.count).map { Int(elements[$0]) }
    case .int32:
      let elements = bytes.assumingMemoryBound(to: Int32.self)
      return (0..<tensor.count).map { Int(elements[$0]) }
    default: throw failure("expected int64 elements, got \(tensor.elementType)")
    }
  }
}
