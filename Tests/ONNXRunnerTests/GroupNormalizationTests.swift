import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Normalization of groups of channels as exporters write it, and on blocks.
@Suite struct GroupNormalizationTests {
  typealias Sketch = ChannelBlockingTests.Sketch

  private func normalization(
    _ image: Graph.Value, groups: Int, channels: Int, shape: [Int], in sketch: inout Sketch
  ) throws -> Graph.Value {
    let apart = sketch.node(
      "Reshape", [image, sketch.constant(try Tensor(shape: [3], [0, Int64(groups), -1]))])
    let normalized = sketch.node(
      "InstanceNormalization",
      [
        apart, sketch.constant(try sketch.tensor([groups])),
        sketch.constant(try sketch.tensor([groups])),
      ], ["epsilon": .float(1e-3)])
    let back = sketch.node(
      "Reshape", [normalized, sketch.constant(try Tensor(shape: [4], shape.map { Int64($0) }))])
    let scaled = sketch.node("Mul", [back, sketch.constant(try sketch.tensor([channels, 1, 1]))])
    return sketch.node("Add", [sketch.constant(try sketch.tensor([1, 1, 1])), scaled])
  }

  @Test(arguments: [1, 2, 5]) func isFound(groups: Int) throws {
    let shape = [2, 10, 7, 6]
    var sketch = Sketch(seed: UInt64(groups))
    sketch.graph.outputs = [
      try normalization(0, groups: groups, channels: 10, shape: shape, in: &sketch)
    ]
    var fused = sketch.graph
    // Nothing is done before shapes are known, or if they are others.
    for facts in [[], [ValueFact(.float32, [2, 10, 6, 7])]] as [[ValueFact?]] {
      fused.facts = facts
      GroupNormalizationFusion.apply(to: &fused)
      #expect(fused.nodes.count == 5)
    }
    fused.facts = [ValueFact(.float32, shape)]
    GroupNormalizationFusion.apply(to: &fused)
    #expect(fused.nodes.map(\.operation) == ["GroupNormalization"])
    let input = try sketch.tensor(shape)
    let expected = try sketch.graph.run([input])[0].floats()
    for threads in [1, 3] {
      let found = try fused.run([input], threads: threads)[0]
      #expect(found.shape == shape)
      #expect(largestError(try found.floats(), expected, floor: 1) < 1e-5)
    }
  }

  @Test(arguments: [1, 2, 4], [1, 3]) func onBlocks(groups: Int, batch: Int) throws {
    var sketch = Sketch(seed: 5)
    let first = try sketch.convolution(0, 20, 64)
    let parameters = [try sketch.tensor([64]), try sketch.tensor([64])].map {
      sketch.constant($0)
    }
    let normalized = sketch.node(
      "GroupNormalization", [first] + parameters, ["num_groups": .int(groups)])
    sketch.graph.nodes[1].domain = OperatorDomain.fused
    let second = try sketch.convolution(normalized, 64, 32)
    sketch.graph.outputs = [sketch.node("Add", [second, try sketch.convolution(first, 64, 32)])]
    try sketch.check([try sketch.tensor([batch, 20, 9, 11])])
  }

  /// Groups that are no whole blocks are normalized as they lie otherwise.
  @Test func smallGroups() throws {
    var sketch = Sketch(seed: 6)
    let first = try sketch.convolution(0, 20, 48)
    let parameters = [try sketch.tensor([48]), try sketch.tensor([48])].map {
      sketch.constant($0)
    }
    let normalized = sketch.node(
      "GroupNormalization", [first] + parameters, ["num_groups": .int(6)])
    sketch.graph.nodes[1].domain = OperatorDomain.fused
    sketch.graph.outputs = [normalized]
    #expect(!sketch.isWhollyBlocked)
    let input = try sketch.tensor([2, 20, 9, 11])
    let plain = try sketch.run([input], blocks: false)[0].floats()
    #expect(largestError(try sketch.run([input], blocks: true)[0].floats(), plain, floor: 1) < 1e-4)
  }

  /// A square stays in blocks, other powers do not.
  @Test func squares() throws {
    var sketch = Sketch(seed: 7)
    let first = try sketch.convolution(0, 20, 24)
    let square = sketch.node("Pow", [first, sketch.constant(try Tensor(shape: [], [Float(2)]))])
    sketch.graph.outputs = [try sketch.convolution(square, 24, 16)]
    let input = try sketch.tensor([2, 20, 9, 11])
    try sketch.check([input])
    sketch.graph.nodes[1].inputs[1] = sketch.constant(try Tensor(shape: [], [Float(3)]))
    #expect(!sketch.isWhollyBlocked)
  }

  @Test func numbersThatAreNone() throws {
    let values: [Float] = [1, .nan, .infinity, -.nan, 0]
    let found = try ONNXRunnerTests.run("IsNaN", [floats([5], values)])[0]
    #expect(try found.array(of: Bool.self) == [false, true, false, true, false])
  }
}
