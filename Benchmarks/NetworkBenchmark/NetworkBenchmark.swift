import BenchmarkSupport
import Foundation
import ONNXRunner

/// One network, loaded and run by the runner in a process that links nothing else: the counterpart of
/// `networks.py`.
///
///     NetworkBenchmark FILE --shape NAME=1x3x640x640 [--threads N] [--runs N] [--precision bfloat16]
///         [--without PASS]...
///
/// Prints one JSON line: milliseconds to load, for the first run and for the median of the further ones.
@main
struct NetworkBenchmark {
  private var model = ""
  private var shapes: [(name: String, shape: [Int])] = []
  private var runs = 20
  private var options = SessionOptions(threads: 1)

  private init(_ arguments: ProgramArguments) throws(UsageError) {
    var arguments = arguments
    while let argument = arguments.next() {
      switch argument {
      case "--shape": shapes.append(try Self.shape(try arguments.value(of: argument)))
      case "--threads": options.threads = try arguments.count(of: argument)
      case "--runs": runs = try arguments.count(of: argument)
      case "--precision":
        switch try arguments.value(of: argument) {
        case "float32": options.precision = .float32
        case "bfloat16": options.precision = .bfloat16
        case let other: throw UsageError("the precision is float32 or bfloat16, not \(other)")
        }
      case "--without":
        let name = try arguments.value(of: argument)
        guard let pass = PassID(name) else {
          let names = PassID.all.map(\.description).joined(separator: ", ")
          throw UsageError("there is no pass '\(name)'; there are \(names)")
        }
        options.disabledPasses.insert(pass)
      case _ where argument.hasPrefix("--"): throw UsageError("there is no option \(argument)")
      default: model = argument
      }
    }
    guard !model.isEmpty, !shapes.isEmpty else {
      throw UsageError("give a model, and --shape NAME=SHAPE for each of its inputs")
    }
  }

  /// An input's name and shape, from a text such as `images=1x3x640x640`.
  private static func shape(_ text: String) throws(UsageError) -> (name: String, shape: [Int]) {
    let parts = text.split(separator: "=")
    let sides = parts.count == 2 ? parts[1].split(separator: "x").map { Int($0) ?? 0 } : []
    guard !sides.isEmpty, sides.allSatisfy({ $0 > 0 }) else {
      throw UsageError("'\(text)' is not NAME=SHAPE, such as images=1x3x640x640")
    }
    return (String(parts[0]), sides)
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

  private func measure() throws {
    var inputs: [String: Tensor] = [:]
    for (name, shape) in shapes { inputs[name] = try Self.feed(shape) }
    var loaded: InferenceSession?
    let load = try milliseconds {
      loaded = try InferenceSession(contentsOf: URL(fileURLWithPath: model), options: options)
    }
    guard let session = loaded else { return }
    let first = try milliseconds { _ = try session.run(inputs) }
    var samples: [Double] = []
    for _ in 0..<runs { samples.append(try milliseconds { _ = try session.run(inputs) }) }
    print("{\"median_ms\": \(median(of: samples)), \"load_ms\": \(load), \"first_ms\": \(first)}")
  }

  static func main() {
    do {
      try NetworkBenchmark(ProgramArguments()).measure()
    } catch {
      endProgram(with: error)
    }
  }
}
