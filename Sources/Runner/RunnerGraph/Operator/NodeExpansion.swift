import RunnerTensors

/// A node that is replaced by other nodes when a model is loaded, so that passes see those.
///
/// An operator's ``Operator/expansion`` adds nodes and states which of their values are the node's
/// outputs. If it states none, the node stays, and needs its own kernel.
package struct NodeExpansion {
  /// The known facts of a value at load: less than its shape, except for inputs of any shape.
  package struct Knowledge {
    package var type: ElementType?
    package var rank: Int?

    package init(type: ElementType? = nil, rank: Int? = nil) {
      self.type = type
      self.rank = rank
    }
  }

  /// The node, with its operator's declarations.
  package let info: NodeInfo

  /// The node's inputs.
  package let inputs: [Graph.Value?]

  /// The known facts of its inputs.
  package let knowledge: [Knowledge]

  /// The version of ONNX's own operators in the graph.
  package let opset: Int

  /// The bytes that known tensors computed from others may take.
  package var room: Int

  /// The new values, with their names and, if they are known, their elements.
  package private(set) var values: [(name: String, tensor: Tensor?)] = []

  /// The nodes so far.
  package private(set) var nodes: [Graph.Node] = []

  /// The values that are the node's outputs.
  private var given: [Int: Graph.Value] = [:]

  private let firstValue: Int

  /// The expansion of a node; its new values are numbered from `firstValue` on.
  package init(
    _ info: NodeInfo, inputs: [Graph.Value?], knowledge: [Knowledge], opset: Int, room: Int,
    firstValue: Int
  ) {
    self.info = info
    self.inputs = inputs
    self.knowledge = knowledge
    self.opset = opset
    self.room = room
    self.firstValue = firstValue
  }

  /// Whether any output is given.
  package var isComplete: Bool { !given.isEmpty }

  /// The input at `index`, or nil if it is not given.
  package func input(_ index: Int) -> Graph.Value? {
    index < inputs.count ? inputs[index] : nil
  }

  /// The input at `index`, which must be given.
  package func required(_ index: Int) throws -> Graph.Value {
    guard let value = input(index) else { throw info.failure("input \(index) is missing") }
    return value
  }

  /// The element type of the input at `index`; `float32` if it is unknown.
  package func type(_ index: Int) -> ElementType {
    (index < knowledge.count ? knowledge[index].type : nil) ?? .float32
  }

  /// The number of dimensions of the input at `index`; nil if it is unknown.
  package func rank(_ index: Int) -> Int? {
    index < knowledge.count ? knowledge[index].rank : nil
  }

  /// Whether the output at `index` is used.
  package func isWanted(_ index: Int) -> Bool {
    index < info.hasOutput.count && info.hasOutput[index]
  }

  /// Adds a known value.
  package mutating func known(_ tensor: Tensor) -> Graph.Value {
    newValue(tensor)
  }

  /// A known number of an element type.
  package mutating func number(_ value: Float, _ type: ElementType) throws -> Graph.Value {
    newValue(try Tensor(scalar: value).converted(to: type))
  }

  /// A known list of `int64` numbers.
  package mutating func integers(_ list: [Int]) throws -> Graph.Value {
    newValue(try Tensor(shape: [list.count], list.map { Int64($0) }))
  }

  /// Adds a node of one output, and returns the output.
  ///
  /// `since` is the opset that introduced the operator; models of earlier ones get it by another
  /// domain.
  package mutating func add(
    _ operation: String, _ inputs: [Graph.Value?], _ attributes: [String: AttributeValue] = [:],
    domain: String = "", since: Int = 1
  ) -> Graph.Value {
    add(operation, inputs, attributes, domain: domain, since: since, outputs: 1)[0]
  }

  /// Adds a node of several outputs.
  package mutating func add(
    _ operation: String, _ inputs: [Graph.Value?], _ attributes: [String: AttributeValue] = [:],
    domain: String = "", since: Int = 1, outputs: Int
  ) -> [Graph.Value] {
    let values = (0..<outputs).map { _ in newValue(nil) }
    nodes.append(
      Graph.Node(
        name: info.name, operation: operation,
        domain: domain.isEmpty && since > opset ? OperatorDomain.newer : domain, inputs: inputs,
        outputs: values, attributes: attributes))
    return values
  }

  /// States that `value` is the output at `index`.
  package mutating func give(_ value: Graph.Value, as index: Int = 0) {
    guard isWanted(index) else { return }
    let isOwn = nodes.contains { $0.outputs.contains(value) }
    let isTaken = given.values.contains(value)
    given[index] = isOwn && !isTaken ? value : add("Identity", [value])
  }

  /// The nodes, with the outputs of the node in the place of the values given for them.
  package func finished(_ outputs: [Graph.Value?]) throws -> [Graph.Node] {
    var places: [Graph.Value: Graph.Value] = [:]
    for (index, output) in outputs.enumerated() {
      guard let output else { continue }
      guard let value = given[index] else {
        throw info.unsupported("output \(index) is not computed")
      }
      places[value] = output
    }
    return nodes.map { node in
      var node = node
      node.inputs = node.inputs.map { value in value.map { places[$0] ?? $0 } }
      node.outputs = node.outputs.map { value in value.map { places[$0] ?? $0 } }
      return node
    }
  }

  private mutating func newValue(_ tensor: Tensor?) -> Graph.Value {
    values.append((name: "\(info.name)/\(values.count)", tensor: tensor))
    return firstValue + values.count - 1
  }
}

extension Operator {
  /// Replaces a node of an operator by others; see ``NodeExpansion``.
  package typealias Expansion = @Sendable (inout NodeExpansion) throws -> Void

  /// An operator that others compute: each of its nodes is replaced when a model is loaded.
  package init(
    _ name: String, domain: String, versions: [Int] = [1], inputs: ClosedRange<Int>,
    outputs: ClosedRange<Int> = 1...1, types: ElementTypes = .real,
    attributes: AttributeKinds = [:], limits: String? = nil, expansion: @escaping Expansion
  ) {
    self.init(
      name, domain: domain, versions: versions, inputs: inputs, outputs: outputs, types: types,
      attributes: attributes, shape: .asExpanded, expansion: expansion, limits: limits
    ) { node in
      try Self.check(node, expansion)
      throw node.unsupported("it is not of a form that can be written out")
    }
  }

  /// Throws if a node is invalid.
  private static func check(_ node: NodeInfo, _ expansion: Expansion) throws {
    var trial = NodeExpansion(
      node, inputs: node.hasInput.indices.map { node.hasInput[$0] ? $0 : nil },
      knowledge: node.hasInput.indices.map {
        NodeExpansion.Knowledge(
          type: node.constant($0)?.elementType, rank: node.constant($0)?.rank)
      },
      opset: Operator.opsets.upperBound, room: 0, firstValue: node.inputCount)
    try expansion(&trial)
  }

  /// The same operator, some of whose nodes are replaced by others.
  package func also(
    types more: ElementTypes, attributes extra: AttributeKinds, limits: String? = nil,
    expansion: @escaping Expansion
  ) -> Operator {
    Operator(
      name, domain: domain, versions: versions, lastOpset: lastOpset, inputs: inputs,
      outputs: outputs, types: types + more, attributes: attributes + extra, shape: shape,
      memory: memory, keeps: keeps, cost: cost, traits: traits, expansion: expansion,
      limits: limits
    ) { node in
      try Self.check(node, expansion)
      return try make(node)
    }
  }

  /// The same operator in another domain.
  package func moved(to domain: String) -> Operator {
    Operator(
      name, domain: domain, versions: versions, lastOpset: lastOpset, inputs: inputs,
      outputs: outputs, types: types, attributes: attributes, shape: shape, memory: memory,
      keeps: keeps, cost: cost, traits: traits, limits: limits, make: make)
  }
}
