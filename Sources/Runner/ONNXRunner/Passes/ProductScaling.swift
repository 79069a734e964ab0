import RunnerGraph
import RunnerTensors

extension GraphPass {
  static let productScaling = GraphPass(
    "product-scaling", after: ["constant-folding", "half-widening"]
  ) { graph, _ in
    try ProductScaling(GraphView(graph)).apply(to: &graph)
  }
}

/// Folds batch normalization into the product with a known matrix before it.
///
/// The factors go into the matrix's columns, and the shifts into the bias. A `MatMul` of sequences
/// is normalized as a matrix of all their rows. So there may be a node in between that changes the
/// shape of the tensor.
struct ProductScaling {
  private let view: GraphView
  private var removed: Set<Int> = []
  /// The sums after the products at these places.
  private var sums: [Int: Graph.Node] = [:]

  init(_ view: GraphView) {
    self.view = view
  }

  /// The places of a product, of its bias and of nodes that change the shape of the result.
  private struct Chain {
    var product: Int
    var sum: Int?
    var reshape: Int?
  }

  func apply(to graph: inout Graph) throws {
    var pass = self
    for (index, node) in view.graph.nodes.enumerated() {
      guard node.operation == "BatchNormalization", node.domain.isEmpty, node.inputs.count == 5,
        node.outputs.dropFirst().allSatisfy({ $0 == nil }), let output = node.outputs.first,
        let output, let parameters = AffineFolding.normalization(node, in: graph),
        let input = node.inputs[0],
        let chain = chain(to: input, columns: parameters.factors.count),
        try pass.fold(parameters, into: chain, of: &graph)
      else { continue }
      graph.nodes[chain.reshape ?? chain.sum ?? chain.product].outputs[0] = output
      pass.removed.insert(index)
    }
    guard !pass.removed.isEmpty else { return }
    graph.nodes = graph.nodes.enumerated().flatMap { index, node in
      pass.removed.contains(index) ? [] : [node] + (pass.sums[index].map { [$0] } ?? [])
    }
  }

  /// The nodes that compute `value`, a matrix of `columns` columns, if no other node reads their
  /// results.
  private func chain(to value: Graph.Value, columns: Int) -> Chain? {
    guard view.isUsedOnce(value) else { return nil }
    var value = value
    var reshape: Int?
    if let (index, node) = view.producer(of: value, "Reshape", "Flatten") {
      guard let source = node.inputs[0], isMatrix(node, columns: columns) else { return nil }
      reshape = index
      // Other nodes may read its shape, which does not change.
      guard !view.isElsewhere[source],
        view.users[source].allSatisfy({
          $0 == index || view.graph.nodes[$0].operation == "Shape"
        })
      else { return nil }
      value = source
    }
    var sum: Int?
    if reshape != nil, let (index, node) = view.producer(of: value, "Add"),
      let (source, _) = bias(of: node, columns: columns)
    {
      guard view.isUsedOnce(source) else { return nil }
      sum = index
      value = source
    }
    let found =
      reshape == nil
      ? view.producer(of: value, "Gemm") : view.producer(of: value, "MatMul", "Gemm")
    guard let (product, node) = found, node.fused.activation == nil,
      sum == nil || node.operation == "MatMul", let weights = view.graph.constant(1, of: node),
      weights.elementType == .float32, weights.rank == 2,
      weights.shape[isTransposed(node) ? 0 : 1] == columns, weights.count > 0,
      node.inputs[0].map({ view.graph.constants[$0] == nil }) == true
    else { return nil }
    return Chain(product: product, sum: sum, reshape: reshape)
  }

  /// Whether a node gives a matrix of `columns` columns.
  private func isMatrix(_ node: Graph.Node, columns: Int) -> Bool {
    // Other results of flattening do not fit the normalization.
    guard node.operation == "Reshape" else { return node.attributes["axis"]?.int != 0 }
    guard node.inputs.count == 2, let shape = view.integers(node.inputs[1]) else { return false }
    return shape.count == 2 && shape[1] == columns
  }

  /// The input to which a node adds a known row of `columns` columns, and the row.
  private func bias(
    of node: Graph.Node, columns: Int
  ) -> (source: Graph.Value, row: Graph.Value)? {
    guard node.inputs.count == 2, let first = node.inputs[0], let second = node.inputs[1],
      view.graph.opsets[""] ?? 1 >= 7
    else { return nil }
    for (source, row) in [(first, second), (second, first)] {
      if let tensor = view.graph.constants[row], tensor.elementType == .float32,
        tensor.shape == [columns]
      {
        return (source, row)
      }
    }
    return nil
  }

  private func isTransposed(_ node: Graph.Node) -> Bool {
    node.operation == "Gemm" && node.attributes["transB"]?.int ?? 0 != 0
  }

  /// Whether the parameters are in the product now.
  private mutating func fold(
    _ parameters: AffineFolding.Parameters, into chain: Chain, of graph: inout Graph
  ) throws -> Bool {
    let node = graph.nodes[chain.product]
    guard let weightValue = node.inputs[1], let weights = graph.constants[weightValue],
      let output = node.outputs[0]
    else { return false }
    let columns = parameters.factors.count
    var known = [Double](repeating: 0, count: columns)
    if let sum = chain.sum, let (_, row) = bias(of: graph.nodes[sum], columns: columns) {
      known = try graph.constants[row]?.array(of: Float.self).map(Double.init) ?? known
    } else if node.operation == "Gemm", node.inputs.count > 2, let addend = node.inputs[2] {
      guard let tensor = graph.constants[addend], tensor.elementType == .float32,
        tensor.shape == [columns]
      else { return false }
      var beta: Float = 1
      if case .float(let given)? = node.attributes["beta"] { beta = given }
      known = try tensor.array(of: Float.self).map { Double($0) * Double(beta) }
    }
    let shift = graph.addValue(named: node.name + "/bias")
    graph.constants[shift] = try Tensor(
      shape: [columns],
      (0..<columns).map { Float(known[$0] * parameters.factors[$0] + parameters.shifts[$0]) })
    let scaled = graph.addValue(named: graph.names[weightValue] + "/scaled")
    graph.constants[scaled] = scale(weights, parameters.factors, isRow: isTransposed(node))
    graph.nodes[chain.product].inputs[1] = scaled
    if let sum = chain.sum {
      let source = node.outputs[0]
      graph.nodes[sum].inputs = [source, shift]
    } else if node.operation == "Gemm" {
      graph.nodes[chain.product].inputs = [node.inputs[0], scaled, shift]
      graph.nodes[chain.product].attributes["beta"] = nil
    } else {
      let product = graph.addValue(named: node.name + "/product")
      graph.nodes[chain.product].outputs[0] = product
      sums[chain.product] = Graph.Node(
        name: node.name + "/sum", operation: "Add", domain: "", inputs: [product, shift],
        outputs: [output], attributes: [:])
    }
    return true
  }

  /// The matrix with its columns, or its rows, multiplied by the factors.
  private func scale(_ weights: Tensor, _ factors: [Double], isRow: Bool) -> Tensor {
    let columns = weights.shape[1]
    // Packing reads them once, so there is no need to keep them in memory.
    let storage = TensorStorage(byteCount: weights.byteCount) { bytes in
      let original = weights.readyForOneUse()
      let source = original.pointer(to: Float.self)
      let target = bytes.assumingMemoryBound(to: Float.self)
      for index in 0..<weights.count {
        let factor = factors[isRow ? index / columns : index % columns]
        target[index] = Float(Double(source[index]) * factor)
      }
      withExtendedLifetime(original) {}
      weights.releasePages()
    }
    return Tensor(
      elementType: .float32, shape: weights.shape, count: weights.count, storage: storage)
  }
}
