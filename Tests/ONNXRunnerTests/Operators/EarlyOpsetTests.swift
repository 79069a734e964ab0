import Foundation
import Testing

@testable import ONNXRunner
@testable import RunnerTensors

/// Operators as they were before opset 7.
@Suite struct EarlyOpsetTests {
  private static func sum(
    _ int: [String: Int], weights shape: [Int], opset: Int = 6
  ) throws -> Tensor? {
    let model = SmallModel(
      opset: opset,
      nodes: [
        .init(operation: "Add", inputs: ["x", "w"], outputs: ["y"], name: "sum", int: int)
      ],
      inputs: [("x", 1, [2, 3, 4])],
      weights: [("w", shape, (0..<shape.reduce(1, *)).map { Float($0 + 1) * 100 })])
    let session = try InferenceSession(data: model.data, options: SessionOptions(threads: 1))
    return try session.run(["x": Tensor(shape: [2, 3, 4], (0..<24).map { Float($0) })])["y"]
  }

  @Test(arguments: [
    (["broadcast": 1], [4], 0, 0, 1), (["broadcast": 1, "axis": 1], [3], 0, 1, 0),
    (["broadcast": 1, "axis": 0], [2], 1, 0, 0), (["broadcast": 1, "axis": -3], [2], 1, 0, 0),
    (["broadcast": 1, "axis": 1], [1], 0, 0, 0), (["broadcast": 1], [1, 1, 1], 0, 0, 0),
  ]) func broadcast(int: [String: Int], shape: [Int], a: Int, b: Int, c: Int) throws {
    let result = try #require(try Self.sum(int, weights: shape))
    let expected = (0..<24).map { (index: Int) -> Float in
      let weight: Int = index / 12 * a + index / 4 % 3 * b + index % 4 * c + 1
      return Float(index) + Float(weight) * 100
    }
    #expect(result.shape == [2, 3, 4])
    #expect(try result.array(of: Float.self) == expected)
  }

  @Test(
    arguments: [
      ([:], [4]), (["broadcast": 1, "axis": 2], [3, 4]), (["broadcast": 1, "axis": 7], [4]),
      (["broadcast": 1], [3]), (["broadcast": 1], [1, 2, 3, 4]),
      (["broadcast": 1, "axis": .min], [4]), (["broadcast": 1, "axis": .max], [4]),
    ] as [([String: Int], [Int])]) func refused(int: [String: Int], shape: [Int])
  {
    #expect(throws: ModelError.self) { try Self.sum(int, weights: shape) }
  }

  @Test func trainingIsRefused() {
    let model = SmallModel(
      opset: 6,
      nodes: [
        .init(
          operation: "BatchNormalization", inputs: ["x", "w", "w", "w", "w"], outputs: ["y"],
          name: "normalized")
      ], weights: [("w", [2], [1, 2])])
    #expect(
      throws: ModelError.unsupported(
        node: "normalized", operation: "BatchNormalization", reason: "training mode")
    ) { try InferenceSession(data: model.data) }
  }
}
