/// What can be wrong with a model, with what it is given, or with a run of it.
///
/// Each case's description says what was wrong, where (the node by its name, the input by its name),
/// and what would be right.
public enum ModelError: Error, Equatable, CustomStringConvertible {
  /// The file cannot be opened or read.
  case unreadableFile(path: String, reason: String)
  /// The bytes are not an ONNX model: truncated, damaged, or something else altogether.
  case malformed(reason: String)
  /// Weights kept beside the model cannot be used.
  case externalData(tensor: String, reason: String)
  /// The model is written for a version of an operator set outside what is honoured.
  case unsupportedOpset(domain: String, version: Int, supported: ClosedRange<Int>)
  /// No kernel is known for an operator.
  case unknownOperator(node: String, operation: String, domain: String, opset: Int)
  /// The operator is known, but not in this version or with these attributes or types.
  case unsupported(node: String, operation: String, reason: String)
  /// The graph contradicts itself: undefined or doubly defined values, no outputs, a cycle.
  case invalidGraph(reason: String)
  /// A node's attributes or inputs are not what its operator allows.
  case invalidNode(node: String, operation: String, reason: String)
  /// A required input of the model was not given.
  case missingInput(name: String, expected: [String])
  /// Something was given that the model has no input for.
  case unknownInput(name: String, expected: [String])
  /// An input's elements are of the wrong type.
  case inputType(name: String, got: ElementType, expected: ElementType)
  /// An input has the wrong shape; `expected` is written as in `[1, 3, height, ?]`.
  case inputShape(name: String, got: [Int], expected: String)
  /// A model, or a node of it, asks for more memory than ``SessionOptions/memoryLimit``.
  case memoryLimit(node: String, requested: Int, limit: Int)
  /// A tensor was made or read in a way its shape or type does not allow.
  case invalidTensor(reason: String)

  /// What was wrong, where, and what would be right, in one line.
  public var description: String {
    switch self {
    case .unreadableFile(let path, let reason):
      return "cannot read model \(path): \(reason)"
    case .malformed(let reason):
      return "not a usable ONNX model: \(reason)"
    case .externalData(let tensor, let reason):
      return "external data of tensor '\(tensor)': \(reason)"
    case .unsupportedOpset(let domain, let version, let supported):
      return "opset \(version) of domain '\(Self.named(domain))' is not supported; "
        + "opsets \(supported.lowerBound) to \(supported.upperBound) are"
    case .unknownOperator(let node, let operation, let domain, let opset):
      return "node '\(node)': no kernel for operator \(operation) of domain "
        + "'\(Self.named(domain))', opset \(opset)"
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
      return "\(node) asks for \(requested) bytes, more than the limit of \(limit)"
    case .invalidTensor(let reason):
      return "invalid tensor: \(reason)"
    }
  }

  private static func named(_ domain: String) -> String {
    domain.isEmpty ? "ai.onnx" : domain
  }

  private static func list(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }
}
