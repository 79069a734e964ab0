import RunnerTensors

/// The information for making a kernel: one node of the graph, with typed access to its attributes.
package struct NodeInfo: Sendable {
  /// The node's name; if the file does not have one, its first output's.
  package let name: String

  /// The operator.
  package let operation: String

  /// The operator's domain; `""` is ONNX's own.
  package let domain: String

  /// The operator set for which the model is written.
  package let opset: Int

  /// Whether each declared input is given; optional ones may be left out.
  package let hasInput: [Bool]

  /// Whether each declared output is used.
  package let hasOutput: [Bool]

  /// The attributes in the file, possibly more than the operator declares.
  private let attributes: [String: AttributeValue]

  /// The attributes that the operator declares; a kernel sees only these.
  var declared: AttributeKinds = [:]

  /// For tests: called with each attribute that is read, and its kind.
  package var onRead: (@Sendable (String, AttributeKind) -> Void)?

  /// Inputs whose values are known at load, by index: weights and folded constants.
  package let constants: [Int: Tensor]

  /// The node's graphs, by attribute, ready to run.
  package var subgraphs: [String: Subgraph]

  /// The changes that passes made.
  package var fused = FusedOperation()

  /// Whether a 3x3 convolution may use Winograd's method.
  package var allowsWinograd = true

  /// The cache of packed weights; nil if they are not shared.
  package var packedWeights: PackedWeightsCache?

  package init(
    name: String, operation: String, domain: String, opset: Int, hasInput: [Bool],
    hasOutput: [Bool], attributes: [String: AttributeValue], constants: [Int: Tensor],
    subgraphs: [String: Subgraph], fused: FusedOperation = FusedOperation(),
    allowsWinograd: Bool = true, packedWeights: PackedWeightsCache? = nil
  ) {
    self.name = name
    self.operation = operation
    self.domain = domain
    self.opset = opset
    self.hasInput = hasInput
    self.hasOutput = hasOutput
    self.attributes = attributes
    self.constants = constants
    self.subgraphs = subgraphs
    self.fused = fused
    self.allowsWinograd = allowsWinograd
    self.packedWeights = packedWeights
  }

  /// The number of declared inputs; values that subgraphs capture follow after them.
  package var inputCount: Int { hasInput.count }

  /// The number of declared outputs.
  package var outputCount: Int { hasOutput.count }

  /// An input's value if it is known at load.
  package func constant(_ index: Int) -> Tensor? {
    constants[index]
  }

  /// Whether an attribute of the operator is given.
  package func has(_ attribute: String) -> Bool {
    declared[attribute] != nil && attributes[attribute] != nil
  }

  /// An integer attribute, or nil if it is not given.
  package func int(_ attribute: String) throws -> Int? {
    try value(attribute, .int)?.int
  }

  /// An integer attribute with a default.
  package func int(_ attribute: String, default fallback: Int) throws -> Int {
    try int(attribute) ?? fallback
  }

  /// An integer attribute that is a truth value.
  package func flag(_ attribute: String, default fallback: Bool = false) throws -> Bool {
    try int(attribute).map { $0 != 0 } ?? fallback
  }

  /// A list of integers, or nil if it is not given.
  package func ints(_ attribute: String) throws -> [Int]? {
    try value(attribute, .ints)?.ints
  }

  /// A number, or nil if it is not given.
  package func float(_ attribute: String) throws -> Float? {
    try value(attribute, .float)?.float
  }

  /// A number with a default.
  package func float(_ attribute: String, default fallback: Float) throws -> Float {
    try float(attribute) ?? fallback
  }

  /// A list of numbers, or nil if it is not given.
  package func floats(_ attribute: String) throws -> [Float]? {
    guard case .floats(let floats) = try value(attribute, .floats) else { return nil }
    return floats
  }

  /// Text, or nil if it is not given.
  package func string(_ attribute: String) throws -> String? {
    try value(attribute, .string)?.string
  }

  /// Text with a default.
  package func string(_ attribute: String, default fallback: String) throws -> String {
    try string(attribute) ?? fallback
  }

  /// A list of texts, or nil if it is not given.
  package func strings(_ attribute: String) throws -> [String]? {
    guard case .strings(let strings) = try value(attribute, .strings) else { return nil }
    return strings
  }

  /// A tensor, or nil if it is not given.
  package func tensor(_ attribute: String) throws -> Tensor? {
    guard case .tensor(let tensor) = try value(attribute, .tensor) else { return nil }
    return tensor
  }

  /// The given ones of these attributes, unchanged, for a node of another operator.
  package func values(of names: [String]) throws -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    for name in names { values[name] = try declared[name].flatMap { try value(name, $0) } }
    return values
  }

  /// A graph, which must be given.
  package func subgraph(_ attribute: String) throws -> Subgraph {
    try checkDeclared(attribute, .graph)
    guard let subgraph = subgraphs[attribute] else {
      throw failure("attribute '\(attribute)' must be a graph")
    }
    return subgraph
  }

  /// Throws if an attribute is not of the kind that the operator declares.
  ///
  /// Graphs are checked when they are read, because they must be given.
  package func checkKinds() throws {
    for (attribute, kind) in declared.sorted(by: { $0.key < $1.key }) where kind != .graph {
      guard let value = attributes[attribute], value.kind != kind else { continue }
      throw failure(
        "attribute '\(attribute)' must be \(kind.rawValue), got \(value.kind.rawValue)")
    }
  }

  /// The value of an attribute, or nil if it is not given.
  private func value(_ attribute: String, _ kind: AttributeKind) throws -> AttributeValue? {
    try checkDeclared(attribute, kind)
    return attributes[attribute]
  }

  /// Throws if the operator's entry in the table is wrong; a test checks that none is.
  private func checkDeclared(_ attribute: String, _ kind: AttributeKind) throws {
    onRead?(attribute, kind)
    guard declared[attribute] == kind else {
      throw failure("attribute '\(attribute)' is not declared as \(kind.rawValue)")
    }
  }

  /// The element type of an attribute that has ONNX's number for it.
  package func elementType(_ attribute: String) throws -> ElementType? {
    guard let number = try int(attribute) else { return nil }
    guard let type = ElementType(rawValue: number) else {
      throw unsupported("attribute '\(attribute)' is \(ElementType.name(of: number))")
    }
    return type
  }

  /// The error for a node whose attributes its operator does not allow.
  package func failure(_ reason: String) -> ModelError {
    .invalidNode(node: name, operation: operation, reason: reason)
  }

  /// The error for a use that the operator allows and that is not supported here.
  package func unsupported(_ reason: String) -> ModelError {
    .unsupported(node: name, operation: operation, reason: reason)
  }
}

extension NodeInfo {
  /// A node of `graph`, without its subgraphs.
  package init(_ node: Graph.Node, in graph: Graph) {
    var constants: [Int: Tensor] = [:]
    for (index, input) in node.inputs.enumerated() {
      if let input, let tensor = graph.constants[input] { constants[index] = tensor }
    }
    self.init(
      name: node.name, operation: node.operation, domain: node.domain,
      opset: graph.opsets[node.domain] ?? 1, hasInput: node.inputs.map { $0 != nil },
      hasOutput: node.outputs.map { $0 != nil }, attributes: node.attributes,
      constants: constants, subgraphs: [:], fused: node.fused)
  }
}
