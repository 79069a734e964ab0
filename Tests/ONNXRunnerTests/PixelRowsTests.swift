import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Maps in blocks that end as rows of pixels are written as these at once.
@Suite struct PixelRowsTests {
  /// Two scales of boxes, scores and classes, as detectors end.
  private func detector(
    classes: Int, joins: Bool = true, shape: [Int] = [0, -1]
  ) throws -> ChannelBlockingTests.Sketch {
    var sketch = ChannelBlockingTests.Sketch(seed: 31)
    var maps: [Graph.Value?] = []
    var feature = sketch.graph.inputs[0]
    var channels = 16
    for scale in 0..<2 {
      feature = try sketch.convolution(feature, channels, 24, stride: scale + 1)
      channels = 24
      var map: Graph.Value = feature
      if joins {
        map = sketch.node(
          "Concat",
          try [4, 1, classes].map { try sketch.convolution(feature, 24, $0, kernel: 1) },
          ["axis": .int(1)])
      }
      let columns = joins ? classes + 5 : 24
      let target = sketch.constant(
        try Tensor(shape: [3], [Int64(shape[0]), Int64(columns), Int64(shape[1])]))
      maps.append(sketch.node("Reshape", [map, target]))
    }
    let all = sketch.node("Concat", maps, ["axis": .int(2)])
    sketch.graph.outputs = [sketch.node("Transpose", [all], ["perm": .ints([0, 2, 1])])]
    return sketch
  }

  private func passed(
    _ graph: Graph, _ shape: [Int], fuses: Bool = true
  ) throws -> Graph {
    var graph = graph
    var options = SessionOptions()
    options.disabledPasses = fuses ? [] : ["pixel-rows-fusion"]
    let passes = GraphPasses(options: options)
    try passes.prepare(&graph)
    try passes.specialize(&graph, inputs: [ValueFact(.float32, shape)])
    return graph
  }

  @Test(arguments: [(1, 7, 9), (2, 8, 8), (3, 1, 1)], [1, 11, 80])
  func sameAsStepByStep(size: (Int, Int, Int), classes: Int) throws {
    var sketch = try detector(classes: classes)
    let shape = [size.0, 16, size.1, size.2]
    let image = try sketch.tensor(shape)
    let fused = try passed(sketch.graph, shape)
    #expect(fused.nodes.filter { $0.operation == "PixelRows" }.count == 1)
    #expect(
      !fused.nodes.contains { ["Transpose", "Reshape", "FromBlocks"].contains($0.operation) })
    let apart = try passed(sketch.graph, shape, fuses: false)
    #expect(!apart.nodes.contains { $0.operation == "PixelRows" })
    try expectSameResult(fused, apart, [image])
  }

  @Test func mapsOfOnePart() throws {
    let sketch = try detector(classes: 1, joins: false)
    let fused = try passed(sketch.graph, [1, 16, 5, 6])
    #expect(fused.nodes.contains { $0.operation == "PixelRows" })
  }

  /// A reshape that mixes images up, and a result that is wanted elsewhere too, stay as they are.
  @Test func staysWhereItMeansSomethingElse() throws {
    let mixing = try detector(classes: 3, shape: [1, -1])
    #expect(
      !(try passed(mixing.graph, [2, 16, 4, 4]).nodes.contains { $0.operation == "PixelRows" }))
    #expect(try passed(mixing.graph, [1, 16, 4, 4]).nodes.contains { $0.operation == "PixelRows" })
    var shared = try detector(classes: 3)
    let joined = try #require(shared.graph.nodes.last?.inputs[0])
    shared.graph.outputs.append(joined)
    #expect(
      !(try passed(shared.graph, [1, 16, 4, 4]).nodes.contains { $0.operation == "PixelRows" }))
  }

  @Test func noFileCanNameIt() throws {
    var sketch = try detector(classes: 3)
    sketch.graph.nodes[0].operation = "PixelRows"
    sketch.graph.nodes[0].domain = OperatorDomain.blocks
    #expect(throws: ModelError.self) { try PlanBuilder().plan(sketch.graph) }
  }
}
