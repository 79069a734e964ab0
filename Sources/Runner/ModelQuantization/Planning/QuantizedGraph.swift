import RunnerGraph
import RunnerTensors

/// How numbers of a value become 8 bits.
struct QuantizationRange: Equatable {
  var scale: Float
  var zeroPoint: UInt8

  /// For numbers from `low` to `high`, 0 always among them.
  init(low: Float, high: Float) {
    let (low, high) = (min(low, 0), max(high, 0))
    // As far apart as numbers can be, their difference must still be one.
    let scale = high / 255 - low / 255
    // Of nothing but zeros, or so little that runtimes may take it for zero.
    guard scale > 1e-30, scale.isFinite else {
      (self.scale, zeroPoint) = (1, 0)
      return
    }
    self.scale = scale
    zeroPoint = UInt8(min(max((-low / scale).rounded(.toNearestOrEven), 0), 255))
  }

  /// The number that `value` is rounded to.
  func rounded(_ value: Float) -> Float {
    let zero = Float(zeroPoint)
    let step = min(max((value / scale).rounded(.toNearestOrEven) + zero, 0), 255)
    return (step - zero) * scale
  }
}

/// What was found out from examples.
struct Findings {
  /// By the values that own them.
  var ranges: [Graph.Value: QuantizationRange] = [:]
  /// Of each channel, by the values that products read.
  var means: [Graph.Value: [Double]] = [:]
}

/// Puts pairs of QuantizeLinear and DequantizeLinear into a graph, and weights of 8 bits.
struct QuantizedGraph {
  private(set) var graph: Graph
  /// What rounded values are read as.
  private(set) var readAs: [Graph.Value: Graph.Value] = [:]

  private var constants: [Graph.Value: (scale: Graph.Value, zero: Graph.Value)] = [:]
  private var weights: [WeightKey: Weights] = [:]
  private let means: [Graph.Value: [Double]]

  private struct WeightKey: Hashable {
    let value: Graph.Value
    let axis: Int
  }

  private struct Weights {
    let read: Graph.Value
    let scales: [Float]
    let nodes: [Graph.Node]
    let bytes: [Int8]
  }

  /// - Parameter findings: ranges by the owners of `plan`, means by what products read.
  init(_ given: Graph, _ plan: QuantizationPlan, _ findings: Findings) throws {
    graph = given
    means = findings.means
    let ranges = findings.ranges
    let owners = Dictionary(
      plan.owners.map { ($0.value, $0.owner) }, uniquingKeysWith: { first, _ in first })
    var products: [Int: QuantizationPlan.Product] = [:]
    for product in plan.products { products[product.node] = product }
    var nodes: [Graph.Node] = []
    for input in given.inputs where owners[input] != nil {
      nodes += round(input, owners, ranges)
    }
    for (index, node) in given.nodes.enumerated() {
      var node = node
      node.inputs = node.inputs.map { $0.map { readAs[$0] ?? $0 } }
      if let product = products[index], let input = given.nodes[index].inputs[0],
        let range = owners[input].flatMap({ ranges[$0] })
      {
        nodes += try narrowWeights(of: &node, product, range)
      }
      nodes.append(node)
      for output in node.outputs {
        if let output, owners[output] != nil { nodes += round(output, owners, ranges) }
      }
    }
    graph.nodes = nodes
    // Weights that nobody reads in float32 any more.
    var isUsed = Set(graph.outputs)
    for node in nodes { isUsed.formUnion(node.inputs.compactMap { $0 } + node.captures) }
    graph.constants = graph.constants.filter { isUsed.contains($0.key) }
  }

  private mutating func constant(_ tensor: Tensor, named name: String) -> Graph.Value {
    let value = graph.addValue(named: name)
    graph.constants[value] = tensor
    return value
  }

  /// Rounds a value for its readers.
  private mutating func round(
    _ value: Graph.Value, _ owners: [Graph.Value: Graph.Value],
    _ ranges: [Graph.Value: QuantizationRange]
  ) -> [Graph.Node] {
    guard let owner = owners[value], let range = ranges[owner] else { return [] }
    let name = graph.names[value]
    if constants[owner] == nil {
      let base = graph.names[owner]
      constants[owner] = (
        constant(Tensor(scalar: range.scale), named: base + "/scale"),
        constant(Tensor(scalar: range.zeroPoint), named: base + "/zero_point")
      )
    }
    guard let (scale, zero) = constants[owner] else { return [] }
    let bytes = graph.addValue(named: name + "/uint8")
    let read = graph.addValue(named: name + "/rounded")
    readAs[value] = read
    return [
      Graph.Node(
        name: name + "/QuantizeLinear", operation: "QuantizeLinear", domain: "",
        inputs: [value, scale, zero], outputs: [bytes]),
      Graph.Node(
        name: name + "/DequantizeLinear", operation: "DequantizeLinear", domain: "",
        inputs: [bytes, scale, zero], outputs: [read]),
    ]
  }

  // MARK: Weights

  /// Makes the weights of a node 8-bit numbers, one scale a channel of the result, and its bias
  /// 32-bit ones.
  private mutating func narrowWeights(
    of node: inout Graph.Node, _ product: QuantizationPlan.Product, _ range: QuantizationRange
  ) throws -> [Graph.Node] {
    guard let value = node.inputs[1], let tensor = graph.constants[value] else { return [] }
    let count = tensor.shape[product.axis]
    var biases: [Float] = []
    if node.inputs.count > 2, let bias = node.inputs[2], let given = graph.constants[bias] {
      biases = try given.array(of: Float.self)
      if biases.count == 1 { biases = .init(repeating: biases[0], count: count) }
    }
    let key = WeightKey(value: value, axis: product.axis)
    let least = biases.map { abs($0) / range.scale / Float(1 << 29) }
    var nodes: [Graph.Node] = []
    let made: Weights
    if let known = weights[key], zip(known.scales, least).allSatisfy({ $0 >= $1 }) {
      made = known
    } else {
      made = try narrowed(tensor, value, axis: product.axis, leastScales: least)
      weights[key] = made
      nodes += made.nodes
    }
    node.inputs[1] = made.read
    if let shifts = try shifts(of: tensor, made, product) {
      if biases.isEmpty { biases = .init(repeating: 0, count: count) }
      for index in biases.indices { biases[index] -= Float(shifts[index]) }
      while node.inputs.count < 3 { node.inputs.append(nil) }
    }
    guard biases.count == count else { return nodes }
    let name = node.name.isEmpty ? graph.names[product.target] : node.name
    let units = made.scales.map { $0 * range.scale }
    let numbers = zip(biases, units).map { bias, unit -> Int32 in
      let steps = (Double(bias) / Double(unit)).rounded(.toNearestOrEven)
      return steps.isNaN ? 0 : Int32(min(max(steps, -0x1p30), 0x1p30))
    }
    let integers = constant(try Tensor(shape: [count], numbers), named: name + "/bias/int32")
    let scale = constant(try Tensor(shape: [count], units), named: name + "/bias/scale")
    let zero = constant(
      try Tensor(shape: [count], [Int32](repeating: 0, count: count)),
      named: name + "/bias/zero_point")
    let read = graph.addValue(named: name + "/bias/rounded")
    node.inputs[2] = read
    nodes.append(
      Graph.Node(
        name: name + "/bias/DequantizeLinear", operation: "DequantizeLinear", domain: "",
        inputs: [integers, scale, zero], outputs: [read], attributes: ["axis": .int(0)]))
    return nodes
  }

  /// How much the rounding of weights alone shifts the mean of each channel of the result.
  ///
  /// A shift is the same for all numbers of a channel, so that later layers see it more than noise.
  /// The edges of padded images are taken for as likely as the rest.
  private func shifts(
    of tensor: Tensor, _ made: Weights, _ product: QuantizationPlan.Product
  ) throws -> [Double]? {
    guard let input = product.input, let means = means[input.value], !means.isEmpty else {
      return nil
    }
    let channels = tensor.shape[product.axis]
    // Dimensions of the weights: results first, or second of a product's matrix.
    let isFirst = product.axis == 0
    let depth = tensor.shape[isFirst ? 1 : 0]
    let taps = tensor.rank == 4 ? tensor.shape[2] * tensor.shape[3] : 1
    let isDepthwise = tensor.rank == 4 && depth == 1 && means.count == channels
    guard isDepthwise || means.count == depth else { return nil }
    var shifts = [Double](repeating: 0, count: channels)
    try tensor.withElements(of: Float.self) { weights in
      for channel in 0..<channels {
        var sum = 0.0
        for place in 0..<depth {
          let start = (isFirst ? channel * depth + place : place * channels + channel) * taps
          var error = 0.0
          for index in start..<start + taps {
            error += Double(Float(made.bytes[index]) * made.scales[channel] - weights[index])
          }
          sum += error * means[isDepthwise ? channel : place]
        }
        shifts[channel] = sum
      }
    }
    return shifts.allSatisfy(\.isFinite) ? shifts : nil
  }

  private mutating func narrowed(
    _ tensor: Tensor, _ value: Graph.Value, axis: Int, leastScales: [Float]
  ) throws -> Weights {
    let name = graph.names[value]
    let channels = tensor.shape[axis]
    let (bytes, scales) = try Self.narrowed(tensor, axis: axis, leastScales: leastScales)
    let integers = constant(try Tensor(shape: tensor.shape, bytes), named: name + "/int8")
    let scale = constant(try Tensor(shape: [channels], scales), named: name + "/scale")
    let zero = constant(
      try Tensor(shape: [channels], [Int8](repeating: 0, count: channels)),
      named: name + "/zero_point")
    let read = graph.addValue(named: name + "/rounded")
    return Weights(
      read: read, scales: scales,
      nodes: [
        Graph.Node(
          name: name + "/DequantizeLinear", operation: "DequantizeLinear", domain: "",
          inputs: [integers, scale, zero], outputs: [read], attributes: ["axis": .int(axis)])
      ], bytes: bytes)
  }

  /// Symmetric 8-bit numbers, and the scale of each channel along `axis`.
  static func narrowed(
    _ tensor: Tensor, axis: Int, leastScales: [Float] = []
  ) throws -> (bytes: [Int8], scales: [Float]) {
    let channels = tensor.shape[axis]
    let inner = tensor.shape[(axis + 1)...].reduce(1, *)
    return try tensor.withElements(of: Float.self) { weights in
      var greatest = [Float](repeating: 0, count: channels)
      for index in weights.indices {
        let channel = index / inner % channels
        greatest[channel] = max(greatest[channel], abs(weights[index]))
      }
      let scales = greatest.enumerated().map { channel, greatest -> Float in
        let least = channel < leastScales.count ? leastScales[channel] : 0
        let scale = max(greatest / 127, least)
        return scale > 1e-30 && scale.isFinite ? scale : 1
      }
      let bytes = weights.indices.map { index -> Int8 in
        let steps = (weights[index] / scales[index / inner % channels]).rounded(.toNearestOrEven)
        return Int8(min(max(steps, -127), 127))
      }
      return (bytes, scales)
    }
  }
}
