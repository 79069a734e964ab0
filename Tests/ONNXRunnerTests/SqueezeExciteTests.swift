import TestSupport
import Testing

@testable import ONNXRunner

/// Squeeze-and-excitation in one node gives what its four give.
@Suite struct SqueezeExciteTests {
  private func network(
    channels: Int, hidden: Int, mean: String = "GlobalAveragePool", swapped: Bool = false,
    bias: Bool = true, pads: [Int] = [0, 0, 0, 0]
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
    let product = sketch.node("Mul", swapped ? [factors, image] : [image, factors])
    sketch.graph.outputs = [try sketch.convolution(product, channels, 5, kernel: 3)]
    return sketch
  }

  private func passed(
    _ graph: Graph, fuses: Bool = true, shape: [Int]? = nil
  ) throws -> Graph {
    var graph = graph
    var options = SessionOptions()
    options.fusesSqueezeExcite = fuses
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
    for (batch, height, width) in [(1, 7, 7), (3, 5, 11), (2, 1, 1)] {
      for swapped in [false, true] {
        var sketch = try network(
          channels: counts.0, hidden: counts.1, mean: mean, swapped: swapped, bias: !swapped)
        let image = try sketch.tensor([batch, 8, height, width])
        let fused = try passed(sketch.graph)
        #expect(isFused(fused))
        #expect(!fused.nodes.contains { [mean, "Mul"].contains($0.operation) })
        let apart = try passed(sketch.graph, fuses: false)
        #expect(!isFused(apart))
        var results: [[Float]] = []
        for (graph, threads) in [(fused, 1), (fused, 3), (apart, 1)] {
          let execution = Execution(
            pool: BufferPool(limit: 1 << 30), threads: ThreadPool(threadCount: threads),
            isCancelled: nil, profile: nil)
          results += try execution.run(try PlanBuilder().plan(graph), inputs: [image])
            .map { try $0.array(of: Float.self) }
        }
        #expect(results[0] == results[2])
        #expect(results[1] == results[2])
      }
    }
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
      let execution = Execution(
        pool: BufferPool(limit: 1 << 30), threads: ThreadPool(threadCount: 2), isCancelled: nil,
        profile: nil, poisonsArena: true)
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
