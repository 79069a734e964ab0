import RunnerGraph
import RunnerTensors

extension GraphPass {
  /// Without this pass, one plan serves inputs of all shapes.
  static let shapeFolding = GraphPass("shape-folding", after: ["constant-folding"]) {
    graph, settings in
    ShapeFolding.apply(
      to: &graph, inputs: settings.inputs ?? [], within: settings.memoryLimit)
  }
}

/// Computes values that depend on shapes alone, and drops nodes that change nothing.
///
/// It needs the inputs' shapes. `Shape` and `Size` become constants, and so do the values that are
/// computed from them. Three kinds of nodes are dropped: a `Reshape` to the tensor's own shape, a
/// `Slice` of the whole tensor, and a `Transpose` that keeps the order. Subgraphs do not change.
enum ShapeFolding {
  /// Folds shapes; `inputs` are the types and shapes of the graph's inputs, in their order.
  static func apply(
    to graph: inout Graph, inputs: [ValueFact], within limit: Int = ConstantFolding.memoryLimit
  ) {
    let pool = BufferPool(limit: max(0, min(limit, ConstantFolding.memoryLimit)))
    let threads = ThreadPool(threadCount: 1)
    var inference = ShapeInference(graph, inputs: inputs)
    var stands: [Graph.Value: Graph.Value] = [:]
    var kept: [Graph.Node] = []
    for node in graph.nodes {
      var node = node
      if !stands.isEmpty {
        node.inputs = node.inputs.map { value in value.map { stands[$0] ?? $0 } }
        node.captures = node.captures.map { stands[$0] ?? $0 }
      }
      if let tensor = shapeTensor(of: node, inference), let output = node.outputs[0] {
        graph.constants[output] = tensor
      } else if !ConstantFolding.fold(node, in: &graph, pool, threads) {
        inference.visit(node, in: graph)
        guard let output = node.outputs.first, let output,
          let input = unchanged(by: node, in: graph, inference)
        else {
          kept.append(node)
          continue
        }
        stands[output] = input
        continue
      }
      for output in node.outputs {
        if let output, let tensor = graph.constants[output] {
          inference.set(ValueFact(tensor), of: output)
        }
      }
    }
    graph.nodes = kept
    graph.outputs = graph.outputs.map { stands[$0] ?? $0 }
    graph.facts = inference.facts
    pool.trim()
  }

  /// The result of a node that returns a shape or a size, if it is known.
  private static func shapeTensor(of node: Graph.Node, _ inference: ShapeInference) -> Tensor? {
    guard node.domain.isEmpty, node.outputs.count == 1, let input = node.inputs.first, let input,
      let shape = inference.facts[input]?.shape
    else { return nil }
    switch node.operation {
    case "Size": return Tensor(scalar: Int64(shape.reduce(1, *)))
    case "Shape":
      func position(_ name: String, _ fallback: Int) -> Int {
        guard case .int(let index)? = node.attributes[name] else { return fallback }
        return min(max(index < 0 ? index &+ shape.count : index, 0), shape.count)
      }
      let first = position("start", 0)
      let last = max(position("end", shape.count), first)
      let extents = shape[first..<last].map { Int64($0) }
      return try? Tensor(shape: [extents.count], extents)
    default: return nil
    }
  }

  /// The input that is equal to the node's only output; nil if there is none.
  private static func unchanged(
    by node: Graph.Node, in graph: Graph, _ inference: ShapeInference
  ) -> Graph.Value? {
    guard node.domain.isEmpty, node.captures.isEmpty, let input = node.inputs.first, let input,
      node.outputs.dropFirst().allSatisfy({ $0 == nil }), let output = node.outputs[0]
    else { return nil }
    if node.operation == "Identity" { return input }
    guard let before = inference.facts[input], let after = inference.facts[output],
      before == after
    else { return nil }
    func integers(_ index: Int) -> [Int]? {
      guard index < node.inputs.count, let value = node.inputs[index] else { return nil }
      return (try? graph.constants[value]?.array(of: Int64.self))?.map { Int($0) }
    }
    switch node.operation {
    case "Cast", "CastLike", "Reshape", "Flatten", "Squeeze", "Expand", "Tile": return input
    case "Concat", "Sum", "Max", "Min":
      return node.inputs.count == 1 ? input : nil
    case "Slice":
      guard node.inputs.count > 4, node.inputs[4] != nil else { return input }
      return integers(4)?.allSatisfy { $0 > 0 } == true ? input : nil
    case "Transpose":
      guard case .ints(let order)? = node.attributes["perm"] else {
        return before.shape.count < 2 ? input : nil
      }
      let moved = order.filter { before.shape[$0] != 1 }
      return moved == moved.sorted() ? input : nil
    default: return nil
    }
  }
}
