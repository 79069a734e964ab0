import Foundation
import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Graphs that exporters write, before and after the passes that find what they mean.
@Suite struct FusionTests {
  typealias Sketch = ChannelBlockingTests.Sketch

  /// Checks that `pass` leaves nodes of `operations`, which give what the graph gave before.
  private func check(
    _ sketch: Sketch, _ inputs: [Tensor], leaves operations: [String],
    _ pass: (inout Graph) throws -> Void
  ) throws {
    var fused = sketch.graph
    try pass(&fused)
    #expect(fused.nodes.map(\.operation) == operations)
    for threads in [1, 3] {
      let expected = try sketch.graph.run(inputs)
      let found = try fused.run(inputs, threads: threads)
      #expect(expected.count == found.count)
      for (a, b) in zip(expected, found) {
        #expect(a.shape == b.shape)
        let error = largestError(try b.floats(), try a.floats(), floor: 1)
        #expect(error < 1e-5, "\(error)")
      }
    }
  }

  private func number(_ value: Float, in sketch: inout Sketch) throws -> Graph.Value {
    sketch.constant(try Tensor(shape: [], [value]))
  }

  enum GELUForm: CaseIterable { case halvesLast, halvesSum, halvesInput, multiplies, reversed }

  private func gelu(
    _ x: Graph.Value, _ form: GELUForm, in sketch: inout Sketch
  ) throws -> Graph.Value {
    let root = try number(
      form == .multiplies ? 1 / Float(2).squareRoot() : Float(2).squareRoot(), in: &sketch)
    let one = try number(1, in: &sketch)
    let half = try number(0.5, in: &sketch)
    let scaled = sketch.node(form == .multiplies ? "Mul" : "Div", [x, root])
    let erf = sketch.node("Erf", [scaled])
    let sum = sketch.node("Add", form == .reversed ? [one, erf] : [erf, one])
    switch form {
    case .halvesLast, .multiplies:
      return sketch.node("Mul", [sketch.node("Mul", [x, sum]), half])
    case .reversed: return sketch.node("Mul", [half, sketch.node("Mul", [sum, x])])
    case .halvesSum: return sketch.node("Mul", [x, sketch.node("Mul", [sum, half])])
    case .halvesInput: return sketch.node("Mul", [sketch.node("Mul", [x, half]), sum])
    }
  }

  @Test(arguments: GELUForm.allCases) func geluInAnyOrder(form: GELUForm) throws {
    var sketch = Sketch(seed: 1)
    sketch.graph.outputs = [try gelu(0, form, in: &sketch)]
    try check(sketch, [try sketch.tensor([3, 37])], leaves: ["Gelu"]) {
      GELUFusion.apply(to: &$0)
    }
  }

  enum TanhForm: CaseIterable {
    case torch, jax, keras, function
  }

  private func tanhGELU(
    _ x: Graph.Value, _ form: TanhForm, cube: Float = 0.044715, in sketch: inout Sketch
  ) throws -> Graph.Value {
    let root = try number((2 / Float.pi).squareRoot(), in: &sketch)
    let cube = try number(cube, in: &sketch)
    let (one, half) = (try number(1, in: &sketch), try number(0.5, in: &sketch))
    switch form {
    case .torch:
      let third = sketch.node("Pow", [x, try number(3, in: &sketch)])
      let inner = sketch.node("Add", [x, sketch.node("Mul", [third, cube])])
      let tanh = sketch.node("Tanh", [sketch.node("Mul", [inner, root])])
      return sketch.node(
        "Mul", [sketch.node("Mul", [x, half]), sketch.node("Add", [tanh, one])])
    case .jax:
      let third = sketch.node("Mul", [x, sketch.node("Mul", [x, sketch.node("Mul", [cube, x])])])
      let tanh = sketch.node(
        "Tanh", [sketch.node("Mul", [root, sketch.node("Add", [x, third])])])
      return sketch.node(
        "Mul", [x, sketch.node("Mul", [half, sketch.node("Add", [one, tanh])])])
    case .keras:
      let square = sketch.node("Mul", [x, x])
      let factor = sketch.node("Add", [one, sketch.node("Mul", [square, cube])])
      let tanh = sketch.node(
        "Tanh", [sketch.node("Mul", [sketch.node("Mul", [x, root]), factor])])
      let sum = sketch.node("Add", [one, tanh])
      return sketch.node("Mul", [half, sketch.node("Mul", [sum, x])])
    case .function:
      let square = sketch.node("Mul", [x, x])
      let inner = sketch.node("Mul", [sketch.node("Mul", [square, x]), cube])
      let scaled = sketch.node(
        "Div", [sketch.node("Add", [inner, x]), try number((.pi / 2).squareRoot(), in: &sketch)])
      let product = sketch.node("Mul", [sketch.node("Tanh", [scaled]), half])
      return sketch.node("Mul", [sketch.node("Add", [product, half]), x])
    }
  }

  @Test(arguments: TanhForm.allCases) func geluByTanhInAnyOrder(form: TanhForm) throws {
    var sketch = Sketch(seed: 1)
    sketch.graph.outputs = [try tanhGELU(0, form, in: &sketch)]
    try check(sketch, [try sketch.tensor([3, 37])], leaves: ["Gelu"]) {
      GELUFusion.apply(to: &$0)
    }
  }

  @Test(arguments: TanhForm.allCases) func anotherCubeStays(form: TanhForm) throws {
    var sketch = Sketch(seed: 1)
    sketch.graph.outputs = [try tanhGELU(0, form, cube: 0.0448, in: &sketch)]
    GELUFusion.apply(to: &sketch.graph)
    #expect(!sketch.graph.nodes.contains { $0.operation == "Gelu" })
  }

  @Test func longChainsAreNotFollowedForEver() throws {
    var sketch = Sketch(seed: 1)
    // Each value is used twice, so there are 2^40 ways back.
    var value: Graph.Value = 0
    for _ in 0..<40 { value = sketch.node("Add", [value, value]) }
    sketch.graph.outputs = [sketch.node("Tanh", [value]), sketch.node("Erf", [value])]
    GELUFusion.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.count == 42)
  }

  @Test func whatIsAlmostGELUStays() throws {
    var sketch = Sketch(seed: 1)
    let y = try gelu(0, .halvesLast, in: &sketch)
    // Somebody else reads the error function.
    let erf = try #require(sketch.graph.nodes.first { $0.operation == "Erf" }?.outputs[0])
    sketch.graph.outputs = [y, erf]
    GELUFusion.apply(to: &sketch.graph)
    #expect(!sketch.graph.nodes.contains { $0.operation == "Gelu" })
  }

  @Test(arguments: [true, false]) func layerNormalization(power: Bool) throws {
    var sketch = Sketch(seed: 2)
    let axes: [String: AttributeValue] = ["axes": .ints([-1]), "keepdims": .int(1)]
    let mean = sketch.node("ReduceMean", [0], axes)
    let centered = sketch.node("Sub", [0, mean])
    let squares =
      power
      ? sketch.node("Pow", [centered, try number(2, in: &sketch)])
      : sketch.node("Mul", [centered, centered])
    let variance = sketch.node("ReduceMean", [squares], axes)
    let deviation = sketch.node(
      "Sqrt", [sketch.node("Add", [variance, try number(1e-5, in: &sketch)])])
    let scaled = sketch.node(
      "Mul",
      [sketch.node("Div", [centered, deviation]), sketch.constant(try sketch.tensor([40]))])
    let y = sketch.node("Add", [scaled, sketch.constant(try sketch.tensor([40]))])
    sketch.graph.outputs = [y]
    try check(sketch, [try sketch.tensor([2, 5, 40])], leaves: ["LayerNormalization"]) {
      LayerNormalizationFusion.apply(to: &$0)
    }
  }

  @Test(arguments: [[3, 50, 20], [20], [2, 1, 1, 20], [0, 20]])
  func productsTakeWhatFollows(shape: [Int]) throws {
    var sketch = Sketch(seed: 3, inputs: 2)
    let weights = sketch.constant(try sketch.tensor([20, 45]))
    let product = sketch.node("MatMul", [0, weights])
    let sum = sketch.node("Add", [sketch.constant(try sketch.tensor([45])), product])
    let activated = try gelu(sum, .halvesLast, in: &sketch)
    sketch.graph.outputs = [sketch.node("Add", [1, activated])]
    let output = Array(shape.dropLast()) + [45]
    for residual in [output, [45], [1]] {
      try check(
        sketch, [try sketch.tensor(shape), try sketch.tensor(residual)], leaves: ["Product"]
      ) {
        GELUFusion.apply(to: &$0)
        try ProductFusion.apply(to: &$0)
      }
    }
  }

  @Test func aResidualMayMakeTheResultLarger() throws {
    var sketch = Sketch(seed: 4, inputs: 2)
    let product = sketch.node("MatMul", [0, sketch.constant(try sketch.tensor([20, 33]))])
    sketch.graph.outputs = [sketch.node("Relu", [sketch.node("Add", [product, 1])])]
    try check(
      sketch, [try sketch.tensor([1, 20]), try sketch.tensor([4, 5, 33])], leaves: ["Product"]
    ) { try ProductFusion.apply(to: &$0) }
  }

  @Test func twoProductsThatAreAddedShareTheSum() throws {
    var sketch = Sketch(seed: 5)
    let first = sketch.node("MatMul", [0, sketch.constant(try sketch.tensor([20, 33]))])
    let second = sketch.node("MatMul", [0, sketch.constant(try sketch.tensor([20, 33]))])
    sketch.graph.outputs = [sketch.node("Add", [first, second])]
    try check(sketch, [try sketch.tensor([7, 20])], leaves: ["Product", "Product"]) {
      try ProductFusion.apply(to: &$0)
    }
  }

  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func generalProducts(transposesA: Bool, transposesB: Bool) throws {
    var sketch = Sketch(seed: 6)
    let weights = sketch.constant(try sketch.tensor(transposesB ? [33, 20] : [20, 33]))
    let y = sketch.node(
      "Gemm", [0, weights, sketch.constant(try sketch.tensor([1, 33]))],
      [
        "transA": .int(transposesA ? 1 : 0), "transB": .int(transposesB ? 1 : 0),
        "alpha": .float(0.5), "beta": .float(-2),
      ])
    sketch.graph.outputs = [y]
    let input = try sketch.tensor(transposesA ? [20, 9] : [9, 20])
    try check(sketch, [input], leaves: ["Product"]) { try ProductFusion.apply(to: &$0) }
  }

  @Test func siluWithAFactorOfOne() throws {
    var sketch = Sketch(seed: 7)
    let product = sketch.node("MatMul", [0, sketch.constant(try sketch.tensor([20, 33]))])
    let scaled = sketch.node("Mul", [product, try number(1, in: &sketch)])
    sketch.graph.outputs = [sketch.node("Mul", [product, sketch.node("Sigmoid", [scaled])])]
    try check(sketch, [try sketch.tensor([7, 20])], leaves: ["Product"]) {
      try ProductFusion.apply(to: &$0)
    }
  }

  @Test(arguments: [false, true], [false, true])
  func attentionOfThreeTensors(turnsTwice: Bool, masks: Bool) throws {
    var sketch = Sketch(seed: 8, inputs: 4)
    func turned(_ value: Graph.Value, _ order: [Int]) -> Graph.Value {
      sketch.node("Transpose", [value], ["perm": .ints(order)])
    }
    let queries = turned(0, [0, 2, 1, 3])
    let keys =
      turnsTwice ? turned(turned(1, [0, 2, 1, 3]), [0, 1, 3, 2]) : turned(1, [0, 2, 3, 1])
    var scores = sketch.node("MatMul", [queries, keys])
    scores = sketch.node("Mul", [scores, try number(0.3, in: &sketch)])
    if masks { scores = sketch.node("Add", [scores, 3]) }
    let weights = sketch.node("Softmax", [scores], ["axis": .int(-1)])
    let same = sketch.node("Cast", [weights], ["to": .int(1)])
    let product = sketch.node("MatMul", [same, turned(2, [0, 2, 1, 3])])
    sketch.graph.outputs = [turned(product, [0, 2, 1, 3])]
    for (length, total, mask) in [(5, 7, [2, 1, 5, 7]), (70, 300, [70, 300]), (1, 1, [1])] {
      let inputs = [
        try sketch.tensor([2, length, 3, 16]), try sketch.tensor([2, total, 3, 16]),
        try sketch.tensor([2, total, 3, 9]), try sketch.tensor(mask),
      ]
      try check(sketch, inputs, leaves: ["Attention"]) { AttentionFusion.apply(to: &$0) }
    }
  }

  @Test func attentionOfOneTensorInParts() throws {
    var sketch = Sketch(seed: 9)
    let turned = sketch.node("Transpose", [0], ["perm": .ints([2, 0, 3, 1, 4])])
    func integers(_ values: [Int64]) throws -> Graph.Value {
      sketch.constant(try Tensor(shape: [values.count], values))
    }
    let parts = try (0..<3).map { part -> Graph.Value in
      let slice = sketch.node(
        "Slice",
        [
          turned, try integers([Int64(part)]), try integers([Int64(part) + 1]), try integers([0]),
          try integers([1]),
        ])
      return sketch.node("Squeeze", [slice, try integers([0])])
    }
    let scaled = sketch.node("Mul", [parts[0], try number(0.25, in: &sketch)])
    let keys = sketch.node("Transpose", [parts[1]], ["perm": .ints([0, 1, 3, 2])])
    let weights = sketch.node(
      "Softmax", [sketch.node("MatMul", [scaled, keys])], ["axis": .int(3)])
    let product = sketch.node("MatMul", [weights, parts[2]])
    sketch.graph.outputs = [sketch.node("Transpose", [product], ["perm": .ints([0, 2, 1, 3])])]
    try check(sketch, [try sketch.tensor([2, 40, 3, 8, 15])], leaves: ["Attention"]) {
      AttentionFusion.apply(to: &$0)
    }
  }

  /// Heads of an attention mixed by a matrix: a convolution of their maps.
  @Test(arguments: [true, false]) func productsOfPixels(hasBias: Bool) throws {
    var sketch = Sketch(seed: 12)
    let last = sketch.node("Transpose", [0], ["perm": .ints([0, 2, 3, 1])])
    var product = sketch.node("MatMul", [last, sketch.constant(try sketch.tensor([4, 6]))])
    if hasBias {
      product = sketch.node("Add", [sketch.constant(try sketch.tensor([6])), product])
    }
    sketch.graph.outputs = [sketch.node("Transpose", [product], ["perm": .ints([0, 3, 1, 2])])]
    let input = try sketch.tensor([2, 4, 9, 7])
    try check(sketch, [input], leaves: ["Conv"]) { PixelProductFusion.apply(to: &$0) }
    // What else reads the product stays.
    sketch.graph.outputs.append(product)
    let count = sketch.graph.nodes.count
    PixelProductFusion.apply(to: &sketch.graph)
    #expect(sketch.graph.nodes.count == count)
  }

  /// Maps that few channels are mixed to lie as they did.
  @Test func smallMixturesAreNotBlocked() throws {
    var sketch = Sketch(seed: 13)
    sketch.graph.outputs = [try sketch.convolution(0, 6, 6, kernel: 1)]
    var graph = sketch.graph
    ChannelBlocking.apply(to: &graph)
    #expect(graph.nodes.map(\.domain) == [""])
  }
}
