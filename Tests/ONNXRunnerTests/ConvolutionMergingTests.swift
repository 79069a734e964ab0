import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Parallel convolutions, before and after they are one.
@Suite struct ConvolutionMergingTests {
  typealias Sketch = ChannelBlockingTests.Sketch

  /// A batch normalization of `value`.
  private func normalization(
    _ value: Graph.Value, _ channels: Int, in sketch: inout Sketch
  ) throws -> Graph.Value {
    let variances = try Tensor(
      shape: [channels],
      (0..<channels).map { _ in Float.random(in: 0.5...2, using: &sketch.random) })
    var operands: [Graph.Value?] = [value]
    for _ in 0..<3 { operands.append(sketch.constant(try sketch.tensor([channels]))) }
    return sketch.node("BatchNormalization", operands + [sketch.constant(variances)])
  }

  /// Checks that the graph gives what it gave, in `count` nodes.
  private func check(_ sketch: Sketch, _ image: Tensor, nodes count: Int) throws {
    var merged = sketch.graph
    try AffineFolding.apply(to: &merged)
    try ConvolutionMerging.apply(to: &merged)
    #expect(merged.nodes.count == count, "\(merged.nodes.map(\.operation))")
    for threads in [1, 3] {
      let expected = try sketch.graph.run([image])
      let found = try merged.run([image], threads: threads)
      for (a, b) in zip(expected, found) {
        #expect(a.shape == b.shape)
        let error = largestError(try b.floats(), try a.floats(), floor: 1)
        #expect(error < 1e-5, "\(error)")
      }
    }
  }

  /// A block of MobileOne or RepVGG: kernels of two sizes, and the image itself normalized.
  @Test(arguments: [1, 2, 4, 20], [1, 2]) func blocks(group: Int, stride: Int) throws {
    var sketch = Sketch(seed: UInt64(group))
    var sum = try sketch.convolution(0, 20, 20, kernel: 1, stride: stride, group: group)
    for _ in 0..<3 {
      let branch = try normalization(
        sketch.convolution(0, 20, 20, stride: stride, group: group, bias: false), 20, in: &sketch)
      sum = sketch.node("Add", [branch, sum])
    }
    if stride == 1 { sum = sketch.node("Add", [sum, try normalization(0, 20, in: &sketch)]) }
    sketch.graph.outputs = [sketch.node("Relu", [sum])]
    try check(sketch, try sketch.tensor([2, 20, 11, 9]), nodes: 2)
  }

  /// The mixer of FastViT: a difference, scaled and added to the image.
  @Test func differences() throws {
    var sketch = Sketch(seed: 3)
    let branches = sketch.node(
      "Add",
      [
        try normalization(0, 24, in: &sketch),
        try sketch.convolution(0, 24, 24, group: 24),
      ])
    let difference = sketch.node("Sub", [branches, try normalization(0, 24, in: &sketch)])
    let scaled = sketch.node(
      "Mul", [sketch.constant(try sketch.tensor([24, 1, 1])), difference])
    sketch.graph.outputs = [sketch.node("Add", [0, scaled])]
    try check(sketch, try sketch.tensor([1, 24, 8, 7]), nodes: 2)
  }

  /// Kernels that are not square, and one that reaches to one side.
  @Test func unevenKernels() throws {
    var sketch = Sketch(seed: 4)
    func branch(_ kernel: [Int], _ pads: [Int]) throws -> Graph.Value {
      sketch.node(
        "Conv", [0, sketch.constant(try sketch.tensor([6, 5] + kernel))], ["pads": .ints(pads)])
    }
    let sum = sketch.node(
      "Sub", [try branch([3, 1], [1, 0, 1, 0]), try branch([3, 3], [1, 1, 1, 1])])
    sketch.graph.outputs = [sketch.node("Add", [try branch([2, 3], [0, 1, 1, 1]), sum])]
    try check(sketch, try sketch.tensor([2, 5, 6, 7]), nodes: 1)
  }

  /// What does not fit, or is used elsewhere, stays.
  @Test(arguments: ["dilations", "strides", "sizes", "groups", "used twice", "images"])
  func whatStays(reason: String) throws {
    var sketch = Sketch(seed: 5)
    let image = reason == "images" ? sketch.node("Relu", [0]) : 0
    let first = try sketch.convolution(0, 8, 8)
    let second = try sketch.convolution(
      image, 8, 8, stride: reason == "strides" ? 2 : 1, dilation: reason == "dilations" ? 2 : 1,
      pads: reason == "sizes" ? [0, 1, 1, 1] : nil, group: reason == "groups" ? 2 : 1)
    let sum = sketch.node("Add", [first, second])
    sketch.graph.outputs = reason == "used twice" ? [sum, first] : [sum]
    let count = sketch.graph.nodes.count
    try ConvolutionMerging.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.count == count)
  }
}
