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
    var rewrite = GraphRewrite()
    for (index, node) in graph.nodes.enumerated() {
      guard let found = pass.gate(node) else { continue }
      rewrite.replace(index, by: found.node, obsolete: found.obsolete)
    }
    rewrite.apply(to: &graph)
  }

  /// The node that computes `product` at once, and those it makes needless.
  private func gate(_ product: Graph.Node) -> (node: Graph.Node, obsolete: [Int])? {
    guard isBlocked(product, "Mul"), product.activation == nil, product.inputs.count == 2,
      let form = product.blocks?.output
    else { return nil }
    for (image, factor) in [(0, 1), (1, 0)] {
      guard let source = product.inputs[image], let factors = product.inputs[factor],
        let sourceForm = product.blocks?.inputs[image], let expand = pointwise(factors),
        let hidden = expand.node.inputs[0], let reduce = pointwise(hidden),
        let means = reduce.node.inputs[0],
        let mean = producer(of: means, "ReduceMean", "GlobalAveragePool"),
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

  private func isBlocked(_ node: Graph.Node, _ operations: String...) -> Bool {
    node.domain == ChannelBlocking.domain && operations.contains(node.operation)
  }

  private func producer(
    of value: Graph.Value, _ operations: String...
  ) -> (index: Int, node: Graph.Node)? {
    guard view.isUsedOnce(value), view.producers[value] >= 0 else { return nil }
    let node = view.graph.nodes[view.producers[value]]
    guard node.domain == ChannelBlocking.domain, operations.contains(node.operation) else {
      return nil
    }
    return (view.producers[value], node)
  }

  /// The convolution of one pixel that makes `value`.
  private func pointwise(_ value: Graph.Value) -> (index: Int, node: Graph.Node)? {
    guard let found = producer(of: value, "Conv"), found.node.inputs.count <= 3,
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
