/// The places at which a code may begin and end in a profile: white paper becomes darker there.
struct CodeEnds {
  /// One such place, found in two ways; blur and shade decide which one is more exact.
  struct Place {
    /// The place at which the means on both sides differ most.
    var drop: Double
    /// The place at which brightness is halfway between white and the first bars.
    var edge: Double
  }

  let starts: [Place]
  let ends: [Place]

  /// Looks for both kinds of places.
  ///
  /// - Parameters:
  ///   - profile: brightness.
  ///   - width: about how many samples a code has.
  ///   - limit: the most places of either kind.
  init(_ profile: [Float], width: Double, limit: Int) {
    starts = Self.starts(of: profile, width: width, limit: limit)
    // The ends are the starts of the same bars seen in a mirror.
    ends = Self.starts(of: profile.reversed(), width: width, limit: limit).map {
      Place(drop: Double(profile.count) - $0.drop, edge: Double(profile.count) - $0.edge)
    }
  }

  private static func starts(of profile: [Float], width: Double, limit: Int) -> [Place] {
    let module = width / Double(EANPattern.modules)
    let (outer, inner) = (max(Int(5 * module), 2), max(Int(12 * module), 3))
    guard profile.count > inner + 2 else { return [] }
    var sums = [0.0]
    for value in profile { sums.append(sums[sums.count - 1] + Double(value)) }
    func mean(_ from: Int, _ to: Int) -> Double { (sums[to] - sums[from]) / Double(to - from) }
    // How much darker it is on the right of each place; without white before it and bars behind
    // there is no code.
    let drops = (0...profile.count).map { place -> Double in
      guard place >= max(outer / 3, 1), place <= profile.count - inner / 2 else { return 0 }
      return mean(max(place - outer, 0), place)
        - mean(place, min(place + inner, profile.count))
    }
    let reach = max(Int(2 * module), 1)
    var peaks: [(place: Int, drop: Double)] = []
    for place in drops.indices where drops[place] > 3 {
      let around = drops[max(place - reach, 0)...min(place + reach, drops.count - 1)]
      if around.allSatisfy({ $0 <= drops[place] }),
        peaks.last.map({ place - $0.place > reach }) ?? true
      {
        peaks.append((place, drops[place]))
      }
    }
    return peaks.sorted { $0.drop > $1.drop }.prefix(limit).map { peak in
      let white = mean(max(peak.place - outer, 0), peak.place)
      return Place(
        drop: Double(peak.place), edge: edge(of: profile, near: peak.place, white: white, module))
    }
  }

  /// The first place near `place` where brightness is halfway between white and the first bars.
  ///
  /// The greatest drop of means is up to three modules away from it, as bars are unevenly dense.
  private static func edge(
    of profile: [Float], near place: Int, white: Double, _ module: Double
  ) -> Double {
    let first = max(place - max(Int(2 * module), 1), 0)
    let last = min(place + max(Int(5 * module), 2), profile.count)
    guard let dark = profile[first..<last].min() else { return Double(place) }
    let half = (Float(white) + dark) / 2
    guard let crossing = profile[first..<last].firstIndex(where: { $0 < half }), crossing > 0
    else { return Double(place) }
    let (a, b) = (profile[crossing - 1], profile[crossing])
    // Values are those of the middles of their samples.
    return Double(crossing) - 0.5 + (a > b ? Double((a - half) / (a - b)).clamped : 0)
  }
}

extension Double {
  /// The value in 0...1.
  fileprivate var clamped: Double { Swift.min(Swift.max(self, 0), 1) }
}
