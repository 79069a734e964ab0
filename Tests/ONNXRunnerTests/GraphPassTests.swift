import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Graph in, graph out.
@Suite struct GraphPassTests {
  /// Values by name, for graphs written down in a test.
  struct Sketch {
    var graph = Graph()
    var values: [String: Graph.Value] = [:]

    init(inputs: [String]) {
      graph.opsets = ["": 14]
      for name in inputs { graph.inputs.append(value(name)) }
    }

    mutating func value(_ name: String) -> Graph.Value {
      if let known = values[name] { return known }
      let value = graph.addValue(named: name)
      values[name] = value
      return value
    }

    mutating func constant(_ name: String, _ shape: [Int], _ number: Float) throws {
      let count = shape.reduce(1, *)
      graph.constants[value(name)] = try Tensor(
        shape: shape, [Float](repeating: number, count: count))
    }

    mutating func node(
      _ operation: String, _ inputs: [String], _ output: String,
      _ attributes: [String: AttributeValue] = [:]
    ) {
      graph.nodes.append(
        Graph.Node(
          name: output, operation: operation, domain: "", inputs: inputs.map { value($0) },
          outputs: [value(output)], attributes: attributes))
    }
  }

  @Test func deadNodesAndWeightsGo() throws {
    var sketch = Sketch(inputs: ["x"])
    try sketch.constant("unused", [4], 1)
    sketch.node("Relu", ["x"], "y")
    sketch.node("Relu", ["x"], "dead")
    sketch.node("Add", ["dead", "unused"], "deader")
    sketch.graph.outputs = [sketch.value("y")]
    DeadCode.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.map(\.name) == ["y"])
    #expect(sketch.graph.constants.isEmpty)
  }

  @Test func constantsAreComputed() throws {
    var sketch = Sketch(inputs: ["x"])
    try sketch.constant("a", [2, 3], 2)
    try sketch.constant("b", [3, 2], 3)
    sketch.node("MatMul", ["a", "b"], "c")
    sketch.node("Identity", ["c"], "d")
    sketch.node("MatMul", ["x", "d"], "y")
    sketch.graph.outputs = [sketch.value("y")]
    ConstantFolding.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.map(\.name) == ["y"])
    let folded = try #require(sketch.graph.constants[sketch.value("d")])
    #expect(try folded.floats() == [18, 18, 18, 18])
  }

  @Test func foldingHasALimit() throws {
    var sketch = Sketch(inputs: [])
    sketch.graph.constants[sketch.value("shape")] = try Tensor(
      shape: [2], [1 << 12, 1 << 12] as [Int64])
    sketch.node("ConstantOfShape", ["shape"], "y")
    sketch.graph.outputs = [sketch.value("y")]
    ConstantFolding.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.count == 1)
  }

  @Test func normalizationGoesIntoWeights() throws {
    var sketch = Sketch(inputs: ["x"])
    try sketch.constant("w", [2, 1, 1, 1], 3)
    for (name, number) in [("scale", Float(2)), ("shift", 5), ("mean", 1), ("variance", 4)] {
      try sketch.constant(name, [2], number)
    }
    sketch.node("Conv", ["x", "w"], "c")
    sketch.node(
      "BatchNormalization", ["c", "scale", "shift", "mean", "variance"], "y",
      ["epsilon": .float(0)])
    sketch.graph.outputs = [sketch.value("y")]
    try AffineFolding.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.map(\.operation) == ["Conv"])
    let node = sketch.graph.nodes[0]
    #expect(node.outputs == [sketch.value("y")])
    let weights = try #require(node.inputs[1].flatMap { sketch.graph.constants[$0] })
    let bias = try #require(node.inputs[2].flatMap { sketch.graph.constants[$0] })
    #expect(try weights.floats() == [3, 3])
    #expect(try bias.floats() == [4, 4])
  }

  /// What one node after a convolution of weight 3 and bias 1 makes of them.
  @Test(
    arguments: [
      ("Mul", false, [6, 6], [2, 2]), ("Mul", true, [6, 6], [2, 2]),
      ("Add", false, [3, 3], [3, 3]),
      ("Sub", false, [3, 3], [-1, -1]), ("Sub", true, [-3, -3], [1, 1]),
      ("Div", false, [1.5, 1.5], [0.5, 0.5]),
    ] as [(String, Bool, [Float], [Float])])
  func arithmeticGoesIntoWeights(
    operation: String, constantFirst: Bool, weights: [Float], bias: [Float]
  ) throws {
    for shape in [[], [1], [2, 1, 1], [1, 2, 1, 1]] {
      var sketch = Sketch(inputs: ["x"])
      try sketch.constant("w", [2, 1, 1, 1], 3)
      try sketch.constant("b", [2], 1)
      try sketch.constant("number", shape, 2)
      sketch.node("Conv", ["x", "w", "b"], "c")
      sketch.node(operation, constantFirst ? ["number", "c"] : ["c", "number"], "y")
      sketch.graph.outputs = [sketch.value("y")]
      try AffineFolding.apply(to: &sketch.graph)
      #expect(sketch.graph.nodes.map(\.operation) == ["Conv"])
      let node = sketch.graph.nodes[0]
      #expect(node.outputs == [sketch.value("y")])
      #expect(try node.inputs[1].flatMap { sketch.graph.constants[$0] }?.floats() == weights)
      #expect(try node.inputs[2].flatMap { sketch.graph.constants[$0] }?.floats() == bias)
    }
  }

  @Test(
    arguments: [
      ("Div", true, [1], false), ("Mul", false, [2], false), ("Mul", false, [2, 1], false),
      ("Mul", false, [1, 1, 1, 1, 1], false), ("Mul", false, [1], true),
    ] as [(String, Bool, [Int], Bool)])
  func arithmeticThatIsNotByChannelStays(
    operation: String, constantFirst: Bool, shape: [Int], isUsedTwice: Bool
  ) throws {
    var sketch = Sketch(inputs: ["x"])
    try sketch.constant("w", [2, 1, 1, 1], 3)
    try sketch.constant("number", shape, 2)
    sketch.node("Conv", ["x", "w"], "c")
    sketch.node(operation, constantFirst ? ["number", "c"] : ["c", "number"], "y")
    sketch.graph.outputs = [sketch.value("y")] + (isUsedTwice ? [sketch.value("c")] : [])
    try AffineFolding.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.map(\.operation) == ["Conv", operation])
  }

  /// Transposed convolutions have their outputs second, group by group.
  @Test func foldingIntoTransposedConvolutions() throws {
    var sketch = Sketch(inputs: ["x"])
    try sketch.constant("w", [4, 2, 1, 1], 1)
    sketch.graph.constants[sketch.value("factors")] = try Tensor(
      shape: [1, 4, 1, 1], [1, 2, 3, 4] as [Float])
    sketch.node("ConvTranspose", ["x", "w"], "c", ["group": .int(2)])
    sketch.node("Mul", ["c", "factors"], "y")
    sketch.graph.outputs = [sketch.value("y")]
    try AffineFolding.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.map(\.operation) == ["ConvTranspose"])
    let weights = sketch.graph.nodes[0].inputs[1].flatMap { sketch.graph.constants[$0] }
    #expect(try weights?.floats() == [1, 2, 1, 2, 3, 4, 3, 4])
  }

  @Test(arguments: ["steps", "one node"], [false, true])
  func hardSwishIsFused(form: String, isScaled: Bool) throws {
    var sketch = Sketch(inputs: ["x", "w"])
    for (name, number) in [("3", Float(3)), ("0", 0), ("6", 6), ("scale", 0.5), ("shift", -2)] {
      try sketch.constant(name, name == "0" || name == "6" ? [] : [1], number)
    }
    sketch.node("Conv", ["x", "w"], "c")
    if form == "steps" {
      sketch.node("Add", ["c", "3"], "sum")
      sketch.node("Clip", ["sum", "0", "6"], "gate")
      sketch.node("Mul", ["c", "gate"], "product")
      sketch.node("Div", ["product", "6"], "h")
    } else {
      sketch.node("HardSwish", ["c"], "h")
    }
    if isScaled {
      sketch.node("Mul", ["scale", "h"], "m")
      sketch.node("Add", ["m", "shift"], "a")
    }
    sketch.graph.outputs = [sketch.value(isScaled ? "a" : "h")]
    ActivationFusion.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.map(\.operation) == ["Conv"])
    #expect(
      sketch.graph.nodes[0].fused.activation
        == (isScaled ? .scaledHardSwish(scale: 0.5, shift: -2) : .hardSwish))
    #expect(sketch.graph.nodes[0].outputs == [sketch.graph.outputs[0]])
  }

  /// The slices of YOLOX's Focus, in its order, become part of the convolution.
  @Test(arguments: [true, false]) func everyOtherPixelIsSpaceToDepth(isEven: Bool) throws {
    var sketch = ChannelBlockingTests.Sketch(seed: 3)
    let side = 8
    sketch.graph.declared[0] = ValueDescription(
      name: "x0", elementType: .float32,
      shape: [.fixed(1), .fixed(2), .fixed(side), isEven ? .fixed(side) : .symbolic("width")])
    func list(_ numbers: [Int64]) throws -> Graph.Value {
      sketch.constant(try Tensor(shape: [numbers.count], numbers))
    }
    var quarters: [Graph.Value?] = []
    for (row, column) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
      var value = 0
      for (axis, start) in [(2, row), (3, column)] {
        value = sketch.node(
          "Slice",
          [
            value, try list([Int64(start)]), try list([.max]), try list([Int64(axis)]),
            try list([2]),
          ])
      }
      quarters.append(value)
    }
    let joined = sketch.node("Concat", quarters, ["axis": .int(1)])
    sketch.graph.outputs = [try sketch.convolution(joined, 8, 5)]
    let input = try sketch.tensor([1, 2, side, side])
    let expected = try sketch.run([input], blocks: false)[0].floats()
    try SpaceToDepthFusion.apply(to: &sketch.graph)
    DeadCode.apply(to: &sketch.graph)
    #expect(
      sketch.graph.nodes.map(\.operation) == (isEven ? ["Conv"] : ["SpaceToDepth", "Conv"]))
    let found = try sketch.run([input], blocks: false)[0].floats()
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  @Test func siluIsFused() throws {
    var sketch = Sketch(inputs: ["x", "w"])
    sketch.node("Conv", ["x", "w"], "c")
    sketch.node("Sigmoid", ["c"], "s")
    sketch.node("Mul", ["s", "c"], "y")
    sketch.graph.outputs = [sketch.value("y")]
    ActivationFusion.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.map(\.operation) == ["Conv"])
    #expect(sketch.graph.nodes[0].fused.activation == .silu)
    #expect(sketch.graph.nodes[0].outputs == [sketch.value("y")])
  }

  @Test(arguments: [1.702, -1, 0] as [Float]) func scaledSiluIsFused(alpha: Float) throws {
    var sketch = Sketch(inputs: ["x", "w"])
    sketch.graph.opsets = ["": 17]
    sketch.graph.constants[sketch.value("alpha")] = try Tensor(shape: [], [alpha])
    sketch.node("Conv", ["x", "w"], "c")
    sketch.node("Mul", ["alpha", "c"], "a")
    sketch.node("Sigmoid", ["a"], "s")
    sketch.node("Mul", ["c", "s"], "y")
    sketch.graph.outputs = [sketch.value("y")]
    ActivationFusion.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.count == (alpha > 0 ? 1 : 4))
    #expect(
      sketch.graph.nodes[0].fused.activation == (alpha > 0 ? .scaledSilu(alpha: alpha) : nil))
  }

  @Test(arguments: ["c", "s"]) func whatIsUsedElsewhereStays(extra: String) throws {
    var sketch = Sketch(inputs: ["x", "w"])
    sketch.node("Conv", ["x", "w"], "c")
    sketch.node("Sigmoid", ["c"], "s")
    sketch.node("Mul", ["s", "c"], "y")
    sketch.graph.outputs = [sketch.value("y"), sketch.value(extra)]
    ActivationFusion.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.count == 3)
    #expect(sketch.graph.nodes.allSatisfy { $0.fused.activation == nil })
  }

  @Test func halfPrecisionIsWidened() throws {
    var sketch = Sketch(inputs: ["x"])
    let x = sketch.value("x")
    sketch.graph.declared[x] = ValueDescription(name: "x", elementType: .float16, shape: nil)
    sketch.graph.constants[sketch.value("w")] = try Tensor(
      shape: [1, 1, 1, 1], [Half(Float(2))])
    sketch.node("Conv", ["x", "w"], "c")
    sketch.node("Relu", ["c"], "y")
    sketch.graph.outputs = [sketch.value("y")]
    try HalfWidening.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.map(\.operation) == ["Cast", "Conv", "Relu", "Cast"])
    let weights = try #require(
      sketch.graph.nodes[1].inputs[1].flatMap { sketch.graph.constants[$0] })
    #expect(weights.elementType == .float32)
    #expect(sketch.graph.nodes[3].outputs == [sketch.value("y")])
  }
}
