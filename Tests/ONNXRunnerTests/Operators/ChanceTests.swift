import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Operators of chance: the same numbers each time, and spread as they should be.
@Suite struct ChanceTests {
  private static let count = 40_000

  private func numbers(
    _ operation: String, _ attributes: [String: AttributeValue], threads: Int = 1
  ) throws -> [Float] {
    let shape = ["shape": AttributeValue.ints([Self.count / 4, 4])]
    return try run(
      operation, attributes: attributes.merging(shape) { $1 }, threads: threads, [])[0].floats()
  }

  @Test(arguments: ["RandomNormal", "RandomUniform"]) func seeds(operation: String) throws {
    let first = try numbers(operation, ["seed": .float(3)])
    #expect(try numbers(operation, ["seed": .float(3)], threads: 3) == first)
    #expect(try numbers(operation, ["seed": .float(4)]) != first)
    // Without a seed the node's name is one.
    #expect(try numbers(operation, [:]) == numbers(operation, [:]))
  }

  @Test func spread() throws {
    let normal = try numbers(
      "RandomNormal", ["seed": .float(1), "mean": .float(2), "scale": .float(3)])
    let mean = normal.reduce(0) { $0 + Double($1) } / Double(Self.count)
    let square = normal.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    // Five times the deviation of a mean, and of a deviation, of so many.
    #expect(abs(mean - 2) < 5 * 3 / 200)
    #expect(abs((square / Double(Self.count)).squareRoot() - 3) < 5 * 3 / 283)
    let inside = normal.filter { abs($0 - 2) < 3 }.count
    #expect(abs(Double(inside) / Double(Self.count) - 0.6827) < 0.012)
    let uniform = try numbers(
      "RandomUniform", ["seed": .float(1), "low": .float(-1), "high": .float(3)])
    #expect(uniform.allSatisfy { $0 >= -1 && $0 <= 3 })
    for quarter in 0..<4 {
      let part = uniform.filter { $0 >= Float(quarter) - 1 && $0 < Float(quarter) }.count
      #expect(abs(Double(part) / Double(Self.count) - 0.25) < 0.011)
    }
  }

  @Test func likeAnotherTensor() throws {
    let x = tensor([3, 2], [Double](repeating: 0, count: 6))
    #expect(ValueFact(try run("RandomNormalLike", [x])[0]) == ValueFact(.float64, [3, 2]))
    let half = try run("RandomUniformLike", attributes: ["dtype": .int(10)], [ints([2], [1, 2])])
    #expect(ValueFact(half[0]) == ValueFact(.float16, [2]))
    #expect(throws: ModelError.self) { try run("RandomNormalLike", [ints([2], [1, 2])]) }
    #expect(throws: ModelError.self) { try run("RandomNormal", []) }
  }

  @Test func bernoulliAndMultinomial() throws {
    let chances = floats([4, 10_000], (0..<40_000).map { [0, 0.2, 0.9, 1][$0 / 10_000] })
    let drawn = try run(
      "Bernoulli", attributes: ["seed": .float(5), "dtype": .int(7)], [chances])[0]
    let values = try drawn.array(of: Int64.self)
    for (row, expected) in [0, 0.2, 0.9, 1].enumerated() {
      let ones = values[row * 10_000..<(row + 1) * 10_000].reduce(0, +)
      #expect(abs(Double(ones) / 10_000 - expected) < 0.02)
    }
    let weights = floats([2, 3], [0.1, 0.3, 0.6, 0.5, 0, 0.5].map { Float($0) })
    let logs = try run("Log", [weights])[0]
    let classes = try run(
      "Multinomial", attributes: ["sample_size": .int(20_000), "seed": .float(2)], [logs])[0]
      .array(of: Int32.self)
    for (place, weight) in try weights.floats().enumerated() {
      let row = classes[place / 3 * 20_000..<(place / 3 + 1) * 20_000]
      let share = Double(row.filter { $0 == place % 3 }.count) / 20_000
      #expect(abs(share - Double(weight)) < 0.02)
    }
  }

  /// Nothing of chance is computed when a model is loaded.
  @Test func isNotFolded() throws {
    let session = try InferenceSession(
      data: SmallModel(
        nodes: [
          .init(
            operation: "RandomUniform", inputs: [], outputs: ["r"], name: "r",
            ints: ["shape": [1, 2, 4, 4]]),
          .init(operation: "Add", inputs: ["x", "r"], outputs: ["y"]),
        ]
      ).data)
    #expect(session.metadata.plannedNodeCount == 2)
  }
}
