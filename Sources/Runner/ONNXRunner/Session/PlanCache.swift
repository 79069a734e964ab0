import Foundation
import RunnerGraph
import RunnerTensors

/// The data from which a session makes its plans.
struct PlanSource: Sendable {
  /// The graph after the passes for any shapes.
  let graph: Graph
  let options: SessionOptions
  let weights = PackedWeightsCache()

  /// The plan for inputs of any shape.
  func generalPlan() throws -> Plan {
    var graph = graph
    try GraphPasses(options: options).finish(&graph)
    let plan = try builder.plan(graph)
    try weights.check(limit: options.memoryLimit)
    return plan
  }

  /// The plan for inputs of these types and shapes, and the facts of its slots.
  func plan(for inputs: [ValueFact]) throws -> (plan: Plan, forms: [ValueFact?]) {
    var graph = graph
    try GraphPasses(options: options).specialize(&graph, inputs: inputs)
    let facts = ShapeInference.facts(of: graph, inputs: inputs)
    let plan = try builder.plan(graph, facts: facts)
    try weights.check(limit: options.memoryLimit)
    var forms = facts
    for node in graph.nodes {
      guard let blocks = node.fused.blocks?.output, let output = node.outputs[0],
        let form = forms[output]
      else { continue }
      forms[output] = ValueFact(form.type, form.memoryShape(blocks))
    }
    return (plan, forms)
  }

  private var builder: PlanBuilder {
    PlanBuilder(
      usesWinograd: !options.disabledPasses.contains(.winograd), packedWeights: weights)
  }
}

/// A plan for inputs of certain shapes.
final class SpecializedPlan: @unchecked Sendable {
  // Unchecked: the mutable state is only touched under `lock`.
  let plan: Plan
  private let plansMemory: Bool
  private let lock = NSLock()
  private var forms: [ValueFact?]
  private var layout: ArenaLayout?
  private var isSeen = false
  private var surprisingSteps: [String] = []

  init(_ plan: Plan, forms: [ValueFact?], plansMemory: Bool) {
    self.plan = plan
    self.forms = forms
    self.plansMemory = plansMemory
    layout = plansMemory ? ArenaLayout(plan, forms: forms) : nil
  }

  /// The facts of the slots, and their places in memory.
  var memory: (forms: [ValueFact?], layout: ArenaLayout?) {
    lock.lock()
    defer { lock.unlock() }
    return (forms, layout)
  }

  /// Steps whose results were not as expected, for debugging.
  var surprises: [String] {
    lock.lock()
    defer { lock.unlock() }
    return surprisingSteps
  }

  /// Runs the plan; nil if the plan does not fit.
  ///
  /// The first run is compared with the inferred shapes. New shapes are added to the layout of the
  /// arena.
  func run(_ execution: Execution, values: [ModelValue]) throws -> [ModelValue]? {
    lock.lock()
    let known = forms
    let observer = isSeen ? nil : RunObserver(known)
    var execution = execution
    execution.layout = layout
    lock.unlock()
    execution.observer = observer
    let results = try execution.run(plan, values: values)
    guard let observer else { return results }
    guard observer.surprises.isEmpty else {
      lock.lock()
      defer { lock.unlock() }
      surprisingSteps = plan.steps.filter { step in
        step.outputs.contains { observer.surprises.contains($0) }
      }.map { "\($0.name) (\($0.operation))" }
      return nil
    }
    let isComplete = plan.steps.allSatisfy { step in
      step.outputs.allSatisfy { $0 < 0 || execution.layout == nil || known[$0] != nil }
    }
    let better = isComplete || !plansMemory ? nil : ArenaLayout(plan, forms: observer.forms)
    lock.lock()
    defer { lock.unlock() }
    isSeen = true
    forms = observer.forms
    if let better {
      layout = better
      // Other memory of the first run is not needed again.
      execution.tools.pool.trim()
    }
    return results
  }
}

/// A session's plans: one for any shapes, and one for each of the last input shapes.
///
/// A plan for a graph of a few hundred nodes takes a few milliseconds, because packed weights are
/// shared. The sixteen plans used last are kept. You can use it from several threads.
final class PlanCache: @unchecked Sendable {
  // Unchecked: the mutable state is only touched under `lock`.

  /// The number of specialized plans that are kept.
  static let capacity = 16

  private struct Entry {
    let inputs: [ValueFact]
    /// Nil if no plan for these shapes fits.
    let plan: SpecializedPlan?
  }

  private let source: PlanSource
  private let lock = NSLock()
  private var general: Plan?
  private var entries: [Entry] = []  // the one used last at the end
  private var made = 0

  init(_ source: PlanSource) {
    self.source = source
  }

  var weights: PackedWeightsCache { source.weights }

  /// The number of specialized plans made so far.
  var madeCount: Int {
    lock.lock()
    defer { lock.unlock() }
    return made
  }

  /// The plan for any shapes.
  func generalPlan() throws -> Plan {
    lock.lock()
    defer { lock.unlock() }
    if let general { return general }
    let plan = try source.generalPlan()
    general = plan
    return plan
  }

  /// The plan for inputs of these types and shapes; nil if only the general plan fits.
  func plan(for inputs: [ValueFact]) -> SpecializedPlan? {
    guard !source.options.disabledPasses.contains(GraphPass.shapeFolding.id) else { return nil }
    lock.lock()
    defer { lock.unlock() }
    if let index = entries.lastIndex(where: { $0.inputs == inputs }) {
      let entry = entries.remove(at: index)
      entries.append(entry)
      return entry.plan
    }
    // Another thread that needs the same plan waits for it here instead of making it too.
    let plan = (try? source.plan(for: inputs)).map {
      SpecializedPlan(
        $0.plan, forms: $0.forms,
        plansMemory: !source.options.disabledPasses.contains(.memoryPlanning))
    }
    made += 1
    keep(Entry(inputs: inputs, plan: plan))
    return plan
  }

  /// Called if a run showed that the plan for these shapes is wrong.
  func drop(_ inputs: [ValueFact]) {
    lock.lock()
    defer { lock.unlock() }
    entries.removeAll { $0.inputs == inputs }
    keep(Entry(inputs: inputs, plan: nil))
  }

  private func keep(_ entry: Entry) {
    if entries.count >= Self.capacity { entries.removeFirst() }
    entries.append(entry)
  }
}
