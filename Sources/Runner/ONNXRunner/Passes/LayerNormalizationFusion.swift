import RunnerGraph

extension GraphPass {
  static let layerNormalizationFusion = GraphPass(
    "layer-normalization-fusion", after: ["constant-folding"]
  ) { graph, _ in
    LayerNormalizationFusion.apply(to: &graph)
  }
}

/// Finds layer normalization over the last dimension.
///
/// Exporters wrote it as nine operators before it was an operator (Ba, Kiros and Hinton, "Layer
/// normalization", 2016).
enum LayerNormalizationFusion {
  static func apply(to graph: inout Graph) {
    let view = GraphView(graph)
    var rewrite = GraphRewrite()
    for (index, node) in graph.nodes.enumerated()
    where node.operation == "Div" && node.domain.isEmpty {
      guard let match = match(index, node, view) else { continue }
      var fused = graph.nodes[match.last]
      fused.operation = "LayerNormalization"
      fused.domain = OperatorDomain.fused
      fused.inputs = match.inputs
      fused.attributes = ["epsilon": .float(match.epsilon), "axis": .int(-1)]
      rewrite.replace(match.last, by: fused, obsolete: match.nodes)
    }
    rewrite.apply(to: &graph)
  }

  private struct Match {
    var inputs: [Graph.Value?]
    var epsilon: Float
    var last: Int
    var nodes: [Int]
  }

  private static func match(_ index: Int, _ quotient: Graph.Node, _ view: GraphView) -> Match? {
    guard quotient.inputs.count == 2, let centered = quotient.inputs[0],
      let (root, squareRoot) = view.producer(of: quotient.inputs[1], "Sqrt"),
      let (adding, addition) = view.producer(of: squareRoot.inputs[0], "Add"),
      let (variance, epsilon) = view.valueAndNumber(addition),
      let (secondMean, squares) = mean(variance, view),
      let (squaring, square) = view.producer(of: squares, "Pow", "Mul"),
      let base = square.inputs[0],
      square.operation == "Pow" ? view.number(square.inputs[1]) == 2 : square.inputs[1] == base,
      let (subtracting, x, firstMean) = difference(centered, view),
      let (otherSubtracting, otherX, otherMean) = difference(base, view), x == otherX
    else { return nil }
    // Scale and shift, with one number per value of the last dimension.
    guard let (scaling, scaled) = view.onlyUser(of: quotient.outputs[0], "Mul"),
      let scale = view.other(than: quotient.outputs[0] ?? -1, in: scaled),
      let (last, shifted) = view.onlyUser(of: scaled.outputs[0], "Add"),
      let shift = view.other(than: scaled.outputs[0] ?? -1, in: shifted),
      let factors = view.graph.constants[scale], factors.elementType == .float32,
      let shifts = view.graph.constants[shift], shifts.elementType == .float32,
      factors.rank == 1, shifts.rank == 1, factors.count == shifts.count, factors.count > 1
    else { return nil }
    return Match(
      inputs: [x, scale, shift], epsilon: epsilon, last: last,
      nodes: [
        index, root, adding, secondMean, squaring, subtracting, otherSubtracting, firstMean,
        otherMean, scaling,
      ])
  }

  /// The x of which `value` is x minus its mean over the last dimension.
  private static func difference(
    _ value: Graph.Value, _ view: GraphView
  ) -> (node: Int, x: Graph.Value, mean: Int)? {
    guard let (index, node) = view.producer(of: value, "Sub"), let x = node.inputs[0],
      let subtracted = node.inputs[1], let (mean, input) = mean(subtracted, view), input == x
    else { return nil }
    return (index, x, mean)
  }

  /// The tensor of which `value` is the mean over the last dimension, which is kept.
  private static func mean(
    _ value: Graph.Value, _ view: GraphView
  ) -> (node: Int, input: Graph.Value)? {
    guard let (index, node) = view.producer(of: value, "ReduceMean"), let input = node.inputs[0]
    else { return nil }
    if case .int(let keeps)? = node.attributes["keepdims"], keeps != 1 { return nil }
    var axes = node.inputs.count > 1 ? view.integers(node.inputs[1]) : nil
    if case .ints(let given)? = node.attributes["axes"] { axes = given }
    return axes == [-1] ? (index, input) : nil
  }
}
