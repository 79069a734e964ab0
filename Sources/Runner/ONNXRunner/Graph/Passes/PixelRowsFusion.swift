/// Recognizes maps in blocks that end as the rows of one matrix, a row a pixel, and writes these at once.
///
/// That is how detectors end: the maps of a scale are joined along their channels, height and width
/// become one dimension, the scales are joined along it, and channels become the last. In blocks the
/// channels of a pixel lie side by side already. Shapes have to be known, as a `Reshape` could as well
/// mean something else.
struct PixelRowsFusion {
  static let operation = "PixelRows"

  private let view: GraphView

  static func apply(to graph: inout Graph) {
    let pass = PixelRowsFusion(view: GraphView(graph))
    var rewrite = GraphRewrite()
    for (index, node) in graph.nodes.enumerated() {
      guard let found = pass.maps(of: node) else { continue }
      let inputs = found.maps.flatMap { $0 }
      rewrite.replace(
        index,
        by: Graph.Node(
          name: node.name, operation: operation, domain: ChannelBlocking.domain,
          inputs: inputs.map(\.value), outputs: node.outputs,
          attributes: ["parts": .ints(found.maps.map(\.count))],
          blocks: BlockedForms(inputs: inputs.map(\.form), output: nil)),
        obsolete: found.nodes)
    }
    rewrite.apply(to: &graph)
  }

  /// A value in blocks.
  private struct Part {
    var value: Graph.Value
    var form: ChannelBlocks
  }

  /// What leads to a matrix of pixels: the parts of each map, and the nodes in between.
  private struct Found {
    var maps: [[Part]] = []
    var nodes: [Int] = []
  }

  /// What `node`, the last of them, makes a matrix of.
  private func maps(of node: Graph.Node) -> Found? {
    guard node.domain.isEmpty, node.operation == "Transpose",
      case .ints([0, 2, 1])? = node.attributes["perm"], let input = node.inputs[0],
      view.isUsedOnce(input), let output = node.outputs[0], shape(output)?.count == 3
    else { return nil }
    var found = Found()
    var flat = [input]
    if let join = view.producer(of: input, "Concat") {
      guard case .int(let axis)? = join.node.attributes["axis"], [2, -1].contains(axis) else {
        return nil
      }
      flat = join.node.inputs.compactMap { $0 }
      guard flat.count == join.node.inputs.count else { return nil }
      found.nodes.append(join.index)
    }
    for value in flat {
      guard view.isUsedOnce(value), let reshape = view.producer(of: value, "Reshape", "Flatten"),
        let image = reshape.node.inputs[0], let before = shape(image), before.count == 4,
        shape(value) == [before[0], before[1], before[2] * before[3]], view.isUsedOnce(image)
      else { return nil }
      found.nodes.append(reshape.index)
      var parts = [image]
      if let join = view.producer(of: image, "Concat") {
        guard case .int(let axis)? = join.node.attributes["axis"], [1, -3].contains(axis) else {
          return nil
        }
        parts = join.node.inputs.compactMap { $0 }
        guard parts.count == join.node.inputs.count else { return nil }
        found.nodes.append(join.index)
      }
      var map: [Part] = []
      for part in parts {
        guard view.isUsedOnce(part), view.producers[part] >= 0 else { return nil }
        let index = view.producers[part]
        let conversion = view.graph.nodes[index]
        guard conversion.domain == ChannelBlocking.domain, conversion.operation == "FromBlocks",
          let source = conversion.inputs[0], let form = conversion.blocks?.inputs[0]
        else { return nil }
        found.nodes.append(index)
        map.append(Part(value: source, form: form))
      }
      found.maps.append(map)
    }
    return found.maps.isEmpty ? nil : found
  }

  private func shape(_ value: Graph.Value) -> [Int]? {
    // The copy of a value that was in blocks has no fact of its own.
    guard value < view.graph.facts.count, let fact = view.graph.facts[value] else {
      return copied(value).flatMap {
        $0 < view.graph.facts.count ? view.graph.facts[$0]?.shape : nil
      }
    }
    return fact.shape
  }

  /// The value in blocks that `value` is a copy of.
  private func copied(_ value: Graph.Value) -> Graph.Value? {
    guard view.producers[value] >= 0 else { return nil }
    let node = view.graph.nodes[view.producers[value]]
    guard node.domain == ChannelBlocking.domain, node.operation == "FromBlocks" else { return nil }
    return node.inputs[0]
  }
}
