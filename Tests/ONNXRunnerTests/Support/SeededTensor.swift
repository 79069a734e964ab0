import Foundation
import NumPyFiles
import ONNXRunner
import TestSupport

@testable import RunnerTensors

/// Inputs that the scripts in `Fixtures/generate` make in the same way.
enum Seeded {
  /// Float32 numbers in `low` ..< `high`, 24 bits of each random number used; whole numbers on request.
  static func tensor(
    seed: UInt64, shape: [Int], low: Float = -1, high: Float = 1, whole: Bool = false
  ) throws -> Tensor {
    var generator = SeededGenerator(seed: seed)
    return try Tensor(shape: shape, of: Float.self) { elements in
      for index in elements.indices {
        let value = low + Float(generator.next() >> 40) * 0x1p-24 * (high - low)
        elements[index] = whole ? value.rounded(.down) : value
      }
    }
  }

  /// Which elements of an output a golden holds.
  static func places(seed: UInt64, below count: Int) -> [Int] {
    var generator = SeededGenerator(seed: seed)
    return (0..<2000).map { _ in Int(generator.next() % UInt64(count)) }
  }
}

/// The float32 array in `Fixtures/Goldens/ONNXRunner`.
func goldenFloats(_ name: String) throws -> [Float] {
  let url = Folders.goldens.appendingPathComponent("ONNXRunner/\(name)")
  return try NumPyArray(contentsOf: url).floats
}

/// A small model of `Fixtures/Goldens/ONNXRunner`.
func goldenModel(_ name: String) -> URL {
  Folders.goldens.appendingPathComponent("ONNXRunner/\(name).onnx")
}

extension Tensor {
  /// The elements as float32, whatever they are.
  func floats() throws -> [Float] {
    try converted(to: .float32).array(of: Float.self)
  }
}

/// The largest difference, each relative to the expected value, or to `floor` where that is larger.
func largestError(_ got: [Float], _ expected: [Float], floor: Float) -> Float {
  guard got.count == expected.count else { return .infinity }
  var largest: Float = 0
  for (got, expected) in zip(got, expected) where got != expected {
    let error = abs(got - expected) / max(abs(expected), floor)
    largest = error.isNaN ? .infinity : max(largest, error)
  }
  return largest
}
