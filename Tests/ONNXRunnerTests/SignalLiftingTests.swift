import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Signals that are computed as images give what they give as signals.
@Suite struct SignalLiftingTests {
  private typealias Sketch = ChannelBlockingTests.Sketch

  private static func lifted(_ graph: Graph) -> Graph {
    var graph = graph
    ActivationFusion.apply(to: &graph)
    SignalLifting.apply(to: &graph)
    ChannelBlocking.apply(to: &graph)
    return graph
  }

  /// Compares the outputs with the pass and without, and on one thread and on three.
  private func check(
    _ sketch: Sketch, _ input: Tensor, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let lifted = Self.lifted(sketch.graph)
    let expected = try sketch.graph.run([input])
    let results = try lifted.run([input])
    let threaded = try lifted.run([input], threads: 3)
    for (index, plain) in expected.enumerated() {
      let values = try plain.array(of: Float.self)
      let found = try results[index].array(of: Float.self)
      let scale = max(values.map(abs).max() ?? 0, 1e-6)
      let error = zip(found, values).map { abs($0 - $1) }.max() ?? 0
      #expect(results[index].shape == plain.shape, sourceLocation: sourceLocation)
      #expect(error <= 2e-5 * scale, "off by \(error) of \(scale)", sourceLocation: sourceLocation)
      #expect(try threaded[index].array(of: Float.self) == found, sourceLocation: sourceLocation)
    }
  }

  private func convolution(
    _ sketch: inout Sketch, _ input: Graph.Value, _ inputs: Int, _ outputs: Int, taps: Int,
    stride: Int = 1, dilation: Int = 1, pads: [Int] = [0, 0], group: Int = 1
  ) throws -> Graph.Value {
    let weights = sketch.constant(try sketch.tensor([outputs, inputs / group, taps]))
    return sketch.node(
      "Conv", [input, weights, sketch.constant(try sketch.tensor([outputs]))],
      [
        "kernel_shape": .ints([taps]), "strides": .ints([stride]), "dilations": .ints([dilation]),
        "pads": .ints(pads), "group": .int(group),
      ])
  }

  @Test(arguments: 0..<30 as Range<UInt64>) func convolutionsOfEveryMake(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let group = seed % 3 == 0 ? Int.random(in: 2...3, using: &random) : 1
    let inputs = Int.random(in: 4...24, using: &random) * group
    let outputs = Int.random(in: 4...30, using: &random) * group
    let taps = Int.random(in: 2...8, using: &random)
    let dilation = Int.random(in: 1...3, using: &random)
    let length = Int.random(in: 1...700, using: &random) + (taps - 1) * dilation
    var sketch = Sketch(seed: seed)
    sketch.graph.outputs = [
      try convolution(
        &sketch, 0, inputs, outputs, taps: taps, stride: Int.random(in: 1...4, using: &random),
        dilation: dilation, pads: (0..<2).map { _ in Int.random(in: 0...5, using: &random) },
        group: group)
    ]
    #expect(Self.lifted(sketch.graph).nodes.contains { $0.domain == OperatorDomain.blocks })
    try check(sketch, try sketch.tensor([2, inputs, length]))
  }

  /// What lies between convolutions stays in blocks: only the first and the last value are converted.
  @Test(arguments: [14, 10]) func whatLiesBetween(opset: Int) throws {
    var sketch = Sketch(seed: 3)
    sketch.graph.opsets = ["": opset]
    let first = try convolution(&sketch, 0, 20, 32, taps: 5, pads: [2, 2])
    let elu = sketch.node("Elu", [first])
    let pads: [Int64] = [0, 0, 3, 0, 0, 1]
    let padded =
      opset < 11
      ? sketch.node(
        "Pad", [elu], ["mode": .string("reflect"), "pads": .ints(pads.map { Int($0) })])
      : sketch.node(
        "Pad", [elu, sketch.constant(try Tensor(shape: [6], pads))], ["mode": .string("reflect")])
    let second = try convolution(&sketch, padded, 32, 32, taps: 5)
    let sum = sketch.node("Add", [second, first])
    let scaled = sketch.node("Mul", [sketch.constant(try sketch.tensor([32, 1])), sum])
    let shifted = sketch.node("Sub", [scaled, sketch.constant(try sketch.tensor([1, 32, 1]))])
    let halved = sketch.node("Div", [shifted, sketch.constant(try sketch.tensor([]))])
    let normalized = sketch.node(
      "BatchNormalization",
      [halved]
        + (try ["scale", "shift", "mean"].map { _ in sketch.constant(try sketch.tensor([32])) })
        + [sketch.constant(try Tensor(shape: [32], [Float](repeating: 0.7, count: 32)))])
    let pooled = sketch.node(
      "MaxPool", [normalized],
      ["kernel_shape": .ints([3]), "strides": .ints([2]), "pads": .ints([1, 0])])
    let point = try convolution(&sketch, pooled, 32, 32, taps: 1)
    let depthwise = try convolution(&sketch, point, 32, 32, taps: 3, pads: [1, 1], group: 32)
    let joined = sketch.node("Concat", [depthwise, pooled], ["axis": .int(1)])
    let means = sketch.node(
      "AveragePool", [joined], ["kernel_shape": .ints([2]), "strides": .ints([1])])
    let upwards = sketch.node(
      "ConvTranspose", [means, sketch.constant(try sketch.tensor([64, 24, 6]))],
      [
        "kernel_shape": .ints([6]), "strides": .ints([3]), "pads": .ints([1, 2]),
        "output_padding": .ints([1]),
      ])
    let most = sketch.node("GlobalAveragePool", [upwards])
    sketch.graph.outputs = [upwards, most]
    let domains = Self.lifted(sketch.graph).nodes.map { ($0.domain, $0.operation) }
    #expect(domains.allSatisfy { [OperatorDomain.blocks, OperatorDomain.signals].contains($0.0) })
    #expect(domains.filter { $0.1 == "FromBlocks" }.count == 2)
    try check(sketch, try sketch.tensor([2, 20, 37]))
  }

  /// Nodes that mean something else for images, and constants that change the shape.
  @Test func whatStays() throws {
    var sketch = Sketch(seed: 4)
    let first = try convolution(&sketch, 0, 20, 32, taps: 3, pads: [1, 1])
    let along = sketch.node("Add", [first, sketch.constant(try sketch.tensor([40]))])
    let whole = sketch.node("Mul", [first, sketch.constant(try sketch.tensor([3, 32, 1]))])
    let other = sketch.node("Concat", [first, first], ["axis": .int(2)])
    let channels = sketch.node(
      "Pad", [first, sketch.constant(try Tensor(shape: [6], [0, 1, 0, 0, 0, 2] as [Int64]))])
    let turned = sketch.node("Transpose", [first], ["perm": .ints([0, 2, 1])])
    sketch.graph.outputs = [along, whole, other, channels, turned, first]
    let kinds = Self.lifted(sketch.graph).nodes.map(\.operation)
    #expect(kinds.filter { $0 == "FromBlocks" }.count == 1)
    try check(sketch, try sketch.tensor([1, 20, 40]))
  }

  /// Convolutions that are as fast on signals, and one whose weights are not known.
  @Test func convolutionsThatStay() throws {
    var sketch = Sketch(seed: 5, inputs: 2)
    let window = try convolution(&sketch, 0, 1, 40, taps: 200, stride: 10)
    let point = try convolution(&sketch, window, 40, 20, taps: 1)
    let depthwise = try convolution(&sketch, point, 20, 20, taps: 3, group: 20)
    let unknown = sketch.node("Conv", [depthwise, 1], ["kernel_shape": .ints([3])])
    sketch.graph.outputs = [unknown]
    #expect(Self.lifted(sketch.graph).nodes.allSatisfy { $0.domain.isEmpty })
  }

  /// Without known weights a long signal is divided into parts, whose edges must fit.
  @Test(arguments: [1, 2, 3], [1, 4]) func longSignalsInParts(stride: Int, dilation: Int) throws {
    var known = Sketch(seed: 6)
    let weights = try known.tensor([9, 200, 7])
    let input = try known.tensor([1, 200, 2500])
    let attributes: [String: AttributeValue] = [
      "kernel_shape": .ints([7]), "strides": .ints([stride]), "dilations": .ints([dilation]),
      "pads": .ints([11, 5]),
    ]
    var unknown = Sketch(seed: 6, inputs: 2)
    unknown.graph.outputs = [unknown.node("Conv", [0, 1], attributes)]
    known.graph.outputs = [known.node("Conv", [0, known.constant(weights)], attributes)]
    let expected = try Self.lifted(known.graph).run([input])[0].array(of: Float.self)
    let results = try [1, 3].map {
      try unknown.graph.run([input, weights], threads: $0)[0].array(of: Float.self)
    }
    #expect(results[0] == results[1])
    let error = zip(results[0], expected).map { abs($0 - $1) }.max() ?? .infinity
    #expect(error <= 2e-5 * (expected.map(abs).max() ?? 0))
  }

  /// With known shapes, all passes together give shapes that the run confirms.
  @Test func wholeSession() throws {
    var sketch = Sketch(seed: 7)
    let first = try convolution(&sketch, 0, 20, 32, taps: 3, stride: 2, pads: [1, 1])
    let second = sketch.node("Relu", [try convolution(&sketch, first, 32, 24, taps: 3)])
    sketch.graph.outputs = [sketch.node("Transpose", [second], ["perm": .ints([0, 2, 1])]), first]
    let input = try sketch.tensor([1, 20, 55])
    var graph = sketch.graph
    let passes = GraphPasses()
    try passes.prepare(&graph)
    try passes.specialize(&graph, inputs: [ValueFact(input)])
    let facts = ShapeInference.facts(of: graph, inputs: [ValueFact(input)])
    #expect(graph.nodes.contains { $0.operation == "ToImages" })
    for (output, result) in zip(graph.outputs, try graph.run([input])) {
      #expect(facts[output] == ValueFact(result))
    }
  }
}
