import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Batch normalization that goes into the product before it.
@Suite struct ProductScalingTests {
  private typealias Sketch = ChannelBlockingTests.Sketch

  /// A product of sequences of 3 times 5 features, to 7 columns, as a matrix and normalized.
  private func sketch(
    _ product: String, _ reshape: String?, isTransposed: Bool = false, hasBias: Bool = false,
    isReadTwice: Bool = false, shape: [Int64] = [-1, 7]
  ) throws -> Sketch {
    var sketch = Sketch(seed: 5)
    var operands: [Graph.Value?] = [
      0, sketch.constant(try sketch.tensor(isTransposed ? [7, 5] : [5, 7])),
    ]
    var attributes: [String: AttributeValue] = [:]
    if product == "Gemm" {
      attributes = ["alpha": .float(1.5), "beta": .float(-2), "transB": .int(isTransposed ? 1 : 0)]
      if hasBias { operands.append(sketch.constant(try sketch.tensor([7]))) }
    }
    var value = sketch.node(product, operands, attributes)
    if product == "MatMul", hasBias {
      value = sketch.node("Add", [sketch.constant(try sketch.tensor([7])), value])
    }
    let plain = value
    if reshape == "Reshape" {
      value = sketch.node(
        "Reshape", [value, sketch.constant(try Tensor(shape: [shape.count], shape))])
    } else if reshape == "Flatten" {
      value = sketch.node("Flatten", [value], ["axis": .int(2)])
    }
    let variance = try Tensor(shape: [7], (1...7).map { Float($0) / 3 })
    let parameters = [
      try sketch.tensor([7]), try sketch.tensor([7]), try sketch.tensor([7]), variance,
    ].map { sketch.constant($0) }
    value = sketch.node("BatchNormalization", [value] + parameters, ["epsilon": .float(0.01)])
    let size = sketch.node("Shape", [plain])
    sketch.graph.outputs = [value, size] + (isReadTwice ? [sketch.node("Relu", [plain])] : [])
    return sketch
  }

  private func folded(_ sketch: Sketch) throws -> Graph {
    var graph = sketch.graph
    try ProductScaling(GraphView(graph)).apply(to: &graph)
    return graph
  }

  @Test(
    arguments: [
      ("MatMul", "Reshape", false, false), ("MatMul", "Reshape", false, true),
      ("MatMul", "Flatten", false, false), ("MatMul", "Flatten", false, true),
      ("Gemm", "Reshape", true, true), ("Gemm", "Reshape", false, false),
    ] as [(String, String?, Bool, Bool)])
  func scalesAreInTheMatrix(
    product: String, reshape: String?, isTransposed: Bool, hasBias: Bool
  ) throws {
    let sketch = try sketch(product, reshape, isTransposed: isTransposed, hasBias: hasBias)
    let graph = try folded(sketch)
    #expect(!graph.nodes.contains { $0.operation == "BatchNormalization" })
    let input = noise(product == "Gemm" ? [6, 5] : [2, 3, 5], seed: 1)
    let (wide, narrow) = (try sketch.graph.run([input]), try graph.run([input]))
    #expect(narrow[0].shape == wide[0].shape)
    #expect(
      firstDifference(
        try narrow[0].floats(), try wide[0].floats().map(Double.init), relative: 1e-5,
        absolute: 1e-5) == nil)
    #expect(try narrow[1].array(of: Int64.self) == wide[1].array(of: Int64.self))
  }

  @Test(arguments: [true, false]) func aMatrixNeedsNoOtherShape(isTransposed: Bool) throws {
    var sketch = try sketch("Gemm", nil, isTransposed: isTransposed, hasBias: true)
    sketch.graph.outputs.removeLast()
    sketch.graph.nodes.removeLast()
    let graph = try folded(sketch)
    #expect(graph.nodes.map(\.operation) == ["Gemm"])
    let input = noise([6, 5], seed: 1)
    let (wide, narrow) = (try sketch.graph.run([input])[0], try graph.run([input])[0])
    #expect(
      firstDifference(
        try narrow.floats(), try wide.floats().map(Double.init), relative: 1e-5, absolute: 1e-5)
        == nil)
  }

  @Test func whatIsReadElsewhereStays() throws {
    let graph = try folded(try sketch("MatMul", "Reshape", isReadTwice: true))
    #expect(graph.nodes.contains { $0.operation == "BatchNormalization" })
  }

  @Test(arguments: [[2, 3, 7], [7, -1], [2, 21]] as [[Int64]])
  func otherShapesStay(shape: [Int64]) throws {
    let graph = try folded(try sketch("MatMul", "Reshape", shape: shape))
    #expect(graph.nodes.contains { $0.operation == "BatchNormalization" })
  }

  @Test func withoutAMatrixChannelsAreNotColumns() throws {
    let graph = try folded(try sketch("MatMul", nil))
    #expect(graph.nodes.contains { $0.operation == "BatchNormalization" })
  }
}
