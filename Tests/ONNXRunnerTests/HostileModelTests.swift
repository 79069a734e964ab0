import Foundation
import ONNXRunner
import TestSupport
import Testing

@testable import RunnerTensors

/// Files that were cut, or have a bit turned: a typed error, or a run; never anything else.
@Suite struct HostileModelTests {
  /// Loads and runs `data`; anything but a ``ModelError`` is a failure, and so is a crash.
  static func survives(_ data: Data, _ what: @autoclosure () -> String) {
    var options = SessionOptions(threads: 1)
    options.memoryLimit = 256 << 20
    do {
      let session = try InferenceSession(
        data: data, folder: Folders.goldens.appendingPathComponent("ONNXRunner"),
        options: options)
      var inputs: [String: Tensor] = [:]
      for (index, input) in session.inputs.enumerated() {
        let shape = (input.shape ?? []).map { dimension -> Int in
          if case .fixed(let extent) = dimension { return extent }
          return 1
        }
        guard shape.reduce(1.0, { $0 * Double($1) }) < 1e7 else { return }
        inputs[input.name] = try Seeded.tensor(seed: UInt64(index + 1), shape: shape)
          .converted(to: input.elementType == .string ? .float32 : input.elementType)
      }
      // A turned bit may ask for hours of honest work; that is cut short as a caller would.
      let deadline = Date(timeIntervalSinceNow: 2)
      _ = try session.run(inputs, options: RunOptions(isCancelled: { Date() > deadline }))
    } catch is ModelError {
    } catch is CancellationError {
    } catch {
      Issue.record("\(what()): \(error)")
    }
  }

  static func check(_ data: Data, flips: Int) {
    // Debug builds, the ones with sanitizers among them, take a hundred times as long.
    let share = _isDebugAssertConfiguration() ? 10 : 1
    let flips = flips / share
    for percent in stride(from: 0, to: 100, by: share) {
      survives(data.prefix(data.count * percent / 100), "cut at \(percent) %")
    }
    var generator = SeededGenerator(seed: 77)
    for _ in 0..<flips {
      let place = Int(generator.next() % UInt64(data.count))
      var changed = data
      changed[place] ^= UInt8(truncatingIfNeeded: generator.next() % 255 + 1)
      survives(changed, "byte \(place) is \(changed[place])")
    }
  }

  @Test(arguments: [
    "convolutions", "poolings", "normalizations", "products", "resizings", "upsamplings_9",
    "fusions", "halves", "subgraphs", "external",
  ]) func smallModels(name: String) throws {
    Self.check(try Data(contentsOf: goldenModel(name)), flips: 300)
  }

  private static let overflowing: [(String, Int, [Int], [String: Int])] = [
    ("Concat", 40, [1 << 58], ["axis": 0]), ("Concat", 2, [0, .max], ["axis": 1]),
    ("DepthToSpace", 1, [0, 1 << 24, 1 << 60, 1 << 60], ["blocksize": 1 << 12]),
    ("SpaceToDepth", 1, [0, 1 << 60, 0, 0], ["blocksize": 1 << 12]),
    ("SpaceToDepth", 1, [0, 1 << 44, 0, 0], ["blocksize": 1 << 14]),
    ("Split", 1, [.max, 0], ["num_outputs": 2]), ("Size", 1, [1 << 58, 1 << 58], [:]),
  ]

  /// Extents that no tensor has, or none with elements: their sums and products are past all numbers.
  @Test(arguments: overflowing) func extentsThatOverflow(
    operation: String, parts: Int, shape: [Int], attributes: [String: Int]
  ) throws {
    // As an input, where only rules see it, and as a weight without elements, where kernels do.
    for name in ["x", "w"] {
      let model = SmallModel(
        opset: 18,
        nodes: [
          .init(
            operation: operation, inputs: Array(repeating: name, count: parts),
            outputs: operation == "Split" ? ["a", "b"] : ["a"], int: attributes),
          .init(operation: "Shape", inputs: ["a"], outputs: ["y"]),
        ], inputs: [("x", 1, shape)], weights: [("w", shape, [])])
      Self.survives(model.data, "\(operation) of \(name)")
    }
  }

  @Test func partsThatOverflow() throws {
    let model = SmallModel(
      opset: 11,
      nodes: [
        .init(
          operation: "Split", inputs: ["x"], outputs: ["y", "b"],
          ints: ["split": [1 << 40, .max]])
      ], inputs: [("x", 1, [1 << 40])])
    Self.survives(model.data, "parts")
  }

  /// Turned bits where they hurt: names, shapes, attributes rather than weights.
  @Test func headOfASmallModel() throws {
    let data = SmallModel(
      nodes: [
        .init(
          operation: "Conv", inputs: ["x", "w"], outputs: ["c"], name: "conv",
          ints: ["pads": [1, 1, 1, 1], "strides": [2, 2], "dilations": [1, 1]],
          int: ["group": 1]),
        .init(
          operation: "MaxPool", inputs: ["c"], outputs: ["y"], name: "pool",
          ints: ["kernel_shape": [2, 2]], int: ["ceil_mode": 1]),
      ], weights: [("w", [3, 2, 1, 1], [1, 2, 3, 4, 5, 6])]
    ).data
    for place in data.indices {
      for bit in 0..<8 {
        var changed = data
        changed[place] ^= 1 << bit
        Self.survives(changed, "bit \(bit) of byte \(place)")
      }
    }
    #expect(data.count > 100)
  }

  @Test func realModel() throws {
    guard let file = try Requirements.shared("models/yolox_nano_416.onnx") else { return }
    let data = try Data(contentsOf: file)
    #expect(data.count > 1_000_000)
    Self.check(data, flips: 200)
  }
}
