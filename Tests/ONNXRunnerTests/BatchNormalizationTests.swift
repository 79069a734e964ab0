import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Batch normalization that no convolution before it can take: after a sum, or after an activation.
@Suite struct BatchNormalizationTests {
  typealias Sketch = ChannelBlockingTests.Sketch

  private func normalization(
    _ image: Graph.Value, channels: Int, _ attributes: [String: AttributeValue] = [:],
    in sketch: inout Sketch
  ) throws -> Graph.Value {
    var parameters: [Graph.Value] = []
    for index in 0..<4 {
      var numbers = try sketch.tensor([channels]).floats()
      // A variance is not negative.
      if index == 3 { numbers = numbers.map { abs($0) + 0.1 } }
      parameters.append(sketch.constant(try Tensor(shape: [channels], numbers)))
    }
    return sketch.node("BatchNormalization", [image] + parameters, attributes)
  }

  @Test(arguments: [16, 20, 40], [1, 2]) func onBlocks(channels: Int, batch: Int) throws {
    var sketch = Sketch(seed: UInt64(channels))
    let first = try sketch.convolution(0, 12, channels)
    let sum = sketch.node("Add", [first, sketch.node("Relu", [first])])
    let normalized = try normalization(sum, channels: channels, in: &sketch)
    sketch.graph.outputs = [
      sketch.node("Add", [try sketch.convolution(normalized, channels, channels), sum])
    ]
    try sketch.check([try sketch.tensor([batch, 12, 9, 7])])
  }

  @Test func appliesActivations() throws {
    for name in ["Relu", "Sigmoid", "Tanh", "LeakyRelu", "HardSwish", "SiLU"] {
      var sketch = Sketch(seed: 3)
      let first = sketch.node("Relu", [try sketch.convolution(0, 12, 24)])
      let normalized = try normalization(first, channels: 24, in: &sketch)
      let activated =
        name == "SiLU"
        ? sketch.node("Mul", [normalized, sketch.node("Sigmoid", [normalized])])
        : sketch.node(name, [normalized])
      sketch.graph.outputs = [try sketch.convolution(activated, 24, 16)]
      var fused = sketch.graph
      ActivationFusion.apply(to: &fused)
      #expect(fused.nodes.map(\.operation) == ["Conv", "BatchNormalization", "Conv"], "\(name)")
      let input = try sketch.tensor([1, 12, 9, 7])
      // Planes and blocks, against a run without any pass.
      let expected = try sketch.graph.run([input])[0].floats()
      #expect(largestError(try fused.run([input])[0].floats(), expected, floor: 1) < 1e-5)
      try sketch.check([input])
    }
  }

  @Test func onlyWithKnownStatistics() throws {
    for attributes in [["training_mode": .int(1)], ["epsilon": .float(0.5)]]
      as [[String: AttributeValue]]
    {
      var sketch = Sketch(seed: 4)
      let first = sketch.node("Relu", [try sketch.convolution(0, 12, 24)])
      let normalized = try normalization(first, channels: 24, attributes, in: &sketch)
      sketch.graph.outputs = [sketch.node("Relu", [normalized])]
      #expect(sketch.isWhollyBlocked == (attributes["training_mode"] == nil))
      let input = try sketch.tensor([2, 12, 9, 7])
      let plain = try sketch.run([input], blocks: false)[0].floats()
      let blocked = try sketch.run([input], blocks: true)[0].floats()
      #expect(largestError(blocked, plain, floor: 1) < 1e-4)
    }
  }

  /// Statistics that come from outside may be any.
  @Test func unknownParameters() throws {
    var sketch = Sketch(seed: 5, inputs: 2)
    let first = sketch.node("Relu", [try sketch.convolution(0, 12, 24)])
    let normalized = try normalization(first, channels: 24, in: &sketch)
    sketch.graph.nodes[2].inputs[4] = 1
    sketch.graph.outputs = [normalized]
    #expect(!sketch.isWhollyBlocked)
    let inputs = [
      try sketch.tensor([1, 12, 5, 5]),
      try Tensor(shape: [24], [Float](repeating: 0.5, count: 24)),
    ]
    let plain = try sketch.run(inputs, blocks: false)[0].floats()
    #expect(try largestError(sketch.run(inputs, blocks: true)[0].floats(), plain, floor: 1) < 1e-4)
  }
}
