extension OperatorTable {
  /// What ``ChannelBlocking`` puts in the place of ONNX's operators.
  ///
  /// No file can name these: without the pass their form is not known, and making a kernel throws.
  static let blocked: [OperatorDefinition] = {
    func definition(
      _ name: String, inputs: ClosedRange<Int> = 1...1,
      make: @escaping @Sendable (NodeInfo) throws -> any Kernel
    ) -> OperatorDefinition {
      OperatorDefinition(
        name, domain: ChannelBlocking.domain, versions: [1], inputs: inputs, make: make)
    }
    let activations = ["Relu", "Sigmoid", "HardSwish", "HardSigmoid", "LeakyRelu", "Clip"]
    let arithmetic = ["Add", "Sub", "Mul", "Div"]
    return [
      definition("ToBlocks") { try ToBlocks($0) },
      definition("FromBlocks") { try FromBlocks($0) },
      definition(PixelRowsFusion.operation, inputs: 1...OperatorDefinition.many) {
        try PixelRows($0)
      },
      definition("Conv", inputs: 2...4) {
        let isPlanar = $0.blocks?.inputs.first.flatMap { $0 } == nil
        return isPlanar ? try PlanarConvolution($0) as any Kernel : try BlockedConvolution($0)
      },
      definition("ConvTranspose", inputs: 2...3) { try BlockedTransposedConvolution($0) },
      definition(SqueezeExciteFusion.operation, inputs: 1...5) { try SqueezeExcite($0) },
      definition("Concat", inputs: 1...OperatorDefinition.many) { try BlockedConcat($0) },
      definition("Resize", inputs: 1...3) { try BlockedUpsample($0) },
      definition("Upsample", inputs: 1...3) { try BlockedUpsample($0) },
      definition("MaxPool") { try BlockedPool($0) },
      definition("AveragePool") { try BlockedPool($0) },
      definition("GlobalAveragePool") { try BlockedMean($0) },
      definition("ReduceMean", inputs: 1...2) { try BlockedMean($0) },
    ] + activations.map { definition($0, inputs: 1...3) { try BlockedActivation($0) } }
      + arithmetic.map { definition($0, inputs: 2...2) { try BlockedArithmetic($0) } }
  }()
}
