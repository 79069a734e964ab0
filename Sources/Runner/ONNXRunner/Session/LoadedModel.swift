import Foundation
import ONNXFormat
import RunnerGraph
import RunnerTensors

/// The steps of loading a file: graph, passes, plan.
struct LoadedModel {
  let inputs: [ValueDescription]
  let outputs: [ValueDescription]
  let metadata: ModelMetadata
  let plans: PlanCache

  init(file: ModelFile, folder: URL?, options: SessionOptions) throws {
    var message = try ModelMessage(WireReader(file))
    guard let storedMessage = message.graph else {
      throw ModelError.malformed(reason: "there is no graph in it")
    }
    var metadata = ModelMetadata(message, storedMessage)
    try message.inlineFunctions()
    let graphMessage = message.graph ?? storedMessage
    let opsets = try Self.opsets(of: message)
    // All missing operators are reported at once, before any other error.
    try OperatorUses(graphMessage, opsets: opsets).checkSupport()
    let weights = WeightLoader(file: file, folder: folder, memoryLimit: options.memoryLimit)
    var graph = try GraphBuilder(weights: weights, opsets: opsets).graph(graphMessage)
    let stored = graph
    var expansions = Expansions(limit: options.memoryLimit / 2)
    try expansions.apply(to: &graph)
    try GraphPasses(options: options).prepare(&graph)
    plans = PlanCache(PlanSource(graph: graph, options: options))
    inputs = try stored.inputs.map { try Self.description(of: $0, in: stored, graphMessage) }
    outputs = try Self.outputs(of: stored, graphMessage)

    metadata.plannedNodeCount = try Self.firstPlan(inputs, plans).steps.count
    self.metadata = metadata
    file.releasePages()
  }

  /// The plan for the shapes that the model declares, or for any shapes if it leaves some open.
  ///
  /// Making the plan finds operations that cannot run.
  private static func firstPlan(_ inputs: [ValueDescription], _ plans: PlanCache) throws -> Plan {
    let facts = inputs.compactMap { input -> ValueFact? in
      guard input.kind == .tensor, let shape = input.shape else { return nil }
      let extents = shape.compactMap { dimension -> Int? in
        if case .fixed(let extent) = dimension { return extent }
        return nil
      }
      return extents.count == shape.count ? ValueFact(input.elementType, extents) : nil
    }
    if facts.count == inputs.count, let plan = plans.plan(for: facts) { return plan.plan }
    return try plans.generalPlan()
  }

  static func opsets(of message: ModelMessage) throws -> [String: Int] {
    let opsets = message.opsetsByDomain
    guard let version = opsets[""] else {
      guard opsets.isEmpty else { return opsets }
      throw ModelError.malformed(reason: "it names no operator set")
    }
    guard Operator.opsets.contains(version) else {
      throw ModelError.unsupportedOpset(
        domain: "", version: version, supported: Operator.opsets)
    }
    return opsets
  }

  private static func description(
    of value: Graph.Value, in graph: Graph, _ message: GraphMessage
  ) throws -> ValueDescription {
    guard let description = graph.declared[value] else {
      let declared = message.inputs.first {
        ExactName($0.name) == ExactName(graph.names[value])
      }
      let type = declared?.elementType.map { "a tensor of \(ElementType.name(of: $0))" }
      throw ModelError.unsupported(
        node: graph.names[value], operation: "input",
        reason: "it is \(type ?? "neither a tensor nor a sequence or option of tensors")")
    }
    return description
  }

  /// The outputs' names as stored; if the file does not declare their type, float32 is a guess.
  private static func outputs(
    of graph: Graph, _ message: GraphMessage
  ) throws -> [ValueDescription] {
    zip(graph.outputs, message.outputs).map { value, output in
      if let declared = graph.declared[value] { return declared }
      return ValueDescription(name: output.name, elementType: .float32, shape: nil)
    }
  }
}
