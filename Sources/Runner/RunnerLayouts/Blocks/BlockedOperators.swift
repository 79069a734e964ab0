import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// The operators with which ``ChannelBlocking`` replaces ONNX's operators.
  ///
  /// Files cannot use them: without the pass their layouts are not known, and making a kernel
  /// throws.
  package static let blocked: [Operator] = {
    func blocked(
      _ name: String, inputs: ClosedRange<Int> = 1...1, attributes: AttributeKinds = [:],
      shape: ShapeRule,
      memory: MemoryTrait = .fresh, cost: OperationCount? = nil,
      make: @escaping @Sendable (NodeInfo) throws -> any Kernel
    ) -> Operator {
      Operator(
        name, domain: OperatorDomain.blocks, versions: [1], inputs: inputs, types: .float32,
        attributes: attributes,
        shape: shape, memory: memory, keeps: .constants, cost: cost, make: make)
    }
    let activations = BlockedActivation.operations.sorted().map {
      blocked($0, inputs: 1...3, shape: .likeFirst, memory: .inPlace) { try BlockedActivation($0) }
    }
    let arithmetic = ["Add", "Sub", "Mul", "Div"].map {
      blocked($0, inputs: 2...2, shape: .broadcast, memory: .inPlace) { try BlockedArithmetic($0) }
    }
    return activations + arithmetic + [
      blocked("ToBlocks", shape: .likeFirst) { try ToBlocks($0) },
      blocked("FromBlocks", shape: .likeFirst) { try FromBlocks($0) },
      blocked(
        PixelRows.operation, inputs: 1...Operator.many, attributes: ["parts": .ints],
        shape: .pixelRows
      ) {
        try PixelRows($0)
      },
      blocked(
        "Conv", inputs: 2...4,
        attributes: .convolution.merging([BlockedFrame.residualFirst: .int]) { $1 },
        shape: .blockedConvolution,
        cost: .convolution(weights: 1)
      ) {
        let isPlanar = $0.fused.blocks?.inputs.first.flatMap { $0 } == nil
        if isPlanar { return try PlanarConvolution($0) }
        let plain = try BlockedConvolution($0)
        return try SplitConvolution($0, plain: plain) ?? plain
      },
      blocked(
        "ConvTranspose", inputs: 2...3, attributes: .transposedConvolution, shape: .convTranspose,
        cost: .transposedConvolution
      ) { try BlockedTransposedConvolution($0) },
      blocked(
        "GroupNormalization", inputs: 3...3, attributes: ["epsilon": .float, "num_groups": .int],
        shape: .likeFirst, memory: .inPlace
      ) { try BlockedGroupNormalization($0) },
      blocked("BatchNormalization", inputs: 3...3, shape: .likeFirst, memory: .inPlace) {
        try BlockedBatchNormalization($0)
      },
      blocked(
        SqueezeExcite.operation, inputs: 1...5, attributes: ["residual": .int], shape: .likeFirst,
        memory: .inPlace
      ) { try SqueezeExcite($0) },
      blocked(
        "Concat", inputs: 1...Operator.many, attributes: ["axis": .int], shape: .concat,
        memory: .join
      ) {
        try BlockedConcat($0)
      },
      blocked(
        "Pad", inputs: 1...4, attributes: ["mode": .string, "pads": .ints, "value": .float],
        shape: .pad
      ) { try BlockedPad($0) },
      blocked("Resize", inputs: 1...3, attributes: .repetition, shape: .resample) {
        try BlockedUpsample($0)
      },
      blocked("Upsample", inputs: 1...3, attributes: .repetition, shape: .resample) {
        try BlockedUpsample($0)
      },
      blocked("MaxPool", attributes: .pooling, shape: .maximumPool) { try BlockedPool($0) },
      blocked("AveragePool", attributes: .averagePooling, shape: .pool) { try BlockedPool($0) },
      blocked("GlobalAveragePool", shape: .globalPool) { try BlockedMean($0) },
      blocked("ReduceMean", inputs: 1...2, attributes: .reduction, shape: .reduction) {
        try BlockedMean($0)
      },
    ]
  }()
}

extension ShapeRule {
  static let blockedConvolution = ShapeRule { query in
    let result = try convolved(query, weights: 1)
    guard query.isGiven(3) else { return [ValueFact(.float32, result)] }
    return [ValueFact(.float32, try query.broadcast([result, query.shape(3)]))]
  }

  static let pixelRows = ShapeRule { query in
    var (pixels, first) = (0, 0)
    for count in try query.info.ints("parts") ?? [] {
      let shape = try query.shape(first)
      guard shape.count == 4 else { throw ShapeQuery.Unknown() }
      pixels += shape[2] * shape[3]
      first += count
    }
    let parts = try query.info.ints("parts")?.first ?? 0
    let columns = try (0..<parts).reduce(0) { $0 + (try query.shape($1))[1] }
    return [ValueFact(.float32, [try query.shape(0)[0], pixels, columns])]
  }
}
