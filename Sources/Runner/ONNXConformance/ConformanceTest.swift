import Foundation
import ONNXFormat
import ONNXRunner
import RunnerTensors

/// One of ONNX's backend tests.
struct ConformanceTest {
  let folder: URL
  let options: SessionOptions
  let tolerance: ConformanceTolerance

  /// An output that is not what is expected.
  private struct Difference: Error {
    let message: String
  }

  /// Runs the model on each data set.
  func outcome() -> ConformanceCase {
    let status: ConformanceCase.Status
    var message = ""
    do {
      try run()
      status = .passed
    } catch let difference as Difference {
      status = .failed
      message = difference.message
    } catch let error as ModelError {
      status = error.isAboutSupport ? .unsupported : .failed
      message = error.description
    } catch {
      status = .failed
      message = "\(error)"
    }
    return ConformanceCase(name: folder.lastPathComponent, status: status, message: message)
  }

  private func run() throws {
    let session = try InferenceSession(
      contentsOf: folder.appendingPathComponent("model.onnx"), options: options)
    let entries = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let sets = entries.filter { $0.hasPrefix("test_data_set_") }.sorted()
    guard !sets.isEmpty else { throw Difference(message: "there is no test_data_set_0") }
    for set in sets {
      let data = folder.appendingPathComponent(set)
      let given = try values(session.inputs, "input", in: data)
      let inputs = Dictionary(
        zip(session.inputs.map(\.name), given), uniquingKeysWith: { first, _ in first })
      let expected = try values(session.outputs, "output", in: data)
      let results = try session.run(values: inputs)
      for (description, expected) in zip(session.outputs, expected) {
        guard let result = results[description.name] else {
          throw Difference(message: "output '\(description.name)' is missing")
        }
        if let difference = try difference(result, expected) {
          throw Difference(message: "\(set), output '\(description.name)': \(difference)")
        }
      }
    }
  }

  /// The values in `input_0.pb` and so on, as far as there are any.
  private func values(
    _ descriptions: [ValueDescription], _ kind: String, in data: URL
  ) throws -> [ModelValue] {
    var values: [ModelValue] = []
    while true {
      let url = data.appendingPathComponent("\(kind)_\(values.count).pb")
      guard FileManager.default.fileExists(atPath: url.path) else { return values }
      guard values.count < descriptions.count else {
        throw Difference(message: "the model has no \(kind) \(values.count)")
      }
      let form = descriptions[values.count].kind
      // A sequence or an option of nothing is a file of no bytes.
      let data = try Data(contentsOf: url)
      guard !data.isEmpty else {
        values.append(form == .sequence ? .sequence([]) : .absent)
        continue
      }
      let file = try ModelFile(copying: data)
      let loader = WeightLoader(file: file, folder: nil, memoryLimit: options.memoryLimit)
      guard form != .tensor else {
        values.append(.tensor(try loader.tensor(TensorMessage(WireReader(file)))))
        continue
      }
      let contents =
        try form == .sequence
        ? ValueContents(sequence: WireReader(file)) : ValueContents(optional: WireReader(file))
      let tensors = try contents.tensors.map { try loader.tensor($0) }
      if contents.isSequence {
        values.append(.sequence(tensors))
      } else {
        values.append(tensors.first.map { .tensor($0) } ?? .absent)
      }
    }
  }

  private func difference(_ result: ModelValue, _ expected: ModelValue) throws -> String? {
    switch (result, expected) {
    case (.tensor(let result), .tensor(let expected)): return try difference(result, expected)
    case (.sequence(let results), .sequence(let expected)):
      guard results.count == expected.count else {
        return "\(results.count) tensors instead of \(expected.count)"
      }
      for (index, pair) in zip(results, expected).enumerated() {
        if let difference = try difference(pair.0, pair.1) {
          return "tensor \(index): \(difference)"
        }
      }
      return nil
    case (.absent, .absent): return nil
    default: return "it is \(result.kind) instead of \(expected.kind)"
    }
  }

  /// What is wrong with `result`, or nil.
  private func difference(_ result: Tensor, _ expected: Tensor) throws -> String? {
    guard result.elementType == expected.elementType else {
      return "elements are \(result.elementType) instead of \(expected.elementType)"
    }
    guard result.shape == expected.shape else {
      return "shape is \(result.shape) instead of \(expected.shape)"
    }
    switch result.elementType {
    case .string: return difference(try result.strings(), try expected.strings(), ==)
    case let type where type.isFloatingPoint:
      return difference(
        try result.converted(to: .float64).array(of: Double.self),
        try expected.converted(to: .float64).array(of: Double.self), tolerance.accepts)
    case .uint64:
      return difference(
        try result.array(of: UInt64.self), try expected.array(of: UInt64.self), ==)
    default:
      return difference(
        try result.converted(to: .int64).array(of: Int64.self),
        try expected.converted(to: .int64).array(of: Int64.self), ==)
    }
  }

  private func difference<Value>(
    _ values: [Value], _ expected: [Value], _ accepts: (Value, Value) -> Bool
  ) -> String? {
    let wrong = values.indices.filter { !accepts(values[$0], expected[$0]) }
    guard let first = wrong.first else { return nil }
    return "\(wrong.count) of \(values.count) values are wrong; element \(first) is "
      + "\(values[first]) instead of \(expected[first])"
  }
}

extension ModelError {
  /// Whether the model may well be right, and the runner lacks something.
  var isAboutSupport: Bool {
    switch self {
    case .missingOperators, .unsupported, .unsupportedOpset: return true
    default: return false
    }
  }
}
