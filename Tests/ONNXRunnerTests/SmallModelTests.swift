import Foundation
import ONNXRunner
import TestSupport
import Testing

@testable import RunnerTensors

/// Models with many nodes of a family each, against ONNX Runtime.
@Suite struct SmallModelTests {
  static let names = [
    "convolutions", "signals", "few_pixels", "poolings", "normalizations", "softmax_11", "products",
    "resizings",
    "upsamplings_9", "fusions", "halves", "external", "subgraphs", "loops",
  ]

  static func results(
    _ name: String, _ options: SessionOptions = .init()
  ) throws -> [(ValueDescription, [Float])] {
    let session = try InferenceSession(contentsOf: goldenModel(name), options: options)
    var inputs: [String: Tensor] = [:]
    for (index, input) in session.inputs.enumerated() {
      let shape = try #require(input.shape).map { dimension -> Int in
        if case .fixed(let extent) = dimension { return extent }
        return 4
      }
      inputs[input.name] = try Seeded.tensor(seed: UInt64(index + 1), shape: shape)
    }
    let outputs = try session.run(inputs)
    return try session.outputs.map { ($0, try #require(outputs[$0.name]).floats()) }
  }

  /// Sums of up to a few hundred float32 products in another order differ by some 1e-6 of their size.
  static func check(_ results: [(ValueDescription, [Float])], _ name: String) throws {
    let expected = try goldenFloats("\(name).npy")
    #expect(results.reduce(0) { $0 + $1.1.count } == expected.count)
    var start = 0
    for (output, got) in results {
      let part = Array(expected.dropFirst(start).prefix(got.count))
      start += got.count
      // ONNX Runtime rounds to float16 between nodes, whose last place is a thousandth.
      let isHalf = name == "halves"
      let error = largestError(got, part, floor: isHalf ? 1 : 0.1)
      #expect(error < (isHalf ? 1e-3 : 2e-5), "\(output.name): \(error)")
    }
  }

  @Test(arguments: names) func equalsONNXRuntime(name: String) throws {
    try Self.check(try Self.results(name), name)
  }

  @Test(arguments: names) func equalsONNXRuntimeWithoutPasses(name: String) throws {
    var options = SessionOptions()
    // Without `float32`, halves are rounded after every node, which ONNX Runtime does not do.
    let kept: Set<PassID> = name == "halves" ? ["half-widening"] : []
    options.disabledPasses = Set(PassID.all).subtracting(kept)
    try Self.check(try Self.results(name, options), name)
  }

  @Test func fusionLeavesOneNodePerChain() throws {
    var options = SessionOptions()
    options.disabledPasses = ["channel-blocking"]
    let fused = try InferenceSession(contentsOf: goldenModel("fusions"), options: options)
    #expect(fused.metadata.nodeCount == 24)
    // Ten convolutions, and the Relu whose input is an output of the model as well.
    #expect(fused.metadata.plannedNodeCount == 11)
  }
}
