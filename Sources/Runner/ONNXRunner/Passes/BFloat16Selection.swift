import RunnerGraph
import RunnerLayouts
import _RunnerKernels

extension GraphPass {
  static let bfloat16Selection = GraphPass(
    "bfloat16-selection", after: ["channel-blocking", "squeeze-excite-fusion"]
  ) { graph, settings in
    guard settings.computesInBFloat16 else { return }
    BFloat16Selection.apply(
      to: &graph, usesWinograd: settings.usesWinograd)
  }
}

/// Lets convolutions on blocks and products with known matrices use `bfloat16` operands.
///
/// Convolutions that Winograd's method computes stay in `float32` without AMX: the method saves
/// more than narrow products would, and its transforms would lose too much precision. AMX computes
/// sixteen times as many products. Convolutions with few input channels stay in `float32` too.
enum BFloat16Selection {
  /// The domain of the nodes that this pass makes; files cannot use it.
  static let domain = OperatorDomain.bfloat16

  /// Whether the processor multiplies `bfloat16` faster than `float32`.
  ///
  /// Processors with AMX do. AVX512_BF16 alone is not enough: Intel's processors finish half as many
  /// products with it as with those for `float32`, AMD's (Zen 4 and later) twice as many.
  static var isFaster: Bool { rk_bf16_is_faster() != 0 }

  static func apply(to graph: inout Graph, usesWinograd: Bool) {
    let uses = graph.useCounts()
    var producers = graph.producers()
    var removed: Set<Int> = []
    for index in graph.nodes.indices {
      let node = graph.nodes[index]
      if isConvolution(node, in: graph, usesWinograd: usesWinograd) {
        graph.nodes[index].domain = domain
      } else if isProduct(node, in: graph) {
        graph.nodes[index].domain = domain
      } else if node.operation == "Add", node.domain.isEmpty, node.inputs.count == 2,
        let (producer, vector) = addend(node, in: graph, producers, uses)
      {
        // The sum moves to the place of the product, which comes earlier.
        graph.nodes[producer].inputs.append(vector)
        graph.nodes[producer].outputs = node.outputs
        if let output = node.outputs[0] { producers[output] = producer }
        removed.insert(index)
      } else if let (producer, activation) = activation(node, in: graph, producers, uses) {
        // As a separate node it would take as much memory again as the product's result.
        graph.nodes[producer].fused.activation = activation
        graph.nodes[producer].outputs = node.outputs
        if let output = node.outputs[0] { producers[output] = producer }
        removed.insert(index)
      }
    }
    graph.nodes = graph.nodes.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
  }

  private static func isConvolution(
    _ node: Graph.Node, in graph: Graph, usesWinograd: Bool
  ) -> Bool {
    guard node.domain == OperatorDomain.blocks, node.operation == "Conv",
      let forms = node.fused.blocks,
      let input = forms.inputs.first, let input, forms.output != nil,
      input.channels % ChannelBlocks.width == 0, (2...4).contains(node.inputs.count),
      let weights = node.inputs[1].flatMap({ graph.constants[$0] }), weights.rank == 4,
      weights.shape[1] == input.channels,
      // Its kernel reads all of the padding.
      let reach = node.margin(kernel: Array(weights.shape[2...])),
      reach.union(input.margin) == input.margin
    else { return false }
    return rk_bf16_uses_tiles() != 0
      || !(usesWinograd
        && BlockedConvolution.usesWinograd(
          weights.shape, strides: node.attributes["strides"]?.ints,
          dilations: node.attributes["dilations"]?.ints))
  }

  private static func isProduct(_ node: Graph.Node, in graph: Graph) -> Bool {
    guard node.domain.isEmpty, node.operation == "MatMul", node.inputs.count == 2,
      let left = node.inputs[0], graph.constants[left] == nil,
      let matrix = node.inputs[1].flatMap({ graph.constants[$0] })
    else { return false }
    return matrix.elementType == .float32 && matrix.rank == 2 && matrix.count > 0
      && matrix.shape[0] % 2 == 0
  }

  /// The product that a node applies an activation to, if no other node reads it.
  private static func activation(
    _ node: Graph.Node, in graph: Graph, _ producers: [Int], _ uses: [Int]
  ) -> (producer: Int, activation: Activation)? {
    guard node.outputs.count == 1, let value = node.inputs.first, let value, uses[value] == 1,
      producers[value] >= 0,
      let activation = ActivationFusion.activation(of: node, in: graph)
    else { return nil }
    let producer = graph.nodes[producers[value]]
    guard producer.domain == domain, producer.operation == "MatMul",
      producer.fused.activation == nil
    else { return nil }
    return (producers[value], activation)
  }

  /// The product that a node adds a known vector to, if no other node reads it.
  private static func addend(
    _ node: Graph.Node, in graph: Graph, _ producers: [Int], _ uses: [Int]
  ) -> (producer: Int, vector: Graph.Value)? {
    for (value, other) in [(node.inputs[0], node.inputs[1]), (node.inputs[1], node.inputs[0])] {
      guard let value, let other, uses[value] == 1, producers[value] >= 0,
        let vector = graph.constants[other]
      else { continue }
      let producer = graph.nodes[producers[value]]
      guard producer.domain == domain, producer.operation == "MatMul", producer.inputs.count == 2,
        producer.fused.activation == nil,
        let matrix = producer.inputs[1].flatMap({ graph.constants[$0] }),
        vector.elementType == .float32, vector.shape == [matrix.shape[1]]
      else { continue }
      return (producers[value], other)
    }
    return nil
  }
}
