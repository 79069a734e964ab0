import _CLibrary

/// A logarithmic axis: values from ``low`` to ``high`` onto `0...length`.
public struct LogScale: Hashable, Sendable {
  /// The value at the axis's beginning, above 0.
  public let low: Double
  /// The value at its end.
  public let high: Double
  /// How long it is, in any unit.
  public let length: Double

  /// An axis that holds `values`, a little wider than they are, nil if none is finite and above 0.
  ///
  /// - Complexity: O(n).
  public init?(holding values: [Double], length: Double) {
    let values = values.filter { $0.isFinite && $0 > 0 }
    guard let least = values.min(), let most = values.max() else { return nil }
    // One value alone gets room on either side.
    let margin = max(0.04 * log(most / least), 0.1)
    low = exp(log(least) - margin)
    high = exp(log(most) + margin)
    self.length = length
    guard low.isNormal, high.isFinite, low < high else { return nil }
  }

  /// The same axis of another length.
  public func stretched(to length: Double) -> LogScale {
    LogScale(low: low, high: high, length: length)
  }

  private init(low: Double, high: Double, length: Double) {
    (self.low, self.high, self.length) = (low, high, length)
  }

  /// The position of a value, or of the nearest end for a value outside; nil for NaN.
  public func place(of value: Double) -> Double? {
    guard !value.isNaN else { return nil }
    let value = min(max(value, low), high)
    return length * log(value / low) / log(high / low)
  }

  /// The edges of `count` bins of equal length.
  public func edges(count: Int) -> [Double] {
    (0...max(count, 1)).map { low * exp(log(high / low) * Double($0) / Double(max(count, 1))) }
  }

  /// Round numbers at least `distance` apart, ascending: powers of ten first, then 2 and 5 between
  /// them.
  public func ticks(apart distance: Double) -> [Double] {
    var taken: [(value: Double, place: Double)] = []
    let exponents = Int(log10(low).rounded(.down))...Int(log10(high).rounded(.up))
    for factor in [1.0, 2, 5, 3, 7, 1.5, 4, 6, 8, 9] {
      for exponent in exponents {
        let value = factor * pow(10, Double(exponent))
        guard value >= low, value <= high, let place = place(of: value),
          taken.allSatisfy({ abs($0.place - place) >= distance })
        else { continue }
        taken.append((value, place))
      }
    }
    return taken.map(\.value).sorted()
  }
}
