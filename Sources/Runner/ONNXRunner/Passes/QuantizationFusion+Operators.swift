import RunnerGraph
import RunnerLayouts
import RunnerTensors

/// The operators for quantised numbers that replace float ones.
///
/// Each function returns the nodes that replace a float node, or nil if the node stays.
extension QuantizationFusion {
  private func made(
    _ operation: String, domain: String = "", _ inputs: [Graph.Value?], _ node: Graph.Node,
    _ result: Result, attributes: [String: AttributeValue]? = nil
  ) -> Graph.Node {
    Graph.Node(
      name: node.name, operation: operation, domain: domain, inputs: inputs,
      outputs: [result.value], attributes: attributes ?? node.attributes)
  }

  mutating func convolution(_ node: Graph.Node, _ result: Result) -> [Graph.Node]? {
    guard let left = source(0, of: node), let right = weights(input(1, of: node)),
      right.tensor.rank == 4, node.fused.activation == nil,
      right.scales.count == 1 || right.axis == 0,
      right.scales.count == 1 || right.scales.count == right.tensor.shape[0],
      IntegerConvolution.takes(weights: right.tensor, group: node.attributes["group"]?.int ?? 1)
    else { return nil }
    var inputs: [Graph.Value?] = [
      left.value, left.scale, left.zero, right.value, right.scale, right.zero, result.scale,
      result.zero,
    ]
    if let value = input(2, of: node) {
      guard let bias = bias(value, left, right.scales, count: right.tensor.shape[0]) else {
        return nil
      }
      inputs.append(bias)
    }
    return [made("QLinearConv", inputs, node, result)]
  }

  mutating func product(
    _ node: Graph.Node, bias value: Graph.Value?, _ result: Result
  ) -> [Graph.Node]? {
    guard let left = source(0, of: node) else { return nil }
    if value == nil, let right = source(1, of: node), graph.constants[right.value] == nil {
      return [
        made(
          "QLinearMatMul",
          [
            left.value, left.scale, left.zero, right.value, right.scale, right.zero, result.scale,
            result.zero,
          ], node, result)
      ]
    }
    guard graph.constants[left.value] == nil, let right = weights(input(1, of: node)),
      right.tensor.rank == 2, right.scales.count == 1 || right.axis == 1,
      right.scales.count == 1 || right.scales.count == right.tensor.shape[1]
    else { return nil }
    var inputs: [Graph.Value?] = [
      left.value, left.scale, left.zero, right.value, right.scale, right.zero, result.scale,
      result.zero,
    ]
    if let value {
      guard let bias = bias(value, left, right.scales, count: right.tensor.shape[1]) else {
        return nil
      }
      inputs.append(bias)
      return [made("MatMul", domain: Self.domain, inputs, node, result, attributes: [:])]
    }
    return [made("QLinearMatMul", inputs, node, result)]
  }

  /// A matrix product with a vector added to each row.
  mutating func biased(
    _ node: Graph.Node, _ given: [Graph.Node], _ result: Result
  ) -> [Graph.Node]? {
    for (index, other) in [(0, 1), (1, 0)] {
      guard let value = input(index, of: node), let bias = input(other, of: node),
        producers[value] >= 0, uses[value] == 1, graph.constants[bias]?.rank ?? 1 <= 1
      else { continue }
      let producer = given[producers[value]]
      if producer.operation == "MatMul", producer.domain.isEmpty,
        let made = product(producer, bias: bias, result)
      {
        return made
      }
    }
    return nil
  }

  mutating func gemm(_ node: Graph.Node, _ result: Result) -> [Graph.Node]? {
    guard node.attributes["alpha"]?.float ?? 1 == 1, node.attributes["beta"]?.float ?? 1 == 1,
      node.attributes["transA"]?.int ?? 0 == 0, let left = source(0, of: node),
      graph.constants[left.value] == nil, var right = weights(input(1, of: node)),
      right.tensor.rank == 2
    else { return nil }
    if node.attributes["transB"]?.int ?? 0 != 0 {
      let (rows, columns) = (right.tensor.shape[0], right.tensor.shape[1])
      let source = right.tensor.pointer(to: UInt8.self)
      var bytes = [UInt8](repeating: 0, count: rows * columns)
      for row in 0..<rows {
        for column in 0..<columns { bytes[column * rows + row] = source[row * columns + column] }
      }
      guard let tensor = try? Tensor(shape: [columns, rows], bytes) else { return nil }
      right.tensor = Tensor(
        elementType: right.tensor.elementType, shape: [columns, rows], count: bytes.count,
        storage: tensor.storage)
      right.value = graph.addValue(named: graph.names[right.value] + "/transposed")
      graph.constants[right.value] = right.tensor
      right.axis = 1 - right.axis
    }
    guard right.scales.count == 1 || right.axis == 1,
      right.scales.count == 1 || right.scales.count == right.tensor.shape[1]
    else { return nil }
    var inputs: [Graph.Value?] = [
      left.value, left.scale, left.zero, right.value, right.scale, right.zero, result.scale,
      result.zero,
    ]
    if let value = input(2, of: node) {
      guard graph.constants[value]?.rank ?? 1 <= 1,
        let bias = bias(value, left, right.scales, count: right.tensor.shape[1])
      else { return nil }
      inputs.append(bias)
    }
    return [made("MatMul", domain: Self.domain, inputs, node, result, attributes: [:])]
  }

  mutating func arithmetic(
    _ node: Graph.Node, _ operation: String, _ result: Result
  ) -> [Graph.Node]? {
    guard node.inputs.count == 2, let a = source(0, of: node), let b = source(1, of: node),
      a.type == b.type, a.type == result.type
    else { return nil }
    return [
      made(
        operation, domain: OperatorDomain.runtime,
        [a.value, a.scale, a.zero, b.value, b.scale, b.zero, result.scale, result.zero], node,
        result)
    ]
  }

  mutating func concat(_ node: Graph.Node, _ result: Result) -> [Graph.Node]? {
    var inputs: [Graph.Value?] = [result.scale, result.zero]
    for index in node.inputs.indices {
      guard let part = source(index, of: node), part.type == result.type else { return nil }
      inputs += [part.value, part.scale, part.zero]
    }
    return [made("QLinearConcat", domain: OperatorDomain.runtime, inputs, node, result)]
  }

  /// A node that moves elements, or takes the greatest of some, can move 8-bit numbers as well.
  mutating func movement(_ node: Graph.Node, _ result: Result) -> [Graph.Node]? {
    guard let from = source(0, of: node), from.type == result.type,
      let scale = graph.constants[from.scale], let zero = graph.constants[from.zero],
      let newScale = graph.constants[result.scale], let newZero = graph.constants[result.zero]
    else { return nil }
    if node.operation == "Resize" || node.operation == "Upsample" {
      guard case .string("nearest") = node.attributes["mode"] ?? .string("nearest") else {
        return nil
      }
    }
    guard scale.pointer(to: Float.self)[0] == newScale.pointer(to: Float.self)[0],
      Tensor.zeroPoints(zero) == Tensor.zeroPoints(newZero)
    else { return nil }
    return [
      made(
        node.operation, [from.value] + node.inputs.dropFirst().map { $0 }, node, result)
    ]
  }

  mutating func mean(_ node: Graph.Node, _ result: Result) -> [Graph.Node]? {
    guard let from = source(0, of: node), from.type == result.type else { return nil }
    if node.operation == "ReduceMean" {
      var axes: [Int]?
      if case .ints(let given)? = node.attributes["axes"] { axes = given }
      if let tensor = graph.constant(1, of: node) {
        axes = (try? tensor.array(of: Int64.self))?.map { Int($0) }
      }
      guard let axes, [[2, 3], [-2, -1]].contains(axes.sorted()),
        node.attributes["keepdims"]?.int ?? 1 == 1
      else { return nil }
    }
    return [
      made(
        "QLinearGlobalAveragePool", domain: OperatorDomain.runtime,
        [from.value, from.scale, from.zero, result.scale, result.zero], node, result,
        attributes: [:])
    ]
  }
}
