/// What a profile across the bars says.
struct ProfileReading: Sendable {
  /// Thirteen digits with a valid check digit.
  var digits: [UInt8]
  /// Their position.
  var placement: BarPlacement
  /// The squares that the bars leave unexplained, in shares of the row's variance, 0...1.
  var remainder: Double
  /// How much more the next best number leaves: the ratio of the two, at least 1.
  var margin: Double
}

/// Reads a profile by painting it.
///
/// Bars, blur and light are fitted until the painted row is the seen one.
struct ProfileReader {
  let profile: [Float]

  /// The share of the variance above which a reading is given up.
  ///
  /// If the first numbers leave more than this unexplained, other numbers are not better.
  static let hopeless = 0.4

  /// What the best number at a placement leaves unexplained, without moving the placement.
  ///
  /// It decides whether the placement is worth a fit.
  func glance(at placement: BarPlacement, _ beam: DigitBeam, _ spread: LineSpread) -> Double? {
    let row = placement.row(of: profile)
    guard let levels = BarLevels(around: row), let darkness = levels.darkness(of: row),
      let best = beam.readings(of: darkness, width: 8).first
    else { return nil }
    return BarLevels(of: row, darkness: DigitBeam.row(of: best.digits, through: spread))?.remainder
  }

  /// Starts from a placement, alternates digits and fit, and ends where neither changes.
  ///
  /// Nil if nothing with a valid check digit comes of it.
  func reading(from first: BarPlacement, width: Int, rounds: Int = 4) -> ProfileReading? {
    var placement = first
    guard var levels = BarLevels(around: placement.row(of: profile)) else { return nil }
    var best: [UInt8]?
    for round in 0..<rounds {
      let row = placement.row(of: profile)
      guard let darkness = levels.darkness(of: row) else { return nil }
      let spread = LineSpread(deviation: placement.blur)
      let readings = DigitBeam(spread).readings(of: darkness, width: width)
      guard let top = readings.first else { return nil }
      let digits = readings.first { EANPattern.hasValidCheckDigit($0.digits) }?.digits ?? top.digits
      if round > 0, digits == best { break }
      best = digits
      guard let refined = refined(placement, for: digits, sweeps: 3),
        refined.levels.remainder < Self.hopeless
      else { return nil }
      placement = refined.placement
      levels = refined.levels
    }
    return judged(placement, levels, width: max(width, 64))
  }

  /// The best valid number at a placement, and how far it is ahead.
  private func judged(
    _ placement: BarPlacement, _ levels: BarLevels, width: Int
  ) -> ProfileReading? {
    let row = placement.row(of: profile)
    guard let darkness = levels.darkness(of: row) else { return nil }
    let spread = LineSpread(deviation: placement.blur)
    let valid = DigitBeam(spread).readings(of: darkness, width: width).filter {
      EANPattern.hasValidCheckDigit($0.digits)
    }
    guard let digits = valid.first?.digits, let own = refined(placement, for: digits, sweeps: 6)
    else {
      return nil
    }
    var other = Double.infinity
    for reading in valid.dropFirst().prefix(3) {
      if let levels = refined(own.placement, for: reading.digits, sweeps: 3)?.levels {
        other = min(other, levels.remainder)
      }
    }
    let remainder = max(own.levels.remainder, 1e-4)
    return ProfileReading(
      digits: digits, placement: own.placement, remainder: remainder,
      margin: other.isFinite ? max(other, 1e-4) / remainder : 10)
  }

  /// The placement nearby that explains the profile best with these digits.
  ///
  /// Start, end, bend and blur take turns, each going to the lowest place of a parabola through
  /// three; light is solved for every time (variable projection; Golub and Pereyra, 1973).
  func refined(
    _ first: BarPlacement, for digits: [UInt8], sweeps: Int
  ) -> (placement: BarPlacement, levels: BarLevels)? {
    var placement = first
    guard var levels = levels(placement, digits) else { return nil }
    let module = abs(first.end - first.start) / Double(EANPattern.modules)
    var steps = [0.5 * module, 0.5 * module, 0.005, 0.2]
    for _ in 0..<sweeps {
      var isBetter = false
      for parameter in 0..<4 {
        // A parabola through three places finds the lowest between them.
        let step = steps[parameter]
        let (below, above) = (placement.moved(parameter, -step), placement.moved(parameter, step))
        let (a, b) = (
          self.levels(below, digits)?.remainder ?? 2, self.levels(above, digits)?.remainder ?? 2
        )
        let here = levels.remainder
        let bend = a + b - 2 * here
        let way = bend > 1e-12 ? min(max((a - b) / (2 * bend), -1), 1) : (a < b ? -1 : 1)
        let moved = placement.moved(parameter, way * step)
        if let found = self.levels(moved, digits), found.remainder < here - 1e-6 {
          placement = moved
          levels = found
          isBetter = true
          if abs(way) < 0.5 { steps[parameter] *= 0.5 }
        } else {
          steps[parameter] *= 0.4
        }
      }
      if !isBetter, steps[0] < 0.03 * module { break }
    }
    return (placement, levels)
  }

  private func levels(_ placement: BarPlacement, _ digits: [UInt8]) -> BarLevels? {
    let spread = LineSpread(deviation: placement.blur)
    return BarLevels(
      of: placement.row(of: profile), darkness: DigitBeam.row(of: digits, through: spread))
  }
}

extension BarPlacement {
  /// The placement with one of its four numbers changed: start, end, bend, blur.
  fileprivate func moved(_ parameter: Int, _ way: Double) -> BarPlacement {
    var moved = self
    switch parameter {
    case 0: moved.start += way
    case 1: moved.end += way
    case 2: moved.bend = min(max(bend + way, -0.15), 0.15)
    default: moved.blur = min(max(blur + way, 0.15), LineSpread.widest)
    }
    return moved
  }
}
