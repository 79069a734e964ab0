import Geometry

/// What maps say about an outline in cells, as means of probabilities.
struct MapAgreement {
  /// The probability of a spine, inside.
  private(set) var inside = 0.0
  /// The probability of a core, along the middle line.
  private(set) var core = 0.0
  /// The probability of a side, along the weaker long side; the picture's edge counts as a side.
  private(set) var weakSide = 0.0
  /// The same along the stronger long side.
  private(set) var strongSide = 0.0
  /// The probability of a side, inside: a spine has none there.
  private(set) var sideInside = 0.0
  /// The probability of pages, inside.
  private(set) var foreEdge = 0.0

  private static let places = 24

  init(of outline: Quadrilateral, in maps: SpineMaps) {
    let share = 1 / Double(Self.places)
    for index in 0..<Self.places {
      let v = (Double(index) + 0.5) * share
      for u in [0.15, 0.5, 0.85] {
        inside += maps.value(.spine, at: outline.point(u: u, v: v)) / 3
        foreEdge += maps.value(.foreEdge, at: outline.point(u: u, v: v)) / 3
      }
      core += maps.value(.core, at: outline.point(u: 0.5, v: v))
      for u in [0.3, 0.5, 0.7] {
        sideInside += maps.value(.side, at: outline.point(u: u, v: v)) / 3
      }
    }
    inside *= share
    foreEdge *= share
    core *= share
    sideInside *= share
    (weakSide, strongSide) = Self.sides(of: outline, in: maps)
  }

  /// How likely a side is along the weaker and along the stronger long side.
  static func sides(
    of outline: Quadrilateral, in maps: SpineMaps
  ) -> (weaker: Double, stronger: Double) {
    let sides = [0.0, 1].map { u in
      (0..<places).reduce(0) { sum, index in
        let point = outline.point(u: u, v: (Double(index) + 0.5) / Double(places))
        let isEdge =
          point.x < 1.5 || point.y < 1.5 || point.x > Double(maps.width) - 1.5
          || point.y > Double(maps.height) - 1.5
        return sum + (isEdge ? 1 : maps.value(.side, at: point))
      } / Double(places)
    }
    return (min(sides[0], sides[1]), max(sides[0], sides[1]))
  }

  /// How likely a side is along the most probable line through the inside, from end to end; 0 in an
  /// outline too thin to have one.
  ///
  /// Two spines that were taken for one have such a line.
  static func innerSide(of outline: Quadrilateral, in maps: SpineMaps) -> Double {
    let rows = 16
    let thickness = outline.point(u: 0, v: 0.5).distance(to: outline.point(u: 1, v: 0.5))
    guard thickness >= 5 else { return 0 }
    let steps = min(24, max(4, Int(min(thickness, 100) * 0.8)))
    // A side is seen a cell or two beside where it is.
    let margin = max(0.18, 2 / thickness)
    let values = (0..<rows).map { row in
      (0...steps).map { step in
        let u = margin + (1 - 2 * margin) * Double(step) / Double(steps)
        return maps.value(.side, at: outline.point(u: u, v: (Double(row) + 0.5) / Double(rows)))
      }
    }
    var best = 0.0
    let slant = (steps + 3) / 4
    for first in 0...steps {
      for last in max(0, first - slant)...min(steps, first + slant) {
        var sum = 0.0
        for row in 0..<rows {
          let place =
            Double(first) + Double(last - first) * (Double(row) + 0.5) / Double(rows)
          let left = min(Int(place), steps - 1)
          let part = place - Double(left)
          sum += values[row][left] * (1 - part) + values[row][left + 1] * part
        }
        best = max(best, sum)
      }
    }
    return best / Double(rows)
  }
}
