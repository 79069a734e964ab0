import Foundation
import ONNXFormat
import ONNXRunner
import RunnerTensors
import TestSupport

@testable import ModelQuantization

/// A small network, written down in a test.
struct SmallNetwork {
  struct Node {
    var operation: String
    var inputs: [String]
    var output: String
    var ints: [String: [Int]] = [:]
    var int: [String: Int] = [:]
    var notes = ""
  }

  var opset = 17
  var input = ("x", [1, 2, 6, 6])
  var output = "y"
  var type = ElementType.float32
  var nodes: [Node] = []
  var weights: [(name: String, tensor: Tensor)] = []
  var properties: [(String, String)] = []

  mutating func node(
    _ operation: String, _ inputs: [String], _ output: String, ints: [String: [Int]] = [:],
    int: [String: Int] = [:], notes: String = ""
  ) {
    nodes.append(
      Node(
        operation: operation, inputs: inputs, output: output, ints: ints, int: int, notes: notes))
  }

  mutating func weight(
    _ name: String, _ shape: [Int], seed: UInt64, in range: ClosedRange<Float> = -0.5...0.5
  ) {
    weights.append((name, Noise.tensor(shape, seed: seed, in: range)))
  }

  mutating func weight(_ name: String, _ shape: [Int], _ values: [Float]) throws {
    weights.append((name, try Tensor(shape: shape, values)))
  }

  func data() throws -> Data {
    var writer = WireWriter()
    writer.integer(1, 8)
    writer.string(2, "by hand")
    writer.string(6, "notes on the model")
    try writer.message(7) { graph in
      for node in nodes {
        graph.message(1) { message in
          for input in node.inputs { message.string(1, input) }
          message.string(2, node.output)
          message.string(3, "node \(node.output)")
          message.string(4, node.operation)
          for (name, values) in node.ints.sorted(by: { $0.key < $1.key }) {
            message.message(5) { attribute in
              attribute.string(1, name)
              for value in values { attribute.integer(8, value) }
              attribute.integer(20, 7)
            }
          }
          for (name, value) in node.int.sorted(by: { $0.key < $1.key }) {
            message.message(5) { attribute in
              attribute.string(1, name)
              attribute.integer(3, value)
              attribute.integer(20, 2)
            }
          }
          if !node.notes.isEmpty { message.string(6, node.notes) }
        }
      }
      graph.string(2, "small")
      for (name, tensor) in weights { try graph.tensor(5, named: name, tensor) }
      graph.string(10, "notes on the graph")
      graph.value(
        11,
        ValueDescription(
          name: input.0, elementType: type, shape: input.1.map { .fixed($0) }))
      graph.value(12, ValueDescription(name: output, elementType: type, shape: nil))
    }
    writer.message(8) { $0.integer(2, opset) }
    for (key, value) in properties { writer.entry(14, key: key, value: value) }
    return Data(writer.bytes)
  }

  func quantizer(_ configuration: QuantizationConfiguration = .quick) throws -> ModelQuantizer {
    try ModelQuantizer(data: data(), configuration: configuration)
  }

  /// Quantised from a few random examples.
  func quantized(
    _ configuration: QuantizationConfiguration = .quick, examples: Int = 4
  ) throws -> ModelQuantizer.Result {
    var quantizer = try quantizer(configuration)
    for seed in 0..<UInt64(examples) { try quantizer.observe([input.0: example(seed)]) }
    return try quantizer.quantized()
  }

  func example(_ seed: UInt64) throws -> Tensor {
    try Noise.tensor(input.1, seed: 100 + seed, in: -1...1).converted(to: type)
  }

  /// Two convolutions with a limit between, and a third that gives the output.
  static func convolutions() -> SmallNetwork {
    var network = SmallNetwork()
    network.weight("w1", [8, 2, 3, 3], seed: 1)
    network.weight("b1", [8], seed: 2)
    network.weight("w2", [6, 8, 1, 1], seed: 3)
    network.weight("w3", [3, 6, 1, 1], seed: 4)
    network.node(
      "Conv", ["x", "w1", "b1"], "c1", ints: ["pads": [1, 1, 1, 1]], notes: "the first")
    network.node("Relu", ["c1"], "r1")
    network.node("Conv", ["r1", "w2"], "c2")
    network.node("Conv", ["c2", "w3"], "y")
    return network
  }
}

extension QuantizationConfiguration {
  /// On one thread, whatever accuracy comes out.
  static var quick: QuantizationConfiguration {
    var configuration = QuantizationConfiguration()
    configuration.session.threads = 1
    configuration.minimumSignalToNoise = nil
    return configuration
  }
}

/// Numbers that are the same each time.
enum Noise {
  static func tensor(
    _ shape: [Int], seed: UInt64, in range: ClosedRange<Float>
  ) -> Tensor {
    let values = noise(shape.reduce(1, *), seed: seed, in: range)
    // As many values as the shape holds.
    return (try? Tensor(shape: shape, values)) ?? Tensor(scalar: 0 as Float)
  }
}

extension Tensor {
  /// The elements as float32, whatever they are.
  func floats() throws -> [Float] {
    try converted(to: .float32).array(of: Float.self)
  }
}

/// The messages of a file.
struct Contents {
  let model: ModelMessage
  let graph: GraphMessage

  init(_ data: Data) throws {
    model = try ModelMessage(WireReader(ModelFile(copying: data)))
    guard let graph = model.graph else { throw ModelError.malformed(reason: "no graph") }
    self.graph = graph
  }

  /// How often an operator is there.
  func count(_ operation: String) -> Int { graph.nodes.count { $0.operation == operation } }

  /// The node that makes a value.
  func maker(of name: String) -> NodeMessage? { graph.nodes.first { $0.outputs == [name] } }
}
