/// Where a code may begin and end in a profile: where white paper turns into something darker.
struct CodeEnds {
  let starts: [Double]
  let ends: [Double]

  /// - Parameters:
  ///   - profile: brightness.
  ///   - width: about how many samples a code has.
  ///   - limit: the most places of either kind.
  init(_ profile: [Float], width: Double, limit: Int) {
    let module = width / Double(EANPattern.modules)
    let (outer, inner) = (max(Int(5 * module), 2), max(Int(12 * module), 3))
    var sums = [0.0]
    for value in profile { sums.append(sums[sums.count - 1] + Double(value)) }
    func mean(_ from: Int, _ to: Int) -> Double {
      let (low, high) = (max(from, 0), min(to, profile.count))
      return high > low ? (sums[high] - sums[low]) / Double(high - low) : 0
    }
    var (down, up) = ([Double](), [Double]())
    for place in 0...profile.count {
      down.append(mean(place - outer, place) - mean(place, place + inner))
      up.append(mean(place, place + outer) - mean(place - inner, place))
    }
    starts = Self.peaks(down, apart: 2 * module, limit: limit)
    ends = Self.peaks(up, apart: 2 * module, limit: limit)
  }

  private static func peaks(_ values: [Double], apart: Double, limit: Int) -> [Double] {
    let reach = max(Int(apart), 1)
    var peaks: [(place: Int, value: Double)] = []
    for place in values.indices where values[place] > 3 {
      let around = values[max(place - reach, 0)...min(place + reach, values.count - 1)]
      if around.allSatisfy({ $0 <= values[place] }),
        peaks.last.map({ place - $0.place > reach }) ?? true
      {
        peaks.append((place, values[place]))
      }
    }
    return peaks.sorted { $0.value > $1.value }.prefix(limit).map { Double($0.place) }
  }
}
