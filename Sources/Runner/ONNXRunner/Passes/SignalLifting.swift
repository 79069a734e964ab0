import RunnerGraph
import RunnerLayouts
import RunnerNetworkOperators
import RunnerTensors

extension GraphPass {
  static let signalLifting = GraphPass("signal-lifting", after: ["activation-fusion"]) { graph, _ in
    SignalLifting.apply(to: &graph)
  }
}

/// Lets convolutions of signals [N, C, L], and the nodes between them, work on images [N, C, 1, L].
///
/// An image can be in blocks of channels, for which there are faster kernels: the pass before ``ChannelBlocking``
/// makes signals fit for it. A node takes part if it is a convolution that would be in blocks, or if its inputs are
/// images already and it means the same for them. A signal and its image are the same memory.
struct SignalLifting {
  private var graph: Graph
  /// The numbers of channels of the values that are images.
  private var images = ValuesInLayout<Int>("Images", domain: OperatorDomain.signals)
  /// The weights and other constants of signals, and the same ones of images.
  private var constants: [Graph.Value: Graph.Value] = [:]

  static func apply(to graph: inout Graph) {
    guard graph.constants.values.contains(where: { $0.rank == 3 && $0.elementType == .float32 })
    else { return }
    var pass = SignalLifting(graph: graph)
    pass.run()
    graph = pass.graph
  }

  private init(graph: Graph) {
    self.graph = graph
  }

  private mutating func run() {
    var nodes: [Graph.Node] = []
    for node in graph.nodes {
      if let (part, conversions) = lifted(node) {
        nodes += conversions + [part]
      } else {
        nodes += images.plain(node, in: &graph)
      }
    }
    nodes += images.plainOutputs(of: &graph)
    graph.nodes = nodes
  }

  /// The node for images, and the conversions that it needs; nil if it does not take part.
  private mutating func lifted(_ node: Graph.Node) -> (Graph.Node, [Graph.Node])? {
    guard node.captures.isEmpty, let output = node.outputs.first, let output,
      node.outputs.dropFirst().allSatisfy({ $0 == nil }), let (part, channels) = part(of: node)
    else { return nil }
    var result = part
    var conversions: [Graph.Node] = []
    if isConvolution(node), let input = node.inputs[0], images[input] == nil {
      let count = graph.channels(readBy: node)
      guard let (copy, conversion) = images.sorted(input, as: count, in: &graph) else {
        return nil
      }
      result.inputs[0] = copy
      if let conversion { conversions.append(conversion) }
    }
    images[output] = channels
    if output < graph.facts.count, let fact = graph.facts[output] {
      graph.facts[output] = (try? SignalImages.lifted(fact.shape)).map { ValueFact(fact.type, $0) }
    }
    return (result, conversions)
  }

  private func isConvolution(_ node: Graph.Node) -> Bool {
    node.domain.isEmpty && ["Conv", "ConvTranspose"].contains(node.operation)
  }

  // MARK: Which nodes take part

  /// The node for images, whose inputs are not converted yet, and its number of channels.
  private mutating func part(of node: Graph.Node) -> (Graph.Node, channels: Int)? {
    if isConvolution(node) { return convolution(node) }
    guard let input = node.inputs.first, let input, let channels = images[input] else {
      return arithmetic(node)
    }
    if ActivationFusion.activation(of: node, in: graph) != nil { return (node, channels) }
    guard node.domain.isEmpty else { return nil }
    switch node.operation {
    case "BatchNormalization":
      let isKnown = node.inputs.dropFirst().allSatisfy { value in
        value.map { graph.constants[$0] != nil } ?? true
      }
      return isKnown ? (node, channels) : nil
    case "GlobalAveragePool": return (node, channels)
    case "MaxPool", "AveragePool": return window(node).map { ($0, channels) }
    case "Pad": return pad(node).map { ($0, channels) }
    case "Concat": return concat(node)
    default: return arithmetic(node)
    }
  }

  private mutating func convolution(_ node: Graph.Node) -> (Graph.Node, channels: Int)? {
    guard (2...3).contains(node.inputs.count), let input = node.inputs[0],
      let value = node.inputs[1], let weights = graph.constants[value], weights.rank == 3,
      weights.elementType == .float32, weights.count > 0, var result = window(node)
    else { return nil }
    let group = node.attributes["group"]?.int ?? 1
    let outputs = node.operation == "Conv" ? weights.shape[0] : weights.shape[1]
    if let known = images[input] {
      guard known == graph.channels(readBy: node) else { return nil }
    } else if weights.shape[2] == 1 || weights.shape[1] == 1 && group == outputs {
      // One by itself is as fast on the signal.
      return nil
    }
    let isNew = constants[value] == nil
    guard let kernel = lifted(value) else { return nil }
    result.inputs[1] = kernel
    guard ChannelBlocking.takes(result, in: graph) else {
      if isNew {
        graph.constants[kernel] = nil
        constants[value] = nil
      }
      return nil
    }
    return (result, outputs)
  }

  /// The node with a window over one row.
  private func window(_ node: Graph.Node) -> Graph.Node? {
    var result = node
    let fillers = [("kernel_shape", 1), ("strides", 1), ("dilations", 1), ("output_padding", 0)]
    for (name, filler) in fillers {
      guard let values = node.attributes[name]?.ints else { continue }
      guard values.count == 1 else { return nil }
      result.attributes[name] = .ints([filler] + values)
    }
    if let pads = node.attributes["pads"]?.ints {
      guard pads.count == 2 else { return nil }
      result.attributes["pads"] = .ints([0, pads[0], 0, pads[1]])
    }
    return node.attributes["output_shape"] == nil ? result : nil
  }

  /// The node with margins at the left and the right only.
  private mutating func pad(_ node: Graph.Node) -> Graph.Node? {
    let isInput = node.inputs.count > 1
    let known =
      isInput
      ? (try? graph.constant(1, of: node)?.array(of: Int64.self))?.map { Int(clamping: $0) }
      : node.attributes["pads"]?.ints
    guard let known, known.count == 6, node.inputs.count <= 3,
      [known[0], known[1], known[3], known[4]].allSatisfy({ $0 == 0 })
    else { return nil }
    let pads = [0, 0, 0, known[2], 0, 0, 0, known[5]]
    var result = node
    if isInput {
      guard let tensor = try? Tensor(shape: [8], pads.map { Int64($0) }) else { return nil }
      let value = graph.addValue(named: "\(node.name)/pads")
      graph.constants[value] = tensor
      result.inputs[1] = value
    } else {
      result.attributes["pads"] = .ints(pads)
    }
    return result
  }

  private func concat(_ node: Graph.Node) -> (Graph.Node, channels: Int)? {
    let counts = node.inputs.map { $0.flatMap { images[$0] } }
    guard let axis = node.attributes["axis"]?.int, axis == 1 || axis == -2,
      counts.allSatisfy({ $0 != nil })
    else { return nil }
    var result = node
    result.attributes["axis"] = .int(1)
    return (result, counts.reduce(0) { $0 + ($1 ?? 0) })
  }

  /// Arithmetic of two images, or of one and a constant.
  private mutating func arithmetic(_ node: Graph.Node) -> (Graph.Node, channels: Int)? {
    guard node.domain.isEmpty, ["Add", "Sub", "Mul", "Div"].contains(node.operation),
      node.attributes["axis"] == nil, node.attributes["broadcast"] == nil, node.inputs.count == 2,
      let first = node.inputs[0], let second = node.inputs[1]
    else { return nil }
    if let one = images[first], let other = images[second] {
      return one == other ? (node, one) : nil
    }
    for (place, value, other) in [(0, first, second), (1, second, first)] {
      guard let channels = images[value] else { continue }
      // A constant that makes more channels or images of it is left alone.
      guard let tensor = graph.constants[other], tensor.elementType == .float32, tensor.rank <= 3,
        tensor.count == 1
          || tensor.rank >= 2 && tensor.count == channels
            && tensor.shape[tensor.rank - 2] == channels,
        let constant = tensor.rank < 2 ? other : lifted(other)
      else { return nil }
      var result = node
      result.inputs[1 - place] = constant
      return (result, channels)
    }
    return nil
  }

  /// The constant with a dimension of one before its last one.
  private mutating func lifted(_ value: Graph.Value) -> Graph.Value? {
    if let known = constants[value] { return known }
    guard let tensor = graph.constants[value] else { return nil }
    var shape = tensor.shape
    shape.insert(1, at: shape.count - 1)
    let copy = graph.addValue(named: graph.names[value])
    graph.constants[copy] = tensor.viewed(as: shape)
    constants[value] = copy
    return copy
  }
}
