import RunnerGraph

extension GraphPass {
  static let geluFusion = GraphPass("gelu-fusion", after: ["constant-folding"]) { graph, _ in
    GELUFusion.apply(to: &graph)
  }
}

/// Finds the Gaussian error linear unit, by the error function or by tanh.
///
/// The unit is x (1 + erf(x / sqrt 2)) / 2, or nearly that, x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2. Exporters
/// write it as five to ten operators in any order. So what is compared are not the operators but the polynomials that
/// they compute. Source: Hendrycks and Gimpel, "Gaussian error linear units", 2016.
enum GELUFusion {
  /// A function, the polynomial that it is applied to, and what its result is called.
  private struct Form {
    let operation: String
    let argument: ElementPolynomial
    let approximation: String
  }

  private static let forms = [
    Form(
      operation: "Erf", argument: ElementPolynomial(x: [1: 0.707_106_781]), approximation: "none"),
    Form(
      operation: "Tanh", argument: ElementPolynomial(x: [1: 0.797_884_561, 3: 0.035_677_408]),
      approximation: "tanh"),
  ]
  /// x / 2 + x t / 2, where t is the result of the function.
  private static let result = ElementPolynomial.x.scaled(by: 0.5) * (.one + .t)

  static func apply(to graph: inout Graph) {
    // Before that version, two tensors of different shapes may be combined in other ways.
    guard graph.opsets[""] ?? 1 >= 7 else { return }
    let view = GraphView(graph)
    var rewrite = GraphRewrite()
    for (index, node) in graph.nodes.enumerated() where node.domain.isEmpty {
      guard let form = forms.first(where: { $0.operation == node.operation }),
        let match = match(index, node, form, view)
      else { continue }
      var fused = graph.nodes[match.last]
      fused.operation = "Gelu"
      fused.domain = OperatorDomain.fused
      fused.inputs = [match.input]
      fused.attributes = ["approximate": .string(form.approximation)]
      rewrite.replace(match.last, by: fused, obsolete: match.nodes)
    }
    rewrite.apply(to: &graph)
  }

  private static func match(
    _ index: Int, _ node: Graph.Node, _ form: Form, _ view: GraphView
  ) -> (input: Graph.Value, last: Int, nodes: [Int])? {
    guard node.inputs.count == 1, let argument = node.inputs[0], let function = node.outputs[0]
    else { return nil }
    for x in view.sources(of: argument) {
      let inside = ElementExpression(view, x: x, t: nil)
      guard let (polynomial, nodes) = inside.polynomial(argument),
        polynomial.isClose(to: form.argument)
      else { continue }
      return match(after: index, function, of: x, nodes + [index], view)
    }
    return nil
  }

  /// The rest of the match from the function's result on.
  private static func match(
    after index: Int, _ function: Graph.Value, of x: Graph.Value, _ before: [Int], _ view: GraphView
  ) -> (input: Graph.Value, last: Int, nodes: [Int])? {
    let outside = ElementExpression(view, x: x, t: function)
    var nodes = before
    var value = function
    for _ in 0..<4 {
      guard let next = view.onlyUser(of: value, "Add", "Mul", "Div"),
        let output = next.node.outputs[0], let (polynomial, parts) = outside.polynomial(output)
      else { return nil }
      nodes += parts
      if polynomial.isClose(to: result) { return (x, next.index, nodes) }
      value = output
    }
    return nil
  }
}
