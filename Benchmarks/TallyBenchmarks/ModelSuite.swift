import Foundation
import ONNXRunner

extension Benchmark {
  /// One benchmark a model: a run on random input of the declared shapes, open dimensions taken as 1.
  static func models(_ settings: Settings) -> [Benchmark] {
    settings.models.map { model in
      Benchmark(name: "runner/\(model.name)", tolerance: 1e-3) { settings in
        var options = SessionOptions()
        options.threads = settings.threads
        let session = try InferenceSession(
          contentsOf: URL(fileURLWithPath: model.path), options: options)
        var inputs: [String: Tensor] = [:]
        for (index, input) in session.inputs.enumerated() {
          inputs[input.name] = try randomTensor(like: input, seed: 100 + UInt64(index))
        }
        guard let first = session.outputs.first?.name else { return { 0 } }
        return {
          guard let output = try session.run(inputs)[first] else { return 0 }
          return try output.withElements(of: Float.self) { values in
            values.reduce(0.0) { $0 + Double(abs($1)) }
          }
        }
      }
    }
  }

  private static func randomTensor(
    like description: ValueDescription, seed: UInt64
  ) throws -> Tensor {
    guard description.elementType == .float32 else {
      throw UsageError("\(description) is not float32, which is what can be made up here")
    }
    let shape = (description.shape ?? []).map { dimension -> Int in
      if case .fixed(let extent) = dimension { return max(extent, 1) }
      return 1
    }
    var input = SeededInput(seed: seed)
    let values = (0..<shape.reduce(1, *)).map { _ in Float(input.uniform()) }
    return try Tensor(shape: shape, values)
  }
}
