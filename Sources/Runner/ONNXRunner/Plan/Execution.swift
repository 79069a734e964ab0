import Foundation

/// One run of a plan.
struct Execution {
  let pool: BufferPool
  let threads: ThreadPool
  let isCancelled: (@Sendable () -> Bool)?
  let profiler: Profiler?
  var depth = 0

  /// Runs the steps in order; a value's memory goes back to the pool with its last reader.
  func run(_ plan: Plan, inputs: [Tensor]) throws -> [Tensor] {
    let values = try run(plan, values: inputs.map { .tensor($0) })
    return try zip(values, plan.outputNames).map { value, name in
      guard case .tensor(let tensor) = value else {
        throw ModelError.unsupported(
          node: name, operation: "output", reason: "it is \(value.kind), not a tensor")
      }
      return tensor
    }
  }

  /// The same for values of any kind.
  func run(
    _ plan: Plan, values: [ModelValue], captures: [ModelValue] = []
  ) throws -> [ModelValue] {
    var slots = Slots(count: plan.slotCount)
    for (slot, tensor) in plan.constants { slots.tensors[slot] = tensor }
    for (slot, value) in zip(plan.inputs, values) { slots[slot] = value }
    for (slot, value) in zip(plan.captures, captures) { slots[slot] = value }
    for step in plan.steps {
      if let isCancelled, isCancelled() { throw CancellationError() }
      let start = profiler == nil ? 0 : DispatchTime.now().uptimeNanoseconds
      try perform(step, &slots)
      if let profiler {
        profiler.record(
          node: step.name, operation: step.operation,
          nanoseconds: DispatchTime.now().uptimeNanoseconds &- start)
      }
    }
    return try zip(plan.outputs, plan.outputNames).map { slot, name in
      guard let value = slots[slot] else {
        throw ModelError.invalidGraph(reason: "output '\(name)' was not computed")
      }
      return value
    }
  }

  private func perform(_ step: Plan.Step, _ slots: inout Slots) throws {
    let context = KernelContext(
      nodeName: step.name, operation: step.operation, pool: pool, threads: threads,
      isCancelled: isCancelled, depth: depth)
    do {
      if step.isOnValues || !slots.others.isEmpty {
        try performOnValues(step, &slots, context)
      } else {
        let inputs = step.inputs.map { $0 < 0 ? nil : slots.tensors[$0] }
        let results = try step.kernel.run(inputs, in: context)
        for (index, slot) in step.outputs.enumerated() where slot >= 0 {
          guard index < results.count else {
            throw context.unsupported("output \(index) is not computed")
          }
          slots.tensors[slot] = results[index]
        }
      }
    } catch ModelError.invalidTensor(let reason) {
      throw context.failure(reason)
    }
    for slot in step.releases { slots[slot] = nil }
  }

  /// A step that takes or gives sequences or options, or may be given some by mistake.
  private func performOnValues(
    _ step: Plan.Step, _ slots: inout Slots, _ context: KernelContext
  ) throws {
    let inputs = step.inputs.map { $0 < 0 ? nil : slots[$0] }
    let results: [ModelValue]
    if let kernel = step.kernel as? any ValueKernel {
      results = try kernel.run(values: inputs, in: context)
    } else {
      let tensors = try inputs.enumerated().map { index, value in
        try value.map { _ in try context.tensor(index, of: inputs) }
      }
      results = try step.kernel.run(tensors, in: context).map { .tensor($0) }
    }
    for (index, slot) in step.outputs.enumerated() where slot >= 0 {
      guard index < results.count else {
        throw context.unsupported("output \(index) is not computed")
      }
      slots[slot] = results[index]
    }
  }
}

/// The values of a run by number: tensors, and apart from them the few that are something else.
private struct Slots {
  var tensors: [Tensor?]
  private(set) var others: [Int: ModelValue] = [:]

  init(count: Int) {
    tensors = [Tensor?](repeating: nil, count: count)
  }

  subscript(_ slot: Int) -> ModelValue? {
    get { tensors[slot].map { .tensor($0) } ?? (others.isEmpty ? nil : others[slot]) }
    set {
      tensors[slot] = newValue?.tensor
      if let newValue, newValue.tensor == nil {
        others[slot] = newValue
      } else if !others.isEmpty {
        others[slot] = nil
      }
    }
  }
}
