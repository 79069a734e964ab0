import _CLibrary

/// How a bar of one module's width looks through a blur: its darkness at samples around it.
struct LineSpread: Sendable {
  /// Samples per module.
  static let density = 4
  /// The widest blur that is looked for, in modules.
  static let widest = 3.0

  /// How many samples the bar reaches beyond its module on either side.
  let reach: Int
  /// The darkness at `reach`, four, and `reach` samples.
  let values: [Float]

  /// A Gaussian blur, which out of focus, moved and resampled bars are all near to.
  ///
  /// - Parameter deviation: its standard deviation in modules, above 0.
  init(deviation: Double) {
    let samples = Self.density
    let reach = Int((3 * deviation * Double(samples)).rounded(.up))
    func cumulated(_ place: Double) -> Double {
      0.5 * (1 + erf(place / (deviation * 2.0.squareRoot())))
    }
    self.reach = reach
    values = (0..<2 * reach + samples).map { index in
      let place = (Double(index - reach) + 0.5) / Double(samples)
      return Float(cumulated(place) - cumulated(place - 1))
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
