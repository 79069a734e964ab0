import RunnerGraph
import RunnerTensors

/// The passes over a graph, in their order.
struct GraphPasses {
  /// Passes that are left out.
  var disabled: Set<PassID> = []

  var settings = GraphPass.Settings()

  /// Passes for inputs of any shape, done once.
  static let preparing: [GraphPass] = [
    .gradientExpansion, .quantizationFusion, .constantFolding, .halfWidening, .padFolding,
    .affineFolding, .convolutionMerging, .productScaling, .spaceToDepthFusion, .deadCode,
  ]

  /// Passes that find more with known shapes: ``Graph/facts`` has them if they are known.
  static let finishing: [GraphPass] = [
    .geluFusion, .layerNormalizationFusion, .groupNormalizationFusion, .attentionFusion,
    .pixelProductFusion, .productFusion, .activationFusion, .signalLifting, .channelBlocking,
    .squeezeExciteFusion, .pixelRowsFusion, .bfloat16Selection, .deadCode, .pixelLayout, .deadCode,
  ]

  /// Applies all passes that are possible while the inputs' shapes are open.
  func apply(to graph: inout Graph) throws {
    try prepare(&graph)
    try finish(&graph)
  }

  /// Applies the first part, for inputs of any shape.
  func prepare(_ graph: inout Graph) throws {
    try apply(Self.preparing, to: &graph)
    guard !disabled.contains(.subgraphs) else { return }
    var subgraphs = SubgraphPreparation(self)
    try subgraphs.apply(to: &graph)
  }

  /// Applies the other passes to a prepared graph, for inputs of these types and shapes.
  func specialize(_ graph: inout Graph, inputs: [ValueFact]) throws {
    try apply([.shapeFolding] + Self.finishing, to: &graph, inputs: inputs)
  }

  /// Applies the other passes to a prepared graph, for inputs of any shape.
  func finish(_ graph: inout Graph) throws {
    try apply(Self.finishing, to: &graph)
  }

  /// Applies those of `passes` that are not disabled, in their order.
  func apply(
    _ passes: [GraphPass], to graph: inout Graph, inputs: [ValueFact]? = nil
  ) throws {
    var settings = settings
    settings.inputs = inputs
    for pass in passes where !disabled.contains(pass.id) {
      try pass.apply(&graph, settings)
    }
  }
}
