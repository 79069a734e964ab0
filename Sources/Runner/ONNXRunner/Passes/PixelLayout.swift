import RunnerGraph
import RunnerLayouts
import RunnerTensors

extension GraphPass {
  /// Nodes that quantization made obsolete would keep values from being changed.
  static let pixelLayout = GraphPass("pixel-layout", after: ["quantization-fusion", "dead-code"]) {
    graph, _ in
    PixelLayout.apply(to: &graph)
  }
}

/// Lets convolutions of 8-bit numbers, and the nodes between them, work on pixels.
///
/// In pixels, all channels of a pixel are side by side. A conversion is inserted if a value passes
/// between such a node and any other. A node takes part if it is a convolution with known weights,
/// or if all its inputs are in pixels already and it has a kernel for them. A table after a node
/// becomes part of it.
struct PixelLayout {
  /// The domain of the nodes that this pass makes; files cannot use it.
  static let domain = OperatorDomain.pixels

  /// The known facts of a value in pixels.
  private struct Known: Equatable {
    var channels: Int
    var type: ElementType
  }

  private var graph: Graph
  private var pixels = ValuesInLayout<Known>("Pixels", domain: Self.domain) {
    ["to": .int($0.type.rawValue)]
  }
  /// The margin that the readers of a value in pixels need.
  private var margins: [Graph.Value: Int] = [:]
  /// The number for zero in a value, by its readers with a margin.
  private var zeros: [Graph.Value: Int32] = [:]

  static func apply(to graph: inout Graph) {
    guard graph.nodes.contains(where: { $0.operation == "QLinearConv" && $0.domain.isEmpty })
    else { return }
    var pass = PixelLayout(graph: graph)
    pass.run()
    graph = pass.graph
  }

  private init(graph: Graph) {
    self.graph = graph
  }

  private mutating func run() {
    joinTables()
    var nodes: [Graph.Node] = []
    for node in graph.nodes {
      if let part = part(of: node) {
        nodes += inPixels(node, part)
      } else {
        nodes += plain(node)
      }
    }
    nodes += pixels.plainOutputs(of: &graph)
    for index in nodes.indices { setForms(of: &nodes[index]) }
    graph.nodes = nodes
  }

  // MARK: Tables

  /// Makes a table an input of the convolution before it, if the table is the only reader of the
  /// result.
  private mutating func joinTables() {
    let uses = graph.useCounts()
    let producers = graph.producers()
    var removed: Set<Int> = []
    for (index, node) in graph.nodes.enumerated() {
      guard node.operation == "Lookup", node.domain == OperatorDomain.quantized,
        let value = node.inputs[0], uses[value] == 1, producers[value] >= 0,
        let table = node.inputs[1], graph.constants[table] != nil
      else { continue }
      let producer = producers[value]
      guard graph.nodes[producer].operation == "QLinearConv",
        graph.nodes[producer].domain.isEmpty, convolution(graph.nodes[producer]) != nil
      else { continue }
      while graph.nodes[producer].inputs.count < 9 { graph.nodes[producer].inputs.append(nil) }
      graph.nodes[producer].inputs.append(table)
      graph.nodes[producer].outputs = node.outputs
      removed.insert(index)
    }
    graph.nodes = graph.nodes.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
  }

  // MARK: Which nodes take part

  private struct Part {
    var channels: Int
    /// The type of the result.
    var type: ElementType
    /// The inputs that are read as pixels, and their types.
    var inputs: [Int: ElementType]
    var margin = 0
    /// The number for zero around the first input, if there is a margin.
    var zero: Int32 = 0
  }

  private func part(of node: Graph.Node) -> Part? {
    guard node.captures.isEmpty, node.outputs.count == 1, node.outputs[0] != nil else { return nil }
    switch (node.domain, node.operation) {
    case ("", "QLinearConv"): return convolution(node)
    case (OperatorDomain.quantized, "Lookup"):
      guard let input = first(node), let table = graph.constant(1, of: node), table.count == 256
      else {
        return nil
      }
      return Part(channels: input.channels, type: table.elementType, inputs: [0: input.type])
    case (OperatorDomain.runtime, "QLinearAdd"),
      (OperatorDomain.runtime, "QLinearMul"):
      guard let a = first(node), let value = node.inputs[3], let b = pixels[value],
        a.channels == b.channels, a.type == b.type, isRange(1, node, a.type),
        isRange(4, node, a.type), isRange(6, node, a.type)
      else { return nil }
      return Part(channels: a.channels, type: a.type, inputs: [0: a.type, 3: b.type])
    case (OperatorDomain.runtime, "QLinearConcat"): return concat(node)
    case (OperatorDomain.runtime, "QLinearGlobalAveragePool"):
      guard let input = first(node), node.inputs.count == 5, isRange(1, node, input.type),
        isRange(3, node, input.type), !isChannelsLast(node)
      else { return nil }
      return Part(channels: input.channels, type: input.type, inputs: [0: input.type])
    case ("", "MaxPool"):
      guard let input = first(node), node.attributes["kernel_shape"]?.ints?.count == 2,
        node.slidesOverImages
      else { return nil }
      return Part(channels: input.channels, type: input.type, inputs: [0: input.type])
    case ("", "Resize"), ("", "Upsample"):
      guard let input = first(node), ChannelBlocking.isRepetition(node, in: graph) else {
        return nil
      }
      return Part(channels: input.channels, type: input.type, inputs: [0: input.type])
    default: return nil
    }
  }

  private func first(_ node: Graph.Node) -> Known? {
    guard let input = node.inputs.first, let input else { return nil }
    return pixels[input]
  }

  private func isChannelsLast(_ node: Graph.Node) -> Bool {
    node.attributes["channels_last"]?.int ?? 0 != 0
  }

  /// Whether a scale and a zero point for whole tensors are known at an index.
  private func isRange(_ index: Int, _ node: Graph.Node, _ type: ElementType) -> Bool {
    guard let scale = graph.constant(index, of: node),
      let zero = graph.constant(index + 1, of: node)
    else {
      return false
    }
    return scale.elementType == .float32 && scale.count == 1 && zero.elementType == type
      && zero.count == 1
  }

  private func convolution(_ node: Graph.Node) -> Part? {
    guard (8...10).contains(node.inputs.count), let weights = graph.constant(3, of: node),
      weights.elementType == .int8 || weights.elementType == .uint8, weights.rank == 4,
      let type = graph.constant(2, of: node)?.elementType, type == .int8 || type == .uint8,
      let resultType = graph.constant(7, of: node)?.elementType,
      resultType == .int8 || resultType == .uint8, isRange(1, node, type),
      isRange(6, node, resultType)
    else { return nil }
    let outputs = weights.shape[0]
    let group = node.attributes["group"]?.int ?? 1
    guard IntegerConvolution.takes(weights: weights, group: group),
      let scale = graph.constant(4, of: node), scale.elementType == .float32,
      scale.count == 1 || scale.shape == [outputs], let zero = graph.constant(5, of: node),
      zero.elementType == weights.elementType, zero.count == 1 || zero.shape == [outputs]
    else { return nil }
    if node.inputs.count > 8, node.inputs[8] != nil {
      guard let bias = graph.constant(8, of: node), bias.elementType == .int32,
        bias.shape == [outputs]
      else { return nil }
    }
    guard node.slidesOverImages,
      let margin = node.margin(kernel: Array(weights.shape[2...]))?.widest
    else { return nil }
    if let input = first(node), input.channels != weights.shape[1] * group || input.type != type {
      return nil
    }
    let inputZero = Tensor.zeroPoints(graph.constant(2, of: node))[0] + (type == .int8 ? 128 : 0)
    // All readers of a value must agree on the numbers around it.
    if margin > 0, let input = node.inputs[0], let other = zeros[pixels.copy(of: input) ?? input],
      other != inputZero
    {
      return nil
    }
    let result = graph.constant(9, of: node)?.elementType ?? resultType
    return Part(
      channels: outputs, type: result, inputs: [0: type], margin: margin, zero: inputZero)
  }

  private func concat(_ node: Graph.Node) -> Part? {
    guard case .int(1)? = node.attributes["axis"], node.inputs.count % 3 == 2,
      node.inputs.count > 2, let zero = graph.constant(1, of: node),
      isRange(0, node, zero.elementType)
    else { return nil }
    var channels = 0
    var inputs: [Int: ElementType] = [:]
    for index in stride(from: 2, to: node.inputs.count, by: 3) {
      guard let input = node.inputs[index], let part = pixels[input],
        part.type == zero.elementType, isRange(index + 1, node, part.type)
      else { return nil }
      channels += part.channels
      inputs[index] = part.type
    }
    return Part(channels: channels, type: zero.elementType, inputs: inputs)
  }

  // MARK: Rewriting

  private mutating func inPixels(_ node: Graph.Node, _ part: Part) -> [Graph.Node] {
    var result: [Graph.Node] = []
    var node = node
    for (index, type) in part.inputs.sorted(by: { $0.key < $1.key }) {
      guard var value = node.inputs[index] else { continue }
      if pixels[value] == nil {
        // Only convolutions read values that are not in pixels yet.
        let channels =
          (graph.constant(3, of: node)?.shape[1] ?? 0) * (node.attributes["group"]?.int ?? 1)
        let form = Known(channels: channels, type: type)
        guard let (copy, conversion) = pixels.sorted(value, as: form, in: &graph) else {
          return result + plain(node)
        }
        if let conversion { result.append(conversion) }
        value = copy
      }
      node.inputs[index] = value
      if part.margin > 0 {
        margins[value] = max(margins[value] ?? 0, part.margin)
        zeros[value] = part.zero
      }
    }
    node.domain = Self.domain
    if let output = node.outputs[0] {
      pixels[output] = Known(channels: part.channels, type: part.type)
    }
    return result + [node]
  }

  /// The unchanged node, after conversions of its inputs that are in pixels.
  private mutating func plain(_ node: Graph.Node) -> [Graph.Node] {
    var result = pixels.plain(node, in: &graph)
    // A table that was planned as part of a convolution that stays unchanged.
    guard var node = result.last, node.operation == "QLinearConv", node.domain.isEmpty,
      node.inputs.count == 10, let table = node.inputs[9], let output = node.outputs[0]
    else { return result }
    let between = graph.addValue(named: graph.names[output] + "/unmapped")
    node.inputs.removeLast()
    if node.inputs[8] == nil { node.inputs.removeLast() }
    node.outputs = [between]
    result[result.count - 1] = node
    result.append(
      Graph.Node(
        name: "\(node.name) table", operation: "Lookup", domain: OperatorDomain.quantized,
        inputs: [between, table], outputs: [output]))
    return result
  }

  private func setForms(of node: inout Graph.Node) {
    guard node.domain == Self.domain else { return }
    func form(_ value: Graph.Value?) -> PixelForm? {
      guard let value, let known = pixels[value] else { return nil }
      return PixelForm(
        channels: known.channels, margin: margins[value] ?? 0, isSigned: known.type == .int8,
        zero: UInt8(clamping: zeros[value] ?? 0))
    }
    node.fused.layout = .pixels(
      PixelForms(
        inputs: node.inputs.map(form), output: node.outputs.first.flatMap(form)))
  }
}
