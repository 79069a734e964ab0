/// Folds batch normalization into the convolution before it: the scale goes into the weights, the
/// shift into the bias.
enum BatchNormalizationFolding {
  static func apply(to graph: inout Graph) throws {
    let uses = graph.useCounts()
    let producers = graph.producers()
    var removed: Set<Int> = []
    for (index, node) in graph.nodes.enumerated() {
      guard node.operation == "BatchNormalization", node.domain.isEmpty, node.inputs.count == 5,
        node.outputs.dropFirst().allSatisfy({ $0 == nil }),
        let input = node.inputs[0], uses[input] == 1, producers[input] >= 0,
        let output = node.outputs.first, let output,
        let parameters = parameters(of: node, in: graph)
      else { continue }
      let producer = producers[input]
      guard
        let folded = try fold(parameters, into: graph.nodes[producer], in: &graph)
      else { continue }
      graph.nodes[producer] = folded
      graph.nodes[producer].outputs[0] = output
      removed.insert(index)
    }
    guard !removed.isEmpty else { return }
    graph.nodes = graph.nodes.enumerated().filter { !removed.contains($0.offset) }
      .map(\.element)
  }

  /// Factor and shift of each channel, where they are known.
  private static func parameters(
    of node: Graph.Node, in graph: Graph
  ) -> (factors: [Double], shifts: [Double])? {
    if graph.opsets[""] ?? 1 < 9 {
      // Before opset 7 training is the default, before opset 9 parameters may be given by pixel.
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
    return (factors, shifts)
  }

  /// The convolution with the parameters in it, or nil where it is no convolution with known weights.
  private static func fold(
    _ parameters: (factors: [Double], shifts: [Double]), into node: Graph.Node,
    in graph: inout Graph
  ) throws -> Graph.Node? {
    guard node.operation == "Conv", node.domain.isEmpty, node.activation == nil,
      node.inputs.count >= 2, let weightValue = node.inputs[1],
      let weights = graph.constants[weightValue], weights.elementType == .float32,
      let channels = weights.shape.first, channels > 0, channels == parameters.factors.count
    else { return nil }
    var bias = [Float](repeating: 0, count: channels)
    if node.inputs.count > 2, let biasValue = node.inputs[2] {
      guard let tensor = graph.constants[biasValue], tensor.elementType == .float32,
        tensor.count == channels
      else { return nil }
      bias = try tensor.array(of: Float.self)
    }
    let perChannel = weights.count / channels
    let scaled = try Tensor(shape: weights.shape, of: Float.self) { target in
      let source = weights.pointer(to: Float.self)
      for channel in 0..<channels {
        let factor = parameters.factors[channel]
        for index in channel * perChannel..<(channel + 1) * perChannel {
          target[index] = Float(Double(source[index]) * factor)
        }
      }
    }
    let shifted = (0..<channels).map {
      Float(Double(bias[$0]) * parameters.factors[$0] + parameters.shifts[$0])
    }
    var folded = node
    let weight = graph.addValue(named: graph.names[weightValue] + "/normalized")
    let shift = graph.addValue(named: node.name + "/bias")
    graph.constants[weight] = scaled
    graph.constants[shift] = try Tensor(shape: [channels], shifted)
    folded.inputs = [node.inputs[0], weight, shift]
    return folded
  }
}
