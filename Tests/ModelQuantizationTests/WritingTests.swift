import Foundation
import ONNXFormat
import ONNXRunner
import RunnerTensors
import TestSupport
import Testing

@testable import ModelQuantization

/// What is written, byte for byte and through the reader.
@Suite struct WritingTests {
  @Test func fieldsAreAsTheFormatHasThem() {
    var writer = WireWriter()
    writer.integer(1, 300)
    writer.string(2, "testing")
    writer.message(3) { $0.integer(1, 150) }
    // The examples of the Protocol Buffers documentation, but for the first.
    #expect(
      writer.bytes == [
        0x08, 0xAC, 0x02, 0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67, 0x1A, 0x03, 0x08,
        0x96, 0x01,
      ])
    var negative = WireWriter()
    negative.integer(1, -1)
    #expect(negative.bytes == [0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x01])
    var number = WireWriter()
    number.float(2, 1)
    #expect(number.bytes == [0x15, 0, 0, 0x80, 0x3F])
  }

  @Test func longMessagesGetTheirLengthsInFront() throws {
    var writer = WireWriter()
    writer.message(7) { outer in
      outer.message(1) { $0.string(3, String(repeating: "a", count: 200)) }
      outer.string(2, "after")
    }
    let file = try ModelFile(copying: Data(writer.bytes))
    let fields = try RawField.all(of: WireReader(file))
    #expect(fields.map(\.number) == [7])
    let inner = try RawField.all(of: fields[0].message)
    #expect(inner.map(\.number) == [1, 2])
    #expect(inner[0].range.lowerBound == fields[0].value.lowerBound)
    #expect(inner[1].range.upperBound == writer.bytes.count)
  }

  @Test(arguments: [
    ElementType.float32, .float16, .bfloat16, .float64, .int8, .uint8, .int16, .int32, .int64,
    .bool, .int4, .uint4,
  ])
  func tensorsComeBack(type: ElementType) throws {
    let tensor = try Tensor(shape: [3, 1], [1, 0, 5] as [Float]).converted(to: type)
    var writer = WireWriter()
    try writer.tensor(1, named: "weights", tensor)
    let file = try ModelFile(copying: Data(writer.bytes))
    let field = try #require(try RawField.all(of: WireReader(file)).first)
    let message = try TensorMessage(field.message)
    #expect(message.name == "weights")
    let loader = WeightLoader(file: file, folder: nil, memoryLimit: 1 << 20)
    let loaded = try loader.tensor(message)
    #expect(loaded.shape == [3, 1] && loaded.elementType == type)
    #expect(try loaded.floats() == tensor.floats())
  }

  @Test func textComesBack() throws {
    var writer = WireWriter()
    try writer.tensor(1, named: "t", Tensor(shape: [2], strings: ["", "ä"]))
    let file = try ModelFile(copying: Data(writer.bytes))
    let field = try #require(try RawField.all(of: WireReader(file)).first)
    let loader = WeightLoader(file: file, folder: nil, memoryLimit: 1 << 20)
    #expect(try loader.tensor(TensorMessage(field.message)).strings() == ["", "ä"])
  }

  /// Models with graphs in nodes, weights of half the width and much else.
  static let goldens = [
    "convolutions", "fusions", "halves", "normalizations", "poolings", "products", "resizings",
    "softmax_11", "subgraphs", "upsamplings_9", "external",
  ]

  /// A model that was folded and written again answers what it did.
  @Test(arguments: goldens) func writtenModelsAnswerTheSame(name: String) throws {
    let url = Folders.goldens.appendingPathComponent("ONNXRunner/\(name).onnx")
    let folder = url.deletingLastPathComponent()
    let model = try FoldedModel(
      file: ModelFile(mapping: url), folder: folder, memoryLimit: 1 << 30)
    let data = try ModelFileWriter(model).data(model.graph)
    let before = try InferenceSession(contentsOf: url, options: SessionOptions(threads: 1))
    let after = try InferenceSession(data: data, options: SessionOptions(threads: 1))
    #expect(after.inputs == before.inputs)
    #expect(after.outputs.map(\.name) == before.outputs.map(\.name))
    var inputs: [String: Tensor] = [:]
    for (seed, input) in before.inputs.enumerated() {
      let shape = (input.shape ?? []).map { side -> Int in
        if case .fixed(let extent) = side { return extent }
        return 2
      }
      inputs[input.name] = try Noise.tensor(shape, seed: UInt64(seed), in: -1...1)
        .converted(to: input.elementType)
    }
    let expected = try before.run(inputs)
    let got = try after.run(inputs)
    for (name, tensor) in expected {
      let other = try #require(got[name])
      #expect(other.shape == tensor.shape && other.elementType == tensor.elementType)
      let floats = try tensor.floats()
      let greatest = floats.map(abs).filter(\.isFinite).max() ?? 0
      for (value, wanted) in zip(try other.floats(), floats) where value != wanted {
        #expect(abs(value - wanted) <= 1e-5 * max(greatest, 1))
      }
    }
  }

  @Test func whatTheFileSaysStays() throws {
    var network = SmallNetwork.convolutions()
    network.properties = [("author", "somebody"), (ModelQuantizer.property, "of before")]
    let result = try network.quantized()
    let contents = try Contents(result.data)
    #expect(contents.model.producerName == "by hand")
    #expect(contents.model.documentation == "notes on the model")
    #expect(contents.model.properties["author"] == "somebody")
    let text = try #require(contents.model.properties[ModelQuantizer.property])
    #expect(text.hasPrefix("int8, 2 of 3 nodes, 4 examples"))
    #expect(contents.graph.name == "small")
    #expect(contents.graph.inputs.map(\.name) == ["x"])
    #expect(contents.graph.outputs.map(\.name) == ["y"])
    #expect(result.data.range(of: Data("notes on the graph".utf8)) != nil)
    #expect(result.data.range(of: Data("the first".utf8)) != nil)
    // Each name of a node and of a value is there once.
    let names = contents.graph.nodes.map(\.name)
    #expect(Set(names).count == names.count)
    let values = contents.graph.nodes.flatMap(\.outputs) + contents.graph.initializers.map(\.name)
    #expect(Set(values).count == values.count)
  }

  @Test func theSameExamplesGiveTheSameBytes() throws {
    let network = SmallNetwork.convolutions()
    #expect(try network.quantized().data == network.quantized().data)
  }
}
