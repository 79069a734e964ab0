import RunnerGraph
import RunnerLayouts

extension GraphPass {
  static let squeezeExciteFusion = GraphPass("squeeze-excite-fusion", after: ["channel-blocking"]) {
    graph, _ in
    SqueezeExciteFusion.apply(to: &graph)
  }
}

/// Recognizes squeeze-and-excitation on blocks.
///
/// It is the mean of each channel, two products of these, and each channel times its result (Hu et
/// al., "Squeeze-and-excitation networks", 2018). Four nodes become one: the values between them
/// are one number per channel, which takes less time to compute than to start a node. If the image
/// itself is added to the result, as in feature pyramids, the sum is included.
struct SqueezeExciteFusion {
  static let operation = SqueezeExcite.operation

  private let view: GraphView

  static func apply(to graph: inout Graph) {
    let pass = SqueezeExciteFusion(view: GraphView(graph))
    GraphRewrite.replaceNodes(of: &graph, pass.replacement)
  }

  /// An image and the nodes that compute the factors of its channels.
  private struct Gate {
    let source: Graph.Value
    let form: ChannelBlocks?
    let reduce: Graph.Node
    let expand: Graph.Node
    let obsolete: [Int]
  }

  /// The node that replaces `node`, and the nodes that are then obsolete.
  private func replacement(for node: Graph.Node) -> (node: Graph.Node, obsolete: [Int])? {
    if let gate = gate(node) {
      // The sum includes it.
      guard !isAdded(node.outputs[0], to: gate.source) else { return nil }
      return fused(node, gate, addsInput: false)
    }
    guard isPlain(node, "Add") else { return nil }
    for (source, product) in [(0, 1), (1, 0)] {
      guard let value = node.inputs[product], view.isUsedOnce(value),
        let found = view.producer(of: value, "Mul", in: OperatorDomain.blocks),
        let gate = gate(found.node), gate.source == node.inputs[source],
        let fused = fused(node, gate, addsInput: true)
      else { continue }
      return (fused.node, fused.obsolete + [found.index])
    }
    return nil
  }

  private func isPlain(_ node: Graph.Node, _ operation: String) -> Bool {
    node.domain == OperatorDomain.blocks && node.operation == operation
      && node.fused.activation == nil && node.inputs.count == 2
  }

  private func isAdded(_ product: Graph.Value?, to source: Graph.Value) -> Bool {
    guard let product, view.isUsedOnce(product) else { return false }
    let user = view.graph.nodes[view.users[product][0]]
    return isPlain(user, "Add") && view.other(than: product, in: user) == source
  }

  private func fused(
    _ last: Graph.Node, _ gate: Gate, addsInput: Bool
  ) -> (node: Graph.Node, obsolete: [Int])? {
    guard let form = last.fused.blocks?.output else { return nil }
    let node = Graph.Node(
      name: last.name, operation: Self.operation, domain: OperatorDomain.blocks,
      inputs: [gate.source] + operands(of: gate.reduce) + operands(of: gate.expand),
      outputs: last.outputs, attributes: addsInput ? ["residual": .int(1)] : [:],
      fused: FusedOperation(
        activation: gate.expand.fused.activation, innerActivation: gate.reduce.fused.activation,
        layout: .blocks(BlockedForms(inputs: [gate.form, nil, nil, nil, nil], output: form))))
    return (node, gate.obsolete)
  }

  /// The operands of `product`, if it is the last of the four nodes.
  private func gate(_ product: Graph.Node) -> Gate? {
    guard isPlain(product, "Mul") else { return nil }
    for (image, factor) in [(0, 1), (1, 0)] {
      guard let source = product.inputs[image], let factors = product.inputs[factor],
        let form = product.fused.blocks?.inputs[image], let expand = pointwise(factors),
        let hidden = expand.node.inputs[0], let reduce = pointwise(hidden),
        let means = reduce.node.inputs[0],
        view.isUsedOnce(means),
        let mean = view.producer(
          of: means, "ReduceMean", "GlobalAveragePool", in: OperatorDomain.blocks),
        mean.node.inputs[0] == source
      else { continue }
      return Gate(
        source: source, form: form, reduce: reduce.node, expand: expand.node,
        obsolete: [mean.index, reduce.index, expand.index])
    }
    return nil
  }

  /// Weights and bias.
  private func operands(of node: Graph.Node) -> [Graph.Value?] {
    [node.inputs[1], node.inputs.count > 2 ? node.inputs[2] : nil]
  }

  /// The 1x1 convolution that makes `value`.
  private func pointwise(_ value: Graph.Value) -> (index: Int, node: Graph.Node)? {
    guard view.isUsedOnce(value),
      let found = view.producer(of: value, "Conv", in: OperatorDomain.blocks),
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
