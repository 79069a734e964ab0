import Foundation

/// A logarithmic axis: values from `low` to `high` onto `0...length`.
struct LogScale: Hashable, Sendable {
  let low: Double
  let high: Double
  let length: Double

  /// An axis that holds `values`, a little wider than they are, nil where none is above 0.
  init?(holding values: [Double], length: Double) {
    let values = values.filter { $0.isFinite && $0 > 0 }
    guard let least = values.min(), let most = values.max() else { return nil }
    // One value alone gets room on either side.
    let margin = max(0.04 * log(most / least), 0.1)
    low = exp(log(least) - margin)
    high = exp(log(most) + margin)
    self.length = length
    guard low.isNormal, high.isFinite, low < high else { return nil }
  }

  /// Where a value lies, the nearest end for what is outside; nil for what is no number.
  func place(of value: Double) -> Double? {
    guard !value.isNaN else { return nil }
    let value = min(max(value, low), high)
    return length * log(value / low) / log(high / low)
  }

  /// The edges of `count` bins of equal length.
  func edges(count: Int) -> [Double] {
    (0...count).map { low * exp(log(high / low) * Double($0) / Double(count)) }
  }

  /// Round numbers at least `distance` apart: powers of ten first, then 2 and 5 between them.
  func ticks(apart distance: Double) -> [Double] {
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
