import RunnerGraph

/// The values that a pass keeps in its own layout, with their known facts, and the conversions.
///
/// The conversions are between that layout and the usual one. Each is made once per value, when it
/// is first needed.
struct ValuesInLayout<Form: Equatable> {
  /// The domain of the conversions.
  let domain: String
  /// The layout's name, as in `ToBlocks` and `FromBlocks`.
  let layout: String
  /// The attributes of a conversion back.
  let attributes: (Form) -> [String: AttributeValue]

  private var forms: [Graph.Value: Form] = [:]
  /// Values in the usual layout that also exist in the pass's layout, and the reverse.
  private var sortedCopies: [Graph.Value: Graph.Value] = [:]
  private var plainCopies: [Graph.Value: Graph.Value] = [:]

  init(
    _ layout: String, domain: String,
    attributes: @escaping (Form) -> [String: AttributeValue] = { _ in [:] }
  ) {
    self.layout = layout
    self.domain = domain
    self.attributes = attributes
  }

  /// The known facts of a value in the layout; nil for one in the usual layout.
  subscript(value: Graph.Value) -> Form? {
    get { forms[value] }
    set { forms[value] = newValue }
  }

  /// The copy in the layout of a value in the usual layout, if it exists.
  func copy(of value: Graph.Value) -> Graph.Value? { sortedCopies[value] }

  /// A value of the usual layout in this layout, and the conversion if it is new.
  ///
  /// Nil if the value is in the layout in another form.
  mutating func sorted(
    _ value: Graph.Value, as form: Form, in graph: inout Graph
  ) -> (value: Graph.Value, conversion: Graph.Node?)? {
    if let copy = sortedCopies[value] { return forms[copy] == form ? (copy, nil) : nil }
    let copy = graph.addValue(named: graph.names[value])
    sortedCopies[value] = copy
    forms[copy] = form
    let node = Graph.Node(
      name: "\(graph.names[value]) to \(layout.lowercased())", operation: "To\(layout)",
      domain: domain, inputs: [value], outputs: [copy])
    return (copy, node)
  }

  /// The unchanged node, after conversions of its inputs that are in the layout.
  mutating func plain(_ node: Graph.Node, in graph: inout Graph) -> [Graph.Node] {
    var result: [Graph.Node] = []
    var node = node
    for index in node.inputs.indices {
      guard let input = node.inputs[index] else { continue }
      node.inputs[index] = plain(input, in: &graph, &result)
    }
    for index in node.captures.indices {
      node.captures[index] = plain(node.captures[index], in: &graph, &result)
    }
    return result + [node]
  }

  /// Returns the conversions that bring the graph's outputs into the usual layout.
  mutating func plainOutputs(of graph: inout Graph) -> [Graph.Node] {
    var result: [Graph.Node] = []
    for index in graph.outputs.indices {
      graph.outputs[index] = plain(graph.outputs[index], in: &graph, &result)
    }
    return result
  }

  /// The value in the usual layout; a conversion is appended if it does not exist yet.
  private mutating func plain(
    _ value: Graph.Value, in graph: inout Graph, _ nodes: inout [Graph.Node]
  ) -> Graph.Value {
    guard let form = forms[value] else { return value }
    if let copy = plainCopies[value] { return copy }
    let copy = graph.addValue(named: graph.names[value])
    plainCopies[value] = copy
    nodes.append(
      Graph.Node(
        name: "\(graph.names[value]) from \(layout.lowercased())", operation: "From\(layout)",
        domain: domain, inputs: [value], outputs: [copy], attributes: attributes(form)))
    return copy
  }
}

extension Graph.Node {
  /// Larger kernels, dilations and paddings stay in the usual layout.
  private static let mostWindow = 64

  /// Whether the attributes of a window are for height and width.
  var slidesOverImages: Bool {
    [nil, 2].contains(attributes["strides"]?.ints?.count)
      && [nil, 2].contains(attributes["dilations"]?.ints?.count)
      && [nil, 4].contains(attributes["pads"]?.ints?.count)
  }

  /// The pixels that a convolution with a kernel of these extents reads beyond the edges.
  ///
  /// Nil if its window is too large for a layout with margins.
  func margin(kernel: [Int]) -> ChannelBlocks.Margin? {
    let most = Self.mostWindow
    let dilations = attributes["dilations"]?.ints ?? [1, 1]
    guard kernel.count == 2, dilations.count == 2, kernel.allSatisfy({ $0 <= most }),
      dilations.allSatisfy({ (1...most).contains($0) })
    else { return nil }
    switch attributes["auto_pad"]?.string ?? "NOTSET" {
    case "NOTSET", "":
      let pads = attributes["pads"]?.ints ?? [0, 0, 0, 0]
      guard pads.count == 4, pads.allSatisfy({ (0...most).contains($0) }) else { return nil }
      return ChannelBlocks.Margin(rows: max(pads[0], pads[2]), columns: max(pads[1], pads[3]))
    case "VALID": return ChannelBlocks.Margin.none
    default:
      return ChannelBlocks.Margin(
        rows: (kernel[0] - 1) * dilations[0], columns: (kernel[1] - 1) * dilations[1])
    }
  }
}
