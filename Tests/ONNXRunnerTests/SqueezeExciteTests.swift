import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Squeeze-and-excitation in one node gives what its four give.
@Suite struct SqueezeExciteTests {
  private func network(
    channels: Int, hidden: Int, mean: String = "GlobalAveragePool", swapped: Bool = false,
    bias: Bool = true, pads: [Int] = [0, 0, 0, 0], isAdded: Bool = false
  ) throws -> ChannelBlockingTests.Sketch {
    var sketch = ChannelBlockingTests.Sketch(seed: 77)
    let image = try sketch.convolution(sketch.graph.inputs[0], 8, channels, kernel: 3)
    let means: Graph.Value
    if mean == "GlobalAveragePool" {
      means = sketch.node(mean, [image])
    } else {
      means = sketch.node(mean, [image], ["axes": .ints([2, 3]), "keepdims": .int(1)])
    }
    let reduced = sketch.node(
      "Relu",
      [try sketch.convolution(means, channels, hidden, kernel: 1, pads: pads, bias: bias)])
    let factors = sketch.node(
      "HardSigmoid", [try sketch.convolution(reduced, hidden, channels, kernel: 1, bias: bias)])
    var product = sketch.node("Mul", swapped ? [factors, image] : [image, factors])
    if isAdded { product = sketch.node("Add", swapped ? [product, image] : [image, product]) }
    sketch.graph.outputs = [try sketch.convolution(product, channels, 5, kernel: 3)]
    return sketch
  }

  private func passed(
    _ graph: Graph, fuses: Bool = true, shape: [Int]? = nil
  ) throws -> Graph {
    var graph = graph
    var options = SessionOptions()
    options.disabledPasses = fuses ? [] : ["squeeze-excite-fusion"]
    let passes = GraphPasses(options: options)
    try passes.prepare(&graph)
    if let shape {
      try passes.specialize(&graph, inputs: [ValueFact(.float32, shape)])
    } else {
      try passes.finish(&graph)
    }
    return graph
  }

  private func isFused(_ graph: Graph) -> Bool {
    graph.nodes.contains { $0.operation == "SqueezeExcite" }
  }

  @Test(arguments: [(16, 4), (40, 10), (96, 24), (5, 3)], ["GlobalAveragePool", "ReduceMean"])
  func sameAsStepByStep(counts: (Int, Int), mean: String) throws {
    for (batch, height, width) in [(1, 7, 7), (3, 5, 11), (2, 1, 1), (0, 4, 6)] {
      for swapped in [false, true] {
        var sketch = try network(
          channels: counts.0, hidden: counts.1, mean: mean, swapped: swapped, bias: !swapped)
        let image = try sketch.tensor([batch, 8, height, width])
        let fused = try passed(sketch.graph)
        #expect(isFused(fused))
        #expect(!fused.nodes.contains { [mean, "Mul"].contains($0.operation) })
        let apart = try passed(sketch.graph, fuses: false)
        #expect(!isFused(apart))
        try expectSameResult(fused, apart, [image])
      }
    }
  }

  /// The image is added by adding one to its factors, which rounds otherwise.
  @Test(arguments: [false, true]) func addsTheImage(swapped: Bool) throws {
    var sketch = try network(channels: 24, hidden: 6, swapped: swapped, isAdded: true)
    let image = try sketch.tensor([2, 8, 9, 6])
    let fused = try passed(sketch.graph)
    #expect(fused.nodes.filter { $0.operation == "SqueezeExcite" }.count == 1)
    #expect(!fused.nodes.contains { ["Mul", "Add"].contains($0.operation) })
    let apart = try passed(sketch.graph, fuses: false)
    let results = try [fused, apart].map { try $0.run([image])[0].array(of: Float.self) }
    let scale = results[1].map(abs).max() ?? 0
    #expect(scale > 0)
    #expect(zip(results[0], results[1]).allSatisfy { abs($0 - $1) <= 1e-6 * scale })
  }

  /// What is added is another image, or the product is wanted without it too.
  @Test func addsNothingElse() throws {
    var other = try network(channels: 16, hidden: 4, isAdded: true)
    let addition = try #require(other.graph.nodes.firstIndex { $0.operation == "Add" })
    other.graph.nodes[addition].inputs[0] = try other.convolution(
      other.graph.inputs[0], 8, 16, kernel: 3)
    other.graph.nodes.sort { $0.outputs[0] ?? 0 < $1.outputs[0] ?? 0 }
    #expect(try passed(other.graph).nodes.contains { $0.operation == "Add" })
    var shared = try network(channels: 16, hidden: 4, isAdded: true)
    let product = try #require(shared.graph.nodes.first { $0.operation == "Mul" }?.outputs[0])
    shared.graph.outputs.append(product)
    #expect(try passed(shared.graph).nodes.contains { $0.operation == "Add" })
  }

  /// In a session the result takes the place of the image, in memory that held not-a-number before.
  @Test func inPlace() throws {
    var sketch = try network(channels: 32, hidden: 8)
    let shape = [1, 8, 9, 9]
    let image = try sketch.tensor(shape)
    let plan = try PlanBuilder().plan(try passed(sketch.graph, shape: shape))
    let expected = try PlanBuilder().plan(try passed(sketch.graph, fuses: false, shape: shape))
    var results: [[Float]] = []
    for plan in [plan, expected] {
      let forms = [ValueFact?](repeating: nil, count: plan.slotCount)
      let specialized = SpecializedPlan(plan, forms: forms, plansMemory: true)
      var execution = Execution(
        pool: BufferPool(limit: 1 << 30), threads: ThreadPool(threadCount: 2), isCancelled: nil,
        profile: nil)
      execution.poisonsArena = true
      for _ in 0..<3 {
        let values = try #require(try specialized.run(execution, values: [.tensor(image)]))
        results.append(try #require(values[0].tensor).array(of: Float.self))
      }
    }
    #expect(results.allSatisfy { $0 == results[0] })
  }

  @Test func staysWhereItMeansSomethingElse() throws {
    // Padded, the product is of more than one pixel.
    #expect(!isFused(try passed(try network(channels: 16, hidden: 4, pads: [1, 1, 1, 1]).graph)))
    // The means are wanted elsewhere too.
    var shared = try network(channels: 16, hidden: 4)
    let means = try #require(
      shared.graph.nodes.first { $0.operation == "GlobalAveragePool" }?.outputs[0])
    shared.graph.outputs.append(means)
    #expect(!isFused(try passed(shared.graph)))
    // The means are those of something else.
    var other = try network(channels: 8, hidden: 4)
    let index = try #require(
      other.graph.nodes.firstIndex { $0.operation == "GlobalAveragePool" })
    other.graph.nodes[index].inputs[0] = other.graph.inputs[0]
    #expect(!isFused(try passed(other.graph)))
  }
}
