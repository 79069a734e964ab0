import Foundation
import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerTensors

/// Sessions in use: several tasks at once, cancellation, timing, memory.
@Suite struct SessionTests {
  static func inputs(of session: InferenceSession) throws -> [String: Tensor] {
    var inputs: [String: Tensor] = [:]
    for (index, input) in session.inputs.enumerated() {
      let shape = try #require(input.shape).map { dimension -> Int in
        if case .fixed(let extent) = dimension { return extent }
        return 4
      }
      inputs[input.name] = try Seeded.tensor(seed: UInt64(index + 1), shape: shape)
    }
    return inputs
  }

  @Test func manyTasksAtOnce() async throws {
    let session = try InferenceSession(
      contentsOf: goldenModel("convolutions"), options: SessionOptions(threads: 3))
    let inputs = try Self.inputs(of: session)
    let expected = try session.run(inputs).mapValues { try $0.floats() }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<5 {
            let results = try session.run(inputs)
            for (name, tensor) in results {
              // Not bit for bit: tests of the kernels may switch the instruction set meanwhile.
              let error = largestError(try tensor.floats(), expected[name] ?? [], floor: 0.1)
              if error > 2e-5 { return false }
            }
          }
          return true
        }
      }
      for try await isEqual in group { #expect(isEqual) }
    }
  }

  @Test func resultsOutliveTheSession() throws {
    var session: InferenceSession? = try InferenceSession(contentsOf: goldenModel("products"))
    let inputs = try Self.inputs(of: try #require(session))
    let results = try #require(session).run(inputs)
    let before = try results.mapValues { try $0.floats() }
    // Another run must not write over what the first one gave.
    _ = try session?.run(
      inputs.mapValues {
        try Tensor(
          shape: $0.shape, [Float](repeating: 7, count: $0.count))
      })
    session = nil
    #expect(try results.mapValues { try $0.floats() } == before)
  }

  @Test func cancellation() throws {
    let session = try InferenceSession(contentsOf: goldenModel("poolings"))
    let inputs = try Self.inputs(of: session)
    #expect(throws: CancellationError.self) {
      try session.run(inputs, options: RunOptions(isCancelled: { true }))
    }
    final class Counter: @unchecked Sendable {
      // Unchecked: the hook is called on the caller's thread alone.
      var calls = 0
    }
    let counter = Counter()
    #expect(throws: CancellationError.self) {
      try session.run(
        inputs,
        options: RunOptions(isCancelled: {
          counter.calls += 1
          return counter.calls == 5
        }))
    }
    #expect(counter.calls == 5)
    #expect(try session.run(inputs).count == session.outputs.count)
  }

  @Test func profile() throws {
    let session = try InferenceSession(contentsOf: goldenModel("poolings"))
    let profiler = Profiler()
    let inputs = try Self.inputs(of: session)
    for _ in 0..<3 { _ = try session.run(inputs, options: RunOptions(profiler: profiler)) }
    #expect(profiler.nodes.count == session.metadata.plannedNodeCount)
    #expect(profiler.nodes.allSatisfy { $0.calls == 3 && $0.seconds >= 0 })
    #expect(
      profiler.operators.reduce(0) { $0 + $1.calls } == 3 * session.metadata.plannedNodeCount)
    #expect(profiler.table().contains("GlobalAveragePool"))
  }

  /// Work that is shared out is counted once the run it belongs to is.
  @Test(arguments: [1, 2]) func profileOfSharedWork(threads: Int) throws {
    let nodes = (0..<6).map { index in
      SmallModel.Node(
        operation: "Softmax", inputs: [index == 0 ? "x" : "v\(index - 1)"],
        outputs: [index == 5 ? "y" : "v\(index)"])
    }
    let session = try InferenceSession(
      data: SmallModel(nodes: nodes, inputs: [("x", 1, [256, 4096])]).data,
      options: SessionOptions(threads: threads))
    let inputs = ["x": try Seeded.tensor(seed: 1, shape: [256, 4096])]
    let profiler = Profiler()
    for _ in 0..<2 { _ = try session.run(inputs, options: RunOptions(profiler: profiler)) }
    #expect((0...1).contains(profiler.idleShare))
    #expect(profiler.nodes.count == 6)
  }

  @Test func memoryIsReused() throws {
    // A chain of twenty nodes needs two buffers at a time, not twenty, and one for the result.
    let nodes = (0..<20).map { index in
      SmallModel.Node(
        operation: "Softmax", inputs: [index == 0 ? "x" : "v\(index - 1)"],
        outputs: [index == 19 ? "y" : "v\(index)"])
    }
    let session = try InferenceSession(
      data: SmallModel(nodes: nodes, inputs: [("x", 1, [64, 1024])]).data)
    _ = try session.run(["x": try Seeded.tensor(seed: 1, shape: [64, 1024])])
    #expect(session.peakActivationBytes <= 3 * 64 * 1024 * 4)
  }

  @Test func metadata() throws {
    let session = try InferenceSession(contentsOf: goldenModel("fusions"))
    #expect(session.metadata.producerName == "tally-fixtures")
    #expect(session.metadata.irVersion == 8)
    #expect(session.metadata.opsets == ["": 14])
    #expect(session.metadata.graphName == "fusions")
    #expect(session.metadata.operatorCounts["Conv"] == 10)
    #expect(session.metadata.parameterCount == 10 * (6 * 4 * 9 + 6) + 2 * 24 + 2)
  }

  @Test func bytesAndFileAgree() throws {
    let file = try InferenceSession(contentsOf: goldenModel("products"))
    let bytes = try InferenceSession(data: try Data(contentsOf: goldenModel("products")))
    let inputs = try Self.inputs(of: file)
    let first = try file.run(inputs).mapValues { try $0.floats() }
    for (name, tensor) in try bytes.run(inputs) {
      #expect(largestError(try tensor.floats(), first[name] ?? [], floor: 0.1) < 2e-5)
    }
  }
}
