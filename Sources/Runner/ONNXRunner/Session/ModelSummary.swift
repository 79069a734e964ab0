import Foundation
import ONNXFormat
import RunnerGraph
import RunnerTensors

/// The content of a model file, read without preparing it for a run.
///
/// It can also be read from a file that ``InferenceSession`` refuses because an operator or a type
/// is missing:
///
/// ```swift
/// let summary = try ModelSummary(contentsOf: url)
/// for entry in summary.operators where !entry.isSupported {
///   print("missing: \(entry.name), \(entry.nodeCount) nodes")
/// }
/// ```
///
/// Weights are not read, and weights in other files need not exist.
public struct ModelSummary: Sendable, Equatable {
  /// An input or output as the file declares it.
  public struct Value: Sendable, Equatable, CustomStringConvertible {
    /// The name by which to pass or read it.
    public let name: String
    /// Its kind; nil if it is not a tensor, or a sequence or option of tensors, for example a map.
    public let kind: ValueDescription.Kind?
    /// The name of the elements' type, as in `float32`; `?` if the file does not declare it.
    public let elementType: String
    /// Its dimensions, outermost first; nil if the file does not declare their number.
    public let shape: [ValueDescription.Dimension]?

    /// The name, the type and the shape, as in `images: float32[1, 3, 416, 416]`.
    public var description: String {
      let prefix =
        switch kind {
        case .tensor: ""
        case .sequence: "sequence of "
        case .optional: "option of "
        case nil: "map or other value "
        }
      let sides = shape.map { $0.map(\.description).joined(separator: ", ") } ?? "..."
      return "\(name): \(prefix)\(elementType)[\(sides)]"
    }
  }

  /// An operator that the file uses.
  public struct Operator: Sendable, Equatable {
    /// Its name, such as `Conv`.
    public let name: String
    /// Its domain; `""` is ONNX's own.
    public let domain: String
    /// The number of nodes of this operator.
    ///
    /// It includes those in subgraphs and, once per call, those in the model's own functions.
    public let nodeCount: Int
    /// Whether the runner has it, in the version for which the file is written.
    ///
    /// A node may still be refused for its attributes or its types.
    public let isSupported: Bool
  }

  /// The inputs of the model.
  public let inputs: [Value]

  /// The outputs of the model.
  public let outputs: [Value]

  /// The model's description of itself; the number of executed nodes is not known here.
  public let metadata: ModelMetadata

  /// Its operators, the most frequent first.
  public let operators: [Operator]

  /// Reads the file at `url`.
  ///
  /// - Throws: ``/RunnerTensors/ModelError`` if it cannot be read or is not an ONNX model.
  public init(contentsOf url: URL) throws {
    try self.init(ModelFile(mapping: url))
  }

  /// Reads a model from bytes, which are copied.
  ///
  /// - Throws: ``/RunnerTensors/ModelError`` if they are not an ONNX model.
  public init(data: Data) throws {
    try self.init(ModelFile(copying: data))
  }

  private init(_ file: ModelFile) throws {
    let message = try ModelMessage(WireReader(file))
    guard let graph = message.graph else {
      throw ModelError.malformed(reason: "there is no graph in it")
    }
    guard !message.opsets.isEmpty else {
      throw ModelError.malformed(reason: "it names no operator set")
    }
    let known = Set(graph.initializers.map { ExactName($0.name) })
    inputs = graph.inputs.filter { !known.contains(ExactName($0.name)) }.map(Self.value)
    outputs = graph.outputs.map(Self.value)
    metadata = ModelMetadata(message, graph)
    // Operators that the model defines itself are not missing.
    var whole = message
    if (try? whole.inlineFunctions()) == nil { whole = message }
    let uses = OperatorUses(whole.graph ?? graph, opsets: whole.opsetsByDomain)
    operators = uses.all.map { use in
      Operator(
        name: use.name, domain: use.domain, nodeCount: use.nodeCount,
        isSupported: use.isSupported)
    }.sorted { ($1.nodeCount, $0.domain, $0.name) < ($0.nodeCount, $1.domain, $1.name) }
    file.releasePages()
  }

  private static func value(_ message: ValueMessage) -> Value {
    Value(
      name: message.name, kind: message.kind,
      elementType: message.elementType.map { ElementType.name(of: $0) } ?? "?",
      shape: message.shape)
  }
}

/// The number of uses of each operator in a model.
struct OperatorUses {
  /// One operator, in the order of its first node.
  struct Use {
    let name: String
    let domain: String
    let opset: Int
    let isSupported: Bool
    let firstNode: String
    var nodeCount = 0
  }

  private(set) var all: [Use] = []
  private var places: [Key: Int] = [:]

  private struct Key: Hashable {
    let domain: ExactName
    let name: ExactName
  }

  init(_ graph: GraphMessage, opsets: [String: Int]) {
    count(graph, opsets)
  }

  /// Checks that the runner supports all operators.
  ///
  /// - Throws: ``ModelError/missingOperators(_:)`` if it does not.
  func checkSupport() throws {
    let missing = all.filter { !$0.isSupported }
    guard missing.isEmpty else {
      throw ModelError.missingOperators(
        missing.map {
          MissingOperator(
            name: $0.name, domain: $0.domain, opset: $0.opset, nodeCount: $0.nodeCount,
            firstNode: $0.firstNode)
        })
    }
  }

  private mutating func count(_ graph: GraphMessage, _ opsets: [String: Int]) {
    for node in graph.nodes {
      let domain = node.domain == "ai.onnx" ? "" : node.domain
      let key = Key(domain: ExactName(domain), name: ExactName(node.operation))
      let place = places[key] ?? all.count
      if place == all.count {
        places[key] = place
        let opset = opsets[domain] ?? 1
        // Nodes that passes insert in the place of ONNX's operators rely on the passes' checks.
        let definition =
          domain.hasPrefix(OperatorDomain.ownPrefix)
          ? nil : OperatorTable.definition(of: node.operation, domain: domain)
        all.append(
          Use(
            name: node.operation, domain: domain, opset: opset,
            isSupported: definition?.version(at: opset) != nil, firstNode: node.shownName))
      }
      all[place].nodeCount += 1
      for inner in node.graphs { count(inner, opsets) }
    }
  }
}

extension ModelMessage {
  /// Operator sets by domain; `""` is ONNX's own.
  var opsetsByDomain: [String: Int] {
    var result: [String: Int] = [:]
    for (domain, version) in opsets { result[domain == "ai.onnx" ? "" : domain] = version }
    return result
  }
}

extension ModelMetadata {
  /// The metadata in a file, without the number of executed nodes.
  init(_ message: ModelMessage, _ graph: GraphMessage) {
    self.init()
    producerName = message.producerName
    producerVersion = message.producerVersion
    irVersion = message.irVersion
    modelVersion = message.modelVersion
    documentation = message.documentation
    opsets = message.opsetsByDomain
    graphName = graph.name
    properties = message.properties
    nodeCount = graph.nodes.count
    for node in graph.nodes {
      let prefix = node.domain.isEmpty || node.domain == "ai.onnx" ? "" : node.domain + "."
      operatorCounts[prefix + node.operation, default: 0] += 1
    }
    let constants = graph.nodes.filter { $0.operation == "Constant" }.flatMap(\.attributes)
    let tensors = graph.initializers + constants.compactMap(\.tensor)
    parameterCount = tensors.reduce(0) { $0 &+ $1.numberCount }
    for constant in constants {
      parameterCount &+= constant.floats.count + (constant.float == nil ? 0 : 1)
    }
  }
}

extension TensorMessage {
  /// The number of floating-point values in its shape; 0 if no tensor has that shape.
  fileprivate var numberCount: Int {
    guard ElementType(rawValue: elementType)?.isFloatingPoint == true else { return 0 }
    return (try? Tensor.elementCount(of: shape)) ?? 0
  }
}
