/// An operator that the runner knows: its name, the versions it honours, and how a kernel is made.
struct OperatorDefinition: Sendable {
  /// The operator, as in `Conv`.
  let name: String

  /// `""` is ONNX's own domain.
  let domain: String

  /// The opsets at which the operator was introduced or changed, as honoured here, ascending.
  let versions: [Int]

  /// The last opset that has the operator; nil where it is current.
  let lastOpset: Int?

  /// How many inputs a node may have; those below the lower bound must be given.
  let inputs: ClosedRange<Int>

  /// How many outputs a node may have.
  let outputs: ClosedRange<Int>

  /// Makes the kernel for one node; throws where attributes are wrong or not supported.
  let make: @Sendable (NodeInfo) throws -> any Kernel

  /// Any number from a lower bound on, for `inputs` and `outputs`.
  static let many = 1 << 16

  init(
    _ name: String, domain: String = "", versions: [Int], lastOpset: Int? = nil,
    inputs: ClosedRange<Int>, outputs: ClosedRange<Int> = 1...1,
    make: @escaping @Sendable (NodeInfo) throws -> any Kernel
  ) {
    self.name = name
    self.domain = domain
    self.versions = versions
    self.lastOpset = lastOpset
    self.inputs = inputs
    self.outputs = outputs
    self.make = make
  }

  /// Throws where a node has more or fewer inputs or outputs than the operator.
  func checkCounts(of node: Graph.Node) throws {
    func failure(_ reason: String) -> ModelError {
      .invalidNode(node: node.name, operation: node.operation, reason: reason)
    }
    guard inputs.contains(node.inputs.count) else {
      throw failure("takes \(Self.text(inputs)) inputs, got \(node.inputs.count)")
    }
    guard node.inputs.prefix(inputs.lowerBound).allSatisfy({ $0 != nil }) else {
      throw failure("the first \(inputs.lowerBound) inputs must be given")
    }
    guard outputs.contains(node.outputs.count) else {
      throw failure("has \(Self.text(outputs)) outputs, got \(node.outputs.count)")
    }
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    if range.count == 1 { return "\(range.lowerBound)" }
    return range.upperBound >= many
      ? "at least \(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }

  /// The version of the operator that a model of `opset` means; nil where it has none.
  func version(at opset: Int) -> Int? {
    if let lastOpset, opset > lastOpset { return nil }
    return versions.last { $0 <= opset }
  }
}

/// Everything the runner can compute, a list per family.
///
/// From this table come the kernels, the error for an unknown operator, and the documentation.
enum OperatorTable {
  /// The opsets of ONNX's own domain that are honoured.
  static let opsets = 1...24

  /// How the domains of operators begin that only passes over the graph make.
  static let ownPrefix = "tally."

  /// All families.
  static let families: [(name: String, operators: [OperatorDefinition])] = [
    ("Control", control),
    ("Graphs in nodes", subgraphs),
    ("Sequences and options", sequences),
    ("Convolution", convolution),
    ("Matrix product", matrixProduct),
    ("Normalization", normalization),
    ("Pooling", pooling),
    ("Resampling", resampling),
    ("Softmax", softmax),
    ("Elementwise functions", unary),
    ("Activations", activations),
    ("Arithmetic", binary),
    ("Logic", logic),
    ("Selection and types", selection),
    ("Shapes", shaping),
    ("Movement", movement),
    ("Gathering", gathering),
    ("Generation", generation),
    ("Windows", windows),
    ("Reductions", reduction),
    ("Scattering", scattering),
    ("Padding", padding),
    ("Ordering", ordering),
    ("Quantization", quantization),
    ("Quantized products", quantizedProducts),
    ("Quantized arithmetic", quantizedArithmetic),
    ("Detection", detection),
    ("Sampling", sampling),
    ("Grids", grids),
    ("Unfolding", unfolding),
    ("Recurrent layers", recurrent),
    ("Tensor algebra", tensorAlgebra),
    ("Further normalization", furtherNormalization),
    ("Losses", losses),
    ("Attention", attention),
    ("Caches", caches),
    ("Text", text),
    ("Training", training),
    ("Blocks", blocked),
    ("Derivatives", derivatives),
    ("Fused quantization", fusedQuantization),
    ("Pixels", pixels),
    ("bfloat16", bfloat16Products),
    ("Fused", fused),
  ]

  /// The definition of an operator, whatever its version.
  static func definition(of name: String, domain: String) -> OperatorDefinition? {
    byName[domain]?[name]
  }

  private static let byName: [String: [String: OperatorDefinition]] = {
    var result: [String: [String: OperatorDefinition]] = [:]
    for family in families {
      for operation in family.operators {
        result[operation.domain, default: [:]][operation.name] = operation
      }
    }
    return result
  }()
}
