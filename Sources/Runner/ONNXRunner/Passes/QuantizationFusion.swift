import RunnerGraph
import RunnerTensors

extension GraphPass {
  static let quantizationFusion = GraphPass("quantization-fusion") { graph, _ in
    QuantizationFusion.apply(to: &graph)
  }
}

/// Turns float operators between DequantizeLinear and QuantizeLinear into operators on 8-bit
/// numbers.
///
/// Convolutions, matrix products (with the bias added after them), sums, products, concatenations
/// and movements become the operators for quantised numbers. A function of one 8-bit number,
/// computed by any number of nodes, becomes a table of 256. The nodes' own kernels compute the
/// table, so that its results do not change. Results of products may differ by one step if a float
/// sum and an integer one round differently, and a bias is rounded to the scale of the sums. Nodes
/// that nothing needs any more are left to ``DeadCode``.
struct QuantizationFusion {
  /// The domain of nodes that have no operator in any other domain; files cannot use it.
  static let domain = OperatorDomain.quantized

  static func apply(to graph: inout Graph) {
    guard
      graph.nodes.contains(where: {
        $0.operation == "DequantizeLinear" || $0.domain == OperatorDomain.runtime
      })
    else { return }
    var pass = QuantizationFusion(graph: graph)
    pass.run()
    graph = pass.graph
  }

  /// The result of some nodes for each of the 256 numbers of the 8-bit value at their root.
  struct Codes {
    var root: Graph.Value
    var values: Tensor
  }

  /// A float value that represents an 8-bit one.
  struct Source {
    var value: Graph.Value
    var scale: Graph.Value
    var zero: Graph.Value
    var type: ElementType
  }

  var graph: Graph
  /// The known functions of one 8-bit number.
  var codes: [Graph.Value: Codes] = [:]
  /// The 8-bit values that float values represent.
  private var sources: [Graph.Value: Source] = [:]
  /// The producers in the given graph.
  let producers: [Int]
  let uses: [Int]
  /// The memory of kernels that compute tables and biases.
  let pool = BufferPool(limit: 64 << 20)
  let threads = ThreadPool(threadCount: 1)

  private init(graph: Graph) {
    self.graph = graph
    producers = graph.producers()
    uses = graph.useCounts()
  }

  private mutating func run() {
    let given = graph.nodes
    var nodes: [Graph.Node] = []
    for node in given {
      if node.domain.isEmpty, node.operation == "DequantizeLinear" { note(node) }
      follow(node)
      if node.domain.isEmpty, node.operation == "QuantizeLinear", let made = fused(node, given) {
        nodes += made
      } else if node.domain == OperatorDomain.runtime, let made = tabulated(node) {
        nodes.append(made)
      } else {
        nodes.append(node)
      }
    }
    graph.nodes = nodes
    pool.trim()
  }

  // MARK: What the nodes read

  func input(_ index: Int, of node: Graph.Node) -> Graph.Value? {
    index < node.inputs.count ? node.inputs[index] : nil
  }

  /// One `float32` number at an index, and one number of an 8-bit type after it.
  func range(_ index: Int, of node: Graph.Node) -> (scale: Tensor, zero: Tensor)? {
    guard let scale = graph.constant(index, of: node), scale.elementType == .float32,
      scale.count == 1,
      let zero = graph.constant(index + 1, of: node), zero.count == 1,
      zero.elementType == .int8 || zero.elementType == .uint8
    else { return nil }
    return (scale, zero)
  }

  /// Records which 8-bit value a float one represents.
  private mutating func note(_ node: Graph.Node) {
    guard let (_, zero) = range(1, of: node), let value = node.inputs[0],
      let scale = node.inputs[1], let zeroValue = node.inputs[2], let output = node.outputs.first,
      let output
    else { return }
    sources[output] = Source(
      value: value, scale: scale, zero: zeroValue, type: zero.elementType)
  }

  /// The 8-bit value that a float one represents.
  func source(of value: Graph.Value) -> Source? { sources[value] }

  /// The 8-bit value that an input represents.
  func source(_ index: Int, of node: Graph.Node) -> Source? {
    input(index, of: node).flatMap { sources[$0] }
  }

  // MARK: Nodes before a QuantizeLinear

  /// The nodes that compute 8-bit numbers directly, in the place of a QuantizeLinear.
  private mutating func fused(_ node: Graph.Node, _ given: [Graph.Node]) -> [Graph.Node]? {
    guard let (scale, zero) = range(1, of: node), let value = node.inputs[0],
      let output = node.outputs.first, let output,
      scale.pointer(to: Float.self)[0] > 0, scale.pointer(to: Float.self)[0].isFinite
    else { return nil }
    if let table = lookup(output, name: node.name) { return [table] }
    guard producers[value] >= 0, uses[value] == 1 else { return nil }
    var producer = given[producers[value]]
    guard producer.domain.isEmpty, producer.captures.isEmpty, producer.outputs.count == 1 else {
      return nil
    }
    // A clamp after a product is the same clamp on its quantised result.
    var limit: Graph.Node?
    if producer.operation == "Relu" || producer.operation == "Clip",
      let before = producer.inputs[0], producers[before] >= 0, uses[before] == 1,
      producer.inputs.dropFirst().allSatisfy({ $0.map { graph.constants[$0] != nil } ?? true })
    {
      limit = producer
      producer = given[producers[before]]
      guard producer.domain.isEmpty, producer.outputs.count == 1 else { return nil }
    }
    let target = limit == nil ? output : graph.addValue(named: graph.names[output] + "/unlimited")
    let result = Result(
      name: node.name, value: target, scale: node.inputs[1] ?? 0, zero: node.inputs[2] ?? 0,
      type: zero.elementType)
    guard var made = rewritten(producer, given, result) else { return nil }
    if let limit {
      // The results of the clamp for the 256 numbers.
      guard let table = limited(limit, by: node, scale: scale, zero: zero) else { return nil }
      let tableValue = graph.addValue(named: node.name + "/table")
      graph.constants[tableValue] = table
      made.append(
        Graph.Node(
          name: node.name, operation: "Lookup", domain: Self.domain,
          inputs: [target, tableValue], outputs: [output]))
    }
    return made
  }

  /// The result of the rewritten node.
  struct Result {
    var name: String
    var value: Graph.Value
    var scale: Graph.Value
    var zero: Graph.Value
    var type: ElementType
  }

  /// The nodes that compute the quantised result of `node` from quantised inputs.
  private mutating func rewritten(
    _ node: Graph.Node, _ given: [Graph.Node], _ result: Result
  ) -> [Graph.Node]? {
    switch node.operation {
    case "Conv": return convolution(node, result)
    case "MatMul": return product(node, bias: nil, result)
    case "Gemm": return gemm(node, result)
    case "Add":
      return arithmetic(node, "QLinearAdd", result) ?? biased(node, given, result)
    case "Mul": return arithmetic(node, "QLinearMul", result)
    case "Concat": return concat(node, result)
    case "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten", "Slice", "Resize", "MaxPool",
      "Gather", "Expand", "Upsample":
      return movement(node, result)
    case "GlobalAveragePool", "ReduceMean": return mean(node, result)
    default: return nil
    }
  }
}
