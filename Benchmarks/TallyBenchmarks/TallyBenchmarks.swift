import BenchmarkSupport
import Foundation

/// Runs micro-benchmarks of the package's modules by name.
@main
struct TallyBenchmarks {
  static let usage = """
    usage: TallyBenchmarks [--only TEXT]... [--list] [--json] [--large] [--threads N]
                           [--samples N] [--sample-ms X] [--warm-up-ms X]

      --only TEXT        benchmarks whose name contains TEXT; =NAME for one by its whole name
      --list             print the names
      --json             one JSON object a line instead of a table
      --large            the ones that take seconds or gigabytes too
      --threads N        threads for what uses more than one (1)
      --samples N        samples a benchmark (15)
      --sample-ms X      what a sample lasts at least, in milliseconds (20)
      --warm-up-ms X     how long to run before the first sample (100)
    """

  static func main() {
    do {
      try run()
    } catch {
      endProgram(with: error)
    }
  }

  private static func run() throws {
    var settings = Settings()
    var effort = Effort()
    var only: [String] = []
    var flags: Set<String> = []
    var arguments = ProgramArguments()
    func number(_ option: String) throws -> Double {
      let text = try arguments.value(of: option)
      guard let number = Double(text), number > 0, number <= 1e6 else {
        throw UsageError("\(option) is \(text); it must be a number in 0...1000000")
      }
      return number
    }
    while let argument = arguments.next() {
      switch argument {
      case "--only": only.append(try arguments.value(of: argument))
      case "--threads": settings.threads = try arguments.count(of: argument)
      case "--samples": effort.samples = try arguments.count(of: argument)
      case "--sample-ms": effort.sampleMilliseconds = try number(argument)
      case "--warm-up-ms": effort.warmUpMilliseconds = try number(argument)
      case "--list", "--json", "--large": flags.insert(argument)
      case "--help", "-h":
        print(usage)
        return
      default: throw UsageError("\(argument) is no option\n\(usage)")
      }
    }
    let chosen = Benchmark.all.filter { benchmark in
      let isNamed = only.contains {
        $0.hasPrefix("=") ? benchmark.name == $0.dropFirst() : benchmark.name.contains($0)
      }
      return isNamed || (only.isEmpty && (!benchmark.isLarge || flags.contains("--large")))
    }
    if flags.contains("--list") {
      for benchmark in chosen { print(benchmark.name) }
      return
    }
    let encoder = JSONEncoder()
    if !flags.contains("--json") { print(heading) }
    for benchmark in chosen {
      let measurement = try Measurement(benchmark, settings: settings, effort: effort)
      if flags.contains("--json") {
        print(String(decoding: try encoder.encode(measurement), as: UTF8.self))
      } else {
        print(measurement.row)
      }
    }
  }
}
