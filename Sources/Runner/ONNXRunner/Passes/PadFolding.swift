import RunnerGraph
import RunnerTensors

extension GraphPass {
  static let padFolding = GraphPass("pad-folding", after: ["constant-folding", "half-widening"]) {
    graph, _ in
    PadFolding.apply(to: &graph)
  }
}

/// Lets a convolution add the zeros that a node before it adds around the image.
///
/// Networks from TensorFlow pad more on one side than on the other, and some exporters write that
/// as a node.
enum PadFolding {
  /// The greatest width of padding.
  private static let most = 1 << 10

  static func apply(to graph: inout Graph) {
    let view = GraphView(graph)
    var rewrite = GraphRewrite()
    for (index, node) in graph.nodes.enumerated() {
      guard node.domain.isEmpty, node.operation == "Conv", node.fused.activation == nil,
        ["NOTSET", ""].contains(node.attributes["auto_pad"]?.string ?? ""),
        node.inputs.count >= 2, let weights = graph.constant(1, of: node), weights.rank >= 3,
        let (padding, pad) = view.producer(of: node.inputs[0], "Pad"),
        let image = pad.inputs.first, let image,
        let widths = zeros(around: pad, rank: weights.rank, view)
      else { continue }
      let count = 2 * (weights.rank - 2)
      let own = node.attributes["pads"]?.ints ?? [Int](repeating: 0, count: count)
      guard own.count == count else { continue }
      let sums = zip(own, widths).map { $0.addingReportingOverflow($1) }
      guard sums.allSatisfy({ !$0.overflow && (0...most).contains($0.partialValue) }) else {
        continue
      }
      var folded = node
      folded.inputs[0] = image
      folded.attributes["pads"] = .ints(sums.map(\.partialValue))
      // Other nodes may read the padded image.
      rewrite.replace(index, by: folded, obsolete: [padding])
    }
    rewrite.apply(to: &graph)
  }

  /// The widths of a padding with zeros of height and width, begins before ends; nil for any other.
  private static func zeros(
    around pad: Graph.Node, rank: Int, _ view: GraphView
  ) -> [Int]? {
    guard pad.attributes["mode"]?.string ?? "constant" == "constant", pad.inputs.count <= 3,
      let pads = pad.inputs.count > 1 ? view.integers(pad.inputs[1]) : pad.attributes["pads"]?.ints,
      pads.count == 2 * rank, pads.allSatisfy({ (0...most).contains($0) }),
      [pads[0], pads[1], pads[rank], pads[rank + 1]] == [0, 0, 0, 0]
    else { return nil }
    if pad.inputs.count > 2, let value = pad.inputs[2], view.number(value) != 0 { return nil }
    if let value = pad.attributes["value"], case .float(let number) = value, number != 0 {
      return nil
    }
    return Array(pads[2..<rank]) + Array(pads[(rank + 2)...])
  }
}
