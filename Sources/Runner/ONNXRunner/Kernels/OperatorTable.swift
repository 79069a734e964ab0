/// Everything the runner can compute: the lists of all families.
enum OperatorTable {
  /// The opsets of ONNX's own domain that are honoured.
  static let opsets = 1...24

  /// How the domains of operators begin that only passes over the graph make.
  static let ownPrefix = "tally."

  /// All families.
  static let families: [(name: String, operators: [Operator])] = [
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
  static func definition(of name: String, domain: String) -> Operator? {
    byName[domain]?[name]
  }

  private static let byName: [String: [String: Operator]] = {
    var result: [String: [String: Operator]] = [:]
    for family in families {
      for operation in family.operators {
        result[operation.domain, default: [:]][operation.name] = operation
      }
    }
    return result
  }()
}
