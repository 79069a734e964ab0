/// Chooses ranges from what was observed.
enum RangeChoice {
  /// How many ends of a range are tried on each side.
  private static let steps = 48

  /// The range of a value.
  ///
  /// - Parameter function: what becomes of the value, if that is all that counts.
  static func range(
    of histogram: ActivationHistogram, _ method: QuantizationConfiguration.RangeMethod,
    function: FunctionTable? = nil
  ) -> QuantizationRange {
    guard !histogram.isEmpty else { return QuantizationRange(low: 0, high: 0) }
    let whole = (histogram.least, histogram.greatest)
    switch method {
    case .minMax where function == nil: return QuantizationRange(low: whole.0, high: whole.1)
    case .percentile(let percent) where function == nil:
      return percentile(histogram, percent)
    default: return leastError(histogram, function)
    }
  }

  /// Without what lies beyond a share of the numbers on each side.
  private static func percentile(
    _ histogram: ActivationHistogram, _ percent: Double
  ) -> QuantizationRange {
    let entries = histogram.entries
    let total = entries.reduce(0) { $0 + $1.count }
    let beyond = total * (1 - percent / 100)
    func end(_ entries: some Sequence<(value: Float, count: Double)>) -> Float {
      var seen = 0.0
      for entry in entries {
        seen += entry.count
        if seen > beyond { return entry.value }
      }
      return 0
    }
    let half = histogram.step / 2
    return QuantizationRange(
      low: max(end(entries) - half, histogram.least),
      high: min(end(entries.reversed()) + half, histogram.greatest))
  }

  /// The range with the least squared error, found by moving one end at a time.
  private static func leastError(
    _ histogram: ActivationHistogram, _ function: FunctionTable?
  ) -> QuantizationRange {
    let entries = histogram.entries
    let wanted = function.map { function in entries.map { function.value(at: $0.value) } }
    func error(_ low: Float, _ high: Float) -> Double {
      let range = QuantizationRange(low: low, high: high)
      var sum = 0.0
      guard let function, let wanted else {
        for entry in entries {
          let difference = Double(range.rounded(entry.value) - entry.value)
          sum += entry.count * difference * difference
        }
        return sum
      }
      let results = function.results(of: range)
      for (entry, value) in zip(entries, wanted) {
        let difference = Double(results[Int(range.step(of: entry.value))] - value)
        sum += entry.count * difference * difference
      }
      return sum
    }
    var low = min(histogram.least, 0)
    var high = max(histogram.greatest, 0)
    let (lowest, highest) = (low, high)
    var best = error(low, high)
    for _ in 0..<2 {
      let before = best
      for step in 1..<steps where lowest < 0 {
        let candidate = lowest * Float(steps - step) / Float(steps)
        let found = error(candidate, high)
        if found < best { (best, low) = (found, candidate) }
      }
      for step in 1..<steps where highest > 0 {
        let candidate = highest * Float(steps - step) / Float(steps)
        let found = error(low, candidate)
        if found < best { (best, high) = (found, candidate) }
      }
      if best == before { break }
    }
    return QuantizationRange(low: low, high: high)
  }
}

extension QuantizationRange {
  /// The step that `value` is rounded to.
  func step(of value: Float) -> UInt8 {
    UInt8(min(max((value / scale).rounded(.toNearestOrEven) + Float(zeroPoint), 0), 255))
  }
}

/// A function of one number, known at the middles of a histogram's bins.
struct FunctionTable {
  private let values: [Float]
  private let reach: Float

  /// - Parameter values: one for each bin of a histogram of this reach.
  init(_ values: [Float], reach: Float) {
    self.values = values
    self.reach = reach
  }

  /// The function's value, on the straight line between two bins.
  func value(at x: Float) -> Float {
    let half = Float(values.count / 2)
    let place = min(max(x / reach * half + half - 0.5, 0), Float(values.count - 1))
    let first = min(Int(place), values.count - 2)
    let share = place - Float(first)
    return values[first] * (1 - share) + values[first + 1] * share
  }

  /// What the 256 steps of a range become.
  func results(of range: QuantizationRange) -> [Float] {
    (0..<256).map { value(at: (Float($0) - Float(range.zeroPoint)) * range.scale) }
  }
}
