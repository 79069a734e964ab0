import RunnerGraph
import RunnerTensors

extension GraphPass {
  /// Constants that are folded are numbers of 8 bits no more, so that quantization comes before.
  static let constantFolding = GraphPass("constant-folding", after: ["quantization-fusion"]) {
    graph, settings in
    ConstantFolding.apply(to: &graph, within: settings.memoryLimit)
  }
}

/// Computes nodes whose inputs are all known, such as the shape arithmetic that exporters leave
/// behind.
enum ConstantFolding {
  /// Results larger than this stay to be computed in each run, unless they are no larger than the
  /// inputs they replace.
  static let resultLimit = 1 << 20

  /// Memory that folding may use at any one time.
  static let memoryLimit = 256 << 20

  /// `limit` is what the caller allows, where that is less.
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
  /// What cannot be computed now is left to fail, with its name, in a run.
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
