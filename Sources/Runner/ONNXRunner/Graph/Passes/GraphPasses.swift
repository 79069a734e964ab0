/// The passes over a graph, in their order, each with its switch in ``SessionOptions``.
struct GraphPasses {
  let options: SessionOptions

  /// All that can be done while the inputs' shapes are open.
  func apply(to graph: inout Graph) throws {
    try prepare(&graph)
    try finish(&graph)
  }

  /// What holds for inputs of any shape, and is done once.
  func prepare(_ graph: inout Graph) throws {
    try GradientExpansion.apply(to: &graph)
    // First: constants that are folded are numbers of 8 bits no more.
    if options.fusesQuantization { QuantizationFusion.apply(to: &graph) }
    if options.foldsConstants { ConstantFolding.apply(to: &graph, within: options.memoryLimit) }
    if options.widensHalfPrecision { try HalfWidening.apply(to: &graph) }
    if options.foldsBatchNormalization || options.foldsArithmetic {
      try AffineFolding(
        foldsNormalization: options.foldsBatchNormalization,
        foldsArithmetic: options.foldsArithmetic
      ).apply(to: &graph)
    }
    if options.fusesSpaceToDepth { try SpaceToDepthFusion.apply(to: &graph) }
    if options.removesDeadNodes { DeadCode.apply(to: &graph) }
  }

  /// The rest for a prepared graph, with inputs of these types and shapes.
  func specialize(_ graph: inout Graph, inputs: [ValueFact]) throws {
    if options.specializesShapes {
      ShapeFolding.apply(to: &graph, inputs: inputs, within: options.memoryLimit)
    }
    try finish(&graph)
  }

  /// Passes that find more once shapes are known: ``Graph/facts`` has them where they are.
  func finish(_ graph: inout Graph) throws {
    if options.fusesGELU { GELUFusion.apply(to: &graph) }
    if options.fusesLayerNormalization { LayerNormalizationFusion.apply(to: &graph) }
    if options.fusesAttention { AttentionFusion.apply(to: &graph) }
    // Products that are to take bfloat16 operands have kernels of their own.
    if options.packsProducts && !options.computesInBFloat16 {
      try ProductFusion.apply(to: &graph)
    }
    if options.fusesActivations { ActivationFusion.apply(to: &graph) }
    if options.blocksChannels { ChannelBlocking.apply(to: &graph) }
    if options.fusesSqueezeExcite { SqueezeExciteFusion.apply(to: &graph) }
    if options.fusesPixelRows { PixelRowsFusion.apply(to: &graph) }
    if options.computesInBFloat16 {
      BFloat16Selection.apply(to: &graph, usesWinograd: options.usesWinograd)
    }
    // Nodes that QuantizationFusion made needless would keep values from being changed.
    if options.removesDeadNodes { DeadCode.apply(to: &graph) }
    if options.sortsPixels { PixelLayout.apply(to: &graph) }
    if options.removesDeadNodes { DeadCode.apply(to: &graph) }
  }
}
