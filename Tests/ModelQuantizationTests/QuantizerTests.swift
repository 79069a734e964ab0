import Foundation
import ONNXFormat
import RunnerGraph
import RunnerTensors
import TestSupport
import Testing

@testable import ModelQuantization
@testable import ONNXRunner

/// Quantised networks against the float ones and against arithmetic by hand.
@Suite struct QuantizerTests {
  /// The operations of a run, for inputs of the network's shape.
  private func operations(_ data: Data, _ network: SmallNetwork) throws -> [String] {
    let session = try InferenceSession(data: data, options: SessionOptions(threads: 1))
    let inputs = [network.input.0: try network.example(1)]
    _ = try session.run(inputs)
    return try session.planDescription(for: inputs).steps.map(\.operation)
  }

  @Test func convolutionsBecomeIntegers() throws {
    let network = SmallNetwork.convolutions()
    let result = try network.quantized()
    #expect(result.report.nodes.map(\.name) == ["node c1", "node c2", "node y"])
    #expect(result.report.nodes.map(\.isQuantized) == [true, true, false])
    #expect(result.report.nodes[2].reason == "its result goes to an output")
    #expect(result.report.exampleCount == 4)
    #expect(result.report.bytesAfter == result.data.count)
    let output = try #require(result.report.outputs.first)
    #expect(output.name == "y" && output.signalToNoise > 30 && output.signalToNoise < 70)
    #expect(output.largestDifference > 0 && output.largestDifference < 0.05)
    #expect(result.report.activations.map(\.name) == ["x", "r1", "c2"])
    #expect(result.report.activations.allSatisfy { ($0.signalToNoise ?? 0) > 30 })

    let contents = try Contents(result.data)
    #expect(contents.count("QuantizeLinear") == 3)
    // Three activations, two matrices, a bias, and one that takes up what rounding shifts.
    #expect(contents.count("DequantizeLinear") == 7)
    let operations = try operations(result.data, network)
    #expect(operations.filter { $0 == "QLinearConv" }.count == 2)
    #expect(operations.filter { $0 == "Conv" }.count == 1)
  }

  @Test func lastLayersCanBeQuantizedIfTheyAreNoOutput() throws {
    var network = SmallNetwork.convolutions()
    network.nodes[3].output = "c3"
    network.node("Sigmoid", ["c3"], "y")
    var configuration = QuantizationConfiguration.quick
    #expect(try network.quantized(configuration).report.quantizedCount == 2)
    configuration.keepsLastLayers = false
    #expect(try network.quantized(configuration).report.quantizedCount == 3)
  }

  /// A product, a vector and a limit, and a last product, in double precision and by the definitions.
  @Test func productsAreThoseOfRoundedNumbers() throws {
    var network = SmallNetwork()
    network.input = ("x", [5, 3])
    network.weight("w1", [3, 4], seed: 1, in: -1...1)
    network.weight("b1", [4], seed: 2)
    network.weight("w2", [4, 2], seed: 3)
    network.node("MatMul", ["x", "w1"], "m")
    network.node("Add", ["m", "b1"], "a")
    network.node("Relu", ["a"], "r")
    network.node("MatMul", ["r", "w2"], "y")
    var configuration = QuantizationConfiguration.quick
    configuration.ranges = .minMax
    let result = try network.quantized(configuration)
    #expect(result.report.quantizedCount == 1)

    let x = try network.example(0)
    let range = { (name: String) throws -> QuantizationReport.Activation in
      try #require(result.report.activations.first { $0.name == name })
    }
    func rounded(_ value: Double, _ activation: QuantizationReport.Activation) -> Double {
      let (scale, zero) = (Double(activation.scale), Double(activation.zeroPoint))
      let step = (value / scale).rounded(.toNearestOrEven) + zero
      return (min(max(step, 0), 255) - zero) * scale
    }
    let (input, limited) = (try range("x"), try range("r"))
    #expect(limited.zeroPoint == 0)
    let w1 = try network.weights[0].tensor.floats().map(Double.init)
    let b1 = try network.weights[1].tensor.floats().map(Double.init)
    let w2 = try network.weights[2].tensor.floats().map(Double.init)
    let scales = (0..<4).map { column in
      (0..<3).map { abs(w1[$0 * 4 + column]) }.reduce(0, max) / 127
    }
    let values = try x.floats()
    var expected: [Double] = []
    for row in 0..<5 {
      let middle = (0..<4).map { column -> Double in
        var sum = b1[column]
        for k in 0..<3 {
          let weight = (w1[k * 4 + column] / scales[column]).rounded(.toNearestOrEven)
          sum += rounded(Double(values[row * 3 + k]), input) * weight * scales[column]
        }
        return rounded(max(sum, 0), limited)
      }
      for column in 0..<2 {
        expected.append((0..<4).reduce(0) { $0 + middle[$1] * w2[$1 * 2 + column] })
      }
    }
    for passes in [true, false] {
      var options = SessionOptions(threads: 1)
      if !passes { options.disabledPasses = ["quantization-fusion", "pixel-layout"] }
      let session = try InferenceSession(data: result.data, options: options)
      let got = try #require(try session.run(["x": x])["y"]).floats()
      for (value, wanted) in zip(got, expected) {
        // Sums may fall on another step where they lie between two.
        #expect(abs(Double(value) - wanted) < (passes ? 1 : 0.01) * Double(limited.scale) + 1e-5)
      }
    }
  }

  @Test func functionsOfOneResultBecomeTables() throws {
    var network = SmallNetwork()
    network.weight("w1", [8, 2, 3, 3], seed: 1, in: -1...1)
    network.weight("w2", [4, 8, 1, 1], seed: 2)
    network.weight("w3", [2, 4, 1, 1], seed: 3)
    network.node("Conv", ["x", "w1"], "c1", ints: ["pads": [1, 1, 1, 1]])
    network.node("Sigmoid", ["c1"], "s1")
    network.node("Mul", ["c1", "s1"], "u1")
    network.node("Conv", ["u1", "w2"], "c2")
    network.node("Conv", ["c2", "w3"], "y")
    let result = try network.quantized()
    #expect(result.report.activations.map(\.name) == ["x", "c1", "u1", "c2"])
    #expect(try #require(result.report.outputs.first).signalToNoise > 25)
    let operations = try operations(result.data, network)
    #expect(!operations.contains("Sigmoid") && !operations.contains("Mul"))
    // The Sigmoid's own result is not rounded.
    #expect(try Contents(result.data).count("QuantizeLinear") == 4)
  }

  @Test func whatMovesNumbersKeepsTheirRange() throws {
    var network = SmallNetwork()
    network.weight("w1", [4, 2, 1, 1], seed: 1)
    network.weight("w2", [4, 2, 1, 1], seed: 2, in: -3...3)
    network.weight("w3", [4, 8, 1, 1], seed: 3)
    network.weight("w4", [2, 4, 1, 1], seed: 4)
    network.node("Conv", ["x", "w1"], "a")
    network.node("Conv", ["x", "w2"], "b")
    network.node(
      "MaxPool", ["b"], "p", ints: ["kernel_shape": [3, 3], "pads": [1, 1, 1, 1]])
    network.node("Concat", ["a", "p"], "c", int: ["axis": 1])
    network.node("Conv", ["c", "w3"], "d")
    network.node("Conv", ["d", "w4"], "y")
    let result = try network.quantized()
    let ranges = Dictionary(
      uniqueKeysWithValues: result.report.activations.map { ($0.name, $0) })
    #expect(ranges["b"]?.scale == ranges["p"]?.scale)
    #expect(ranges["b"]?.zeroPoint == ranges["p"]?.zeroPoint)
    // A part that nobody else reads has the range of the whole.
    #expect(ranges["a"]?.scale == ranges["c"]?.scale)
    let operations = try operations(result.data, network)
    #expect(operations.contains("QLinearConcat") && operations.contains("MaxPool"))
    #expect(operations.filter { $0 == "QLinearConv" }.count == 3)
    #expect(operations.filter { $0 == "QuantizeLinear" }.count == 1)
  }

  @Test func groupsAndWhatIntegersCannotDoStay() throws {
    var network = SmallNetwork()
    network.input = ("x", [1, 4, 6, 6])
    network.weight("w1", [4, 2, 3, 3], seed: 1)
    network.weight("w2", [4, 1, 3, 3], seed: 2)
    network.weight("w3", [2, 4, 1, 1], seed: 3)
    network.node("Conv", ["x", "w1"], "a", int: ["group": 2])
    network.node("Conv", ["a", "w2"], "b", int: ["group": 4])
    network.node("Conv", ["b", "w3"], "y")
    let result = try network.quantized()
    #expect(
      result.report.nodes.map(\.reason) == [
        "it has groups of channels", nil, "its result goes to an output",
      ])
  }

  @Test func batchesOfOtherSizesRunToo() throws {
    var network = SmallNetwork.convolutions()
    let data = try network.quantized().data
    network.input.1[0] = 3
    let session = try InferenceSession(data: data, options: SessionOptions(threads: 1))
    let float = try InferenceSession(data: network.data(), options: SessionOptions(threads: 1))
    let x = try network.example(9)
    var comparison = QuantizationComparison()
    try comparison.add(float.run(["x": x]), session.run(["x": x]))
    #expect(try #require(comparison.outputs(in: ["y"]).first).signalToNoise > 25)
  }

  @Test func halvesAreWidened() throws {
    var network = SmallNetwork.convolutions()
    network.type = .float16
    network.weight("w4", [512, 3, 1, 1], seed: 8)
    network.nodes[3].output = "c3"
    network.node("Conv", ["c3", "w4"], "y")
    network.weights = try network.weights.map { ($0.name, try $0.tensor.converted(to: .float16)) }
    let result = try network.quantized()
    #expect(result.report.quantizedCount == 3)
    let session = try InferenceSession(data: result.data, options: SessionOptions(threads: 1))
    #expect(session.inputs.map(\.elementType) == [.float16])
    let x = try network.example(3)
    let got = try #require(try session.run(["x": x])["y"])
    #expect(got.elementType == .float16)
    let float = try InferenceSession(data: network.data(), options: SessionOptions(threads: 1))
    var comparison = QuantizationComparison()
    try comparison.add(float.run(["x": x]), ["y": got])
    #expect(try #require(comparison.outputs(in: ["y"]).first).signalToNoise > 25)
    // What stays in floating point takes no more bytes than before.
    let types = try Contents(result.data).graph.initializers.filter { $0.shape == [512, 3, 1, 1] }
    #expect(types.map(\.elementType) == [ElementType.float16.rawValue])
  }

  /// Opset 11 has attributes where 13 has inputs, and a Softmax over all dimensions from an axis on.
  @Test func olderOpsetsAreWrittenAnew() throws {
    var network = SmallNetwork.convolutions()
    network.opset = 11
    network.nodes[3].output = "c3"
    network.node("Softmax", ["c3"], "s")
    network.node("Unsqueeze", ["s"], "u", ints: ["axes": [0]])
    network.node("Squeeze", ["u"], "q", ints: ["axes": [0]])
    network.node("ReduceSum", ["q"], "t", ints: ["axes": [1, 2, 3]], int: ["keepdims": 1])
    network.node("Add", ["q", "t"], "y")
    let result = try network.quantized()
    let contents = try Contents(result.data)
    #expect(contents.model.opsets.map(\.version) == [13])
    let session = try InferenceSession(data: result.data, options: SessionOptions(threads: 1))
    let float = try InferenceSession(data: network.data(), options: SessionOptions(threads: 1))
    let x = try network.example(3)
    let got = try #require(try session.run(["x": x])["y"])
    let expected = try #require(try float.run(["x": x])["y"])
    #expect(got.shape == expected.shape)
    // Shares of all 108 numbers add up to 1, and 1 is added to each.
    #expect(abs(try got.floats().reduce(0, +) - 109) < 1e-3)
    for (value, wanted) in zip(try got.floats(), try expected.floats()) {
      #expect(abs(value - wanted) < 1e-3)
    }
  }

  @Test func unusedChannelsAndZerosAreExact() throws {
    var network = SmallNetwork()
    try network.weight("w1", [2, 2, 1, 1], [0, 0, 0, 0])
    try network.weight("b1", [2], [0, 2.5])
    try network.weight("w2", [1, 2, 1, 1], [1, 1])
    network.node("Conv", ["x", "w1", "b1"], "c")
    network.node("Conv", ["c", "w2"], "y")
    let result = try network.quantized()
    #expect(try #require(result.report.outputs.first).largestDifference < 0.01)
    var empty = try network.quantizer()
    try empty.observe(["x": Tensor(shape: [1, 2, 6, 6], [Float](repeating: 0, count: 72))])
    let output = try #require(try empty.quantized().report.outputs.first)
    #expect(output.largestDifference < 0.01)
  }

  @Test func largeBiasesOfSmallWeightsFit() throws {
    var network = SmallNetwork()
    try network.weight("w1", [1, 2, 1, 1], [1e-9, 1e-9])
    try network.weight("b1", [1], [100])
    try network.weight("w2", [1, 1, 1, 1], [1])
    network.node("Conv", ["x", "w1", "b1"], "c")
    network.node("Conv", ["c", "w2"], "y")
    let result = try network.quantized()
    #expect(try #require(result.report.outputs.first).largestDifference < 0.5)
  }

  /// A weight that is rounded to nothing, of a channel that is always large.
  @Test func biasesTakeUpWhatRoundingShifts() throws {
    var network = SmallNetwork()
    network.input = ("x", [1, 2, 1, 1])
    try network.weight("w1", [1, 2, 1, 1], [1, 0.003])
    try network.weight("w2", [1, 1, 1, 1], [1])
    network.node("Conv", ["x", "w1"], "c")
    network.node("Conv", ["c", "w2"], "y")
    var quantizer = try network.quantizer()
    for value in [-1, -0.5, 0, 0.5, 1] as [Float] {
      try quantizer.observe(["x": Tensor(shape: [1, 2, 1, 1], [value, 10])])
    }
    let result = try quantizer.quantized()
    // Without it, the largest difference is 0.03 and more; a step of c is 0.008, and one of x 0.04.
    let session = try InferenceSession(data: result.data, options: SessionOptions(threads: 1))
    let got = try #require(
      try session.run(["x": Tensor(shape: [1, 2, 1, 1], [0, 10] as [Float])])["y"])
    #expect(abs(try got.floats()[0] - 0.03) < 0.009)
    #expect(try Contents(result.data).maker(of: "node c/bias/rounded")?.inputs.count == 3)
  }
}
