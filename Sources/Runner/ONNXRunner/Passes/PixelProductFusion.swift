import RunnerGraph
import RunnerTensors

extension GraphPass {
  static let pixelProductFusion = GraphPass(
    "pixel-product-fusion", after: ["constant-folding", "gelu-fusion"]
  ) { graph, _ in
    PixelProductFusion.apply(to: &graph)
  }
}

/// Makes a 1x1 convolution of a product with a known matrix between two transpositions.
///
/// The first transposition puts the channels of images last, and the second puts them back.
/// Attention that mixes its heads is written like this (Touvron et al., "Going deeper with image
/// transformers", 2021).
enum PixelProductFusion {
  static func apply(to graph: inout Graph) {
    let view = GraphView(graph)
    var rewrite = GraphRewrite()
    for index in graph.nodes.indices {
      let node = graph.nodes[index]
      guard node.domain.isEmpty, node.operation == "Transpose",
        node.attributes["perm"]?.ints == [0, 3, 1, 2], let last = node.inputs.first, let last,
        view.isUsedOnce(last), let found = product(before: last, in: view),
        let image = found.image, let matrix = graph.constants[found.matrix],
        let weights = transposed(matrix)
      else { continue }
      var convolution = node
      convolution.operation = "Conv"
      convolution.attributes = ["kernel_shape": .ints([1, 1])]
      let value = graph.addValue(named: node.name + "/weights")
      graph.constants[value] = weights
      convolution.inputs = [image, value] + (found.bias.map { [$0] } ?? [])
      rewrite.replace(index, by: convolution, obsolete: found.nodes)
    }
    rewrite.apply(to: &graph)
  }

  private struct Product {
    var image: Graph.Value?
    var matrix: Graph.Value
    var bias: Graph.Value?
    var nodes: [Int]
  }

  /// The product of a transposed image that gives `value`, possibly with a bias.
  private static func product(before value: Graph.Value, in view: GraphView) -> Product? {
    var (value, bias, nodes): (Graph.Value, Graph.Value?, [Int]) = (value, nil, [])
    if let (index, sum) = view.producer(of: value, "Add"), sum.inputs.count == 2 {
      guard let a = sum.inputs[0], let b = sum.inputs[1] else { return nil }
      let (product, vector) = view.graph.constants[a] == nil ? (a, b) : (b, a)
      guard view.graph.constants[vector]?.rank == 1, view.isUsedOnce(product) else { return nil }
      (value, bias) = (product, vector)
      nodes.append(index)
    }
    guard let (index, product) = view.producer(of: value, "MatMul"), product.inputs.count == 2,
      let left = product.inputs[0], let right = product.inputs[1], view.isUsedOnce(left),
      let matrix = view.graph.constants[right], matrix.elementType == .float32, matrix.rank == 2,
      matrix.count > 0,
      let (first, transposition) = view.producer(of: left, "Transpose"),
      transposition.attributes["perm"]?.ints == [0, 2, 3, 1]
    else { return nil }
    if let bias {
      guard let vector = view.graph.constants[bias], vector.elementType == .float32,
        vector.shape == [matrix.shape[1]]
      else { return nil }
    }
    return Product(
      image: transposition.inputs[0], matrix: right, bias: bias, nodes: nodes + [index, first])
  }

  /// A matrix [inputs, outputs] as weights [outputs, inputs, 1, 1].
  private static func transposed(_ matrix: Tensor) -> Tensor? {
    let (inputs, outputs) = (matrix.shape[0], matrix.shape[1])
    let source = matrix.pointer(to: Float.self)
    let values = (0..<outputs * inputs).map { source[$0 % inputs * outputs + $0 / inputs] }
    return try? Tensor(shape: [outputs, inputs, 1, 1], values)
  }
}
