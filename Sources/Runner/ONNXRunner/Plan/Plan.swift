import RunnerGraph
import RunnerTensors

/// A graph made executable: a kernel per node, a slot per value, and the lifetime of each value.
struct Plan: Sendable {
  /// One node.
  ///
  /// It is an object because a run in a loop would copy a structure, and so count the references in
  /// it, for every node of every turn.
  final class Step: Sendable {
    let label: NodeLabel
    let kernel: any Kernel
    /// The possible places of its result.
    let memory: MemoryTrait
    /// Whether it may take or return values that are not tensors.
    let isOnValues: Bool
    /// Slots of the inputs, captured values after the declared ones; -1 if one is left out.
    let inputs: [Int]
    /// Slots of the outputs; -1 if one is not used.
    let outputs: [Int]
    /// The slots that no later step reads.
    let releases: [Int]
    /// If the step gives the same in every turn of a loop, the slots of the results that other steps or the caller
    /// read; otherwise nil.
    let invariantResults: [Int]?
    /// The number of floating-point operations of the textbook method, if it is known.
    let operationCount: Int?

    init(
      _ node: Graph.Node, _ operation: Operator, kernel: any Kernel, inputs: [Int],
      releases: [Int], invariantResults: [Int]?, operationCount: Int?
    ) {
      label = NodeLabel(name: node.name, operation: node.operation)
      self.kernel = kernel
      memory = operation.memory
      isOnValues = kernel is any ValueKernel
      self.inputs = inputs
      outputs = node.outputs.map { $0 ?? -1 }
      self.releases = releases
      self.invariantResults = invariantResults
      self.operationCount = operationCount
    }

    var name: String { label.name }
    var operation: String { label.operation }
  }

  let steps: [Step]
  let slotCount: Int
  /// Values known at load, and their slots.
  let constants: [(slot: Int, tensor: Tensor)]
  let inputs: [Int]
  let captures: [Int]
  let outputs: [Int]
  /// The outputs' names, for errors.
  let outputNames: [String]
}

extension Plan: RunnableGraph {
  var inputCount: Int { inputs.count }
  var captureCount: Int { captures.count }
  var outputCount: Int { outputs.count }

  func run(
    _ arguments: [ModelValue], captures: [ModelValue], invariants: InvariantValues?,
    in context: KernelContext
  ) throws -> [ModelValue] {
    let execution = Execution(tools: context.tools.withoutProfile)
    return try execution.run(self, values: arguments, captures: captures, invariants: invariants)
  }
}
