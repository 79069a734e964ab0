import RunnerGraph
import RunnerTensors

/// Tables for functions of one 8-bit number, for any number of nodes that compute them.
extension QuantizationFusion {
  /// Makes an 8-bit value the root of the values that are computed from it.
  private mutating func root(_ value: Graph.Value, _ type: ElementType) {
    guard codes[value] == nil, graph.constants[value] == nil,
      let all = try? Tensor(shape: [256], (0..<256).map { UInt8($0) })
    else { return }
    codes[value] = Codes(
      root: value,
      values: Tensor(elementType: type, shape: [256], count: 256, storage: all.storage))
  }

  /// Computes an element-by-element node for all 256 numbers, if it is a function of one number.
  mutating func follow(_ node: Graph.Node) {
    let isRuntime = node.domain == OperatorDomain.runtime
    guard node.has(.elementwise), node.captures.isEmpty, node.outputs.count == 1,
      let output = node.outputs[0]
    else { return }
    // Only 8-bit numbers can be a root; their type is that of their zero points.
    if isRuntime {
      for index in node.operation == "QLinearAdd" || node.operation == "QLinearMul" ? [0, 3] : [0] {
        if let value = input(index, of: node), let (_, zero) = range(index + 1, of: node) {
          root(value, zero.elementType)
        }
      }
    } else if let source = source(of: output) {
      root(source.value, source.type)
    }
    var inputs: [Tensor?] = []
    var found: Graph.Value?
    for value in node.inputs {
      guard let value else {
        inputs.append(nil)
        continue
      }
      if let tensor = graph.constants[value] {
        guard tensor.count == 1, tensor.rank <= 1 else { return }
        // It has at most one dimension, so that the result keeps its shape.
        inputs.append(tensor.viewed(as: []))
      } else if let known = codes[value], found == nil || found == known.root {
        found = known.root
        inputs.append(known.values)
      } else {
        return
      }
    }
    guard let found, let kernel = try? node.kernel(in: graph) else { return }
    let context = KernelContext(
      nodeName: node.name, operation: node.operation, pool: pool, threads: threads,
      isCancelled: nil)
    guard let result = try? kernel.run(inputs, in: context).first, result.count == 256,
      let copy = try? result.converted(to: result.elementType)
    else { return }
    codes[output] = Codes(root: found, values: copy)
  }

  /// A node that looks `output` up in a table, if it is a function of another 8-bit value.
  mutating func lookup(_ output: Graph.Value, name: String) -> Graph.Node? {
    guard let known = codes[output], known.root != output, known.values.elementType.byteCount == 1
    else { return nil }
    let table = graph.addValue(named: name + "/table")
    graph.constants[table] = known.values
    return Graph.Node(
      name: name, operation: "Lookup", domain: Self.domain, inputs: [known.root, table],
      outputs: [output])
  }

  /// The lookup that replaces a node, if the node is a function of one 8-bit value.
  mutating func tabulated(_ node: Graph.Node) -> Graph.Node? {
    guard let output = node.outputs.first, let output else { return nil }
    return lookup(output, name: node.name)
  }

  /// The table of a clamp on numbers of this scale and zero point.
  func limited(
    _ limit: Graph.Node, by node: Graph.Node, scale: Tensor, zero: Tensor
  ) -> Tensor? {
    let context = KernelContext(
      nodeName: node.name, operation: node.operation, pool: pool, threads: threads,
      isCancelled: nil)
    guard let all = try? Tensor(shape: [256], (0..<256).map { UInt8($0) }),
      let kernel = try? limit.kernel(in: graph)
    else { return nil }
    let numbers = Tensor(
      elementType: zero.elementType, shape: [256], count: 256, storage: all.storage)
    let range = (scale.pointer(to: Float.self)[0], Tensor.zeroPoints(zero)[0])
    guard
      let floats = try? context.dequantizedBytes(numbers, scale: range.0, zero: range.1),
      let values = try? kernel.run(
        [floats] + limit.inputs.dropFirst().map { $0.flatMap { graph.constants[$0] } },
        in: context
      ).first,
      let table = try? context.quantizedBytes(
        values, scale: range.0, zero: range.1, to: zero.elementType)
    else { return nil }
    return try? table.converted(to: table.elementType)
  }
}
