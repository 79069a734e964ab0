import ONNXFormat
import RunnerGraph
import RunnerTensors

/// Makes a graph from a file's content, and checks that it is consistent.
struct GraphBuilder {
  let weights: WeightLoader
  let opsets: [String: Int]

  /// The main graph.
  func graph(_ message: GraphMessage) throws -> Graph {
    let (graph, captured) = try build(message, outer: { _ in false })
    guard captured.isEmpty else {
      throw ModelError.invalidGraph(reason: "value '\(captured[0])' is not defined")
    }
    guard !graph.outputs.isEmpty else {
      throw ModelError.invalidGraph(reason: "the graph has no outputs")
    }
    try checkNames(of: graph.inputs, "inputs", in: graph)
    try checkNames(of: graph.outputs, "outputs", in: graph)
    return graph
  }

  /// Throws if `String` takes the names of two inputs, or of two outputs, for equal.
  ///
  /// Callers use these names to run the model.
  private func checkNames(
    of values: [Graph.Value], _ kind: String, in graph: Graph
  ) throws {
    var known: [String: Graph.Value] = [:]
    for value in values {
      let name = graph.names[value]
      if let other = known[name], other != value {
        throw ModelError.invalidGraph(
          reason: "two \(kind) are named '\(name)', in different bytes of the same letters")
      }
      known[name] = value
    }
  }

  /// A graph and the names of the outer values that it reads; `outer` has the available ones.
  private func build(
    _ message: GraphMessage, outer: @escaping (String) -> Bool
  ) throws -> (Graph, captured: [String]) {
    var scope = Scope(graph: Graph(), outer: outer)
    scope.graph.name = message.name
    scope.graph.opsets = opsets
    if message.hasSparseInitializers {
      throw ModelError.unsupported(
        node: message.name, operation: "graph", reason: "it has sparse initializers")
    }
    for initializer in message.initializers {
      let value = try scope.define(initializer.name, by: "an initializer")
      scope.graph.constants[value] = try weights.tensor(initializer)
    }
    for input in message.inputs {
      // Before IR version 4, every initializer is an input too; it stays an initializer.
      if let known = scope.value(named: input.name), scope.graph.constants[known] != nil {
        continue
      }
      let value = try scope.define(input.name, by: "an input")
      scope.graph.inputs.append(value)
      scope.declare(value, input)
    }
    for node in try NodeOrder.sorted(message.nodes) { try add(node, to: &scope) }
    for value in message.values {
      if let known = scope.value(named: value.name) { scope.declare(known, value) }
    }
    for output in message.outputs {
      guard let value = scope.resolve(output.name) else {
        throw ModelError.invalidGraph(reason: "output '\(output.name)' is not defined")
      }
      scope.graph.outputs.append(value)
      scope.declare(value, output)
    }
    return (scope.graph, scope.captured)
  }

  private func add(_ message: NodeMessage, to scope: inout Scope) throws {
    let name = message.shownName
    var node = Graph.Node(
      name: name, operation: message.operation,
      domain: message.domain == "ai.onnx" ? "" : message.domain, inputs: [], outputs: [])
    for input in message.inputs {
      guard !input.isEmpty else {
        node.inputs.append(nil)
        continue
      }
      guard let value = scope.resolve(input) else {
        throw ModelError.invalidGraph(
          reason: "node '\(name)' (\(message.operation)) uses '\(input)', which is not defined")
      }
      node.inputs.append(value)
    }
    for attribute in message.attributes.sorted(by: { $0.name < $1.name }) {
      guard node.attributes[attribute.name] == nil else {
        throw ModelError.invalidNode(
          node: name, operation: message.operation,
          reason: "attribute '\(attribute.name)' is given twice")
      }
      if let value = try self.value(attribute, of: &node, in: &scope) {
        node.attributes[attribute.name] = value
      }
    }
    for output in message.outputs {
      node.outputs.append(
        output.isEmpty ? nil : try scope.define(output, by: "node '\(name)'"))
    }
    // This is checked first, so that passes may rely on the operator's requirements.
    if let definition = OperatorTable.definition(of: node.operation, domain: node.domain) {
      try definition.checkCounts(of: node)
    }
    if node.operation == "Constant", node.domain.isEmpty, let output = node.outputs.first,
      let output
    {
      scope.graph.constants[output] = try constant(node)
    } else {
      scope.graph.nodes.append(node)
    }
  }

  /// The value of an attribute; nil if no supported operator reads its kind.
  private func value(
    _ message: AttributeMessage, of node: inout Graph.Node, in scope: inout Scope
  ) throws -> AttributeValue? {
    switch message.kind {
    case 1: return .float(message.float ?? 0)
    case 2: return .int(message.int ?? 0)
    case 3: return .string(message.string ?? "")
    case 4: return try message.tensor.map { .tensor(try weights.tensor($0)) }
    case 5:
      return try message.graph.map { .graph(try subgraph($0, of: &node, in: &scope)) }
    case 6: return .floats(message.floats)
    case 7: return .ints(message.ints)
    case 8: return .strings(message.strings)
    case 9: return .tensors(try message.tensors.map { try weights.tensor($0) })
    case 10:
      return .graphs(try message.graphs.map { try subgraph($0, of: &node, in: &scope) })
    case 0: return try untyped(message, of: &node, in: &scope)
    default: return nil
    }
  }

  /// In early files, the kind of an attribute follows from the field that is set.
  private func untyped(
    _ message: AttributeMessage, of node: inout Graph.Node, in scope: inout Scope
  ) throws -> AttributeValue? {
    if let float = message.float { return .float(float) }
    if let int = message.int { return .int(int) }
    if let string = message.string { return .string(string) }
    if let tensor = message.tensor { return .tensor(try weights.tensor(tensor)) }
    if let graph = message.graph { return .graph(try subgraph(graph, of: &node, in: &scope)) }
    if !message.floats.isEmpty { return .floats(message.floats) }
    if !message.ints.isEmpty { return .ints(message.ints) }
    return message.strings.isEmpty ? nil : .strings(message.strings)
  }

  private func subgraph(
    _ message: GraphMessage, of node: inout Graph.Node, in scope: inout Scope
  ) throws -> Graph {
    let visible = scope
    let (graph, captured) = try build(message, outer: { visible.sees($0) })
    for name in captured {
      guard let value = scope.resolve(name) else {
        throw ModelError.invalidGraph(
          reason: "the graph of node '\(node.name)' uses '\(name)', which is not defined")
      }
      node.captures.append(value)
    }
    return graph
  }

  /// The value of a `Constant` node.
  private func constant(_ node: Graph.Node) throws -> Tensor {
    for (name, value) in node.attributes {
      switch (name, value) {
      case ("value", .tensor(let tensor)): return tensor
      case ("value_float", .float(let float)): return Tensor(scalar: float)
      case ("value_int", .int(let int)): return Tensor(scalar: Int64(int))
      case ("value_string", .string(let text)): return try Tensor(shape: [], strings: [text])
      case ("value_floats", .floats(let floats)):
        return try Tensor(shape: [floats.count], floats)
      case ("value_ints", .ints(let ints)):
        return try Tensor(shape: [ints.count], ints.map { Int64($0) })
      case ("value_strings", .strings(let texts)):
        return try Tensor(shape: [texts.count], strings: texts)
      default: continue
      }
    }
    throw ModelError.invalidNode(
      node: node.name, operation: node.operation,
      reason: "one of value, value_float, value_int, value_floats, value_ints must be given")
  }

  /// The names that are defined so far, here and in outer graphs.
  private struct Scope {
    var graph: Graph
    private var values: [ExactName: Graph.Value] = [:]
    var captured: [String] = []
    let outer: (String) -> Bool

    init(graph: Graph, outer: @escaping (String) -> Bool) {
      self.graph = graph
      self.outer = outer
    }

    func value(named name: String) -> Graph.Value? { values[ExactName(name)] }

    func sees(_ name: String) -> Bool {
      value(named: name) != nil || outer(name)
    }

    mutating func define(_ name: String, by what: String) throws -> Graph.Value {
      guard !name.isEmpty else {
        throw ModelError.invalidGraph(reason: "\(what) has no name")
      }
      guard value(named: name) == nil else {
        throw ModelError.invalidGraph(
          reason: "value '\(name)', defined by \(what), is defined already")
      }
      let value = graph.addValue(named: name)
      values[ExactName(name)] = value
      return value
    }

    mutating func resolve(_ name: String) -> Graph.Value? {
      if let value = value(named: name) { return value }
      guard outer(name) else { return nil }
      let value = graph.addValue(named: name)
      values[ExactName(name)] = value
      graph.captures.append(value)
      captured.append(name)
      return value
    }

    mutating func declare(_ value: Graph.Value, _ message: ValueMessage) {
      guard let kind = message.kind,
        let type = message.elementType.flatMap(ElementType.init(rawValue:))
      else { return }
      graph.declared[value] = ValueDescription(
        name: message.name, elementType: type, shape: message.shape, kind: kind)
    }
  }
}
