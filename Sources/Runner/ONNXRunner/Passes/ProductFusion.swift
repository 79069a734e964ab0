import RunnerGraph
import RunnerNetworkOperators
import RunnerTensors

extension GraphPass {
  /// Products in attention or before a GELU are found first.
  ///
  /// Products that will use `bfloat16` have kernels of their own.
  static let productFusion = GraphPass(
    "product-fusion", after: ["attention-fusion", "gelu-fusion", "product-scaling"]
  ) { graph, settings in
    if !settings.computesInBFloat16 { try ProductFusion.apply(to: &graph) }
  }
}

/// Gives products with a known right matrix a kernel that keeps the matrix packed.
///
/// The kernel can also add the bias, apply the activation and add the residual that follow. The new
/// node takes the left matrix, the right one, the bias and the residual. The last two may be left
/// out.
struct ProductFusion {
  static let operation = PackedProduct.operation

  private let view: GraphView
  /// Nil outside loops.
  private let invariants: LoopInvariants?
  private var rewrite = GraphRewrite()
  /// Nodes that are part of a product already.
  private var taken: Set<Int> = []

  static func apply(to graph: inout Graph) throws {
    var pass = ProductFusion(view: GraphView(graph))
    for (index, node) in graph.nodes.enumerated() where node.domain.isEmpty {
      pass.visit(index, node)
    }
    pass.rewrite.apply(to: &graph)
    for (index, node) in graph.nodes.enumerated() where node.operation == operation {
      // Biases that are not in the file are added now, because there is a graph for them.
      guard case .floats(let values)? = node.attributes["bias"] else { continue }
      let bias = graph.addValue(named: node.name + "/bias")
      graph.constants[bias] = try Tensor(shape: [values.count], values)
      graph.nodes[index].inputs[2] = bias
      graph.nodes[index].attributes["bias"] = nil
    }
  }

  private init(view: GraphView) {
    self.view = view
    invariants = LoopInvariants(of: view.graph)
  }

  private mutating func visit(_ index: Int, _ node: Graph.Node) {
    guard var fused = product(node), let columns = columns(of: node) else { return }
    var last = index
    var output = node.outputs[0]
    var nodes = [index]
    func isFree(_ index: Int) -> Bool { !taken.contains(index) }
    func go(to next: Int) {
      last = next
      output = view.graph.nodes[next].outputs[0]
      nodes.append(next)
    }
    if fused.inputs[2] == nil, fused.attributes["bias"] == nil, let value = output,
      let (next, sum) = view.onlyUser(of: value, "Add"), isFree(next),
      let bias = view.other(than: value, in: sum), let tensor = view.graph.constants[bias],
      tensor.elementType == .float32, tensor.shape == [columns]
    {
      fused.inputs[2] = bias
      go(to: next)
    }
    if let (activation, following) = activation(after: output), following.allSatisfy(isFree) {
      fused.fused.activation = activation
      following.forEach(go)
    }
    if let value = output, let (next, sum) = view.onlyUser(of: value, "Add"), isFree(next),
      let residual = view.other(than: value, in: sum), residual != value,
      !isComputedOnce(node, without: residual)
    {
      fused.inputs[3] = residual
      go(to: next)
      if fused.fused.activation == nil, let (activation, following) = activation(after: output),
        following.allSatisfy(isFree)
      {
        fused.fused.activation = activation
        fused.attributes["residual_first"] = .int(1)
        following.forEach(go)
      }
    }
    while fused.inputs.last == .some(nil), fused.attributes["bias"] == nil {
      fused.inputs.removeLast()
    }
    fused.outputs = [output]
    taken.formUnion(nodes)
    rewrite.replace(last, by: fused, obsolete: nodes)
  }

  /// Whether a product is the same in every turn of a loop, and the sum with `residual` is not.
  private func isComputedOnce(_ product: Graph.Node, without residual: Graph.Value) -> Bool {
    guard let invariants, let result = product.outputs[0] else { return false }
    return invariants.contains(result) && !invariants.contains(residual)
  }

  /// The node with nothing fused to it yet; nil if it is not a product that can be packed.
  private func product(_ node: Graph.Node) -> Graph.Node? {
    guard node.operation == "MatMul" || node.operation == "Gemm", node.outputs.count == 1,
      node.fused.activation == nil, let weights = view.graph.constant(1, of: node),
      weights.elementType == .float32, weights.rank == 2, weights.count > 0,
      node.inputs[0].map({ view.graph.constants[$0] == nil }) == true
    else { return nil }
    var fused = node
    fused.operation = Self.operation
    fused.domain = OperatorDomain.fused
    fused.inputs = [node.inputs[0], node.inputs[1], nil, nil]
    guard node.operation == "Gemm" else { return fused }
    fused.attributes["matrix"] = .int(1)
    guard node.inputs.count > 2, let addend = node.inputs[2] else { return fused }
    var beta: Float = 1
    if case .float(let given)? = node.attributes["beta"] { beta = given }
    if beta == 0 { return fused }
    guard let columns = columns(of: node), let tensor = view.graph.constants[addend],
      tensor.elementType == .float32, tensor.rank <= 2,
      tensor.rank < 2 || tensor.shape[0] == 1, tensor.count == 1 || tensor.count == columns
    else { return nil }
    if beta == 1, tensor.shape == [columns] {
      fused.inputs[2] = addend
    } else {
      guard let values = try? tensor.array(of: Float.self) else { return nil }
      fused.attributes["bias"] = .floats((0..<columns).map { values[$0 % values.count] * beta })
    }
    return fused
  }

  /// The number of columns of the right matrix.
  private func columns(of node: Graph.Node) -> Int? {
    guard let weights = view.graph.constant(1, of: node), weights.rank == 2 else { return nil }
    if case .int(let transposes)? = node.attributes["transB"], transposes != 0 {
      return weights.shape[0]
    }
    return weights.shape[1]
  }

  /// The activation that is the only user of `value`, and its nodes in order.
  private func activation(after value: Graph.Value?) -> (Activation, [Int])? {
    guard let value, !view.isElsewhere[value] else { return nil }
    let users = view.users[value]
    if users.count == 1 {
      let node = view.graph.nodes[users[0]]
      guard node.outputs.count == 1, node.outputs[0] != nil else { return nil }
      return ActivationFusion.activation(of: node, in: view.graph).map { ($0, users) }
    }
    return ActivationFusion.silu(after: value, in: view)
  }
}
