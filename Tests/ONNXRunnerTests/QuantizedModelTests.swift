import Foundation
import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Models that ONNX Runtime's quantiser made, against what ONNX Runtime answers.
@Suite struct QuantizedModelTests {
  struct Golden: Decodable, Sendable, CustomTestStringConvertible {
    let model: String
    let shape: [Int]
    let output: [Int]
    let greatest: Float
    /// How far quantisation alone takes the answer from the float model's.
    let quantization: Float

    var testDescription: String { model }
  }

  static let goldens =
    (try? Folders.golden("ONNXRunner/quantized/models.json", as: [Golden].self)) ?? []

  static func result(of golden: Golden, _ options: SessionOptions) throws -> Tensor {
    let session = try InferenceSession(
      contentsOf: goldenModel("quantized/\(golden.model)"), options: options)
    let name = try #require(session.inputs.first?.name)
    let input = try Seeded.tensor(seed: 1, shape: golden.shape)
    return try #require(try session.run([name: input]).values.first)
  }

  /// Without passes every node computes as the specification says, so that the two must agree but for
  /// sums that round apart and fall on another step, which later layers may enlarge.
  @Test(arguments: goldens, [true, false])
  func equalsONNXRuntime(golden: Golden, fuses: Bool) throws {
    var options = SessionOptions(threads: 1)
    options.disabledPasses = fuses ? [] : ["quantization-fusion", "pixel-layout"]
    let result = try Self.result(of: golden, options)
    #expect(result.shape == golden.output)
    let expected = try goldenFloats("quantized/\(golden.model).npy")
    let errors = zip(try result.floats(), expected).map { abs($0 - $1) }
    #expect((errors.max() ?? .infinity) <= golden.greatest * 0.03)
    let apart = errors.filter { $0 > golden.greatest * 1e-4 }.count
    #expect(apart <= errors.count / 20, "\(apart) of \(errors.count)")
  }

  @Test(arguments: goldens) func threadsDoNotMatter(golden: Golden) throws {
    let one = try Self.result(of: golden, SessionOptions(threads: 1))
    let three = try Self.result(of: golden, SessionOptions(threads: 3))
    #expect(try one.floats() == three.floats())
  }

  @Test func goldensAreThere() {
    #expect(Self.goldens.count == 10)
  }

  /// The operations of a model's graph after the passes.
  static func operations(of name: String) throws -> [String] {
    let session = try InferenceSession(contentsOf: goldenModel("quantized/\(name)"))
    return try session.plans.generalPlan().steps.map(\.operation)
  }

  @Test(arguments: ["images_qdq", "images_qdq_signed", "images_qdq_unsigned", "images_qoperator"])
  func imagesStayInPixels(name: String) throws {
    let operations = try Self.operations(of: name)
    #expect(!operations.contains("Conv"))
    #expect(operations.filter { $0 == "QuantizeLinear" }.count == 1)
    #expect(operations.filter { $0 == "DequantizeLinear" }.count == 1)
    #expect(operations.filter { $0 == "ToPixels" }.count == 1)
    #expect(operations.filter { $0 == "FromPixels" }.count == 1)
    #expect(operations.filter { $0 == "QLinearConv" }.count == 7)
  }

  @Test func rowsStayIntegers() throws {
    let operations = try Self.operations(of: "rows_qdq")
    #expect(!operations.contains("Gemm"))
    // The products with a vector added are of the pass's own kind.
    #expect(operations.filter { $0 == "MatMul" || $0 == "QLinearMatMul" }.count == 6)
  }
}

/// Graph in, graph out.
@Suite struct QuantizationFusionTests {
  /// A graph in which x is quantised, passed through `operation` and quantised again.
  private func sketch(
    _ operation: String, constants: [(String, Tensor)] = []
  ) throws -> GraphPassTests.Sketch {
    var sketch = GraphPassTests.Sketch(inputs: ["x"])
    sketch.graph.constants[sketch.value("scale")] = Tensor(scalar: Float(0.25))
    sketch.graph.constants[sketch.value("zero")] = Tensor(scalar: UInt8(10))
    for (name, tensor) in constants { sketch.graph.constants[sketch.value(name)] = tensor }
    sketch.node("QuantizeLinear", ["x", "scale", "zero"], "q")
    sketch.node("DequantizeLinear", ["q", "scale", "zero"], "d")
    sketch.node(operation, ["d"] + constants.map(\.0), "f")
    sketch.node("QuantizeLinear", ["f", "scale", "zero"], "r")
    sketch.node("DequantizeLinear", ["r", "scale", "zero"], "y")
    sketch.graph.outputs = [sketch.value("y")]
    return sketch
  }

  private func applied(_ sketch: GraphPassTests.Sketch) -> Graph {
    var graph = sketch.graph
    QuantizationFusion.apply(to: &graph)
    DeadCode.apply(to: &graph)
    return graph
  }

  @Test func functionsBecomeTables() throws {
    let graph = applied(try sketch("Sigmoid"))
    #expect(graph.nodes.map(\.operation) == ["QuantizeLinear", "Lookup", "DequantizeLinear"])
    let table = try #require(graph.nodes[1].inputs[1].flatMap { graph.constants[$0] })
    let expected = (0..<256).map { number -> UInt8 in
      let value = Float(number - 10) * 0.25
      return UInt8((1 / (1 + Float.exp(-value)) / 0.25).rounded(.toNearestOrEven) + 10)
    }
    #expect(try table.array(of: UInt8.self) == expected)
  }

  @Test func functionsOfTwoThingsStay() throws {
    let vector = try Tensor(shape: [3], [1, 2, 3] as [Float])
    let graph = applied(try sketch("Mul", constants: [("v", vector)]))
    #expect(graph.nodes.map(\.operation).contains("Mul"))
  }

  @Test func movementsMoveBytes() throws {
    let graph = applied(try sketch("Transpose"))
    #expect(graph.nodes.map(\.operation) == ["QuantizeLinear", "Transpose", "DequantizeLinear"])
  }

  @Test func anotherReaderKeepsTheFloats() throws {
    var sketch = try sketch("Transpose")
    sketch.graph.outputs.append(sketch.value("f"))
    #expect(applied(sketch).nodes.count == 5)
  }

  @Test func hostileScalesStay() throws {
    for scale in [Float.nan, 0, -1, .infinity] {
      var sketch = try sketch("Transpose")
      sketch.graph.constants[sketch.value("scale")] = Tensor(scalar: scale)
      let graph = applied(sketch)
      #expect(graph.nodes.count >= 3)
    }
  }
}

extension Float {
  fileprivate static func exp(_ value: Float) -> Float { Float(Foundation.exp(Double(value))) }
}
