/// An error in a model, in its inputs, or in a run.
///
/// Each description has the error, its place (the name of the node or input) and the expected
/// value.
public enum ModelError: Error, Equatable, CustomStringConvertible {
  /// The file cannot be opened or read.
  case unreadableFile(path: String, reason: String)
  /// The bytes are not an ONNX model: they are truncated, damaged, or in another format.
  case malformed(reason: String)
  /// Weights in another file cannot be used.
  case externalData(tensor: String, reason: String)
  /// The model is written for an unsupported version of an operator set.
  case unsupportedOpset(domain: String, version: Int, supported: ClosedRange<Int>)
  /// The runner does not have operators that the model uses.
  ///
  /// All of them are listed, in the order of their first nodes.
  case missingOperators([MissingOperator])
  /// The operator is supported, but not in this version or with these attributes or types.
  case unsupported(node: String, operation: String, reason: String)
  /// The graph contradicts itself: undefined or doubly defined values, no outputs, a cycle.
  case invalidGraph(reason: String)
  /// A node's attributes or inputs are not allowed by its operator.
  case invalidNode(node: String, operation: String, reason: String)
  /// A required input of the model was not given.
  case missingInput(name: String, expected: [String])
  /// An input was given that the model does not have.
  case unknownInput(name: String, expected: [String])
  /// An input's elements are of the wrong type.
  case inputType(name: String, got: ElementType, expected: ElementType)
  /// An input has the wrong shape; `expected` has the form `[1, 3, height, ?]`.
  case inputShape(name: String, got: [Int], expected: String)
  /// A model or a node needs more memory than `SessionOptions.memoryLimit`.
  case memoryLimit(node: String, requested: Int, limit: Int)
  /// A tensor's shape or type does not allow the way in which it was made or read.
  case invalidTensor(reason: String)

  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .unreadableFile(let path, let reason):
      return "cannot read model \(path): \(reason)"
    case .malformed(let reason):
      return "not a usable ONNX model: \(reason)"
    case .externalData(let tensor, let reason):
      return "external data of tensor '\(tensor)': \(reason)"
    case .unsupportedOpset(let domain, let version, let supported):
      return "opset \(version) of domain '\(MissingOperator.named(domain))' is not supported; "
        + "opsets \(supported.lowerBound) to \(supported.upperBound) are"
    case .missingOperators(let operators):
      guard operators.count != 1 else {
        return "no kernel for operator \(operators[0]); the first is '\(operators[0].firstNode)'"
      }
      return "no kernels for \(operators.count) operators: "
        + operators.map(\.description).joined(separator: ", ")
    case .unsupported(let node, let operation, let reason):
      return "node '\(node)' (\(operation)) is not supported: \(reason)"
    case .invalidGraph(let reason):
      return "invalid graph: \(reason)"
    case .invalidNode(let node, let operation, let reason):
      return "node '\(node)' (\(operation)): \(reason)"
    case .missingInput(let name, let expected):
      return "input '\(name)' is missing; the model takes \(Self.list(expected))"
    case .unknownInput(let name, let expected):
      return "the model has no input '\(name)'; it takes \(Self.list(expected))"
    case .inputType(let name, let got, let expected):
      return "input '\(name)' holds \(got), expected \(expected)"
    case .inputShape(let name, let got, let expected):
      return "input '\(name)' has shape \(got), expected \(expected)"
    case .memoryLimit(let node, let requested, let limit):
      return "\(node) asks for \(requested) bytes, more than the limit of \(limit); "
        + "give a smaller input, or allow more memory"
    case .invalidTensor(let reason):
      return "invalid tensor: \(reason)"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }
}

/// An operator that a model uses and the runner lacks, as part of ``ModelError``.
public struct MissingOperator: Sendable, Equatable, CustomStringConvertible {
  /// The operator's name, such as `Conv`.
  public let name: String
  /// Its domain; `""` is ONNX's own.
  public let domain: String
  /// The version of the domain's operator set that the model is written for.
  public let opset: Int
  /// The number of nodes of this operator in the model, including those in subgraphs.
  public let nodeCount: Int
  /// The name of the first of these nodes.
  public let firstNode: String

  package init(name: String, domain: String, opset: Int, nodeCount: Int, firstNode: String) {
    self.name = name
    self.domain = domain
    self.opset = opset
    self.nodeCount = nodeCount
    self.firstNode = firstNode
  }

  /// Domain, name, version and number of nodes, as in `com.microsoft SkipLayerNormalization 1 (12
  /// nodes)`.
  public var description: String {
    "\(Self.named(domain)) \(name) \(opset) (\(nodeCount) \(nodeCount == 1 ? "node" : "nodes"))"
  }

  fileprivate static func named(_ domain: String) -> String {
    domain.isEmpty ? "ai.onnx" : domain
  }
}
