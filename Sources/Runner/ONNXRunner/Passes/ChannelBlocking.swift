import RunnerGraph
import RunnerLayouts

extension GraphPass {
  static let channelBlocking = GraphPass("channel-blocking", after: ["activation-fusion"]) {
    graph, settings in
    // A convolution in bfloat16 needs the margin that Winograd's method does not.
    ChannelBlocking.apply(
      to: &graph, usesWinograd: settings.usesWinograd && !settings.computesInBFloat16)
  }
}

/// Lets convolutions and the nodes between them work on tensors in blocks of sixteen channels.
///
/// A conversion is inserted if a value passes between such a node and any other. A node takes part
/// if it is a convolution with known weights, or if all its inputs are in blocks already and it has
/// a kernel for them. Shapes need not be known, only numbers of channels, and those come from the
/// weights.
struct ChannelBlocking {
  /// The domain of the nodes that this pass makes; files cannot use it.
  static let domain = OperatorDomain.blocks

  private var graph: Graph
  private let usesWinograd: Bool
  /// The numbers of channels of the values in blocks.
  private var blocks = ValuesInLayout<Int>("Blocks", domain: Self.domain)
  /// The margin that the readers of a value in blocks need.
  private var margins: [Graph.Value: ChannelBlocks.Margin] = [:]

  static func apply(to graph: inout Graph, usesWinograd: Bool = true) {
    var pass = ChannelBlocking(graph: graph, usesWinograd: usesWinograd)
    pass.run()
    graph = pass.graph
  }

  /// Whether a node by itself, between others in the usual layout, would work on blocks.
  static func takes(_ node: Graph.Node, in graph: Graph) -> Bool {
    ChannelBlocking(graph: graph, usesWinograd: true).part(of: node) != nil
  }

  private init(graph: Graph, usesWinograd: Bool) {
    self.graph = graph
    self.usesWinograd = usesWinograd
  }

  private mutating func run() {
    var nodes: [Graph.Node] = []
    for node in graph.nodes {
      if let part = part(of: node) {
        nodes += blocked(node, part)
      } else {
        nodes += blocks.plain(node, in: &graph)
      }
    }
    nodes += blocks.plainOutputs(of: &graph)
    addResiduals(to: &nodes)
    shareMargins(in: nodes)
    for index in nodes.indices { setForms(of: &nodes[index]) }
    graph.nodes = nodes
  }

  // MARK: Which nodes take part

  /// The work of a node on blocks.
  private struct Part {
    /// The number of channels of the result.
    var channels: Int
    /// The inputs that are read in blocks.
    var inputs: Set<Int>
    /// The pixels that the node reads beyond the edges of its input.
    var margin = ChannelBlocks.Margin.none
    /// The activation, for nodes that are one.
    var activation: Activation?
    /// The factors and shifts of channels, for batch normalization.
    var affine: [Tensor] = []
  }

  private func part(of node: Graph.Node) -> Part? {
    guard node.captures.isEmpty, node.outputs.first.map({ $0 != nil }) == true,
      node.outputs.dropFirst().allSatisfy({ $0 == nil })
    else { return nil }
    if let activation = ActivationFusion.activation(of: node, in: graph) {
      return single(node).map { Part(channels: $0, inputs: [0], activation: activation) }
    }
    if node.domain == OperatorDomain.fused, node.operation == "GroupNormalization" {
      return groupNormalization(node)
    }
    guard node.domain.isEmpty else { return nil }
    if node.operation == "Conv" {
      // A value in the usual layout stays in it.
      if let input = node.inputs.first, let input, blocks[input] == nil, isSmallMixture(node) {
        return nil
      }
      return planarConvolution(node) ?? convolution(node)
    }
    if node.operation == "ConvTranspose" { return transposedConvolution(node) }
    switch node.operation {
    case "BatchNormalization": return batchNormalization(node)
    case "Pow": return square(node)
    case "Add", "Sub", "Mul", "Div":
      // Before opset 7, the second operand's dimensions may start at an axis.
      return node.attributes["axis"] == nil ? arithmetic(node) : nil
    case "Concat": return concat(node)
    case "Pad":
      guard let channels = single(node), BlockedPad.takes({ graph.constant($0, of: node) }, node)
      else { return nil }
      return Part(channels: channels, inputs: [0])
    case "MaxPool", "AveragePool":
      guard let channels = single(node), ints("kernel_shape", of: node)?.count == 2,
        node.slidesOverImages
      else { return nil }
      return Part(channels: channels, inputs: [0])
    case "GlobalAveragePool":
      return single(node).map { Part(channels: $0, inputs: [0]) }
    case "ReduceMean":
      guard let channels = single(node), isSpatial(node), int("keepdims", of: node) ?? 1 == 1
      else { return nil }
      return Part(channels: channels, inputs: [0])
    case "Resize", "Upsample":
      guard let channels = single(node), Self.isRepetition(node, in: graph) else { return nil }
      return Part(channels: channels, inputs: [0])
    default: return nil
    }
  }

  /// The number of channels of the first input if it is in blocks.
  private func single(_ node: Graph.Node) -> Int? {
    guard let input = node.inputs.first, let input else { return nil }
    return blocks[input]
  }

  private func groupNormalization(_ node: Graph.Node) -> Part? {
    guard let channels = single(node),
      BlockedGroupNormalization.takes(
        channels: channels, groups: int("num_groups", of: node) ?? 0)
    else { return nil }
    return Part(channels: channels, inputs: [0])
  }

  /// Batch normalization whose statistics are known.
  private func batchNormalization(_ node: Graph.Node) -> Part? {
    guard let channels = single(node), node.inputs.count == 5,
      let affine = AffineFolding.normalization(node, in: graph), affine.factors.count == channels,
      let factors = try? Tensor(shape: [channels], affine.factors.map { Float($0) }),
      let shifts = try? Tensor(shape: [channels], affine.shifts.map { Float($0) })
    else { return nil }
    return Part(channels: channels, inputs: [0], affine: [factors, shifts])
  }

  /// A power of two, which is a product; no other power takes part.
  private func square(_ node: Graph.Node) -> Part? {
    guard let channels = single(node), let power = graph.constant(1, of: node), power.count == 1,
      power.rank <= 4, power.elementType == .float32, (try? power.array(of: Float.self)) == [2]
    else { return nil }
    return Part(channels: channels, inputs: [0])
  }

  private func int(_ name: String, of node: Graph.Node) -> Int? {
    node.attributes[name]?.int
  }

  private func ints(_ name: String, of node: Graph.Node) -> [Int]? {
    node.attributes[name]?.ints
  }

  private func convolution(_ node: Graph.Node) -> Part? {
    guard (2...3).contains(node.inputs.count), let input = node.inputs[0],
      graph.constants[input] == nil, let weights = graph.constant(1, of: node),
      weights.elementType == .float32, weights.rank == 4, weights.count > 0,
      node.slidesOverImages
    else { return nil }
    let outputs = weights.shape[0]
    if node.inputs.count == 3, node.inputs[2] != nil {
      guard let bias = graph.constant(2, of: node), bias.elementType == .float32,
        bias.shape == [outputs]
      else { return nil }
    }
    let group = int("group", of: node) ?? 1
    guard BlockedConvolution.takes(weights.shape, group: group) else { return nil }
    let (inputChannels, overflow) = weights.shape[1].multipliedReportingOverflow(by: group)
    guard !overflow else { return nil }
    if let known = blocks[input], known != inputChannels { return nil }
    // Blocks are filled up to sixteen channels on both sides, which must not cost much memory.
    let (inputBlocks, outputBlocks) = (
      ChannelBlocks(channels: weights.shape[1]).count, ChannelBlocks(channels: outputs).count
    )
    let kernel = Array(weights.shape[2...])
    let filled = [inputBlocks, outputBlocks, 256].reduce(kernel[0] * kernel[1]) {
      $0.multipliedReportingOverflow(by: $1).overflow ? Int.max : $0 * $1
    }
    guard filled <= max(4 * weights.count, 1 << 22) || group > 1 else { return nil }
    guard let reach = node.margin(kernel: kernel) else { return nil }
    let margin = BlockedConvolution.margin(
      weights.shape, group: group, strides: ints("strides", of: node),
      dilations: ints("dilations", of: node), pads: ints("pads", of: node), reach: reach,
      allowsWinograd: usesWinograd)
    return Part(channels: outputs, inputs: [0], margin: margin)
  }

  /// A convolution that reads an image in planes.
  private func planarConvolution(_ node: Graph.Node) -> Part? {
    guard let part = convolution(node), let input = node.inputs[0], blocks[input] == nil,
      let weights = graph.constant(1, of: node), int("group", of: node) ?? 1 == 1,
      weights.shape[1] <= PlanarConvolution.mostChannels,
      weights.shape[2...].allSatisfy({ $0 <= PlanarConvolution.mostTaps })
    else { return nil }
    return Part(channels: part.channels, inputs: [])
  }

  /// Whether a pointwise convolution has so few channels that blocks would be mostly empty.
  private func isSmallMixture(_ node: Graph.Node) -> Bool {
    guard let shape = graph.constant(1, of: node)?.shape, shape.count == 4 else { return false }
    return shape[0] == shape[1] && shape[0] <= 8 && shape[2] == 1 && shape[3] == 1
      && int("group", of: node) ?? 1 == 1
  }

  /// With fewer output channels, most of a block would be empty, often in the largest image.
  private static let leastTransposedOutputs = 8

  private func transposedConvolution(_ node: Graph.Node) -> Part? {
    guard (2...3).contains(node.inputs.count), let input = node.inputs[0],
      graph.constants[input] == nil, let weights = graph.constant(1, of: node),
      weights.elementType == .float32, weights.rank == 4,
      weights.shape[0] == blocks[input] ?? weights.shape[0], weights.count > 0,
      weights.shape[1] >= Self.leastTransposedOutputs,
      int("group", of: node) ?? 1 == 1, ints("dilations", of: node) ?? [1, 1] == [1, 1],
      node.attributes["output_shape"] == nil
    else { return nil }
    switch node.attributes["auto_pad"]?.string ?? "NOTSET" {
    case "NOTSET", "", "VALID": break
    default: return nil
    }
    if node.inputs.count == 3, node.inputs[2] != nil {
      guard let bias = graph.constant(2, of: node), bias.elementType == .float32,
        bias.shape == [weights.shape[1]]
      else { return nil }
    }
    let strides = ints("strides", of: node) ?? [1, 1]
    let most = 16
    guard strides.count == 2, strides.allSatisfy({ (1...8).contains($0) }),
      (ints("pads", of: node) ?? [0]).allSatisfy({ (0...most).contains($0) }),
      (ints("output_padding", of: node) ?? [0]).allSatisfy({ (0...most).contains($0) }),
      zip(weights.shape[2...], strides).allSatisfy({ $0 >= $1 && $0 <= most })
    else { return nil }
    let extra = ints("output_padding", of: node) ?? [0, 0]
    guard extra.count == 2 else { return nil }
    let margin = ChannelBlocks.Margin(
      rows: (weights.shape[2] - 1) / strides[0] + extra[0],
      columns: (weights.shape[3] - 1) / strides[1] + extra[1])
    return Part(channels: weights.shape[1], inputs: [0], margin: margin)
  }

  private func arithmetic(_ node: Graph.Node) -> Part? {
    guard node.inputs.count == 2, let a = node.inputs[0], let b = node.inputs[1] else {
      return nil
    }
    if let first = blocks[a], let second = blocks[b] {
      return first == second ? Part(channels: first, inputs: [0, 1]) : nil
    }
    for (index, value, other) in [(0, a, b), (1, b, a)] {
      if let count = blocks[value], let tensor = graph.constants[other],
        BlockedArithmetic.isPerChannel(tensor, channels: count)
      {
        return Part(channels: count, inputs: [index])
      }
    }
    return nil
  }

  private func concat(_ node: Graph.Node) -> Part? {
    guard int("axis", of: node) == 1, !node.inputs.isEmpty else { return nil }
    var counts: [Int] = []
    for input in node.inputs {
      guard let input, let count = blocks[input] else { return nil }
      counts.append(count)
    }
    guard counts.dropLast().allSatisfy({ $0 % ChannelBlocks.width == 0 }) else { return nil }
    return Part(channels: counts.reduce(0, +), inputs: Set(counts.indices))
  }

  /// Whether a reduction is over height and width.
  private func isSpatial(_ node: Graph.Node) -> Bool {
    var axes = ints("axes", of: node)
    if let tensor = graph.constant(1, of: node) {
      axes = (try? tensor.array(of: Int64.self))?.map { Int($0) }
    }
    return axes.map { [[2, 3], [-2, -1]].contains($0.sorted()) } ?? false
  }

  /// Whether a resampling repeats each pixel a whole number of times.
  static func isRepetition(_ node: Graph.Node, in graph: Graph) -> Bool {
    func string(_ name: String) -> String? { node.attributes[name]?.string }
    guard BlockedUpsample.scales(of: { graph.constant($0, of: node) }) != nil,
      node.inputs.count == 3, string("mode") ?? "nearest" == "nearest"
    else { return false }
    let transformation = string("coordinate_transformation_mode") ?? "half_pixel"
    let rounding = string("nearest_mode") ?? "round_prefer_floor"
    return (transformation == "asymmetric" && rounding == "floor")
      || (transformation == "half_pixel" && rounding == "round_prefer_floor")
  }

  // MARK: Rewriting

  /// The node on blocks, after the conversions it needs.
  private mutating func blocked(_ node: Graph.Node, _ part: Part) -> [Graph.Node] {
    var result: [Graph.Node] = []
    var node = node
    for index in part.inputs.sorted() {
      guard var value = node.inputs[index] else { continue }
      if blocks[value] == nil {
        // Only convolutions read values that are not in blocks yet.
        let count = graph.channels(readBy: node)
        guard let (copy, conversion) = blocks.sorted(value, as: count, in: &graph)
        else { return result + blocks.plain(node, in: &graph) }
        if let conversion { result.append(conversion) }
        value = copy
      }
      node.inputs[index] = value
      if node.operation == "Pow" {
        node.operation = "Mul"
        node.inputs = [value, value]
      }
      margins[value] = (margins[value] ?? .none).union(part.margin)
    }
    if !part.affine.isEmpty {
      node.inputs.removeLast(node.inputs.count - 1)
      for (name, tensor) in zip(["factors", "shifts"], part.affine) {
        let value = graph.addValue(named: "\(node.name)/\(name)")
        graph.constants[value] = tensor
        node.inputs.append(value)
      }
      node.attributes = [:]
    }
    node.domain = Self.domain
    if let activation = part.activation { node.fused.activation = activation }
    if let output = node.outputs[0] { blocks[output] = part.channels }
    return result + [node]
  }

  /// Lets a convolution add a residual that another node adds to its result, and apply an activation to the sum.
  private func addResiduals(to nodes: inout [Graph.Node]) {
    var uses: [Graph.Value: Int] = [:]
    var producers: [Graph.Value: Int] = [:]
    // The last node that reads a value, or the only one.
    var readers: [Graph.Value: Int] = [:]
    for (index, node) in nodes.enumerated() {
      for input in node.inputs {
        if let input {
          uses[input, default: 0] += 1
          readers[input] = index
        }
      }
      for output in node.outputs { if let output { producers[output] = index } }
    }
    for output in graph.outputs { uses[output, default: 0] += 1 }
    var removed: Set<Int> = []
    for (index, node) in nodes.enumerated() {
      guard node.domain == Self.domain, node.operation == "Add",
        let a = node.inputs[0], let b = node.inputs[1], let sum = node.outputs[0],
        blocks[a] != nil, blocks[b] != nil, a != b
      else { continue }
      for (result, other) in [(a, b), (b, a)] {
        guard let producer = producers[result], uses[result] == 1,
          (producers[other] ?? -1) < producer, isDense(nodes[producer]),
          nodes[producer].inputs.count <= 3
        else { continue }
        while nodes[producer].inputs.count < 3 { nodes[producer].inputs.append(nil) }
        nodes[producer].inputs.append(other)
        nodes[producer].outputs[0] = sum
        producers[sum] = producer
        removed.insert(index)
        if let (later, result) = activation(after: sum, in: nodes, readers, uses),
          nodes[producer].fused.activation == nil
        {
          nodes[producer].fused.activation = nodes[later].fused.activation
          nodes[producer].attributes[BlockedFrame.residualFirst] = .int(1)
          nodes[producer].outputs[0] = result
          producers[result] = producer
          removed.insert(later)
        }
        break
      }
    }
    nodes = nodes.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
  }

  /// The activation that is the only reader of a value, and its result.
  private func activation(
    after value: Graph.Value, in nodes: [Graph.Node], _ readers: [Graph.Value: Int],
    _ uses: [Graph.Value: Int]
  ) -> (index: Int, result: Graph.Value)? {
    guard uses[value] == 1, let index = readers[value], nodes[index].domain == Self.domain,
      BlockedActivation.operations.contains(nodes[index].operation),
      nodes[index].fused.activation != nil, let result = nodes[index].outputs[0]
    else { return nil }
    return (index, result)
  }

  private func isDense(_ node: Graph.Node) -> Bool {
    node.domain == Self.domain && node.operation == "Conv"
      && (int("group", of: node) ?? 1 == 1 || graph.constant(1, of: node)?.shape[1] ?? 1 > 1)
      && node.inputs[0].map { blocks[$0] != nil } ?? false
  }

  /// Gives all inputs of a concatenation of one image the widest margin.
  ///
  /// The inputs can then lie inside the result from the start.
  private mutating func shareMargins(in nodes: [Graph.Node]) {
    let concats = nodes.filter { node in
      guard node.domain == Self.domain, node.operation == "Concat", let input = node.inputs[0],
        input < graph.facts.count
      else { return false }
      return graph.facts[input]?.shape.first == 1
    }
    var isStable = false
    while !isStable {
      isStable = true
      for node in concats {
        let values = (node.inputs + node.outputs).compactMap { $0 }
        let widest = values.reduce(ChannelBlocks.Margin.none) { $0.union(margins[$1] ?? .none) }
        for value in values where margins[value] ?? .none != widest {
          margins[value] = widest
          isStable = false
        }
      }
    }
  }

  private func setForms(of node: inout Graph.Node) {
    guard node.domain == Self.domain else { return }
    func form(_ value: Graph.Value?) -> ChannelBlocks? {
      guard let value, let count = blocks[value] else { return nil }
      return ChannelBlocks(channels: count, margin: margins[value] ?? .none)
    }
    node.fused.layout = .blocks(
      BlockedForms(
        inputs: node.inputs.map(form), output: node.outputs.first.flatMap(form)))
  }
}

extension Graph {
  /// The number of channels that a convolution with known weights reads; 0 if there can be no such number.
  func channels(readBy convolution: Graph.Node) -> Int {
    guard let shape = constant(1, of: convolution)?.shape else { return 0 }
    if convolution.operation == "ConvTranspose" { return shape[0] }
    let (count, overflow) = shape[1].multipliedReportingOverflow(
      by: convolution.attributes["group"]?.int ?? 1)
    return overflow ? 0 : count
  }
}
