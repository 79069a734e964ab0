/// An input or output of a model, as the model declares it.
public struct ValueDescription: Sendable, Equatable, CustomStringConvertible {
  /// The extent of one dimension.
  public enum Dimension: Sendable, Equatable, CustomStringConvertible {
    /// A fixed number.
    case fixed(Int)
    /// Chosen by the caller; equal names within a model mean equal numbers.
    case symbolic(String)
    /// Not declared.
    case unknown

    /// The number, the name, or `?`.
    public var description: String {
      switch self {
      case .fixed(let extent): return "\(extent)"
      case .symbolic(let name): return name
      case .unknown: return "?"
      }
    }
  }

  /// The possible kinds of a value.
  public enum Kind: Sendable, Equatable {
    /// An array.
    case tensor
    /// A list of arrays.
    case sequence
    /// An array, a list of arrays, or nothing.
    case optional
  }

  /// The name to pass or read it by.
  public let name: String

  /// Its kind; nearly always a tensor.
  public let kind: Kind

  /// The type of the tensors' elements.
  public let elementType: ElementType

  /// Its dimensions, outermost first; nil if the model does not declare their number.
  public let shape: [Dimension]?

  /// Makes a description of the given parts.
  public init(
    name: String, elementType: ElementType, shape: [Dimension]?, kind: Kind = .tensor
  ) {
    self.name = name
    self.kind = kind
    self.elementType = elementType
    self.shape = shape
  }

  /// The name, the type and the shape, as in `images: float32[1, 3, 416, 416]`.
  public var description: String {
    let prefix = kind == .tensor ? "" : kind == .sequence ? "sequence of " : "option of "
    return "\(name): \(prefix)\(elementType)\(shapeText)"
  }

  /// The dimensions as in `[batch, 3, 224, 224]`.
  package var shapeText: String {
    guard let shape else { return "[...]" }
    return "[" + shape.map(\.description).joined(separator: ", ") + "]"
  }
}

/// A model's description of itself.
public struct ModelMetadata: Sendable, Equatable {
  /// The tool that wrote it.
  public var producerName = ""
  /// That tool's version.
  public var producerVersion = ""
  /// The version of the file format.
  public var irVersion = 0
  /// The operator sets it uses, by domain; `""` is ONNX's own.
  public var opsets: [String: Int] = [:]
  /// The graph's name.
  public var graphName = ""
  /// The model's own version and notes.
  public var modelVersion = 0
  /// Free text about the model.
  public var documentation = ""
  /// Key and value pairs that the writer added.
  public var properties: [String: String] = [:]
  /// The number of nodes in the graph as stored, without subgraphs.
  public var nodeCount = 0
  /// The number of nodes of each operator, as stored.
  public var operatorCounts: [String: Int] = [:]
  /// The number of values in the weights.
  public var parameterCount = 0
  /// The number of nodes that are executed after the passes.
  public var plannedNodeCount = 0

  /// Makes empty metadata.
  public init() {}
}
