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
/// and movements become the operators for quantised numbers. Whatever is a function of one 8-bit
/// number alone, however many nodes compute it, becomes a table of 256, computed by the nodes' own
/// kernels, so that its results stay as they are. Results of products may differ by one step where
/// a float sum and an integer one round apart, and a bias is rounded to the sums' scale. Nodes that
/// nobody needs any more are left to ``DeadCode``.
struct QuantizationFusion {
  /// The domain of what has no operator in any other; no file can name one of its nodes.
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

  /// What the 8-bit number at the root of some nodes becomes for each of the 256 numbers it can be.
  struct Codes {
    var root: Graph.Value
    var values: Tensor
  }

  /// A float value that stands for an 8-bit one.
  struct Source {
    var value: Graph.Value
    var scale: Graph.Value
    var zero: Graph.Value
    var type: ElementType
  }

  var graph: Graph
  /// What is known of functions of one 8-bit number.
  var codes: [Graph.Value: Codes] = [:]
  /// What float values stand for.
  private var sources: [Graph.Value: Source] = [:]
  /// Of the graph as it was given.
  let producers: [Int]
  let uses: [Int]
  /// For kernels that compute tables and biases.
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

  /// One number of `float32`, at index, and one of an 8-bit type after it.
  func range(_ index: Int, of node: Graph.Node) -> (scale: Tensor, zero: Tensor)? {
    guard let scale = graph.constant(index, of: node), scale.elementType == .float32,
      scale.count == 1,
      let zero = graph.constant(index + 1, of: node), zero.count == 1,
      zero.elementType == .int8 || zero.elementType == .uint8
    else { return nil }
    return (scale, zero)
  }

  /// Notes which 8-bit value a float one stands for.
  private mutating func note(_ node: Graph.Node) {
    guard let (_, zero) = range(1, of: node), let value = node.inputs[0],
      let scale = node.inputs[1], let zeroValue = node.inputs[2], let output = node.outputs.first,
      let output
    else { return }
    sources[output] = Source(
      value: value, scale: scale, zero: zeroValue, type: zero.elementType)
  }

  /// The 8-bit value that a float one stands for.
  func source(of value: Graph.Value) -> Source? { sources[value] }

  /// The 8-bit value that an input stands for.
  func source(_ index: Int, of node: Graph.Node) -> Source? {
    input(index, of: node).flatMap { sources[$0] }
  }

  // MARK: Nodes before a QuantizeLinear

  /// What computes 8-bit numbers at once, in the place of a QuantizeLinear.
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
    // A limit after a product is the same limit on its quantised result.
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
      // What the 256 numbers become by way of the limit.
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

  /// What the rewritten node gives.
  struct Result {
    var name: String
    var value: Graph.Value
    var scale: Graph.Value
    var zero: Graph.Value
    var type: ElementType
  }

  /// What gives the quantised result of `node` from quantised inputs.
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
