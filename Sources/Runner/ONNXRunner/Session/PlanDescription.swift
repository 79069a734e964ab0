import RunnerTensors

/// The steps of a session for inputs of certain shapes.
///
/// ```swift
/// let plan = try session.planDescription(for: ["images": image])
/// for step in plan.steps { print(step.name, step.method, step.outputs) }
/// ```
public struct PlanDescription: Sendable, Equatable {
  /// A tensor that a step computes.
  public struct Output: Sendable, Equatable {
    /// The type of its elements; nil if only a run shows it.
    public let elementType: ElementType?
    /// Its shape in memory, which may be in blocks of channels; nil if only a run shows it.
    public let shape: [Int]?
    /// The bytes that it takes; nil if the shape is not known.
    public let byteCount: Int?
    /// Its place in the memory for activations, in bytes.
    ///
    /// Nil if it has its own memory, as results for the caller do.
    public let arenaOffset: Int?
  }

  /// One kernel.
  public struct Step: Sendable, Equatable {
    /// The node's name, without the nodes that were fused into it.
    public let name: String
    /// The operator.
    public let operation: String
    /// The kernel, the method of its computation and the reason for the choice.
    public let method: String
    /// The results of the step.
    public let outputs: [Output]
    /// The number of floating-point operations of the textbook method; nil if they are not counted.
    ///
    /// They are counted for convolutions and matrix products.
    public let operationCount: Int?
  }

  /// The steps in their order.
  public let steps: [Step]
  /// The bytes of memory for activations, reused by lifetime; nil if there is no plan for these
  /// shapes.
  public let arenaByteCount: Int?
  /// The bytes that the same activations would take without sharing.
  public let unsharedByteCount: Int
  /// The bytes of packed weights, for all plans of the session, as far as they were needed yet.
  public let packedWeightByteCount: Int
}

extension InferenceSession {
  /// The plan for inputs of the same types and shapes as `inputs`.
  ///
  /// Facts that depend on data are known after a first run with such inputs.
  ///
  /// - Throws: ``/RunnerTensors/ModelError`` if the inputs do not fit the model.
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
  /// The kernel and its reason for the method.
  var method: String {
    kernel.choice ?? "\(type(of: kernel))"
  }
}
