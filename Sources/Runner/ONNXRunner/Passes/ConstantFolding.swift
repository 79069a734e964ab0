import RunnerGraph
import RunnerTensors

extension GraphPass {
  /// Folded constants are no longer 8-bit numbers, so quantization comes first.
  static let constantFolding = GraphPass("constant-folding", after: ["quantization-fusion"]) {
    graph, settings in
    ConstantFolding.apply(to: &graph, within: settings.memoryLimit)
  }
}

/// Computes nodes whose inputs are all known, such as exporters' shape arithmetic.
enum ConstantFolding {
  /// Larger results are computed in each run, unless they are not larger than the inputs that they
  /// replace.
  static let resultLimit = 4 << 20

  /// The memory that folding may use at one time.
  static let memoryLimit = 256 << 20

  /// Folds constants; `limit` is the caller's limit if that is lower.
  static func apply(to graph: inout Graph, within limit: Int = memoryLimit) {
    let pool = BufferPool(limit: max(0, min(limit, memoryLimit)))
    let threads = ThreadPool(threadCount: 1)
    var kept: [Graph.Node] = []
    for node in graph.nodes where !fold(node, in: &graph, pool, threads) { kept.append(node) }
    graph.nodes = kept
    pool.trim()
  }

  /// Whether the node was computed.
  ///
  /// A node that cannot be computed now fails in a run, with its name.
  static func fold(
    _ node: Graph.Node, in graph: inout Graph, _ pool: BufferPool, _ threads: ThreadPool
  ) -> Bool {
    guard node.captures.isEmpty, !node.has(.random),
      !node.attributes.values.contains(where: \.holdsGraph)
    else { return false }
    var inputs: [Tensor?] = []
    for input in node.inputs {
      guard let input else {
        inputs.append(nil)
        continue
      }
      guard let tensor = graph.constants[input] else { return false }
      inputs.append(tensor)
    }
    let context = KernelContext(
      nodeName: node.name, operation: node.operation, pool: pool, threads: threads,
      isCancelled: nil)
    guard let kernel = try? node.kernel(in: graph),
      let results = try? kernel.run(inputs, in: context), results.count >= node.outputs.count
    else { return false }
    let inputBytes = inputs.reduce(0) { $0 + ($1?.byteCount ?? 0) }
    let resultBytes = results.reduce(0) { $0 + $1.byteCount }
    guard resultBytes <= max(resultLimit, inputBytes) else { return false }
    for (output, tensor) in zip(node.outputs, results) {
      if let output { graph.constants[output] = tensor }
    }
    return true
  }
}
