import RunnerTensors

/// `FunctionProto`: an operator that a model brings along, as the nodes that compute it.
package struct FunctionMessage {
  package var name = ""
  package var domain = ""
  package var overload = ""
  package var inputs: [String] = []
  package var outputs: [String] = []
  /// Values of attributes that a node may leave out.
  package var defaults: [AttributeMessage] = []
  package var nodes: [NodeMessage] = []
  package var opsets: [(domain: String, version: Int)] = []

  package init(_ reader: WireReader) throws {
    var reader = reader
    while let (field, type) = try reader.nextField() {
      switch field {
      case 1: name = try reader.string(type)
      case 4: inputs.append(try reader.string(type))
      case 5: outputs.append(try reader.string(type))
      case 7: nodes.append(try NodeMessage(try reader.message(type)))
      case 9: opsets.append(try ModelMessage.opset(try reader.message(type)))
      case 10: domain = try reader.string(type)
      case 11: defaults.append(try AttributeMessage(try reader.message(type)))
      case 13: overload = try reader.string(type)
      default: try reader.skip(type)
      }
    }
  }
}

extension ModelMessage {
  /// Writes the nodes of the model's own functions out, in graphs of nodes too.
  ///
  /// The operator sets that functions import and the model does not are added to the model's.
  ///
  /// - Throws: ``ModelError/invalidGraph(reason:)`` if functions call each other without an end, or
  ///   if there would be too many nodes.
  package mutating func inlineFunctions() throws {
    guard !functions.isEmpty, let graph else { return }
    var inlining = FunctionInlining(functions)
    self.graph = try inlining.written(graph)
    func named(_ domain: String) -> String { domain == "ai.onnx" ? "" : domain }
    for opset in inlining.opsets {
      guard let own = opsets.first(where: { named($0.domain) == named(opset.domain) }) else {
        opsets.append(opset)
        continue
      }
      guard own.version == opset.version else {
        throw ModelError.unsupported(
          node: graph.name, operation: "function",
          reason: "it is written for version \(opset.version) of domain "
            + "'\(named(opset.domain).isEmpty ? "ai.onnx" : opset.domain)', the model for "
            + "\(own.version)")
      }
    }
  }
}

/// Puts the nodes of functions in the places of those that call them.
private struct FunctionInlining {
  /// Functions and graphs may lie this deep in each other, and a model may become this many nodes,
  /// inputs, outputs and attributes.
  private static let maximumDepth = 64
  private static let maximumCount = 1 << 21
  /// The bytes that new names may take.
  private static let maximumBytes = 1 << 27

  private struct Key: Hashable {
    let domain: ExactName
    let name: ExactName
    let overload: ExactName

    init(domain: String, name: String, overload: String) {
      self.domain = ExactName(domain == "ai.onnx" ? "" : domain)
      self.name = ExactName(name)
      self.overload = ExactName(overload)
    }
  }

  /// What names and attributes of a function stand for in one call.
  private struct Call {
    /// What its names begin with, so that those of two calls differ.
    let prefix: String
    var names: [ExactName: String]
    let attributes: [ExactName: AttributeMessage]
  }

  private let functions: [Key: FunctionMessage]
  private var count = 0
  private var calls = 0
  private var called: Set<Key> = []
  private var bytes = 0
  /// What the functions that were called import.
  private(set) var opsets: [(domain: String, version: Int)] = []

  init(_ functions: [FunctionMessage]) {
    self.functions = Dictionary(
      functions.map { (Key(domain: $0.domain, name: $0.name, overload: $0.overload), $0) }
    ) { first, _ in first }
  }

  private mutating func add(_ parts: Int) throws {
    count += parts
    guard count <= Self.maximumCount else {
      throw ModelError.invalidGraph(
        reason: "its functions are more than \(Self.maximumCount) nodes and what belongs to them")
    }
  }

  mutating func written(_ graph: GraphMessage, depth: Int = 0) throws -> GraphMessage {
    var graph = graph
    graph.nodes = try graph.nodes.flatMap { try written($0, depth: depth) }
    return graph
  }

  private mutating func written(_ node: NodeMessage, depth: Int) throws -> [NodeMessage] {
    try add(1 + node.inputs.count + node.outputs.count + node.attributes.count)
    let key = Key(domain: node.domain, name: node.operation, overload: node.overload)
    guard depth <= Self.maximumDepth else {
      throw ModelError.invalidGraph(
        reason: "functions and graphs lie more than \(Self.maximumDepth) deep in each other")
    }
    guard let function = functions[key] else {
      var node = node
      try node.changeGraphs { try written($0, depth: depth + 1) }
      return [node]
    }
    guard node.inputs.count <= function.inputs.count, node.outputs.count <= function.outputs.count
    else {
      throw ModelError.invalidNode(
        node: node.shownName, operation: node.operation,
        reason: "the function takes \(function.inputs.count) inputs and has "
          + "\(function.outputs.count) outputs, got \(node.inputs.count) and \(node.outputs.count)")
    }
    try add(function.inputs.count + function.outputs.count + function.defaults.count)
    if called.insert(key).inserted { opsets += function.opsets }
    calls += 1
    var call = Call(
      prefix: "\(function.name.prefix(40))/\(calls)/", names: [:],
      attributes: Dictionary(
        (node.attributes + function.defaults).map { (ExactName($0.name), $0) }
      ) { first, _ in first })
    for (index, name) in function.inputs.enumerated() {
      call.names[ExactName(name)] = index < node.inputs.count ? node.inputs[index] : ""
    }
    for (name, given) in zip(function.outputs, node.outputs) where !given.isEmpty {
      // An output may be an input as it is.
      guard call.names[ExactName(name)] == nil else { continue }
      call.names[ExactName(name)] = given
    }
    var nodes = try function.nodes.flatMap { body -> [NodeMessage] in
      try written(renamed(body, in: call), depth: depth + 1)
    }
    for (name, given) in zip(function.outputs, node.outputs) where !given.isEmpty {
      let result = try self.name(name, in: call)
      guard result != given else { continue }
      nodes.append(.identity(from: result, to: given))
    }
    return nodes
  }

  /// What a name of a function is in one call.
  private mutating func name(_ name: String, in call: Call) throws -> String {
    if name.isEmpty { return "" }
    if let known = call.names[ExactName(name)] { return known }
    bytes += call.prefix.utf8.count + name.utf8.count
    guard bytes <= Self.maximumBytes else {
      throw ModelError.invalidGraph(reason: "the names in its functions are too long")
    }
    return call.prefix + name
  }

  /// A node of a function as it is in one call.
  private mutating func renamed(_ node: NodeMessage, in call: Call) throws -> NodeMessage {
    var node = node
    node.name = try name(node.shownName, in: call)
    node.inputs = try node.inputs.map { try name($0, in: call) }
    node.outputs = try node.outputs.map { try name($0, in: call) }
    node.attributes = node.attributes.compactMap { attribute in
      guard !attribute.reference.isEmpty else { return attribute }
      // One that the call leaves out is left out here.
      guard var given = call.attributes[ExactName(attribute.reference)] else { return nil }
      given.name = attribute.name
      return given
    }
    try node.changeGraphs { try renamed($0, in: call) }
    return node
  }

  private mutating func renamed(_ graph: GraphMessage, in call: Call) throws -> GraphMessage {
    var graph = graph
    for index in graph.inputs.indices {
      graph.inputs[index].name = try name(graph.inputs[index].name, in: call)
    }
    for index in graph.outputs.indices {
      graph.outputs[index].name = try name(graph.outputs[index].name, in: call)
    }
    for index in graph.values.indices {
      graph.values[index].name = try name(graph.values[index].name, in: call)
    }
    for index in graph.initializers.indices {
      graph.initializers[index].name = try name(graph.initializers[index].name, in: call)
    }
    graph.nodes = try graph.nodes.map { try renamed($0, in: call) }
    return graph
  }
}

extension NodeMessage {
  /// Changes each graph among the attributes.
  fileprivate mutating func changeGraphs(
    _ change: (GraphMessage) throws -> GraphMessage
  ) rethrows {
    for index in attributes.indices {
      attributes[index].graph = try attributes[index].graph.map(change)
      attributes[index].graphs = try attributes[index].graphs.map(change)
    }
  }

  fileprivate static func identity(from input: String, to output: String) -> NodeMessage {
    var node = NodeMessage()
    node.operation = "Identity"
    node.inputs = [input]
    node.outputs = [output]
    return node
  }
}
