import Foundation
import ONNXRunner
import TestSupport
import Testing

@testable import RunnerTensors

/// Models with real weights, against ONNX Runtime on the same input.
@Suite(.serialized) struct RealModelTests {
  struct Golden: Decodable, Sendable, CustomTestStringConvertible {
    struct Input: Decodable, Sendable {
      let name: String
      let shape: [Int]
      let low: Float
      let high: Float
      let whole: Bool
    }
    struct Output: Decodable, Sendable {
      let name: String
      let shape: [Int]
      let greatest: Float
    }
    let key: [String]
    let model: String
    let shared: Bool
    let samples: String
    let inputs: [Input]
    let outputs: [Output]

    var testDescription: String { key.joined(separator: " ") }

    func tensors() throws -> [String: Tensor] {
      var tensors: [String: Tensor] = [:]
      for (index, input) in inputs.enumerated() {
        tensors[input.name] = try Seeded.tensor(
          seed: UInt64(index + 1), shape: input.shape, low: input.low, high: input.high,
          whole: input.whole)
      }
      return tensors
    }

    func file() throws -> URL? {
      shared
        ? try Requirements.shared("models/\(model).onnx") : try Requirements.model("\(model).onnx")
    }
  }

  static let goldens = (try? Folders.golden("ONNXRunner/real.json", as: [Golden].self)) ?? []

  @Test func goldensAreThere() {
    #expect(Self.goldens.count == 13)
  }

  @Test(arguments: goldens) func equalsONNXRuntime(golden: Golden) throws {
    guard let file = try golden.file() else { return }
    let session = try InferenceSession(contentsOf: file)
    let results = try session.run(try golden.tensors())
    let expected = try goldenFloats(golden.samples)
    for (index, output) in golden.outputs.enumerated() {
      let tensor = try #require(results[output.name])
      #expect(tensor.shape == output.shape)
      let elements = try tensor.floats()
      let got = Seeded.places(seed: UInt64(100 + index), below: elements.count)
        .map { elements[$0] }
      let part = Array(expected[index * 2000..<(index + 1) * 2000])
      // Values near nothing are the difference of larger ones, so a tenth of the greatest bounds what
      // the error is relative to. (With a hundredth, ONNX Runtime is 2e-4 to 4e-4 from itself on the
      // YOLOX models, between two of its optimisation levels.)
      // Probabilities that are all near nothing have the last places of those near 1.
      let floor = max(output.greatest * 0.1, 2e-3)
      let errors = zip(got, part).map { largestError([$0], [$1], floor: floor) }
      if golden.model == "countable_prototype_416" {
        // Its output is float16 before the last cast: where the two round apart, they differ by a
        // whole last place.
        #expect(errors.filter { $0 >= 1e-4 }.count < 20)
        #expect((errors.max() ?? 0) < 1e-3)
      } else {
        let error = errors.max() ?? 0
        #expect(error < 1e-4, "\(output.name): \(error)")
      }
    }
  }
}
