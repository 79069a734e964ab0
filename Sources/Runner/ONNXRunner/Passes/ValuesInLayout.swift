import RunnerGraph

/// The values that a pass keeps in a layout of its own, with what it knows of each, and the
/// conversions between that layout and the usual one.
///
/// A conversion is made where it is first needed, and once a value.
struct ValuesInLayout<Form: Equatable> {
  /// The domain of the conversions.
  let domain: String
  /// The layout's name, as in `ToBlocks` and `FromBlocks`.
  let layout: String
  /// What a conversion back has to be told.
  let attributes: (Form) -> [String: AttributeValue]

  private var forms: [Graph.Value: Form] = [:]
  /// Values as usual that also exist in the layout, and the other way round.
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

  /// What is known of a value in the layout; nil for one as usual.
  subscript(value: Graph.Value) -> Form? {
    get { forms[value] }
    set { forms[value] = newValue }
  }

  /// The copy in the layout of a value as usual, if there is one.
  func copy(of value: Graph.Value) -> Graph.Value? { sortedCopies[value] }

  /// A value as usual in the layout, and the conversion that makes it if there is none yet; nil
  /// if it is in the layout in another form.
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

  /// The node as it is, after conversions of what it reads that is in the layout.
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

  /// Makes the graph's outputs values as usual, by the conversions that it returns.
  mutating func plainOutputs(of graph: inout Graph) -> [Graph.Node] {
    var result: [Graph.Node] = []
    for index in graph.outputs.indices {
      graph.outputs[index] = plain(graph.outputs[index], in: &graph, &result)
    }
    return result
  }

  /// The value as usual; the conversion that makes it is appended if there is none yet.
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
  /// Larger kernels, dilations and paddings are left to the usual layout.
  private static let mostWindow = 64

  /// Whether what is said of a window is said for height and width.
  var slidesOverImages: Bool {
    [nil, 2].contains(attributes["strides"]?.ints?.count)
      && [nil, 2].contains(attributes["dilations"]?.ints?.count)
      && [nil, 4].contains(attributes["pads"]?.ints?.count)
  }

  /// How far a convolution with a kernel of these extents reads over the edge of its input; nil if
  /// its window is too large for a layout with margins.
  func margin(kernel: [Int]) -> Int? {
    let most = Self.mostWindow
    let dilations = attributes["dilations"]?.ints ?? [1, 1]
    guard kernel.allSatisfy({ $0 <= most }), dilations.allSatisfy({ (1...most).contains($0) })
    else { return nil }
    switch attributes["auto_pad"]?.string ?? "NOTSET" {
    case "NOTSET", "":
      let pads = attributes["pads"]?.ints ?? [0]
      return pads.allSatisfy({ (0...most).contains($0) }) ? pads.max() ?? 0 : nil
    case "VALID": return 0
    default: return zip(kernel, dilations).map { ($0 - 1) * $1 }.max() ?? 0
    }
  }
}
