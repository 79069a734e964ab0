import RunnerGraph
import RunnerLayouts
import RunnerNetworkOperators
import RunnerOperators

/// All operators that the runner can compute: the lists of all families.
enum OperatorTable {
  /// All families.
  static let families: [(name: String, operators: [Operator])] = [
    ("Control", OperatorFamilies.control),
    ("Graphs in nodes", OperatorFamilies.subgraphs),
    ("Sequences and options", OperatorFamilies.sequences),
    ("Convolution", OperatorFamilies.convolution),
    ("Matrix product", OperatorFamilies.matrixProduct),
    ("Normalization", OperatorFamilies.normalization),
    ("Pooling", OperatorFamilies.pooling),
    ("Resampling", OperatorFamilies.resampling),
    ("Softmax", OperatorFamilies.softmax),
    ("Elementwise functions", OperatorFamilies.unary),
    ("Activations", OperatorFamilies.activations),
    ("Arithmetic", OperatorFamilies.binary),
    ("Logic", OperatorFamilies.logic),
    ("Selection and types", OperatorFamilies.takingNarrowTypes(OperatorFamilies.selection)),
    ("Shapes", OperatorFamilies.shaping),
    ("Movement", OperatorFamilies.movement),
    ("Gathering", OperatorFamilies.gathering),
    ("Generation", OperatorFamilies.generation),
    ("Windows", OperatorFamilies.windows),
    ("Spectra", OperatorFamilies.spectra),
    ("Chance", OperatorFamilies.chance),
    ("Reductions", OperatorFamilies.reduction),
    ("Scattering", OperatorFamilies.scattering),
    ("Padding", OperatorFamilies.padding),
    ("Ordering", OperatorFamilies.ordering),
    ("Quantization", OperatorFamilies.takingNarrowTypes(OperatorFamilies.quantization)),
    ("Quantized products", OperatorFamilies.quantizedProducts),
    ("Quantized arithmetic", OperatorFamilies.quantizedArithmetic),
    ("Detection", OperatorFamilies.detection),
    ("Deformable convolution", OperatorFamilies.deformable),
    ("Pooling of regions", OperatorFamilies.regionPooling),
    ("Sampling", OperatorFamilies.sampling),
    ("Grids", OperatorFamilies.grids),
    ("Unfolding", OperatorFamilies.unfolding),
    ("Recurrent layers", OperatorFamilies.recurrent),
    ("Tensor algebra", OperatorFamilies.tensorAlgebra),
    ("Further normalization", OperatorFamilies.furtherNormalization),
    ("Losses", OperatorFamilies.losses),
    ("Attention", OperatorFamilies.attention),
    ("Caches", OperatorFamilies.caches),
    ("Text", OperatorFamilies.text),
    ("Texts as numbers", OperatorFamilies.textVectors),
    ("Features", OperatorFamilies.features),
    ("Normalization of ONNX Runtime", OperatorFamilies.runtimeNormalization),
    ("Activations of ONNX Runtime", OperatorFamilies.runtimeActivations),
    ("Products of ONNX Runtime", OperatorFamilies.runtimeProducts),
    ("Attention of ONNX Runtime", OperatorFamilies.runtimeAttention),
    ("Caches of ONNX Runtime", OperatorFamilies.runtimeCaches),
    ("Narrow integers of ONNX Runtime", OperatorFamilies.runtimeQuantization),
    ("Quantised operators of ONNX Runtime", OperatorFamilies.runtimeDequantized),
    ("Training", OperatorFamilies.training),
    ("Optimizers", OperatorFamilies.optimizers),
    ("Signals as images", OperatorFamilies.signals),
    ("Blocks", OperatorFamilies.blocked),
    ("Derivatives", OperatorFamilies.derivatives),
    ("Fused quantization", OperatorFamilies.fusedQuantization),
    ("Pixels", OperatorFamilies.pixels),
    ("bfloat16", OperatorFamilies.bfloat16Products),
    ("Fused", OperatorFamilies.fused),
    ("Packed attention", OperatorFamilies.runtimePackedAttention),
    ("Narrow types", OperatorFamilies.narrowTypes),
    ("Newer", newer),
  ]

  /// Operators that expansions use in models whose opset does not have them yet.
  private static let newer = [
    (OperatorFamilies.activations, "Gelu"), (OperatorFamilies.normalization, "LayerNormalization"),
    (OperatorFamilies.furtherNormalization, "RMSNormalization"),
    (OperatorFamilies.quantization, "DynamicQuantizeLinear"),
    (OperatorFamilies.quantizedProducts, "MatMulInteger"),
    (OperatorFamilies.sampling, "GridSample"),
  ].flatMap { family, name in
    family.filter { $0.name == name && $0.domain.isEmpty }
      .map { $0.moved(to: OperatorDomain.newer) }
  }

  /// The definition of an operator, for any version.
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
