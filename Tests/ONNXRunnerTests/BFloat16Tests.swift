import Foundation
import TestSupport
import Testing
import _RunnerKernels

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Products with `bfloat16` operands, against the same in `float32`.
@Suite struct BFloat16Tests {
  private func values(
    _ graph: Graph, precision: SessionOptions.Precision, threads: Int = 1, _ inputs: [Tensor]
  ) throws -> (outputs: [Tensor], domains: [String]) {
    var graph = graph
    var options = SessionOptions()
    options.precision = precision
    options.disabledPasses = [.winograd]
    try GraphPasses(options: options).apply(to: &graph)
    let outputs = try graph.run(inputs, threads: threads, usesWinograd: false)
    return (outputs, graph.nodes.map(\.domain))
  }

  /// Four hundredths of a factor's size, averaged over many products.
  private func expectNear(_ narrow: Tensor, _ wide: Tensor) throws {
    let (a, b) = (try narrow.floats(), try wide.floats())
    #expect(a.count == b.count)
    let greatest = b.map { abs($0) }.max() ?? 0
    let error = zip(a, b).map { abs($0 - $1) }.max() ?? .infinity
    #expect(error < greatest * 0.02)
    #expect(a != b)
  }

  @Test func convolutions() throws {
    var sketch = ChannelBlockingTests.Sketch(seed: 8)
    let first = try sketch.convolution(0, 20, 32, kernel: 3)
    let relu = sketch.node("Relu", [first])
    let second = try sketch.convolution(relu, 32, 48, kernel: 3, stride: 2)
    let third = try sketch.convolution(second, 48, 48, kernel: 1)
    sketch.graph.outputs = [sketch.node("Relu", [sketch.node("Add", [second, third])])]
    let input = noise([2, 20, 13, 18], seed: 4)
    let wide = try values(sketch.graph, precision: .float32, [input])
    let narrow = try values(sketch.graph, precision: .bfloat16, [input])
    // The first has channels that fill no block.
    #expect(narrow.domains.filter { $0 == OperatorDomain.bfloat16 }.count == 2)
    try expectNear(narrow.outputs[0], wide.outputs[0])
    let shared = try values(sketch.graph, precision: .bfloat16, threads: 3, [input])
    #expect(try shared.outputs[0].floats() == narrow.outputs[0].floats())
  }

  @Test func products() throws {
    var sketch = ChannelBlockingTests.Sketch(seed: 9)
    let matrix = sketch.constant(try sketch.tensor([22, 37]))
    let vector = sketch.constant(try sketch.tensor([37]))
    let product = sketch.node("MatMul", [0, matrix])
    sketch.graph.outputs = [sketch.node("Add", [vector, product])]
    let input = noise([3, 5, 22], seed: 5)
    let wide = try values(sketch.graph, precision: .float32, [input])
    let narrow = try values(sketch.graph, precision: .bfloat16, [input])
    #expect(narrow.domains == [OperatorDomain.bfloat16])
    #expect(narrow.outputs[0].shape == [3, 5, 37])
    try expectNear(narrow.outputs[0], wide.outputs[0])
    // A wrong depth is an error, whoever notices it.
    #expect(throws: ModelError.self) {
      _ = try values(sketch.graph, precision: .bfloat16, [noise([3, 21], seed: 5)])
    }
  }

  @Test func winogradStaysWithoutTiles() throws {
    var sketch = ChannelBlockingTests.Sketch(seed: 10)
    sketch.graph.outputs = [try sketch.convolution(0, 32, 32)]
    var graph = sketch.graph
    var options = SessionOptions()
    options.precision = .bfloat16
    try GraphPasses(options: options).apply(to: &graph)
    let isNarrow = graph.nodes.map(\.domain).contains(OperatorDomain.bfloat16)
    #expect(isNarrow == (rk_bf16_uses_tiles() != 0))
  }

  @Test func defaultIsFloat32() {
    #expect(SessionOptions().precision == .float32)
    #expect(!SessionOptions().computesInBFloat16)
  }
}
