import Foundation
import ONNXRunner

/// Loads a model from any bytes and runs it; an error that is not the runner's own, a trap, or memory
/// past the limit ends the process, which is what the fuzzer looks for.
public enum Trial {
  /// What a model may take; the fuzzer itself watches for single allocations of several times as much.
  public static let memoryLimit = 64 << 20

  /// Seconds of honest work that one input may cost.
  public static let seconds = 0.25

  /// Loads `data` and runs it on made-up inputs.
  public static func run(_ data: Data, options: SessionOptions? = nil) {
    var options = options ?? SessionOptions(threads: 1)
    options.memoryLimit = memoryLimit
    do {
      let session = try InferenceSession(data: data, options: options)
      var inputs: [String: Tensor] = [:]
      for (index, input) in session.inputs.enumerated() {
        guard let tensor = try tensor(for: input, seed: UInt64(index + 1)) else { return }
        inputs[input.name] = tensor
      }
      let deadline = Date(timeIntervalSinceNow: seconds)
      _ = try session.run(inputs, options: RunOptions(isCancelled: { Date() > deadline }))
    } catch is ModelError {
    } catch is CancellationError {
    } catch {
      fatalError("an error of another kind: \(error)")
    }
  }

  /// A tensor that fits `input`, or nil where it would be large.
  private static func tensor(for input: ValueDescription, seed: UInt64) throws -> Tensor? {
    let shape = (input.shape ?? [2, 3].map { .fixed($0) }).map { dimension in
      if case .fixed(let extent) = dimension { extent } else { 2 }
    }
    // With no elements any extents will do.
    var elements = shape.contains(0) ? 0 : 1
    for extent in shape where elements > 0 {
      guard extent < 1 << 16 else { return nil }
      elements *= extent
      guard elements < 1 << 16 else { return nil }
    }
    if input.elementType == .string {
      return try Tensor(shape: shape, strings: (0..<elements).map { ["a", "Zq", "", "é"][$0 % 4] })
    }
    var state = seed
    let values = (0..<elements).map { _ -> Float in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      switch state >> 59 {
      case 0: return .nan
      case 1: return .infinity
      case 2: return -0x1p40
      case 3...16: return Float(Int(truncatingIfNeeded: state >> 40) % 8)
      default: return Float(state >> 40) * 0x1p-23 - 1
      }
    }
    return try Tensor(shape: shape, values).converted(to: input.elementType)
  }
}
