/// Recognizes squeeze-and-excitation on blocks: the mean of each channel, two products of these, and
/// each channel times its result (Hu et al., "Squeeze-and-excitation networks", 2018).
///
/// Four nodes become one: what lies between them is a number a channel, which is computed faster than
/// a node is started.
struct SqueezeExciteFusion {
  static let operation = "SqueezeExcite"

  private let view: GraphView

  static func apply(to graph: inout Graph) {
    let pass = SqueezeExciteFusion(view: GraphView(graph))
    GraphRewrite.replaceNodes(of: &graph, pass.gate)
  }

  /// The node that computes `product` at once, and those it makes needless.
  private func gate(_ product: Graph.Node) -> (node: Graph.Node, obsolete: [Int])? {
    guard product.domain == ChannelBlocking.domain, product.operation == "Mul",
      product.activation == nil, product.inputs.count == 2,
      let form = product.blocks?.output
    else { return nil }
    for (image, factor) in [(0, 1), (1, 0)] {
      guard let source = product.inputs[image], let factors = product.inputs[factor],
        let sourceForm = product.blocks?.inputs[image], let expand = pointwise(factors),
        let hidden = expand.node.inputs[0], let reduce = pointwise(hidden),
        let means = reduce.node.inputs[0],
        view.isUsedOnce(means),
        let mean = view.producer(
          of: means, "ReduceMean", "GlobalAveragePool", in: ChannelBlocking.domain),
        mean.node.inputs[0] == source
      else { continue }
      let node = Graph.Node(
        name: product.name, operation: Self.operation, domain: ChannelBlocking.domain,
        inputs: [source] + operands(of: reduce.node) + operands(of: expand.node),
        outputs: product.outputs, activation: expand.node.activation,
        innerActivation: reduce.node.activation,
        blocks: BlockedForms(inputs: [sourceForm, nil, nil, nil, nil], output: form))
      return (node, [mean.index, reduce.index, expand.index])
    }
    return nil
  }

  /// Weights and bias.
  private func operands(of node: Graph.Node) -> [Graph.Value?] {
    [node.inputs[1], node.inputs.count > 2 ? node.inputs[2] : nil]
  }

  /// The convolution of one pixel that makes `value`.
  private func pointwise(_ value: Graph.Value) -> (index: Int, node: Graph.Node)? {
    guard view.isUsedOnce(value),
      let found = view.producer(of: value, "Conv", in: ChannelBlocking.domain),
      found.node.inputs.count <= 3,
      let weights = view.graph.constant(1, of: found.node),
      weights.shape[2...].allSatisfy({ $0 == 1 })
    else { return nil }
    if case .int(let group)? = found.node.attributes["group"], group != 1 { return nil }
    for name in ["pads", "auto_pad"] {
      switch found.node.attributes[name] {
      case nil, .string("NOTSET")?, .string("VALID")?, .string("")?: continue
      case .ints(let pads)? where pads.allSatisfy({ $0 == 0 }): continue
      default: return nil
      }
    }
    return found
  }
}
