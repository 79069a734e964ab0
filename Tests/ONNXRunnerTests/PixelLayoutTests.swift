import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Graph in, graph out; and nodes on pixels give what the same nodes give without.
@Suite struct PixelLayoutTests {
  typealias Sketch = ChannelBlockingTests.Sketch

  /// Checks that the pass leaves nodes of `operations`, which give to the last bit what the graph gave
  /// before; the graph after the pass.
  @discardableResult private func check(
    _ sketch: Sketch, _ inputs: [Tensor], leaves operations: [String]
  ) throws -> Graph {
    var graph = sketch.graph
    PixelLayout.apply(to: &graph)
    #expect(graph.nodes.map(\.operation) == operations)
    let expected = try sketch.graph.run(inputs)
    for threads in [1, 3] {
      let found = try graph.run(inputs, threads: threads)
      #expect(found.map(\.shape) == expected.map(\.shape))
      #expect(found.map(\.elementType) == expected.map(\.elementType))
      for (a, b) in zip(found, expected) { #expect(try a.floats() == b.floats()) }
    }
    return graph
  }

  /// The table becomes part of the convolution before it, and only the ends are converted.
  @Test func chainsStayInPixels() throws {
    var sketch = Sketch(seed: 1)
    let first = try sketch.integerConvolution(0, 5, 20, zero: UInt8(120))
    let pooled = sketch.node(
      "MaxPool", [try sketch.lookup(first)], ["kernel_shape": .ints([2, 2])])
    sketch.graph.outputs = [
      try sketch.integerConvolution(pooled, 20, 20, zero: UInt8(7), group: 20)
    ]
    let graph = try check(
      sketch, [try sketch.numbers([2, 5, 9, 11], of: UInt8.self)],
      leaves: ["ToPixels", "QLinearConv", "MaxPool", "QLinearConv", "FromPixels"])
    #expect(graph.nodes.allSatisfy { $0.domain == OperatorDomain.pixels })
    #expect(graph.nodes[1].inputs.count == 10)
    #expect(graph.nodes[1].fused.pixels?.inputs[0] == PixelForm(channels: 5, margin: 1, zero: 120))
    #expect(graph.nodes[1].fused.pixels?.output == PixelForm(channels: 20))
    #expect(graph.nodes[2].fused.pixels?.output == PixelForm(channels: 20, margin: 1, zero: 7))
  }

  /// Signed numbers are moved up, and come back signed.
  @Test func signedNumbers() throws {
    var sketch = Sketch(seed: 2)
    sketch.graph.outputs = [try sketch.integerConvolution(0, 6, 9, zero: Int8(-20))]
    let graph = try check(
      sketch, [try sketch.numbers([1, 6, 8, 7], of: Int8.self)],
      leaves: ["ToPixels", "QLinearConv", "FromPixels"])
    let form = PixelForm(channels: 6, margin: 1, isSigned: true, zero: 108)
    #expect(graph.nodes[1].fused.pixels?.inputs[0] == form)
    #expect(graph.nodes[2].attributes["to"]?.int == ElementType.int8.rawValue)
  }

  /// Sums, joins, repetitions and means take part where all they read does; x is sorted once for both.
  @Test func whatLiesBetweenConvolutions() throws {
    var sketch = Sketch(seed: 3)
    let a = try sketch.integerConvolution(0, 5, 20, zero: UInt8(120))
    let b = try sketch.integerConvolution(0, 5, 20, zero: UInt8(120))
    let sum = sketch.runtimeNode(
      "QLinearAdd",
      [a] + sketch.range(0.5, UInt8(9)) + [b] + sketch.range(0.25, UInt8(8))
        + sketch.range(0.75, UInt8(7)))
    let joined = sketch.runtimeNode(
      "QLinearConcat",
      sketch.range(0.75, UInt8(7)) + [sum] + sketch.range(0.75, UInt8(7)) + [a]
        + sketch.range(0.5, UInt8(9)), ["axis": .int(1)])
    let scales = sketch.constant(try Tensor(shape: [4], [1, 1, 2, 2] as [Float]))
    let larger = sketch.node(
      "Resize", [joined, nil, scales],
      [
        "mode": .string("nearest"), "coordinate_transformation_mode": .string("asymmetric"),
        "nearest_mode": .string("floor"),
      ])
    let mean = sketch.runtimeNode(
      "QLinearGlobalAveragePool",
      [larger] + sketch.range(0.75, UInt8(7)) + sketch.range(0.25, UInt8(30)))
    sketch.graph.outputs = [larger, mean]
    try check(
      sketch, [try sketch.numbers([2, 5, 6, 7], of: UInt8.self)],
      leaves: [
        "ToPixels", "QLinearConv", "QLinearConv", "QLinearAdd", "QLinearConcat", "Resize",
        "QLinearGlobalAveragePool", "FromPixels", "FromPixels",
      ])
  }

  /// What cannot be on pixels is left as it is; its input and the graph's output share a conversion.
  @Test func otherNodesGetTheUsualForm() throws {
    var sketch = Sketch(seed: 4)
    let a = try sketch.integerConvolution(0, 5, 12, zero: UInt8(120))
    let turned = sketch.node("Transpose", [a], ["perm": .ints([0, 1, 3, 2])])
    sketch.graph.outputs = [turned, a]
    let graph = try check(
      sketch, [try sketch.numbers([1, 5, 6, 9], of: UInt8.self)],
      leaves: ["ToPixels", "QLinearConv", "FromPixels", "Transpose"])
    #expect(graph.nodes[3].domain.isEmpty)
    #expect(graph.outputs == [turned, try #require(graph.nodes[2].outputs[0])])
  }

  /// What lies around an image can only be one number: who wants another one stays as it is, and gets
  /// its table back.
  @Test func readersAgreeOnTheMargin() throws {
    var sketch = Sketch(seed: 5)
    let a = try sketch.integerConvolution(0, 5, 12, zero: UInt8(120))
    let b = try sketch.integerConvolution(0, 5, 12, zero: UInt8(90))
    sketch.graph.outputs = [a, try sketch.lookup(b)]
    let graph = try check(
      sketch, [try sketch.numbers([1, 5, 6, 9], of: UInt8.self)],
      leaves: ["ToPixels", "QLinearConv", "QLinearConv", "Lookup", "FromPixels"])
    #expect(graph.nodes[1].domain == OperatorDomain.pixels)
    #expect(graph.nodes[2].domain.isEmpty)
    #expect(graph.nodes[2].inputs.count == 9)
    #expect(graph.nodes[3].domain == OperatorDomain.quantized)
  }

  /// Without a known convolution there is nothing to sort for.
  @Test func graphsWithoutConvolutionsStay() throws {
    var sketch = Sketch(seed: 6)
    sketch.graph.outputs = [sketch.node("MaxPool", [0], ["kernel_shape": .ints([2, 2])])]
    try check(
      sketch, [try sketch.numbers([1, 5, 6, 9], of: UInt8.self)], leaves: ["MaxPool"])
  }

  @Test func unknownWeightsStay() throws {
    var sketch = Sketch(seed: 7, inputs: 2)
    let y = try sketch.integerConvolution(0, 5, 12, zero: UInt8(120))
    sketch.graph.nodes[0].inputs[3] = 1
    sketch.graph.outputs = [sketch.node("MaxPool", [y], ["kernel_shape": .ints([2, 2])])]
    let weights = try sketch.numbers([12, 5, 3, 3], of: Int8.self)
    try check(
      sketch, [try sketch.numbers([1, 5, 6, 9], of: UInt8.self), weights],
      leaves: ["QLinearConv", "MaxPool"])
  }

  @Test(arguments: [true, false]) func theSwitch(isOn: Bool) throws {
    var sketch = Sketch(seed: 8)
    sketch.graph.outputs = [try sketch.integerConvolution(0, 5, 12, zero: UInt8(120))]
    var options = SessionOptions(threads: 1)
    options.disabledPasses = isOn ? [] : ["pixel-layout"]
    var graph = sketch.graph
    try GraphPasses(options: options).apply(to: &graph)
    #expect(
      graph.nodes.map(\.operation)
        == (isOn ? ["ToPixels", "QLinearConv", "FromPixels"] : ["QLinearConv"]))
    #expect(graph.nodes.allSatisfy { ($0.domain == OperatorDomain.pixels) == isOn })
  }

  /// A file cannot ask for these nodes by name.
  @Test func theDomainIsOutOfReach() throws {
    var sketch = Sketch(seed: 9)
    let y = sketch.node("FromPixels", [0], ["to": .int(ElementType.uint8.rawValue)])
    sketch.graph.nodes[0].domain = OperatorDomain.pixels
    sketch.graph.outputs = [y]
    #expect(throws: ModelError.self) { try PlanBuilder().plan(sketch.graph) }
  }
}

extension ChannelBlockingTests.Sketch {
  /// 8-bit numbers drawn at random.
  fileprivate mutating func numbers<Number: TensorScalar & FixedWidthInteger>(
    _ shape: [Int], of type: Number.Type
  ) throws -> Tensor {
    let count = shape.reduce(1, *)
    return try Tensor(
      shape: shape, (0..<count).map { _ in Number.random(in: .min ... .max, using: &random) })
  }

  /// A scale and a zero point.
  fileprivate mutating func range(
    _ scale: Float, _ zero: some TensorScalar
  ) -> [Graph.Value?] {
    [constant(Tensor(scalar: scale)), constant(Tensor(scalar: zero))]
  }

  /// A 3x3 convolution of 8-bit numbers whose zero point is `zero`, and whose results' is, too.
  fileprivate mutating func integerConvolution<Number: TensorScalar & FixedWidthInteger>(
    _ input: Graph.Value, _ inputs: Int, _ outputs: Int, zero: Number, group: Int = 1
  ) throws -> Graph.Value {
    let weights = constant(try numbers([outputs, inputs / group, 3, 3], of: Int8.self))
    let bias = (0..<outputs).map { _ in Int32.random(in: -500...500, using: &random) }
    return node(
      "QLinearConv",
      [input] + range(0.05, zero) + [weights] + range(0.02, Int8(0)) + range(1.5, zero)
        + [constant(try Tensor(shape: [outputs], bias))],
      ["pads": .ints([1, 1, 1, 1]), "group": .int(group)])
  }

  /// A node that looks `value` up in a table drawn at random.
  fileprivate mutating func lookup(_ value: Graph.Value) throws -> Graph.Value {
    let output = node("Lookup", [value, constant(try numbers([256], of: UInt8.self))])
    graph.nodes[graph.nodes.count - 1].domain = OperatorDomain.quantized
    return output
  }

  /// A node of one of ONNX Runtime's own operators.
  fileprivate mutating func runtimeNode(
    _ operation: String, _ inputs: [Graph.Value?], _ attributes: [String: AttributeValue] = [:]
  ) -> Graph.Value {
    let output = node(operation, inputs, attributes)
    graph.nodes[graph.nodes.count - 1].domain = OperatorDomain.runtime
    return output
  }
}
