import Foundation
import Testing

@testable import ONNXRunner
@testable import RunnerTensors

/// Values that are no tensors, in and out of sessions and by mistake.
@Suite struct SequenceTests {
  private static let tensor = try? Tensor(shape: [1, 2, 4, 4], (0..<32).map { Float($0) })

  private static func session(
    _ nodes: [SmallModel.Node], opset: Int = 13
  ) throws -> InferenceSession {
    try InferenceSession(
      data: SmallModel(opset: opset, nodes: nodes).data, options: SessionOptions(threads: 1))
  }

  private static func node(
    _ operation: String, _ inputs: [String], _ output: String, int: [String: Int] = [:]
  ) -> SmallModel.Node {
    .init(operation: operation, inputs: inputs, outputs: [output], name: output, int: int)
  }

  @Test func sequenceOut() throws {
    let session = try Self.session([Self.node("SequenceConstruct", ["x", "x", "x"], "y")])
    let input = try #require(Self.tensor)
    let value = try #require(try session.run(values: ["x": .tensor(input)])["y"])
    #expect(value.tensor == nil)
    #expect(value.sequence?.map(\.shape) == [[1, 2, 4, 4], [1, 2, 4, 4], [1, 2, 4, 4]])
    let error = #expect(throws: ModelError.self) { try session.run(["x": input]) }
    #expect(
      error
        == .unsupported(node: "y", operation: "output", reason: "it is a sequence, not a tensor"))
  }

  @Test func sequenceGivenToATensorOperator() throws {
    let session = try Self.session([
      Self.node("SequenceConstruct", ["x"], "s"), Self.node("Relu", ["s"], "y"),
    ])
    let input = try #require(Self.tensor)
    #expect(
      throws: ModelError.invalidNode(
        node: "y", operation: "Relu", reason: "input 0 is a sequence, expected a tensor")
    ) { try session.run(["x": input]) }
  }

  @Test func tensorGivenToASequenceOperator() throws {
    let session = try Self.session([Self.node("SequenceLength", ["x"], "y")])
    let input = try #require(Self.tensor)
    #expect(
      throws: ModelError.invalidNode(
        node: "y", operation: "SequenceLength", reason: "input 0 is a tensor, expected a sequence")
    ) { try session.run(["x": input]) }
  }

  @Test func emptySequenceIsErasedFrom() throws {
    let session = try Self.session([
      Self.node("SequenceEmpty", [], "s"), Self.node("SequenceErase", ["s"], "y"),
    ])
    let input = try #require(Self.tensor)
    #expect(
      throws: ModelError.invalidNode(
        node: "y", operation: "SequenceErase", reason: "the sequence is empty")
    ) { try session.run(["x": input]) }
  }

  @Test(arguments: [-1, 0, 3, 4, -5]) func joined(axis: Int) throws {
    let session = try Self.session([
      Self.node("SequenceConstruct", ["x", "x"], "s"),
      Self.node("ConcatFromSequence", ["s"], "y", int: ["axis": axis, "new_axis": 1]),
    ])
    let input = try #require(Self.tensor)
    var expected = input.shape
    expected.insert(2, at: axis < 0 ? axis + 5 : axis)
    #expect(try session.run(["x": input])["y"]?.shape == expected)
  }

  @Test func optionIsEmpty() throws {
    let nodes = [
      Self.node("Optional", [], "o"), Self.node("OptionalHasElement", ["o"], "y"),
    ]
    let input = try #require(Self.tensor)
    let result = try Self.session(nodes, opset: 18).run(["x": input])["y"]
    #expect(try result?.array(of: Bool.self) == [false])
    let wrong = [nodes[0], Self.node("OptionalGetElement", ["o"], "y")]
    #expect(
      throws: ModelError.invalidNode(
        node: "y", operation: "OptionalGetElement", reason: "the option is empty")
    ) { try Self.session(wrong, opset: 18).run(["x": input]) }
  }
}
