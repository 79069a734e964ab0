import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Zeros that a node puts around an image go into the convolution after it.
@Suite struct PadFoldingTests {
  typealias Sketch = ChannelBlockingTests.Sketch

  private func padded(
    _ widths: [Int64], mode: String = "constant", value: Float? = nil, in sketch: inout Sketch
  ) throws -> Graph.Value {
    var inputs: [Graph.Value?] = [0, sketch.constant(try Tensor(shape: [8], widths))]
    if let value { inputs.append(sketch.constant(Tensor(scalar: value))) }
    return sketch.node("Pad", inputs, ["mode": .string(mode)])
  }

  @Test(arguments: [1, 6], [nil, 0] as [Float?]) func zerosAreFolded(
    group: Int, value: Float?
  ) throws {
    var sketch = Sketch(seed: 1)
    let image = try padded([0, 0, 0, 1, 0, 0, 2, 3], value: value, in: &sketch)
    sketch.graph.outputs = [
      try sketch.convolution(image, 6, 12, stride: 2, pads: [1, 0, 0, 2], group: group)
    ]
    var folded = sketch.graph
    PadFolding.apply(to: &folded)
    #expect(folded.nodes.map(\.operation) == ["Conv"])
    #expect(folded.nodes[0].attributes["pads"]?.ints == [1, 1, 2, 5])
    let input = try sketch.tensor([2, 6, 9, 8])
    let expected = try sketch.graph.run([input])[0]
    let found = try folded.run([input])[0]
    #expect(found.shape == expected.shape)
    #expect(largestError(try found.floats(), try expected.floats(), floor: 1) < 1e-5)
  }

  /// Another reader keeps the node, and the convolution does without it all the same.
  @Test func othersMayReadThePaddedImage() throws {
    var sketch = Sketch(seed: 2)
    let image = try padded([0, 0, 1, 1, 0, 0, 1, 1], in: &sketch)
    sketch.graph.outputs = [
      try sketch.convolution(image, 6, 8, pads: [0, 0, 0, 0]), sketch.node("Relu", [image]),
    ]
    var folded = sketch.graph
    PadFolding.apply(to: &folded)
    #expect(folded.nodes.count == 3)
    let input = try sketch.tensor([1, 6, 5, 7])
    for (a, b) in zip(try sketch.graph.run([input]), try folded.run([input])) {
      #expect(a.shape == b.shape)
      #expect(largestError(try b.floats(), try a.floats(), floor: 1) < 1e-5)
    }
  }

  @Test(arguments: ["channels", "negative", "value", "edge", "wide", "same"])
  func whatStays(reason: String) throws {
    var sketch = Sketch(seed: 3)
    var widths: [Int64] = [0, 0, 1, 1, 0, 0, 1, 1]
    if reason == "channels" { widths[1] = 1 }
    if reason == "negative" { widths[2] = -1 }
    if reason == "wide" { widths[7] = .max }
    let image = try padded(
      widths, mode: reason == "edge" ? "edge" : "constant", value: reason == "value" ? 1 : nil,
      in: &sketch)
    sketch.graph.outputs = [try sketch.convolution(image, reason == "channels" ? 7 : 6, 8)]
    if reason == "same" {
      sketch.graph.nodes[1].attributes["auto_pad"] = .string("SAME_UPPER")
      sketch.graph.nodes[1].attributes["pads"] = nil
    }
    PadFolding.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.map(\.operation) == ["Pad", "Conv"])
  }
}
