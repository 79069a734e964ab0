/// What is known of a value before a run: its type and its shape.
///
/// Of a value in blocks it says how it would lie as usual; ``memoryShape(_:)`` tells how it does.
struct ValueFact: Sendable, Equatable {
  var type: ElementType
  var shape: [Int]

  init(_ type: ElementType, _ shape: [Int]) {
    self.type = type
    self.shape = shape
  }

  init(_ tensor: Tensor) {
    self.init(tensor.elementType, tensor.shape)
  }

  /// The shape of the tensor that holds the value, which may be in blocks.
  func memoryShape(_ blocks: ChannelBlocks?) -> [Int] {
    guard let blocks, shape.count == 4 else { return shape }
    return blocks.shape(batch: shape[0], height: shape[2], width: shape[3])
  }

  /// Bytes of a tensor of this type and `shape`, or nil where that is no size.
  func byteCount(of shape: [Int]) -> Int? {
    let each = max(type.byteCount, 1)
    return (try? Tensor.elementCount(of: shape, bytesEach: each)).map { $0 * type.byteCount }
  }
}

/// Works out types and shapes from those of the inputs, operator by operator.
///
/// Only what is sure is said: a value whose shape depends on data has none here, and neither has
/// anything made of it, nor the result of an operator without a rule. Then it is seen in a run.
struct ShapeInference {
  /// What is known so far; nil where nothing is.
  private(set) var facts: [ValueFact?]
  /// Makes what the rules look attributes up in.
  private let builder = PlanBuilder()

  /// Starts with what is given for the inputs, in their order, and with the constants.
  init(_ graph: Graph, inputs: [ValueFact]) {
    facts = .init(repeating: nil, count: graph.names.count)
    for (value, fact) in zip(graph.inputs, inputs) { facts[value] = fact }
    for (value, tensor) in graph.constants { facts[value] = ValueFact(tensor) }
  }

  /// All there is to know about `graph`.
  static func facts(of graph: Graph, inputs: [ValueFact]) -> [ValueFact?] {
    var inference = ShapeInference(graph, inputs: inputs)
    for node in graph.nodes { inference.visit(node, in: graph) }
    return inference.facts
  }

  /// Works out the outputs of one node; those before it must have been visited.
  mutating func visit(_ node: Graph.Node, in graph: Graph) {
    let results = outputs(of: node, in: graph)
    for (index, output) in node.outputs.enumerated() {
      if let output, index < results.count { facts[output] = results[index] }
    }
  }

  mutating func set(_ fact: ValueFact, of value: Graph.Value) {
    facts[value] = fact
  }

  private func outputs(of node: Graph.Node, in graph: Graph) -> [ValueFact?] {
    let rule: ShapeRule.Outputs
    switch node.definition?.shape.form {
    case .rule(let outputs): rule = outputs
    case .asReplaced:
      return node.outputs.map { value in
        value.flatMap { $0 < graph.facts.count ? graph.facts[$0] : nil }
      }
    case .dependsOnData, .seenInRun, nil: return []
    }
    guard node.captures.isEmpty, !node.attributes.values.contains(where: \.holdsGraph),
      let info = try? builder.info(
        for: node, in: graph, opset: graph.opsets[node.domain] ?? 1, depth: 0)
    else { return [] }
    let known = node.inputs.map { value in value.flatMap { facts[$0] } }
    let query = ShapeQuery(info: info, inputs: known, constants: info.constants)
    guard let results = try? rule(query) else { return [] }
    // What could not be a tensor will fail in the run, with a message.
    return results.map { fact in fact.flatMap { $0.byteCount(of: $0.shape) == nil ? nil : $0 } }
  }
}

/// A node as its rule sees it.
struct ShapeQuery {
  /// Thrown where something a rule needs is not known.
  struct Unknown: Error {}

  let info: NodeInfo
  let inputs: [ValueFact?]
  let constants: [Int: Tensor]

  /// The input at `index`; throws where nothing is known of it.
  func input(_ index: Int) throws -> ValueFact {
    guard index < inputs.count, let fact = inputs[index] else { throw Unknown() }
    return fact
  }

  func shape(_ index: Int) throws -> [Int] {
    try input(index).shape
  }

  /// Whether the input is given at all, known or not.
  func isGiven(_ index: Int) -> Bool {
    index < info.hasInput.count && info.hasInput[index]
  }

  /// The numbers of an integer input, nil where it is not given; throws where they are not known.
  func integers(_ index: Int) throws -> [Int]? {
    guard isGiven(index) else { return nil }
    guard let tensor = constants[index] else { throw Unknown() }
    switch tensor.elementType {
    case .int64: return try tensor.withElements(of: Int64.self) { $0.map { Int($0) } }
    case .int32: return try tensor.withElements(of: Int32.self) { $0.map { Int($0) } }
    default: throw Unknown()
    }
  }

  /// The numbers of an input, or of the attribute that held them in earlier opsets.
  func integers(_ index: Int, or attribute: String) throws -> [Int]? {
    try integers(index) ?? info.ints(attribute)
  }

  func axis(_ axis: Int, rank: Int) throws -> Int {
    guard axis >= -rank, axis < rank else { throw Unknown() }
    return axis < 0 ? axis + rank : axis
  }

  func broadcast(_ shapes: [[Int]]) throws -> [Int] {
    guard let shape = Shapes.broadcast(shapes) else { throw Unknown() }
    return shape
  }

  func product(_ extents: some Sequence<Int>) throws -> Int {
    try extents.reduce(1) {
      let (result, overflow) = $0.multipliedReportingOverflow(by: $1)
      guard !overflow else { throw Unknown() }
      return result
    }
  }

  /// For code shared with kernels, which wants somewhere to say what is wrong.
  var context: KernelContext {
    KernelContext(
      nodeName: info.name, operation: info.operation, pool: Self.noMemory, threads: Self.noThreads,
      isCancelled: nil)
  }

  private static let noMemory = BufferPool(limit: 0)
  private static let noThreads = ThreadPool(threadCount: 1)
}
