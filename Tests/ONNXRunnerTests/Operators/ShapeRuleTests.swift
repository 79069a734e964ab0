import Foundation
import ONNXFormat
import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// What shape rules say is what runs give.
@Suite struct ShapeRuleTests {
  /// A node by itself, whose inputs of integers are known to the rule.
  struct Example: CustomTestStringConvertible, Sendable {
    let operation: String
    var domain = ""
    var opset = 24
    var attributes: [String: AttributeValue] = [:]
    let inputs: [Tensor?]
    var outputs = 1

    var testDescription: String { operation + " \(attributes.keys.sorted())" }
  }

  private static let quantization: [Tensor?] = [
    tensor([], [Float(0.5)]), tensor([], [UInt8(3)]),
  ]

  private static func bytes(_ shape: [Int]) -> Tensor {
    tensor(shape, (0..<shape.reduce(1, *)).map { UInt8(truncatingIfNeeded: 7 &* $0) })
  }

  private static func scaled(_ tensors: Tensor...) -> [Tensor?] {
    tensors.flatMap { [$0] + quantization }
  }

  private static func quantized(_ operation: String, _ inputs: [Tensor?]) -> Example {
    Example(
      operation: operation, domain: OperatorDomain.runtime, inputs: inputs + quantization)
  }

  static let examples = networkExamples + furtherExamples + quantizedExamples

  private static let networkExamples: [Example] = {
    let image = noise([2, 3, 4, 5], seed: 1)
    let sequence = noise([5, 2, 3], seed: 2)
    let scores = noise([2, 3, 4], seed: 3)
    let labels = ints([2, 4], [0, 1, 2, 0, 1, 2, 0, 1])
    let words = [["a", "b"], ["c"]].map { try? Tensor(shape: [$0.count, 1], strings: $0) }
    func recurrent(_ operation: String, gates: Int, _ attributes: [String: AttributeValue])
      -> Example
    {
      let directions = attributes["direction"] == nil ? 1 : 2
      return Example(
        operation: operation, attributes: attributes.merging(["hidden_size": .int(4)]) { $1 },
        inputs: [
          sequence, noise([directions, gates * 4, 3], seed: 4),
          noise([directions, gates * 4, 4], seed: 5),
        ], outputs: operation == "LSTM" ? 3 : 2)
    }
    let both = ["direction": AttributeValue.string("bidirectional")]
    let batchFirst = ["layout": AttributeValue.int(1)]
    return [
      Example(
        operation: "AffineGrid",
        inputs: [noise([2, 2, 3], seed: 6), ints([4], [2, 3, 5, 6])]),
      Example(
        operation: "AffineGrid",
        inputs: [noise([2, 3, 4], seed: 6), ints([5], [2, 3, 5, 6, 7])]),
      Example(
        operation: "Attention",
        inputs: [
          noise([2, 4, 3, 8], seed: 7), noise([2, 2, 5, 8], seed: 8), noise([2, 2, 5, 6], seed: 9),
          nil, noise([2, 2, 4, 8], seed: 10), noise([2, 2, 4, 6], seed: 11),
        ], outputs: 4),
      Example(
        operation: "Attention", attributes: ["q_num_heads": .int(4), "kv_num_heads": .int(2)],
        inputs: [
          noise([2, 3, 32], seed: 7), noise([2, 5, 16], seed: 8), noise([2, 5, 12], seed: 9),
        ], outputs: 4),
      Example(operation: "BlackmanWindow", inputs: [ints([], [7])]),
      Example(operation: "HammingWindow", inputs: [ints([], [7])]),
      Example(
        operation: "HannWindow", attributes: ["output_datatype": .int(11)], inputs: [ints([], [7])]),
      Example(operation: "CenterCropPad", inputs: [scores, ints([3], [4, 2, 4])]),
      Example(
        operation: "CenterCropPad", attributes: ["axes": .ints([-1])],
        inputs: [scores, ints([1], [9])]),
      Example(
        operation: "Col2Im",
        inputs: [noise([1, 6, 6], seed: 12), ints([2], [2, 4]), ints([2], [1, 2])], outputs: 1),
      Example(operation: "Det", inputs: [noise([2, 3, 3], seed: 13)]),
      Example(
        operation: "Einsum", attributes: ["equation": .string("...ij, jk")],
        inputs: [noise([2, 3, 4], seed: 14), noise([4, 5], seed: 15)]),
      Example(
        operation: "Einsum", attributes: ["equation": .string("bii->ib")],
        inputs: [noise([2, 3, 3], seed: 14)]),
      Example(
        operation: "EyeLike", attributes: ["dtype": .int(7)], inputs: [noise([3, 4], seed: 16)]),
      Example(operation: "EyeLike", inputs: [noise([3, 4], seed: 16)]),
      recurrent("RNN", gates: 1, [:]), recurrent("GRU", gates: 3, both),
      recurrent("LSTM", gates: 4, both), recurrent("LSTM", gates: 4, batchFirst),
      Example(
        operation: "GridSample", inputs: [image, noise([2, 6, 7, 2], seed: 17)]),
      Example(
        operation: "MaxUnpool",
        attributes: ["kernel_shape": .ints([2, 2]), "strides": .ints([2, 2])],
        inputs: [noise([1, 1, 1, 2], seed: 18), ints([1, 1, 1, 2], [0, 2])]),
      Example(
        operation: "MaxUnpool",
        attributes: ["kernel_shape": .ints([2, 2]), "pads": .ints([0, 0, 1, 0])],
        inputs: [
          noise([1, 1, 2, 2], seed: 18), ints([1, 1, 2, 2], [0, 1, 2, 3]), ints([4], [1, 1, 3, 4]),
        ]),
      Example(operation: "NegativeLogLikelihoodLoss", inputs: [scores, labels]),
      Example(
        operation: "NegativeLogLikelihoodLoss", attributes: ["reduction": .string("none")],
        inputs: [scores, labels]),
      Example(
        operation: "SoftmaxCrossEntropyLoss", attributes: ["reduction": .string("none")],
        inputs: [scores, labels], outputs: 2),
      Example(
        operation: "RoiAlign", attributes: ["output_height": .int(3)],
        inputs: [image, tensor([3, 4], [Float](repeating: 1, count: 12)), ints([3], [0, 1, 0])]),
      Example(
        operation: "RotaryEmbedding", attributes: ["num_heads": .int(2)],
        inputs: [
          noise([2, 3, 16], seed: 19), noise([2, 3, 4], seed: 20), noise([2, 3, 4], seed: 21),
        ]),
      Example(operation: "StringConcat", inputs: [words[0], words[1]]),
      Example(
        operation: "TensorScatter",
        inputs: [noise([2, 5, 4], seed: 22), noise([2, 2, 4], seed: 23)]),
      Example(
        operation: "SumLike", domain: OperatorDomain.derivatives,
        inputs: [image, noise([3, 1, 5], seed: 24)]),
    ]
  }()

  /// Operators on bytes: each tensor has a scale and a zero point after it, and so has the result.
  private static let quantizedExamples: [Example] = [
    Example(
      operation: "QGemm", domain: OperatorDomain.runtime, attributes: ["transB": .int(1)],
      inputs: scaled(bytes([2, 3]), bytes([4, 3])) + [nil] + quantization),
    quantized("QLinearAdd", scaled(bytes([2, 3]), bytes([4, 1, 3]))),
    quantized("QLinearMul", scaled(bytes([2, 3]), bytes([3]))),
    quantized("QLinearSigmoid", scaled(bytes([2, 3]))),
    quantized("QLinearLeakyRelu", scaled(bytes([2, 3]))),
    quantized("QLinearSoftmax", scaled(bytes([2, 3]))),
    quantized("QLinearGlobalAveragePool", scaled(bytes([2, 3, 4, 5]))),
    Example(
      operation: "QLinearConcat", domain: OperatorDomain.runtime, attributes: ["axis": .int(-1)],
      inputs: quantization + scaled(bytes([2, 3]), bytes([2, 4]))),
  ]

  /// Operators of chance, of signals and of regions.
  private static let furtherExamples: [Example] = {
    let image = noise([2, 3, 4, 5], seed: 1)
    let shape = ["shape": AttributeValue.ints([2, 3])]
    let signal = noise([2, 10, 3, 1], seed: 25)
    return [
      Example(operation: "RandomNormal", attributes: shape, inputs: []),
      Example(
        operation: "RandomUniform", attributes: shape.merging(["dtype": .int(11)]) { $1 },
        inputs: []),
      Example(operation: "RandomNormalLike", inputs: [image]),
      Example(operation: "RandomUniformLike", attributes: ["dtype": .int(10)], inputs: [image]),
      Example(operation: "Bernoulli", attributes: ["dtype": .int(9)], inputs: [image]),
      Example(operation: "Multinomial", inputs: [noise([2, 3], seed: 26)]),
      Example(
        operation: "Multinomial", attributes: ["dtype": .int(7), "sample_size": .int(4)],
        inputs: [noise([2, 3], seed: 26)]),
      Example(operation: "DFT", inputs: [signal]),
      Example(
        operation: "DFT", attributes: ["onesided": .int(1)],
        inputs: [signal, ints([], [7]), ints([], [1])]),
      Example(operation: "DFT", opset: 17, inputs: [signal, ints([], [12])]),
      Example(
        operation: "STFT",
        inputs: [noise([2, 20, 1], seed: 27), ints([], [3]), noise([8], seed: 28)]),
      Example(
        operation: "STFT", attributes: ["onesided": .int(0)],
        inputs: [noise([2, 20, 2], seed: 27), ints([], [3]), nil, ints([], [7])]),
      Example(
        operation: "MelWeightMatrix", attributes: ["output_datatype": .int(11)],
        inputs: [
          ints([], [4]), ints([], [32]), ints([], [8000]), floats([], [0]), floats([], [3000]),
        ]),
      Example(
        operation: "MaxRoiPool", attributes: ["pooled_shape": .ints([2, 3])],
        inputs: [image, floats([2, 5], [0, 0, 0, 3, 3, 1, 1, 1, 2, 2])]),
      Example(
        operation: "DeformConv", attributes: ["pads": .ints([1, 0, 0, 1])],
        inputs: [image, noise([2, 3, 2, 2], seed: 29), noise([2, 8, 4, 5], seed: 30)]),
      Example(
        operation: "BatchNormalization", attributes: ["training_mode": .int(1)],
        inputs: [
          image, noise([3], seed: 31), noise([3], seed: 32), noise([3], seed: 33),
          noise([3], seed: 34),
        ], outputs: 3),
    ]
  }()

  @Test(arguments: examples) func rulesHoldInRuns(example: Example) throws {
    let results = try run(
      example.operation, domain: example.domain, opset: example.opset,
      attributes: example.attributes, outputs: example.outputs, example.inputs)
    let definition = try #require(
      OperatorTable.definition(of: example.operation, domain: example.domain))
    var constants: [Int: Tensor] = [:]
    for case (let index, let tensor?) in example.inputs.enumerated()
    where tensor.elementType.isInteger {
      constants[index] = tensor
    }
    let node = NodeInfo(
      name: "n", operation: example.operation, domain: example.domain, opset: example.opset,
      hasInput: example.inputs.map { $0 != nil },
      hasOutput: [Bool](repeating: true, count: example.outputs), attributes: example.attributes,
      constants: constants, subgraphs: [:])
    guard case .rule(let rule) = definition.shape.form else {
      Issue.record("there is no rule")
      return
    }
    let facts = try rule(
      ShapeQuery(
        info: definition.declared(node), inputs: example.inputs.map { $0.map { ValueFact($0) } }))
    #expect(
      Array(facts.prefix(example.outputs)) == results.prefix(example.outputs).map(ValueFact.init))
  }

  /// Small tensors of any shape, and any attributes: often a run fails, but what it gives is as said.
  @Test func rulesHoldForRandomNodes() throws {
    var seen: Set<String> = []
    for operation in OperatorTable.families.flatMap(\.operators)
    where !operation.domain.hasPrefix(OperatorDomain.ownPrefix) {
      guard case .rule(let rule) = operation.shape.form else { continue }
      for seed in 0..<1000 {
        var probe = NodeProbe(generator: SeededGenerator(seed: UInt64(seed)))
        let opset = operation.versions[seed % operation.versions.count]
        let (node, inputs) = probe.node(operation, opset: opset)
        let context = KernelContext(
          nodeName: "n", operation: operation.name, pool: BufferPool(limit: 1 << 24),
          threads: ThreadPool(threadCount: 1), isCancelled: nil)
        let query = ShapeQuery(
          info: operation.declared(node), inputs: inputs.map { ValueFact($0) })
        guard let results = try? operation.kernel(for: node).run(inputs, in: context),
          let facts = try? rule(query)
        else { continue }
        for (result, fact) in zip(results, facts) where fact != nil {
          seen.insert(operation.name)
          #expect(fact == ValueFact(result), "\(operation.name), seed \(seed)")
        }
      }
    }
    print("shape rules: \(seen.count) operators run at random")
    #expect(seen.count > 120)
  }

  /// ONNX's own tests, and those of ONNX Runtime's operators, with inputs of integers as constants: those
  /// of the repository, and all where
  /// `ONNX_BACKEND_DATA` names their folder.
  @Test func rulesHoldInBackendTests() throws {
    var folders = [
      Folders.package.appendingPathComponent("Fixtures/ONNXBackend"),
      Folders.goldens.appendingPathComponent("ONNXRunner/runtime"),
    ]
    if let path = ProcessInfo.processInfo.environment["ONNX_BACKEND_DATA"] {
      folders += ["node", "simple", "pytorch-operator", "pytorch-converted"].map {
        URL(fileURLWithPath: path).appendingPathComponent($0)
      }
    }
    var count = 0
    for folder in folders {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
        count += try compare(folder.appendingPathComponent(name))
      }
    }
    print("shape rules: \(count) outputs compared")
    #expect(count >= 90)
  }

  /// How many outputs of a test a rule says something of.
  private func compare(_ folder: URL) throws -> Int {
    let data = folder.appendingPathComponent("test_data_set_0")
    guard let model = try? ModelFile(mapping: folder.appendingPathComponent("model.onnx")),
      let message = try? ModelMessage(WireReader(model)), let graphMessage = message.graph,
      let opsets = try? LoadedModel.opsets(of: message),
      var graph = try? GraphBuilder(
        weights: WeightLoader(file: model, folder: folder, memoryLimit: 1 << 30), opsets: opsets
      ).graph(graphMessage),
      let inputs = try? tensors("input", graph.inputs.count, in: data),
      let outputs = try? tensors("output", graph.outputs.count, in: data)
    else { return 0 }
    var expansions = Expansions(limit: 1 << 30)
    try expansions.apply(to: &graph)
    for (value, tensor) in zip(graph.inputs, inputs) where tensor.elementType.isInteger {
      graph.constants[value] = tensor
    }
    let facts = ShapeInference.facts(of: graph, inputs: inputs.map { ValueFact($0) })
    var count = 0
    for (value, tensor) in zip(graph.outputs, outputs) {
      guard let fact = facts[value] else { continue }
      #expect(fact == ValueFact(tensor), "\(folder.lastPathComponent)")
      count += 1
    }
    return count
  }

  private func tensors(_ kind: String, _ count: Int, in data: URL) throws -> [Tensor] {
    try (0..<count).map { index in
      let file = try ModelFile(mapping: data.appendingPathComponent("\(kind)_\(index).pb"))
      return try WeightLoader(file: file, folder: nil, memoryLimit: 1 << 30)
        .tensor(TensorMessage(WireReader(file)))
    }
  }
}
