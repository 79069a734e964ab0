import Dispatch
import Foundation
import ONNXRunner

/// One network, loaded and run by the runner in a process that links nothing else: the counterpart of
/// `networks.py`.
///
///     NetworkBenchmark FILE --shape NAME=1x3x640x640 [--threads N] [--runs N] [--precision bfloat16]
///
/// Prints one JSON line: milliseconds to load, for the first run and for the median of the further ones.
@main
struct NetworkBenchmark {
  private var model = ""
  private var shapes: [(name: String, shape: [Int])] = []
  private var runs = 20
  private var options = SessionOptions(threads: 1)

  private struct UsageError: Error {
    let text: String
  }

  private init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        model = argument
        continue
      }
      guard let value = rest.popFirst() else { throw UsageError(text: "\(argument) wants a value") }
      switch argument {
      case "--shape":
        let parts = value.split(separator: "=")
        guard parts.count == 2 else { throw UsageError(text: "'\(value)' is not NAME=SHAPE") }
        shapes.append((String(parts[0]), try parts[1].split(separator: "x").map(Self.count)))
      case "--threads": options.threads = try Self.count(value)
      case "--runs": runs = try Self.count(value)
      case "--precision":
        guard ["float32", "bfloat16"].contains(value) else {
          throw UsageError(text: "the precision is float32 or bfloat16, not \(value)")
        }
        options.precision = value == "bfloat16" ? .bfloat16 : .float32
      default: throw UsageError(text: "there is no option \(argument)")
      }
    }
    guard !model.isEmpty, !shapes.isEmpty else {
      throw UsageError(text: "give a model, and --shape NAME=SHAPE for each of its inputs")
    }
  }

  private static func count<Text: StringProtocol>(_ text: Text) throws -> Int {
    guard let count = Int(text), count > 0 else {
      throw UsageError(text: "'\(text)' is not a whole number above 0")
    }
    return count
  }

  /// The same numbers for everybody: a plain congruential sequence over 0 ..< 1.
  private static func feed(_ shape: [Int]) throws -> Tensor {
    try Tensor(shape: shape, of: Float.self) { values in
      for index in values.indices {
        let value = UInt32(truncatingIfNeeded: index) &* 2_654_435_761
        values[index] = Float(Double(value) / 0x1p32)
      }
    }
  }

  private static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try work()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
  }

  private func measure() throws {
    var inputs: [String: Tensor] = [:]
    for (name, shape) in shapes { inputs[name] = try Self.feed(shape) }
    var loaded: InferenceSession?
    let load = try Self.milliseconds {
      loaded = try InferenceSession(contentsOf: URL(fileURLWithPath: model), options: options)
    }
    guard let session = loaded else { return }
    let first = try Self.milliseconds { _ = try session.run(inputs) }
    var samples: [Double] = []
    for _ in 0..<runs { samples.append(try Self.milliseconds { _ = try session.run(inputs) }) }
    samples.sort()
    let median = (samples[(runs - 1) / 2] + samples[runs / 2]) / 2
    print("{\"median_ms\": \(median), \"load_ms\": \(load), \"first_ms\": \(first)}")
  }

  static func main() {
    do {
      try NetworkBenchmark(Array(CommandLine.arguments.dropFirst())).measure()
    } catch let error as UsageError {
      FileHandle.standardError.write(Data("NetworkBenchmark: \(error.text)\n".utf8))
      exit(64)
    } catch {
      FileHandle.standardError.write(Data("NetworkBenchmark: \(error)\n".utf8))
      exit(65)
    }
  }
}
