import Foundation
import TestSupport
import Testing

@testable import ONNXFormat
@testable import ONNXRunner
@testable import RunnerTensors

/// Operators that a model brings along.
///
/// A model with such is among those of `Goldens/ONNXRunner/runtime`.
@Suite struct FunctionTests {
  /// A function of x that gives y, each of whose nodes is (operator, domain, input, output).
  struct Function {
    var name: String
    var nodes: [(String, String, String, String)]
    var opset = 17
  }

  private func model(_ functions: [Function], calls name: String, opset: Int = 17) -> Data {
    var writer = MessageWriter()
    func write(_ node: (String, String, String, String), to writer: inout MessageWriter) {
      writer.string(1, node.2)
      writer.string(2, node.3)
      writer.string(4, node.0)
      writer.string(7, node.1)
    }
    writer.int(1, 9)
    writer.message(7) { graph in
      graph.message(1) { write((name, "own", "a", "b"), to: &$0) }
      graph.message(11) { value in
        value.string(1, "a")
        value.message(2) { $0.message(1) { $0.int(1, 1) } }
      }
      graph.message(12) { $0.string(1, "b") }
    }
    writer.message(8) { $0.int(2, opset) }
    for function in functions {
      writer.message(25) { message in
        message.string(1, function.name)
        message.string(4, "x")
        message.string(5, "y")
        for node in function.nodes { message.message(7) { write(node, to: &$0) } }
        message.message(9) { $0.int(2, function.opset) }
        message.string(10, "own")
      }
    }
    return writer.data
  }

  private func error(_ data: Data) -> String? {
    do {
      _ = try InferenceSession(data: data)
      return nil
    } catch {
      return (error as? ModelError)?.description ?? "\(error)"
    }
  }

  @Test func callsAreWrittenOut() throws {
    let twice = Function(
      name: "Twice", nodes: [("Neg", "", "x", "a"), ("Abs", "", "a", "b"), ("Neg", "", "b", "y")])
    let both = Function(
      name: "Both", nodes: [("Twice", "own", "x", "b"), ("Twice", "own", "b", "y")])
    let data = model([both, twice], calls: "Both")
    let session = try InferenceSession(data: data)
    let b = try session.run(["a": floats([3], [-2, 0, 3])])["b"]
    #expect(try b?.floats() == [-2, 0, -3])
    #expect(session.metadata.nodeCount == 1)
    let summary = try ModelSummary(data: data)
    #expect(summary.operators.map(\.name) == ["Neg", "Abs"])
    #expect(summary.operators.map(\.nodeCount) == [4, 2])
    #expect(summary.operators.map(\.isSupported) == [true, true])
  }

  /// A function that gives its input as it is, or something that nothing defines.
  @Test func strangeBodies() throws {
    let same = Function(name: "Same", nodes: [("Identity", "", "x", "y")])
    #expect(error(model([same], calls: "Same")) == nil)
    #expect(error(model([Function(name: "None", nodes: [])], calls: "None")) != nil)
    let undefined = Function(name: "F", nodes: [("Neg", "", "nowhere", "y")])
    #expect(error(model([undefined], calls: "F"))?.contains("which is not defined") == true)
    let missing = Function(name: "F", nodes: [("Frob", "", "x", "y")])
    #expect(error(model([missing], calls: "F"))?.contains("Frob 17 (1 node)") == true)
    #expect(
      error(model([same], calls: "Same", opset: 18))?.contains("version 17 of domain") == true)
  }

  /// Functions that call each other without an end, or so often that there would be 2^40 nodes.
  @Test func functionsThatGrow() {
    let endless = Function(name: "F", nodes: [("F", "own", "x", "y")])
    #expect(error(model([endless], calls: "F"))?.contains("64 deep") == true)
    let many = (0..<40).map { index in
      Function(
        name: "F\(index)",
        nodes: index == 0
          ? [("Neg", "", "x", "y")]
          : [("F\(index - 1)", "own", "x", "z"), ("F\(index - 1)", "own", "z", "y")])
    }
    #expect(error(model(many, calls: "F39"))?.contains("more than") == true)
    // And names of a megabyte, each of them written a thousand times over.
    let long = String(repeating: "n", count: 1 << 20)
    let wide = [
      Function(name: "F", nodes: [("Neg", "", "x", long), ("Neg", "", long, "y")]),
      Function(
        name: "G",
        nodes: (0..<1000).map {
          ("F", "own", $0 == 0 ? "x" : "v\($0)", $0 == 999 ? "y" : "v\($0 + 1)")
        }),
    ]
    #expect(error(model(wide, calls: "G"))?.contains("too long") == true)
  }

  /// Turned bits in a model with functions.
  @Test func damagedFiles() throws {
    let file = Folders.goldens.appendingPathComponent("ONNXRunner/runtime/functions/model.onnx")
    HostileModelTests.check(try Data(contentsOf: file), flips: 1000)
    for name in [
      "attention_past", "multi_head_attention_past", "group_query_attention_next",
      "matmul_4bits_zeros", "dequantized_int4", "dynamic_quantize_lstm_forward",
      "embed_layer_normalization", "fused_conv_clip", "max_roi_pool",
    ] {
      let file = Folders.goldens.appendingPathComponent("ONNXRunner/runtime/\(name)/model.onnx")
      HostileModelTests.check(try Data(contentsOf: file), flips: 300)
    }
  }
}
