import TestSupport
import Testing

@testable import ONNXRunner

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
    try AffineFolding().apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.map(\.operation) == ["Conv"])
    let node = sketch.graph.nodes[0]
    #expect(node.outputs == [sketch.value("y")])
    let weights = try #require(node.inputs[1].flatMap { sketch.graph.constants[$0] })
    let bias = try #require(node.inputs[2].flatMap { sketch.graph.constants[$0] })
    #expect(try weights.floats() == [3, 3])
    #expect(try bias.floats() == [4, 4])
  }

  @Test func siluIsFused() throws {
    var sketch = Sketch(inputs: ["x", "w"])
    sketch.node("Conv", ["x", "w"], "c")
    sketch.node("Sigmoid", ["c"], "s")
    sketch.node("Mul", ["s", "c"], "y")
    sketch.graph.outputs = [sketch.value("y")]
    ActivationFusion.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.map(\.operation) == ["Conv"])
    #expect(sketch.graph.nodes[0].activation == .silu)
    #expect(sketch.graph.nodes[0].outputs == [sketch.value("y")])
  }

  @Test(arguments: ["c", "s"]) func whatIsUsedElsewhereStays(extra: String) throws {
    var sketch = Sketch(inputs: ["x", "w"])
    sketch.node("Conv", ["x", "w"], "c")
    sketch.node("Sigmoid", ["c"], "s")
    sketch.node("Mul", ["s", "c"], "y")
    sketch.graph.outputs = [sketch.value("y"), sketch.value(extra)]
    ActivationFusion.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.count == 3)
    #expect(sketch.graph.nodes.allSatisfy { $0.activation == nil })
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
