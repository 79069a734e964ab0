import Geometry

/// Reads the code of one region, strip by strip.
struct RegionReader {
  let region: BarRegion
  let plane: LuminancePlane

  /// Strips of a region that share no row.
  private static let strips = 4
  /// How many placements of a strip are fitted: those that look best as they are.
  private static let fits = 6
  /// The least turns of brightness in a code: thirty bars have sixty, of which a blur leaves a
  /// third.
  private static let leastTurns = 12
  /// The most that a placement may leave as it is to be fitted.
  private static let mostAtAGlance = 0.7
  /// The blurs that a fit starts from, in modules.
  private static let blurs = [0.35, 0.8, 1.4, 2.0]
  /// The most that bars may leave unexplained, in shares of the variance.
  private static let mostRemainder = 0.06
  /// How much more than the best number the next has to leave.
  private static let leastMargin = 1.35
  /// The same for the halves of a strip.
  private static let leastHalfMargin = 1.1
  /// The widest blur that is believed, in modules: beyond it bars explain any soft shade.
  private static let mostBlur = 2.2

  /// A strip and what it says.
  private struct Reading {
    let strip: Strip
    let code: ProfileReading
  }

  /// The code that most strips say; nil if none says one that is to be believed.
  func code() throws -> ScannedEAN? {
    guard region.width >= 40, region.height >= 8 else { return nil }
    var readings: [Reading] = []
    let thickness = region.height / Double(Self.strips)
    // From the middle outward, where bars are most often whole.
    for place in [1, 2, 0, 3] {
      let offset = region.height * ((Double(place) + 0.5) / Double(Self.strips) - 0.5)
      let strip = Strip.sharpest(of: region, in: plane, offset: offset, thickness: thickness)
      if let code = try reading(of: strip), confirms(code, strip) {
        readings.append(Reading(strip: strip, code: code))
        let agreeing = readings.filter { $0.code.digits == code.digits }
        if agreeing.count >= 2 { return scanned(agreeing, against: readings.count - 2) }
      }
    }
    guard let best = readings.max(by: { $0.code.margin < $1.code.margin }) else { return nil }
    // Strips that contradict each other say nothing.
    return readings.count == 1 ? scanned([best], against: 0) : nil
  }

  /// The best fit of a strip from all likely ends, in both directions.
  private func reading(of strip: Strip) throws -> ProfileReading? {
    let reader = ProfileReader(profile: strip.profile)
    let width = region.width / strip.step
    let ends = CodeEnds(strip.profile, width: width, limit: 4)
    var pairs: [(start: Double, end: Double)] = []
    for start in ends.starts {
      for end in ends.ends
      where end.drop - start.drop > 0.5 * width && end.drop - start.drop < 1.4 * width
        && Self.turns(strip.profile, Int(start.drop), Int(end.drop)) >= Self.leastTurns
      {
        pairs.append((start.drop, end.drop))
        if end.edge > start.edge { pairs.append((start.edge, end.edge)) }
      }
    }
    var glances: [(placement: BarPlacement, remainder: Double)] = []
    for blur in Self.blurs {
      let spread = LineSpread(deviation: blur)
      let beam = DigitBeam(spread)
      for (start, end) in pairs {
        try Task.checkCancellation()
        for (first, last) in [(start, end), (end, start)] {
          let placement = BarPlacement(
            start: first, end: last, bend: 0, blur: blur)
          if let remainder = reader.glance(at: placement, beam, spread),
            remainder < Self.mostAtAGlance
          {
            glances.append((placement, remainder))
          }
        }
      }
    }
    var best: ProfileReading?
    for glance in glances.sorted(by: { $0.remainder < $1.remainder }).prefix(Self.fits) {
      try Task.checkCancellation()
      guard let found = reader.reading(from: glance.placement, width: 24) else { continue }
      if found.remainder < best?.remainder ?? 1 { best = found }
      if let best, best.remainder < 0.03, best.margin > 2, best.placement.blur < 1.2 { break }
    }
    return best
  }

  /// How often brightness turns between two places, each time by a twentieth of its range.
  private static func turns(_ profile: [Float], _ start: Int, _ end: Int) -> Int {
    profile[max(start, 0)..<min(max(end, start + 1), profile.count)].turns(byRangeOver: 20)
  }

  /// Whether a reading is good enough, and both halves of its strip, which share no row, say the
  /// same.
  private func confirms(_ code: ProfileReading, _ strip: Strip) -> Bool {
    guard code.remainder <= Self.mostRemainder, code.margin >= Self.leastMargin,
      code.placement.blur <= Self.mostBlur
    else { return false }
    return [-0.25, 0.25].allSatisfy { share in
      let half = Strip(
        of: region, in: plane, offset: strip.offset + share * strip.thickness,
        thickness: strip.thickness / 2, tilt: strip.tilt)
      // Half a strip further along leaning bars, the same place of the profile is the same bar
      // except the difference of the origins, which lies along the bars.
      let reader = ProfileReader(profile: half.profile)
      guard let found = reader.reading(from: code.placement, width: 64, rounds: 2) else {
        return false
      }
      return found.digits == code.digits && found.margin >= Self.leastHalfMargin
        && found.remainder <= 1.5 * Self.mostRemainder
    }
  }

  private func scanned(_ readings: [Reading], against: Int) -> ScannedEAN? {
    let sorted = readings.sorted { $0.strip.offset < $1.strip.offset }
    guard let upper = sorted.first, let lower = sorted.last else { return nil }
    func point(_ reading: Reading, _ place: Double, _ share: Double) -> Point {
      reading.strip.point(at: place, share, in: region)
    }
    let (a, b) = (upper.code.placement, lower.code.placement)
    let corners = [
      point(upper, a.start, -0.5), point(upper, a.end, -0.5), point(lower, b.end, 0.5),
      point(lower, b.start, 0.5),
    ]
    // Read against the profile, the code is upside down in it.
    let isReversed = a.start > a.end
    let outline = Quadrilateral(
      topLeft: corners[isReversed ? 3 : 0], topRight: corners[isReversed ? 2 : 1],
      bottomRight: corners[isReversed ? 1 : 2], bottomLeft: corners[isReversed ? 0 : 3])
    let doubt = readings.reduce(1) { $0 / ($1.code.margin * $1.code.margin) }
    return ScannedEAN(
      digits: upper.code.digits.map { String($0) }.joined(), outline: outline,
      confidence: (1 - doubt) / Double(1 + against), strips: readings.count)
  }
}
