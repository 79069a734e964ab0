import RunnerTensors

/// What a session does for inputs of certain shapes, step by step.
///
/// ```swift
/// let plan = try session.planDescription(for: inputs)
/// for step in plan.steps { print(step.name, step.method, step.outputs) }
/// ```
public struct PlanDescription: Sendable, Equatable {
  /// A tensor that a step gives.
  public struct Output: Sendable, Equatable {
    /// What its elements are; nil if that is seen in a run only.
    public let elementType: ElementType?
    /// Its shape in memory, which may be in blocks of channels; nil if that is seen in a run only.
    public let shape: [Int]?
    /// Bytes it takes; nil if the shape is not known.
    public let byteCount: Int?
    /// Where it lies in the memory for activations, in bytes; nil if it has memory of its own, such
    /// as what is given to the caller.
    public let arenaOffset: Int?
  }

  /// One kernel's turn.
  public struct Step: Sendable, Equatable {
    /// The node's name; what nodes were fused into it is not said.
    public let name: String
    /// The operator.
    public let operation: String
    /// The kernel, the method it computes by and why.
    public let method: String
    /// What it gives.
    public let outputs: [Output]
    /// Floating-point operations by the textbook, if they are counted: for convolutions and matrix
    /// products.
    public let operationCount: Int?
  }

  /// The steps in their order.
  public let steps: [Step]
  /// Bytes of memory for activations, reused by lifetime; nil if no plan for these shapes is made.
  public let arenaByteCount: Int?
  /// Bytes that the same activations would take one beside the other.
  public let unsharedByteCount: Int
  /// Bytes of weights in kernels' own forms, for all plans of the session, as far as they were
  /// needed yet.
  public let packedWeightByteCount: Int
}

extension InferenceSession {
  /// The plan for inputs of the same types and shapes as `inputs`.
  ///
  /// What depends on data is known after a first run with such inputs.
  ///
  /// - Throws: ``ModelError`` if the inputs do not fit the model.
  public func planDescription(for inputs: [String: Tensor]) throws -> PlanDescription {
    let facts = try arguments(inputs).map { ValueFact($0) }
    let special = plans.plan(for: facts)
    let plan = try special?.plan ?? plans.generalPlan()
    let memory = special?.memory
    let steps = plan.steps.enumerated().map { index, step in
      let outputs = step.outputs.enumerated().filter { $0.element >= 0 }.map { place, slot in
        let form = memory?.forms[slot]
        return PlanDescription.Output(
          elementType: form?.type, shape: form?.shape,
          byteCount: form.flatMap { $0.byteCount(of: $0.shape) },
          arenaOffset: memory?.layout?.places[index][place]?.offset)
      }
      return PlanDescription.Step(
        name: step.name, operation: step.operation, method: step.method, outputs: outputs,
        operationCount: step.operationCount)
    }
    return PlanDescription(
      steps: steps, arenaByteCount: memory?.layout?.byteCount,
      unsharedByteCount: memory?.layout?.unsharedByteCount ?? 0,
      packedWeightByteCount: plans.weights.all.reduce(0) { $0 + $1.byteCount })
  }
}

extension Plan.Step {
  /// The kernel and what it says of its choice.
  var method: String {
    kernel.choice ?? "\(type(of: kernel))"
  }
}
