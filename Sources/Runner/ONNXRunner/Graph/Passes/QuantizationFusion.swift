/// Turns float operators between DequantizeLinear and QuantizeLinear into operators on 8-bit numbers.
///
/// Convolutions, matrix products (with the bias added after them), sums, products, concatenations and
/// movements become the operators for quantised numbers. Whatever is a function of one 8-bit number alone, however
/// many nodes compute it, becomes a table of 256, computed by the nodes' own kernels, so that its results stay as they
/// are. Results of products may differ by one step where a float sum and an integer one round apart,
/// and a bias is rounded to the sums' scale. Nodes that nobody needs any more are left to ``DeadCode``.
struct QuantizationFusion {
  /// The domain of what has no operator in any other; no file can name one of its nodes.
  static let domain = "tally.int8"

  static func apply(to graph: inout Graph) {
    guard
      graph.nodes.contains(where: {
        $0.operation == "DequantizeLinear" || $0.domain == OperatorTable.runtimeDomain
      })
    else { return }
    var pass = QuantizationFusion(graph: graph)
    pass.run()
    graph = pass.graph
  }

  /// What the 8-bit number at the root of some nodes becomes for each of the 256 numbers it can be.
  private struct Codes {
    var root: Graph.Value
    var values: Tensor
  }

  /// A float value that stands for an 8-bit one.
  private struct Source {
    var value: Graph.Value
    var scale: Graph.Value
    var zero: Graph.Value
    var type: ElementType
  }

  private var graph: Graph
  private var codes: [Graph.Value: Codes] = [:]
  private var sources: [Graph.Value: Source] = [:]
  private var producers: [Int]
  private var uses: [Int]
  private var nodes: [Graph.Node] = []
  private let pool = BufferPool(limit: 64 << 20)
  private let threads = ThreadPool(threadCount: 1)

  private init(graph: Graph) {
    self.graph = graph
    producers = graph.producers()
    uses = graph.useCounts()
  }

  private mutating func run() {
    let given = graph.nodes
    for node in given {
      if node.domain.isEmpty, node.operation == "DequantizeLinear" { note(node) }
      follow(node)
      if node.domain.isEmpty, node.operation == "QuantizeLinear", let made = fused(node, given) {
        nodes += made
      } else if node.domain == OperatorTable.runtimeDomain, let made = tabulated(node) {
        nodes.append(made)
      } else {
        nodes.append(node)
      }
    }
    graph.nodes = nodes
    pool.trim()
  }

  // MARK: Functions of one number

  /// Operators that work on each element by itself, with other inputs of one number at most.
  private static let elementwise: Set<String> = [
    "Relu", "Sigmoid", "HardSwish", "HardSigmoid", "LeakyRelu", "Clip", "Tanh", "Erf", "Gelu",
    "Elu",
    "Softplus", "Mish", "Abs", "Neg", "Sqrt", "Exp", "Add", "Sub", "Mul", "Div", "Min", "Max",
    "Identity",
    "DequantizeLinear", "QuantizeLinear",
  ]
  private static let runtimeElementwise: Set<String> = [
    "QLinearAdd", "QLinearMul", "QLinearSigmoid", "QLinearLeakyRelu",
  ]

  private func constant(_ index: Int, of node: Graph.Node) -> Tensor? {
    guard index < node.inputs.count, let input = node.inputs[index] else { return nil }
    return graph.constants[input]
  }

  private func input(_ index: Int, of node: Graph.Node) -> Graph.Value? {
    index < node.inputs.count ? node.inputs[index] : nil
  }

  /// One number of `float32`, at index, and one of an 8-bit type after it.
  private func range(_ index: Int, of node: Graph.Node) -> (scale: Tensor, zero: Tensor)? {
    guard let scale = constant(index, of: node), scale.elementType == .float32, scale.count == 1,
      let zero = constant(index + 1, of: node), zero.count == 1,
      zero.elementType == .int8 || zero.elementType == .uint8
    else { return nil }
    return (scale, zero)
  }

  /// Notes which 8-bit value a float one stands for.
  private mutating func note(_ node: Graph.Node) {
    guard let (_, zero) = range(1, of: node), let value = node.inputs[0],
      let scale = node.inputs[1], let zeroValue = node.inputs[2], let output = node.outputs.first,
      let output
    else { return }
    sources[output] = Source(
      value: value, scale: scale, zero: zeroValue, type: zero.elementType)
  }

  private mutating func root(_ value: Graph.Value, _ type: ElementType) {
    guard codes[value] == nil, graph.constants[value] == nil,
      let all = try? Tensor(shape: [256], (0..<256).map { UInt8($0) })
    else { return }
    codes[value] = Codes(
      root: value,
      values: Tensor(elementType: type, shape: [256], count: 256, storage: all.storage))
  }

  /// Computes an element-by-element node for all 256 numbers, if it is a function of one.
  private mutating func follow(_ node: Graph.Node) {
    let isRuntime = node.domain == OperatorTable.runtimeDomain
    guard
      isRuntime
        ? Self.runtimeElementwise.contains(node.operation)
        : node.domain.isEmpty && Self.elementwise.contains(node.operation),
      node.captures.isEmpty, node.outputs.count == 1, let output = node.outputs[0]
    else { return }
    // Only 8-bit numbers can be a root; their type is that of their zero points.
    if isRuntime {
      for index in node.operation == "QLinearAdd" || node.operation == "QLinearMul" ? [0, 3] : [0] {
        if let value = input(index, of: node), let (_, zero) = range(index + 1, of: node) {
          root(value, zero.elementType)
        }
      }
    } else if let source = sources[output] {
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
        // Of one dimension at most, so that the result keeps its shape.
        inputs.append(tensor.viewed(as: []))
      } else if let known = codes[value], found == nil || found == known.root {
        found = known.root
        inputs.append(known.values)
      } else {
        return
      }
    }
    guard let found, let kernel = try? PlanBuilder().kernel(for: node, in: graph) else { return }
    let context = KernelContext(
      nodeName: node.name, operation: node.operation, pool: pool, threads: threads,
      isCancelled: nil)
    guard let result = try? kernel.run(inputs, in: context).first, result.count == 256,
      let copy = try? result.converted(to: result.elementType)
    else { return }
    codes[output] = Codes(root: found, values: copy)
  }

  /// A node that looks `output` up in a table, if it is a function of another 8-bit value.
  private mutating func lookup(_ output: Graph.Value, name: String) -> Graph.Node? {
    guard let known = codes[output], known.root != output, known.values.elementType.byteCount == 1
    else { return nil }
    let table = graph.addValue(named: name + "/table")
    graph.constants[table] = known.values
    return Graph.Node(
      name: name, operation: "Lookup", domain: Self.domain, inputs: [known.root, table],
      outputs: [output])
  }

  private mutating func tabulated(_ node: Graph.Node) -> Graph.Node? {
    guard let output = node.outputs.first, let output else { return nil }
    return lookup(output, name: node.name)
  }

  // MARK: Other nodes before a QuantizeLinear

  private mutating func fused(_ node: Graph.Node, _ given: [Graph.Node]) -> [Graph.Node]? {
    guard let (scale, zero) = range(1, of: node), let value = node.inputs[0],
      let output = node.outputs.first, let output,
      scale.pointer(to: Float.self)[0] > 0, scale.pointer(to: Float.self)[0].isFinite
    else { return nil }
    if let table = lookup(output, name: node.name) { return [table] }
    guard producers[value] >= 0, uses[value] == 1 else { return nil }
    var producer = given[producers[value]]
    guard producer.domain.isEmpty, producer.captures.isEmpty, producer.outputs.count == 1 else {
      return nil
    }
    // A limit after a product is the same limit on its quantised result.
    var limit: Graph.Node?
    if producer.operation == "Relu" || producer.operation == "Clip",
      let before = producer.inputs[0], producers[before] >= 0, uses[before] == 1,
      producer.inputs.dropFirst().allSatisfy({ $0.map { graph.constants[$0] != nil } ?? true })
    {
      limit = producer
      producer = given[producers[before]]
      guard producer.domain.isEmpty, producer.outputs.count == 1 else { return nil }
    }
    let target = limit == nil ? output : graph.addValue(named: graph.names[output] + "/unlimited")
    let result = Result(
      name: node.name, value: target, scale: node.inputs[1] ?? 0, zero: node.inputs[2] ?? 0,
      type: zero.elementType)
    guard var made = rewritten(producer, given, result) else { return nil }
    if let limit {
      // What the 256 numbers become by way of the limit.
      guard let table = limited(limit, by: node, scale: scale, zero: zero) else { return nil }
      let tableValue = graph.addValue(named: node.name + "/table")
      graph.constants[tableValue] = table
      made.append(
        Graph.Node(
          name: node.name, operation: "Lookup", domain: Self.domain,
          inputs: [target, tableValue], outputs: [output]))
    }
    return made
  }

  private func limited(
    _ limit: Graph.Node, by node: Graph.Node, scale: Tensor, zero: Tensor
  ) -> Tensor? {
    let context = KernelContext(
      nodeName: node.name, operation: node.operation, pool: pool, threads: threads,
      isCancelled: nil)
    guard let all = try? Tensor(shape: [256], (0..<256).map { UInt8($0) }),
      let kernel = try? PlanBuilder().kernel(for: limit, in: graph)
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

  /// What the rewritten node gives.
  private struct Result {
    var name: String
    var value: Graph.Value
    var scale: Graph.Value
    var zero: Graph.Value
    var type: ElementType
  }

  private mutating func rewritten(
    _ node: Graph.Node, _ given: [Graph.Node], _ result: Result
  ) -> [Graph.Node]? {
    switch node.operation {
    case "Conv": return convolution(node, result)
    case "MatMul": return product(node, bias: nil, result)
    case "Gemm": return gemm(node, result)
    case "Add":
      return arithmetic(node, "QLinearAdd", result) ?? biased(node, given, result)
    case "Mul": return arithmetic(node, "QLinearMul", result)
    case "Concat": return concat(node, result)
    case "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten", "Slice", "Resize", "MaxPool",
      "Gather", "Expand", "Upsample":
      return movement(node, result)
    case "GlobalAveragePool", "ReduceMean": return mean(node, result)
    default: return nil
    }
  }

  private func source(_ index: Int, of node: Graph.Node) -> Source? {
    input(index, of: node).flatMap { sources[$0] }
  }

  private func made(
    _ operation: String, domain: String = "", _ inputs: [Graph.Value?], _ node: Graph.Node,
    _ result: Result, attributes: [String: AttributeValue]? = nil
  ) -> Graph.Node {
    Graph.Node(
      name: node.name, operation: operation, domain: domain, inputs: inputs,
      outputs: [result.value], attributes: attributes ?? node.attributes)
  }

  /// Weights behind a DequantizeLinear: numbers, scales, zero points, and the axis of the latter two.
  private struct Weights {
    var value: Graph.Value
    var scale: Graph.Value
    var zero: Graph.Value
    var tensor: Tensor
    var scales: [Float]
    var axis: Int
  }

  private mutating func weights(_ value: Graph.Value?) -> Weights? {
    guard let value, producers[value] >= 0 else { return nil }
    let node = graph.nodes[producers[value]]
    guard node.operation == "DequantizeLinear", node.domain.isEmpty,
      let tensor = constant(0, of: node), let numbers = node.inputs[0],
      tensor.elementType == .int8 || tensor.elementType == .uint8,
      let scale = constant(1, of: node), let scaleValue = node.inputs[1],
      scale.elementType == .float32, scale.rank <= 1, scale.count > 0,
      (node.attributes["block_size"].map { $0.int == 0 } ?? true)
    else { return nil }
    let zero: Graph.Value
    if let given = constant(2, of: node), let value = node.inputs[2] {
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

  /// A bias as whole numbers of the sums' scale.
  private mutating func bias(
    _ value: Graph.Value, _ left: Source, _ scales: [Float], count: Int
  ) -> Graph.Value? {
    var floats: [Float]
    if let tensor = graph.constants[value], tensor.elementType == .float32 {
      floats = (0..<tensor.count).map { tensor.pointer(to: Float.self)[$0] }
    } else {
      // Its own DequantizeLinear, whose result is small.
      guard producers[value] >= 0 else { return nil }
      let node = graph.nodes[producers[value]]
      guard node.operation == "DequantizeLinear", node.domain.isEmpty,
        node.inputs.allSatisfy({ $0.map { graph.constants[$0] != nil } ?? true }),
        let kernel = try? PlanBuilder().kernel(for: node, in: graph)
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

  private mutating func convolution(_ node: Graph.Node, _ result: Result) -> [Graph.Node]? {
    guard let left = source(0, of: node), let right = weights(input(1, of: node)),
      right.tensor.rank == 4, node.activation == nil, right.scales.count == 1 || right.axis == 0,
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

  private mutating func product(
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
  private mutating func biased(
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

  private mutating func gemm(_ node: Graph.Node, _ result: Result) -> [Graph.Node]? {
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

  private mutating func arithmetic(
    _ node: Graph.Node, _ operation: String, _ result: Result
  ) -> [Graph.Node]? {
    guard node.inputs.count == 2, let a = source(0, of: node), let b = source(1, of: node),
      a.type == b.type, a.type == result.type
    else { return nil }
    return [
      made(
        operation, domain: OperatorTable.runtimeDomain,
        [a.value, a.scale, a.zero, b.value, b.scale, b.zero, result.scale, result.zero], node,
        result)
    ]
  }

  private mutating func concat(_ node: Graph.Node, _ result: Result) -> [Graph.Node]? {
    var inputs: [Graph.Value?] = [result.scale, result.zero]
    for index in node.inputs.indices {
      guard let part = source(index, of: node), part.type == result.type else { return nil }
      inputs += [part.value, part.scale, part.zero]
    }
    return [made("QLinearConcat", domain: OperatorTable.runtimeDomain, inputs, node, result)]
  }

  /// A node that moves elements, or takes the greatest of some, moves 8-bit numbers as well.
  private mutating func movement(_ node: Graph.Node, _ result: Result) -> [Graph.Node]? {
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

  private mutating func mean(_ node: Graph.Node, _ result: Result) -> [Graph.Node]? {
    guard let from = source(0, of: node), from.type == result.type else { return nil }
    if node.operation == "ReduceMean" {
      var axes: [Int]?
      if case .ints(let given)? = node.attributes["axes"] { axes = given }
      if let tensor = constant(1, of: node) {
        axes = (try? tensor.array(of: Int64.self))?.map { Int($0) }
      }
      guard let axes, [[2, 3], [-2, -1]].contains(axes.sorted()),
        node.attributes["keepdims"]?.int ?? 1 == 1
      else { return nil }
    }
    return [
      made(
        "QLinearGlobalAveragePool", domain: OperatorTable.runtimeDomain,
        [from.value, from.scale, from.zero, result.scale, result.zero], node, result,
        attributes: [:])
    ]
  }
}
