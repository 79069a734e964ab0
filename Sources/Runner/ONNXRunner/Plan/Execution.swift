import Foundation
import RunnerGraph
import RunnerTensors

/// One run of a plan.
struct Execution {
  let tools: RunTools
  /// The places of activations, if they are planned.
  var layout: ArenaLayout?
  /// Receives the results of every step.
  var observer: RunObserver?
  /// For tests: planned memory holds NaN at first.
  var poisonsArena = false

  init(tools: RunTools) {
    self.tools = tools
  }

  init(
    pool: BufferPool, threads: ThreadPool, isCancelled: (@Sendable () -> Bool)?,
    profile: Profiler.Run?
  ) {
    tools = RunTools(pool: pool, threads: threads, isCancelled: isCancelled, profile: profile)
  }

  /// Runs the steps in order; a value's memory goes back to the pool after its last reader.
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
  ///
  /// `invariants` is for the turns of a loop: what is the same in each of them is computed in the first.
  func run(
    _ plan: Plan, values: [ModelValue], captures: [ModelValue] = [],
    invariants: InvariantValues? = nil
  ) throws -> [ModelValue] {
    var slots = Slots(count: plan.slotCount)
    for (slot, tensor) in plan.constants { slots.tensors[slot] = tensor }
    for (slot, value) in zip(plan.inputs, values) { slots[slot] = value }
    for (slot, value) in zip(plan.captures, captures) { slots[slot] = value }
    let areInvariantsKnown = invariants?.areKnown ?? false
    if let invariants { for (slot, value) in invariants.values { slots[slot] = value } }
    let arena = self.arena()
    let profile = tools.profile
    for (index, step) in plan.steps.enumerated() {
      if areInvariantsKnown, step.invariantResults != nil { continue }
      if let isCancelled = tools.isCancelled, isCancelled() { throw CancellationError() }
      let start = profile == nil ? 0 : Profiler.now()
      let memory = arena.flatMap { arena in
        layout.map {
          StepMemory(
            arena: arena, places: $0.places[index],
            hasAllPlaces: $0.hasAllPlaces[index])
        }
      }
      try perform(step, &slots, memory, invariants)
      if let profile {
        profile.profiler.record(
          node: step.name, step.operation, operations: step.operationCount ?? 0, from: start,
          to: Profiler.now(), in: profile)
      }
    }
    invariants?.areKnown = true
    return try zip(plan.outputs, plan.outputNames).map { slot, name in
      guard let value = slots[slot] else {
        throw ModelError.invalidGraph(reason: "output '\(name)' was not computed")
      }
      return value
    }
  }

  /// The memory for activations; nil if the limit has no room for all of it at once.
  private func arena() -> Arena? {
    guard let layout, layout.byteCount > 0,
      let memory = tools.pool.storage(byteCount: layout.byteCount)
    else { return nil }
    let arena = Arena(memory)
    if poisonsArena { arena.poison() }
    return arena
  }

  private func perform(
    _ step: Plan.Step, _ slots: inout Slots, _ memory: StepMemory?,
    _ invariants: InvariantValues?
  ) throws {
    let context = KernelContext(step.label, tools, memory: memory)
    do {
      if step.isOnValues || !slots.others.isEmpty {
        try performOnValues(step, &slots, context)
      } else {
        let inputs = step.inputs.map { $0 < 0 ? nil : slots.tensors[$0] }
        let results = try step.kernel.run(inputs, in: context)
        if memory != nil, step.memory != .view { protect(results, from: inputs) }
        for (index, slot) in step.outputs.enumerated() where slot >= 0 {
          guard index < results.count else {
            throw context.unsupported("output \(index) is not computed")
          }
          slots.tensors[slot] = results[index]
          observer?.saw(results[index], in: slot)
        }
      }
    } catch ModelError.invalidTensor(let reason) {
      throw context.failure(reason)
    }
    if let invariants, let kept = step.invariantResults {
      for slot in kept { if let value = slots[slot] { invariants.values.append((slot, value)) } }
    }
    for slot in step.releases { slots[slot] = nil }
  }

  /// Performs a step that takes or returns sequences or options, or may get some by mistake.
  private func performOnValues(
    _ step: Plan.Step, _ slots: inout Slots, _ context: KernelContext
  ) throws {
    let inputs = step.inputs.map { $0 < 0 ? nil : slots[$0] }
    // A sequence may keep its elements longer than planned.
    for input in inputs { input?.tensor?.storage.protectLoan() }
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
      if let tensor = results[index].tensor { observer?.saw(tensor, in: slot) }
    }
  }

  /// A kernel may return an input unchanged, so that its memory lives longer than planned.
  private func protect(_ results: [Tensor], from inputs: [Tensor?]) {
    for result in results
    where inputs.contains(where: { $0.map { $0.storage === result.storage } ?? false }) {
      result.storage.protectLoan()
    }
  }
}

/// The values of a run by number: tensors, and separately the few other values.
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

/// Compares the results of a run with the facts known in advance, and adds new facts.
final class RunObserver: @unchecked Sendable {
  // Unchecked: only the thread of the run that it is made for uses it.

  /// Types and shapes by slot.
  private(set) var forms: [ValueFact?]

  /// Slots whose tensors were not as expected.
  private(set) var surprises: [Int] = []

  init(_ forms: [ValueFact?]) {
    self.forms = forms
  }

  func saw(_ tensor: Tensor, in slot: Int) {
    let form = ValueFact(tensor)
    if let expected = forms[slot], expected != form { surprises.append(slot) }
    forms[slot] = form
  }
}
