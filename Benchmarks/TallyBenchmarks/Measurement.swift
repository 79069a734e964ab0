import BenchmarkSupport
import Dispatch

/// How long and how often to measure.
struct Effort {
  /// How many samples to take.
  var samples = 15
  /// How long a sample lasts at least, in milliseconds; short runs are repeated within one.
  var sampleMilliseconds = 20.0
  /// How long to run before the first sample, in milliseconds.
  var warmUpMilliseconds = 100.0
}

/// What was measured of one benchmark.
struct Measurement: Encodable {
  let name: String
  /// Nanoseconds per run, a value a sample.
  let samples: [Double]
  let median: Double
  let minimum: Double
  /// How many runs a sample was.
  let runsPerSample: Int
  let items: Int
  let answer: Double
  let tolerance: Double

  /// Sets a benchmark up, warms up, and measures it.
  init(_ benchmark: Benchmark, settings: Settings, effort: Effort) throws {
    let run = try benchmark.setup(settings)
    var last = try run()

    // Warm caches and clocks, and learn how long a run takes.
    var runs = 0
    let start = DispatchTime.now().uptimeNanoseconds
    var elapsed: UInt64 = 0
    repeat {
      last = try run()
      runs += 1
      elapsed = DispatchTime.now().uptimeNanoseconds - start
    } while Double(elapsed) < effort.warmUpMilliseconds * 1e6
    let each = max(Double(elapsed) / Double(runs), 1)
    runsPerSample = max(1, Int(min(effort.sampleMilliseconds * 1e6 / each, 1e9).rounded(.up)))

    var samples: [Double] = []
    for _ in 0..<max(effort.samples, 1) {
      let start = DispatchTime.now().uptimeNanoseconds
      for _ in 0..<runsPerSample { last = try run() }
      let elapsed = DispatchTime.now().uptimeNanoseconds - start
      samples.append(Double(elapsed) / Double(runsPerSample))
    }
    name = benchmark.name
    self.samples = samples
    median = BenchmarkSupport.median(of: samples)
    minimum = samples.min() ?? 0
    items = benchmark.items
    answer = last
    tolerance = benchmark.tolerance
  }

  /// One line for people.
  var row: String {
    let rate = items == 1 ? "" : "  \(readable(Double(items) / median * 1e9)) a second"
    return padded(name, to: 44) + leftPadded(time(median), to: 12)
      + leftPadded(time(minimum), to: 12)
      + rate
  }
}

/// Nanoseconds in a unit that suits them.
private func time(_ nanoseconds: Double) -> String {
  switch nanoseconds {
  case ..<1e3: return readable(nanoseconds) + " ns"
  case ..<1e6: return readable(nanoseconds / 1e3) + " us"
  case ..<1e9: return readable(nanoseconds / 1e6) + " ms"
  default: return readable(nanoseconds / 1e9) + " s"
  }
}

/// Three or more significant digits.
private func readable(_ value: Double) -> String {
  if value >= 100 { return "\(Int(min(value, 1e15).rounded()))" }
  let places: Double = value >= 10 ? 10 : 100
  return "\((value * places).rounded() / places)"
}

/// The heading over ``Measurement/row``.
let heading =
  padded("benchmark", to: 44) + leftPadded("median", to: 12) + leftPadded("minimum", to: 12)

private func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

private func leftPadded(_ text: String, to width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}
