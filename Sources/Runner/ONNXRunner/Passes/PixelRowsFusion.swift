import RunnerGraph
import RunnerLayouts

extension GraphPass {
  static let pixelRowsFusion = GraphPass("pixel-rows-fusion", after: ["channel-blocking"]) {
    graph, _ in
    PixelRowsFusion.apply(to: &graph)
  }
}

/// Writes maps in blocks directly as the rows of one matrix, one row per pixel.
///
/// Detectors end like this: the maps of a scale are joined along their channels, height and width
/// become one dimension, the scales are joined along it, and channels become the last dimension. In
/// blocks the channels of a pixel lie side by side already. Shapes must be known, because a
/// `Reshape` could mean something else.
struct PixelRowsFusion {
  static let operation = PixelRows.operation

  private let view: GraphView

  static func apply(to graph: inout Graph) {
    let pass = PixelRowsFusion(view: GraphView(graph))
    GraphRewrite.replaceNodes(of: &graph) { node in
      guard let found = pass.maps(of: node) else { return nil }
      let inputs = found.maps.flatMap { $0 }
      let rows = Graph.Node(
        name: node.name, operation: operation, domain: OperatorDomain.blocks,
        inputs: inputs.map(\.value), outputs: node.outputs,
        attributes: ["parts": .ints(found.maps.map(\.count))],
        fused: FusedOperation(
          layout: .blocks(BlockedForms(inputs: inputs.map(\.form), output: nil))))
      return (rows, found.nodes)
    }
  }

  /// A value in blocks.
  private struct Part {
    var value: Graph.Value
    var form: ChannelBlocks
  }

  /// The nodes before a matrix of pixels: the parts of each map, and the nodes in between.
  private struct Found {
    var maps: [[Part]] = []
    var nodes: [Int] = []
  }

  /// The maps that become a matrix; `node` is the last node before it.
  private func maps(of node: Graph.Node) -> Found? {
    guard node.domain.isEmpty, node.operation == "Transpose",
      node.attributes["perm"]?.ints == [0, 2, 1], let input = node.inputs[0],
      view.isUsedOnce(input), let output = node.outputs[0], shape(output)?.count == 3
    else { return nil }
    var found = Found()
    guard let flat = parts(of: input, along: [2, -1], &found.nodes) else { return nil }
    for value in flat {
      guard view.isUsedOnce(value), let reshape = view.producer(of: value, "Reshape", "Flatten"),
        let image = reshape.node.inputs[0], let before = shape(image), before.count == 4,
        shape(value) == [before[0], before[1], before[2] * before[3]], view.isUsedOnce(image),
        let images = parts(of: image, along: [1, -3], &found.nodes)
      else { return nil }
      found.nodes.append(reshape.index)
      var map: [Part] = []
      for part in images {
        guard view.isUsedOnce(part),
          let conversion = view.producer(of: part, "FromBlocks", in: OperatorDomain.blocks),
          let source = conversion.node.inputs[0], let form = conversion.node.fused.blocks?.inputs[0]
        else { return nil }
        found.nodes.append(conversion.index)
        map.append(Part(value: source, form: form))
      }
      found.maps.append(map)
    }
    return found.maps.isEmpty ? nil : found
  }

  /// The values that `value` is joined from along one of `axes`.
  ///
  /// If `value` is not joined, the result is `value` itself. If it is joined along another axis,
  /// the result is nil. The node that joins is appended to `nodes`.
  private func parts(
    of value: Graph.Value, along axes: [Int], _ nodes: inout [Int]
  ) -> [Graph.Value]? {
    guard let join = view.producer(of: value, "Concat") else { return [value] }
    let parts = join.node.inputs.compactMap { $0 }
    guard let axis = join.node.attributes["axis"]?.int, axes.contains(axis),
      parts.count == join.node.inputs.count
    else { return nil }
    nodes.append(join.index)
    return parts
  }

  private func shape(_ value: Graph.Value) -> [Int]? {
    let facts = view.graph.facts
    if value < facts.count, let fact = facts[value] { return fact.shape }
    // The copy of a value that was in blocks has no fact.
    let copied = view.producer(of: value, "FromBlocks", in: OperatorDomain.blocks)?.node.inputs[0]
    return copied.flatMap { $0 < facts.count ? facts[$0]?.shape : nil }
  }
}
