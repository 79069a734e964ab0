import Foundation

/// One run of a plan.
struct Execution {
  let pool: BufferPool
  let threads: ThreadPool
  let isCancelled: (@Sendable () -> Bool)?
  let profiler: Profiler?
  var depth = 0

  /// Runs the steps in order; a value's memory goes back to the pool with its last reader.
  func run(_ plan: Plan, inputs: [Tensor], captures: [Tensor] = []) throws -> [Tensor] {
    var slots = [Tensor?](repeating: nil, count: plan.slotCount)
    for (slot, tensor) in plan.constants { slots[slot] = tensor }
    for (slot, tensor) in zip(plan.inputs, inputs) { slots[slot] = tensor }
    for (slot, tensor) in zip(plan.captures, captures) { slots[slot] = tensor }
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
      guard let tensor = slots[slot] else {
        throw ModelError.invalidGraph(reason: "output '\(name)' was not computed")
      }
      return tensor
    }
  }

  private func perform(_ step: Plan.Step, _ slots: inout [Tensor?]) throws {
    let context = KernelContext(
      nodeName: step.name, operation: step.operation, pool: pool, threads: threads,
      isCancelled: isCancelled, depth: depth)
    let inputs = step.inputs.map { $0 < 0 ? nil : slots[$0] }
    let results: [Tensor]
    do {
      results = try step.kernel.run(inputs, in: context)
    } catch ModelError.invalidTensor(let reason) {
      throw context.failure(reason)
    }
    for (index, slot) in step.outputs.enumerated() where slot >= 0 {
      guard index < results.count else {
        throw context.unsupported("output \(index) is not computed")
      }
      slots[slot] = results[index]
    }
    for slot in step.releases { slots[slot] = nil }
  }
}
