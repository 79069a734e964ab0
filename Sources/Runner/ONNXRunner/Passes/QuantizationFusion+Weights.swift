import RunnerGraph
import RunnerTensors

/// Weights and biases in the form of the operators for quantised numbers.
extension QuantizationFusion {
  /// The weights after a DequantizeLinear: numbers, scales, zero points, and the axis of the latter
  /// two.
  struct Weights {
    var value: Graph.Value
    var scale: Graph.Value
    var zero: Graph.Value
    var tensor: Tensor
    var scales: [Float]
    var axis: Int
  }

  /// The weights after the DequantizeLinear that makes `value`.
  mutating func weights(_ value: Graph.Value?) -> Weights? {
    guard let value, producers[value] >= 0 else { return nil }
    let node = graph.nodes[producers[value]]
    guard node.operation == "DequantizeLinear", node.domain.isEmpty,
      let tensor = graph.constant(0, of: node), let numbers = node.inputs[0],
      tensor.elementType == .int8 || tensor.elementType == .uint8,
      let scale = graph.constant(1, of: node), let scaleValue = node.inputs[1],
      scale.elementType == .float32, scale.rank <= 1, scale.count > 0,
      (node.attributes["block_size"].map { $0.int == 0 } ?? true)
    else { return nil }
    let zero: Graph.Value
    if let given = graph.constant(2, of: node), let value = node.inputs[2] {
      guard given.elementType == tensor.elementType, given.count == scale.count else { return nil }
      zero = value
    } else {
      zero = graph.addValue(named: node.name + "/zero")
      let bytes = [UInt8](repeating: 0, count: scale.count)
      guard let made = try? Tensor(shape: scale.shape, bytes) else { return nil }
      graph.constants[zero] = Tensor(
        elementType: tensor.elementType, shape: scale.shape, count: scale.count,
        storage: made.storage)
    }
    var axis = node.attributes["axis"]?.int ?? 1
    if axis < 0 { axis += tensor.rank }
    return Weights(
      value: numbers, scale: scaleValue, zero: zero, tensor: tensor,
      scales: (0..<scale.count).map { scale.pointer(to: Float.self)[$0] }, axis: axis)
  }

  /// A bias as whole numbers in the scale of the sums.
  mutating func bias(
    _ value: Graph.Value, _ left: Source, _ scales: [Float], count: Int
  ) -> Graph.Value? {
    var floats: [Float]
    if let tensor = graph.constants[value], tensor.elementType == .float32 {
      floats = (0..<tensor.count).map { tensor.pointer(to: Float.self)[$0] }
    } else {
      // It has its own DequantizeLinear, whose result is small.
      guard producers[value] >= 0 else { return nil }
      let node = graph.nodes[producers[value]]
      guard node.operation == "DequantizeLinear", node.domain.isEmpty,
        node.inputs.allSatisfy({ $0.map { graph.constants[$0] != nil } ?? true }),
        let kernel = try? node.kernel(in: graph)
      else { return nil }
      let context = KernelContext(
        nodeName: node.name, operation: node.operation, pool: pool, threads: threads,
        isCancelled: nil)
      guard
        let tensor = try? kernel.run(
          node.inputs.map { $0.flatMap { graph.constants[$0] } }, in: context
        ).first, tensor.elementType == .float32
      else { return nil }
      floats = (0..<tensor.count).map { tensor.pointer(to: Float.self)[$0] }
    }
    if floats.count == 1, count > 1 { floats = .init(repeating: floats[0], count: count) }
    guard floats.count == count, let scale = graph.constants[left.scale] else { return nil }
    let factor = scale.pointer(to: Float.self)[0]
    var numbers: [Int32] = []
    for (index, value) in floats.enumerated() {
      let unit = Double(factor) * Double(scales[scales.count == 1 ? 0 : index])
      let number = (Double(value) / unit).rounded(.toNearestOrEven)
      guard number.magnitude < Double(1 << 30) else { return nil }
      numbers.append(Int32(number))
    }
    let result = graph.addValue(named: graph.names[value] + "/int32")
    guard let tensor = try? Tensor(shape: [count], numbers) else { return nil }
    graph.constants[result] = tensor
    return result
  }
}
