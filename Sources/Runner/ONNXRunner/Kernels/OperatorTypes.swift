/// Which element types an operator takes: those of its first input, or of the data where that is
/// something else, such as a condition.
struct ElementTypes: Sendable {
  let list: [ElementType]

  init(_ list: [ElementType]) {
    self.list = ElementType.documented.filter(list.contains)
  }

  static func + (a: ElementTypes, b: ElementTypes) -> ElementTypes { ElementTypes(a.list + b.list) }

  static let real = ElementTypes([.float16, .bfloat16, .float32, .float64])
  static let integer = ElementTypes(ElementType.allCases.filter(\.isInteger))
  static let numeric = real + integer
  static let bool = ElementTypes([.bool])
  static let any = numeric + bool + ElementTypes([.string])

  /// The names of the sets above that make it up, then of single types.
  var description: String {
    if list == Self.any.list { return "any" }
    var parts: [String] = []
    var rest = list
    for (name, set) in [("numeric", Self.numeric), ("real", Self.real), ("integer", Self.integer)]
    where set.list.allSatisfy(rest.contains) {
      parts.append(name)
      rest.removeAll(where: set.list.contains)
    }
    return (parts + rest.map(\.description)).joined(separator: ", ")
  }
}

extension ElementType {
  /// All types, in the order in which documentation lists them.
  fileprivate static let documented: [ElementType] = [
    .float16, .bfloat16, .float32, .float64, .int8, .int16, .int32, .int64, .uint8, .uint16,
    .uint32,
    .uint64, .bool, .string,
  ]
}

extension OperatorDefinition {
  /// The element types it takes; nil for an operator that nobody has said them of.
  var types: ElementTypes? { OperatorTable.types[name] }

  /// What is not done of what ONNX allows, in a sentence or two.
  var limits: String? { OperatorTable.limits[name] }
}

extension OperatorTable {
  /// Element types by operator.
  static let types: [String: ElementTypes] = {
    var result: [String: ElementTypes] = [:]
    for (types, names) in typesAndNames {
      for name in names.split(whereSeparator: \.isWhitespace) { result[String(name)] = types }
    }
    return result
  }()

  private static let typesAndNames: [(ElementTypes, String)] = [
    (
      .real,
      """
      AffineGrid Acos Acosh Asin Asinh Atan Atanh Attention AveragePool BatchNormalization Ceil Celu Conv
      ConvTranspose Cos Cosh Det Dropout Elu Erf Exp Floor GRU Gelu GlobalAveragePool GlobalLpPool
      GlobalMaxPool GroupNormalization HardSigmoid HardSwish Hardmax InstanceNormalization IsInf
      IsNaN LRN LSTM LayerNormalization LeakyRelu Log LogSoftmax LpNormalization LpPool Mean
      MeanVarianceNormalization Mish NegativeLogLikelihoodLoss RMSNormalization RNN Reciprocal
      RoiAlign RotaryEmbedding Round Selu Sigmoid Sin Sinh Softmax SoftmaxCrossEntropyLoss Softplus
      Softsign Sqrt Sum Swish Tan Tanh ThresholdedRelu
      """
    ),
    (
      .any,
      """
      Cast CastLike Compress Concat ConcatFromSequence Constant Equal Expand Flatten Gather
      GatherElements GatherND Identity If Loop Optional OptionalGetElement OptionalHasElement Reshape
      ReverseSequence SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert
      SequenceLength SequenceMap Shape Size Slice Split SplitToSequence Squeeze Tile Transpose
      Unsqueeze Where
      """
    ),
    (
      .numeric,
      """
      Abs Add ArgMax ArgMin Clip Div Einsum Greater GreaterOrEqual Less LessOrEqual Max Min Mod Mul
      OneHot Resize Shrink Sign Sub TopK
      """
    ),
    (
      .numeric + .bool,
      """
      CenterCropPad Col2Im ConstantOfShape DepthToSpace EyeLike GridSample MaxUnpool NonZero Pad Scan Scatter
      ScatterElements ScatterND SpaceToDepth TensorScatter Trilu Unique Upsample
      """
    ),
    (
      .real + ElementTypes([.int32, .int64, .uint32, .uint64]),
      """
      CumSum Gemm MatMul PRelu ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMean ReduceProd
      ReduceSum ReduceSumSquare
      """
    ),
    (.real + ElementTypes([.int8, .int16, .int32, .int64]), "Neg Relu"),
    (ElementTypes([.int32, .int64]), "BlackmanWindow HammingWindow HannWindow"),
    (.real + ElementTypes([.int32, .int64]), "Pow"),
    (.real + ElementTypes([.int8, .uint8]), "MaxPool"),
    (
      .real + .bool + ElementTypes([.int8, .int32, .int64, .uint8, .uint32, .uint64]),
      "ReduceMax ReduceMin"
    ),
    (.integer, "BitwiseAnd BitwiseNot BitwiseOr BitwiseXor"),
    (ElementTypes([.uint8, .uint16, .uint32, .uint64]), "BitShift"),
    (.bool, "And Not Or Xor"),
    (
      ElementTypes([.int8, .uint8]),
      """
      ConvInteger MatMulInteger QGemm QLinearAdd QLinearConcat QLinearConv QLinearGlobalAveragePool
      QLinearLeakyRelu QLinearMatMul QLinearMul QLinearSigmoid QLinearSoftmax
      """
    ),
    (ElementTypes([.float16, .bfloat16, .float32, .int32]), "QuantizeLinear"),
    (ElementTypes([.int8, .int16, .int32, .uint8, .uint16]), "DequantizeLinear"),
    (ElementTypes([.float32]), "DynamicQuantizeLinear NonMaxSuppression Gradient"),
    (ElementTypes([.float32, .float64, .int16, .int32, .int64]), "Range"),
    (ElementTypes([.string]), "StringConcat StringNormalizer StringSplit"),
  ]

  /// What operators do not do, by name.
  static let limits: [String: String] = [
    "BatchNormalization": "Inference only; before opset 9 with `spatial` = 1.",
    "Cast": "To and from the types of this page.",
    "ConvInteger": "One and two spatial dimensions.",
    "DequantizeLinear": "Not from types of four bits or `float8`.",
    "Dropout": "Inference only: nothing is dropped.",
    "Gradient":
      "Of Add, Sub, Mul, Div, Neg, Exp, Log, Sqrt, Sigmoid, Tanh and Identity; not inside of another "
      + "node's graph.",
    "Loop": "Values collected over no turns are refused: their shape is not known.",
    "QGemm": "Of ONNX Runtime's domain; with an alpha of 1 and a quantized result.",
    "QLinearConv": "One and two spatial dimensions; a result with one scale.",
    "QLinearMatMul": "A result with one scale.",
    "QuantizeLinear": "Not to types of four bits or `float8`.",
    "Scan":
      "Values collected over no turns are refused. At opset 8 without lengths of sequences.",
    "StringNormalizer": "Letters change case without regard to `locale`.",
  ]
}
