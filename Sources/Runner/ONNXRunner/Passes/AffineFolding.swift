import RunnerGraph
import RunnerTensors

extension GraphPass {
  /// Only known `float32` numbers can be folded into weights.
  static let affineFolding = GraphPass(
    "affine-folding", after: ["constant-folding", "half-widening"]
  ) { graph, _ in
    try AffineFolding.apply(to: &graph)
  }
}

/// Folds scales and shifts of channels into the convolution before them.
///
/// The factor goes into the weights, and the shift into the bias. Scales and shifts are batch
/// normalization, and arithmetic with one constant for all channels or one per channel.
enum AffineFolding {
  /// A factor and a shift per channel, or one for all channels.
  struct Parameters {
    var factors: [Double]
    var shifts: [Double]
    /// The rank that images must have for parameters by channel; nil if any rank is possible.
    var rank: Int?
    /// Whether one number applies to all channels.
    var isUniform = false

    func factor(_ channel: Int) -> Double { factors[isUniform ? 0 : channel] }
  }

  static func apply(to graph: inout Graph) throws {
    let uses = graph.useCounts()
    var producers = graph.producers()
    var removed: Set<Int> = []
    for (index, node) in graph.nodes.enumerated() {
      guard node.domain.isEmpty, node.outputs.dropFirst().allSatisfy({ $0 == nil }),
        let output = node.outputs.first, let output
      else { continue }
      for input in node.inputs.prefix(node.operation == "BatchNormalization" ? 1 : 2) {
        guard let input, uses[input] == 1, producers[input] >= 0, graph.constants[input] == nil
        else { continue }
        let producer = producers[input]
        guard Self.isConvolution(graph.nodes[producer]),
          let parameters = parameters(of: node, applied: input, in: graph),
          let folded = try Self.fold(parameters, into: graph.nodes[producer], in: &graph)
        else { continue }
        graph.nodes[producer] = folded
        graph.nodes[producer].outputs[0] = output
        producers[output] = producer
        removed.insert(index)
        break
      }
    }
    guard !removed.isEmpty else { return }
    graph.nodes = graph.nodes.enumerated().filter { !removed.contains($0.offset) }
      .map(\.element)
  }

  private static func isConvolution(_ node: Graph.Node) -> Bool {
    ["Conv", "ConvTranspose"].contains(node.operation) && node.domain.isEmpty
      && node.fused.activation == nil && node.inputs.count >= 2
  }

  /// The factor and the shift that a node applies to each channel of `value`.
  private static func parameters(
    of node: Graph.Node, applied value: Graph.Value, in graph: Graph
  ) -> Parameters? {
    switch node.operation {
    case "BatchNormalization" where node.inputs.count == 5:
      // In training, the statistics are those of the input.
      guard node.attributes["training_mode"]?.int ?? 0 == 0 else { return nil }
      return Self.normalization(node, in: graph)
    case "Mul", "Div", "Add", "Sub":
      guard node.inputs.count == 2 else { return nil }
      return Self.arithmetic(node, applied: value, in: graph)
    default: return nil
    }
  }

  private static func arithmetic(
    _ node: Graph.Node, applied value: Graph.Value, in graph: Graph
  ) -> Parameters? {
    // Before opset 7, an attribute aligns the shapes.
    guard graph.opsets[""] ?? 1 >= 7 else { return nil }
    let isFirst = node.inputs[0] == value
    guard let other = node.inputs[isFirst ? 1 : 0], let constant = graph.constants[other],
      constant.elementType == .float32
    else { return nil }
    // [C, 1, 1] or [1, C, 1, 1], or any shape of one number that adds no dimension.
    var shape = constant.shape
    if shape.count == 4, shape[0] == 1 { shape.removeFirst() }
    guard constant.count == 1 ? shape.count <= 3 : shape == [constant.count, 1, 1],
      let numbers = try? constant.array(of: Float.self).map(Double.init),
      numbers.allSatisfy(\.isFinite)
    else { return nil }
    var parameters = Parameters(
      factors: numbers.map { _ in 1 }, shifts: numbers.map { _ in 0 },
      rank: numbers.count == 1 ? nil : 4, isUniform: numbers.count == 1)
    switch (node.operation, isFirst) {
    case ("Mul", _): parameters.factors = numbers
    case ("Add", _): parameters.shifts = numbers
    case ("Sub", true): parameters.shifts = numbers.map { -$0 }
    case ("Sub", false):
      parameters.factors = numbers.map { _ in -1 }
      parameters.shifts = numbers
    case ("Div", true) where numbers.allSatisfy({ $0 != 0 }):
      parameters.factors = numbers.map { 1 / $0 }
    default: return nil
    }
    return parameters
  }

  /// The factor and the shift of each channel, if they are known.
  static func normalization(_ node: Graph.Node, in graph: Graph) -> Parameters? {
    if graph.opsets[""] ?? 1 < 9 {
      // Before opset 7, training is the default. Before opset 9, parameters may be per pixel.
      if case .int(0)? = node.attributes["spatial"] { return nil }
      if graph.opsets[""] ?? 1 < 7 {
        guard case .int(let testing)? = node.attributes["is_test"], testing != 0 else { return nil }
      }
    }
    if case .int(let training)? = node.attributes["training_mode"], training != 0 { return nil }
    var epsilon: Float = 1e-5
    if case .float(let given)? = node.attributes["epsilon"] { epsilon = given }
    var rows: [[Float]] = []
    for input in node.inputs.dropFirst() {
      guard let input, let tensor = graph.constants[input],
        let row = try? tensor.array(of: Float.self)
      else { return nil }
      rows.append(row)
    }
    let count = rows[0].count
    guard rows.allSatisfy({ $0.count == count }) else { return nil }
    var factors: [Double] = []
    var shifts: [Double] = []
    for channel in 0..<count {
      let deviation = (Double(rows[3][channel]) + Double(epsilon)).squareRoot()
      let factor = Double(rows[0][channel]) / deviation
      factors.append(factor)
      shifts.append(Double(rows[1][channel]) - Double(rows[2][channel]) * factor)
    }
    return Parameters(factors: factors, shifts: shifts)
  }

  /// The convolution with the parameters folded in; nil if its weights are not known.
  private static func fold(
    _ parameters: Parameters, into node: Graph.Node, in graph: inout Graph
  ) throws -> Graph.Node? {
    guard let weightValue = node.inputs[1], let weights = graph.constants[weightValue],
      weights.elementType == .float32, weights.rank >= 3, weights.count > 0
    else { return nil }
    let group = node.attributes["group"]?.int ?? 1
    // Transposed convolutions have the outputs of a group as the second dimension.
    let isTransposed = node.operation == "ConvTranspose"
    guard group >= 1, weights.shape[0] % group == 0 else { return nil }
    let channels = isTransposed ? weights.shape[1] * group : weights.shape[0]
    guard parameters.isUniform || parameters.factors.count == channels,
      weights.rank == parameters.rank ?? weights.rank
    else { return nil }
    var bias = [Float](repeating: 0, count: channels)
    if node.inputs.count > 2, let biasValue = node.inputs[2] {
      guard let tensor = graph.constants[biasValue], tensor.elementType == .float32,
        tensor.count == channels
      else { return nil }
      bias = try tensor.array(of: Float.self)
    }
    let scaled = scaled(weights, by: parameters, isTransposed: isTransposed, group: group)
    let shifted = (0..<channels).map {
      Float(
        Double(bias[$0]) * parameters.factor($0)
          + parameters.shifts[parameters.isUniform ? 0 : $0])
    }
    var folded = node
    let weight = graph.addValue(named: graph.names[weightValue] + "/scaled")
    let shift = graph.addValue(named: node.name + "/bias")
    graph.constants[weight] = scaled
    graph.constants[shift] = try Tensor(shape: [channels], shifted)
    folded.inputs = [node.inputs[0], weight, shift]
    return folded
  }

  /// The weights times the factors of their output channels.
  private static func scaled(
    _ weights: Tensor, by parameters: Parameters, isTransposed: Bool, group: Int
  ) -> Tensor {
    let rows = isTransposed ? weights.shape[0] * weights.shape[1] : weights.shape[0]
    let rowLength = weights.count / rows
    // Packing reads them once, so there is no need to keep them in memory.
    let storage = TensorStorage(byteCount: weights.byteCount) { bytes in
      let original = weights.readyForOneUse()
      let source = original.pointer(to: Float.self)
      let target = bytes.assumingMemoryBound(to: Float.self)
      for row in 0..<rows {
        var channel = row
        if isTransposed {
          let groupIndex = row / weights.shape[1] / (weights.shape[0] / group)
          channel = groupIndex * weights.shape[1] + row % weights.shape[1]
        }
        let factor = parameters.factor(channel)
        for index in row * rowLength..<(row + 1) * rowLength {
          target[index] = Float(Double(source[index]) * factor)
        }
      }
      withExtendedLifetime(original) {}
      weights.releasePages()
    }
    return Tensor(
      elementType: .float32, shape: weights.shape, count: weights.count, storage: storage)
  }
}
