#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How a bar of one module's width looks through a blur: its darkness at samples around it.
struct LineSpread: Sendable {
  /// Samples per module.
  static let density = 4
  /// The widest blur that is looked for, in modules.
  static let widest = 3.0

  /// What blurs.
  enum Shape: Sendable {
    /// A Gaussian of this standard deviation: movement, small lenses, resampling.
    case gaussian
    /// A disc out of focus whose line spread has this standard deviation.
    case disc
  }

  /// How many samples the bar reaches beyond its module on either side.
  let reach: Int
  /// The darkness at `reach`, four, and `reach` samples.
  let values: [Float]

  /// - Parameter deviation: the standard deviation of the blur in modules, above 0.
  init(deviation: Double, shape: Shape) {
    let samples = Self.density
    let radius = shape == .gaussian ? 3 * deviation : 2 * deviation
    let reach = Int((radius * Double(samples)).rounded(.up))
    self.reach = reach
    values = (0..<2 * reach + samples).map { index in
      let place = (Double(index - reach) + 0.5) / Double(samples)
      return Float(
        Self.cumulated(place, deviation, shape) - Self.cumulated(place - 1, deviation, shape))
    }
  }

  /// The share of the spread of a line that lies before `place`.
  private static func cumulated(_ place: Double, _ deviation: Double, _ shape: Shape) -> Double {
    switch shape {
    case .gaussian:
      return 0.5 * (1 + erf(place / (deviation * 2.0.squareRoot())))
    case .disc:
      // A disc's chord is a semicircle, of which the deviation is half the radius.
      let part = min(max(place / (2 * deviation), -1), 1)
      return 0.5 + (part * (1 - part * part).squareRoot() + asin(part)) / Double.pi
    }
  }

  /// Adds the bars, the first of which begins at sample `start`, each times `factor`.
  func add(_ bars: [Float], at start: Int, times factor: Float, to target: inout [Float]) {
    for (module, bar) in bars.enumerated() where bar != 0 {
      let first = start + module * Self.density - reach
      let height = factor * bar
      for (offset, value) in values.enumerated() {
        let index = first + offset
        if index >= 0, index < target.count { target[index] += height * value }
      }
    }
  }
}
