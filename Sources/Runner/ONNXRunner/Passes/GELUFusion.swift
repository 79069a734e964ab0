import RunnerGraph

extension GraphPass {
  static let geluFusion = GraphPass("gelu-fusion", after: ["constant-folding"]) { graph, _ in
    GELUFusion.apply(to: &graph)
  }
}

/// Finds the Gaussian error linear unit, x (1 + erf(x / sqrt 2)) / 2.
///
/// Exporters write it as five operators (Hendrycks and Gimpel, "Gaussian error linear units",
/// 2016).
enum GELUFusion {
  static func apply(to graph: inout Graph) {
    let view = GraphView(graph)
    var rewrite = GraphRewrite()
    for (index, node) in graph.nodes.enumerated()
    where node.operation == "Erf" && node.domain.isEmpty {
      guard let match = match(index, node, view) else { continue }
      var fused = graph.nodes[match.last]
      fused.operation = "Gelu"
      fused.domain = OperatorDomain.fused
      fused.inputs = [match.input]
      fused.attributes = [:]
      rewrite.replace(match.last, by: fused, obsolete: match.nodes)
    }
    rewrite.apply(to: &graph)
  }

  private static func match(
    _ index: Int, _ erf: Graph.Node, _ view: GraphView
  ) -> (input: Graph.Value, last: Int, nodes: [Int])? {
    // x / sqrt 2, or x times its reciprocal.
    guard let (scaled, scaling) = view.producer(of: erf.inputs.first ?? nil, "Div", "Mul"),
      let (x, factor) = view.valueAndNumber(scaling),
      abs((scaling.operation == "Div" ? 1 / factor : factor) - 0.70710678) < 1e-5,
      let (adding, addition) = view.onlyUser(of: erf.outputs[0], "Add"),
      view.valueAndNumber(addition)?.number == 1,
      let shifted = addition.outputs[0],
      let (first, product) = view.onlyUser(of: shifted, "Mul"),
      let other = view.other(than: shifted, in: product)
    else { return nil }
    let nodes = [scaled, index, adding]
    if other == x {
      // (x (1 + erf)) / 2
      guard let (last, halving) = view.onlyUser(of: product.outputs[0], "Mul", "Div"),
        let number = view.valueAndNumber(halving)?.number,
        (halving.operation == "Div" ? 1 / number : number) == 0.5
      else { return nil }
      return (x, last, nodes + [first])
    }
    if view.number(other) == 0.5 {
      // x ((1 + erf) / 2)
      guard let half = product.outputs[0], let (last, second) = view.onlyUser(of: half, "Mul"),
        view.other(than: half, in: second) == x
      else { return nil }
      return (x, last, nodes + [first])
    }
    // (x / 2) (1 + erf)
    guard let (halved, halving) = view.producer(of: other, "Mul", "Div"),
      let (value, number) = view.valueAndNumber(halving), value == x,
      (halving.operation == "Div" ? 1 / number : number) == 0.5
    else { return nil }
    return (x, first, nodes + [halved])
  }
}
