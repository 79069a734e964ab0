/// The passes over a graph, in their order, each with its switch in ``SessionOptions``.
struct GraphPasses {
  let options: SessionOptions

  func apply(to graph: inout Graph) throws {
    try GradientExpansion.apply(to: &graph)
    if options.foldsConstants { ConstantFolding.apply(to: &graph) }
    if options.widensHalfPrecision { try HalfWidening.apply(to: &graph) }
    if options.foldsBatchNormalization { try BatchNormalizationFolding.apply(to: &graph) }
    if options.fusesActivations { ActivationFusion.apply(to: &graph) }
    if options.blocksChannels { ChannelBlocking.apply(to: &graph) }
    if options.removesDeadNodes { DeadCode.apply(to: &graph) }
  }
}
