import Geometry
import RectangleDetection
import _CLibrary

/// The best row of spines in a view.
///
/// A row is a sequence of candidates, each to the right of the last, with the greatest total score.
/// It is found by dynamic programming over the lines. The score of a candidate depends on the usual
/// thickness and the floor of the row's spines, which come from the row itself. So the search runs
/// three times, each time with the values of the last one.
struct SpineRow {
  /// Left to right.
  let spines: [Spine]
  /// The sum of the spines' areas, each times its score: how much of the picture the row explains.
  let explained: Double
  /// The median length.
  let length: Double

  struct Spine {
    /// In pixels of the picture reduced, corners clockwise from the top left.
    let outline: Quadrilateral
    let score: Double
    let thickness: Double
    let length: Double
  }

  private static let passes = 3

  /// Nil if there is no row outside the taken regions.
  init?(
    in view: ShelfView, taken: [TakenRegion], configuration: SpineDetectionConfiguration
  ) {
    guard let evidence = view.evidence else { return nil }
    var candidates = view.candidates.filter { evidence.isFree($0, taken) }
    var chosen: [(candidate: SpineCandidate, score: Double)] = []
    var usualThickness: Double?
    var lastFloor: SpineEvidence.Floor?
    for pass in 0..<Self.passes {
      let prior = ThicknessPrior(usual: usualThickness, configuration: configuration)
      chosen = Self.best(
        candidates, lineCount: evidence.lines.courses.count, prior: prior)
      if chosen.isEmpty { return nil }
      usualThickness = medianByArea(
        chosen.map(\.candidate.thickness),
        chosen.map { $0.candidate.thickness * $0.candidate.length })
      guard pass + 1 < Self.passes, let floor = Self.floor(chosen.map(\.candidate), evidence),
        floor != lastFloor ?? (.nan, .nan)
      else { continue }
      // A floor moves ends; it makes no spine of what none was without it.
      candidates = candidates.compactMap {
        evidence.candidate(left: $0.left, right: $0.right, floor: floor)
      }
      .filter { evidence.isFree($0, taken) }
      lastFloor = floor
    }
    spines = chosen.map { candidate, score in
      let outline = evidence.outline(of: candidate)
      return Spine(
        outline: view.isTurned ? outline.transposed : outline, score: score,
        thickness: candidate.thickness, length: candidate.length)
    }
    // A lone band as long as the picture is large but no row: companions tell.
    let count = Double(chosen.count)
    explained =
      chosen.reduce(0) {
        $0 + $1.candidate.score * $1.candidate.thickness * $1.candidate.length
      } * count / (count + configuration.companions)
    length = chosen.map(\.candidate.length).sorted()[chosen.count / 2]
  }

  /// The sequence of the greatest total.
  private static func best(
    _ candidates: [SpineCandidate], lineCount: Int, prior: ThicknessPrior
  ) -> [(candidate: SpineCandidate, score: Double)] {
    /// For each line the best total of a sequence that ends at it or before it, and its last
    /// candidate.
    var totals = [Double](repeating: 0, count: lineCount)
    var lasts = [Int?](repeating: nil, count: lineCount)
    var scores = [Double](repeating: 0, count: candidates.count)
    var index = 0
    for line in 0..<lineCount {
      if line > 0 { (totals[line], lasts[line]) = (totals[line - 1], lasts[line - 1]) }
      while index < candidates.count, candidates[index].right == line {
        let candidate = candidates[index]
        scores[index] = candidate.score - prior.cost(of: candidate)
        let total = totals[candidate.left] + scores[index]
        if total > totals[line] { (totals[line], lasts[line]) = (total, index) }
        index += 1
      }
    }
    var sequence: [(candidate: SpineCandidate, score: Double)] = []
    var next = lasts.last ?? nil
    while let index = next {
      sequence.append((candidates[index], scores[index]))
      next = lasts[candidates[index].left]
    }
    return sequence.reversed()
  }

  /// The line through the lower ends of most spines; nil if fewer than half agree.
  private static func floor(
    _ spines: [SpineCandidate], _ evidence: SpineEvidence
  ) -> SpineEvidence.Floor? {
    guard spines.count >= 3 else { return nil }
    let feet = spines.map { spine in
      let row = Double(spine.bottom)
      return Point(
        x: (evidence.lines.courses[spine.left].column(at: row)
          + evidence.lines.courses[spine.right].column(at: row)) / 2, y: row)
    }
    let width = 0.02 * evidence.usualLength
    var best: (votes: Double, floor: SpineEvidence.Floor)?
    for (index, first) in feet.enumerated() {
      for second in feet[(index + 1)...] where abs(second.x - first.x) >= 1 {
        let slope = (second.y - first.y) / (second.x - first.x)
        guard abs(slope) <= 0.35 else { continue }
        let offset = first.y - slope * first.x
        let votes = feet.reduce(0) { $0 + bell(($1.y - slope * $1.x - offset) / width) }
        if votes > best?.votes ?? 0 { best = (votes, (slope, offset)) }
      }
    }
    guard let best, best.votes >= Double(feet.count) / 2 else { return nil }
    return best.floor
  }
}

/// What a thickness other than the row's usual one costs.
private struct ThicknessPrior {
  /// Nil before a row was found.
  let usual: Double?
  let configuration: SpineDetectionConfiguration

  func cost(of candidate: SpineCandidate) -> Double {
    var cost = configuration.cost
    guard let usual else { return cost }
    let thinness = log(configuration.usualShare * usual / candidate.thickness)
    if thinness > 0 {
      cost += configuration.thinCost * thinness * (1 + thinness) * candidate.gapLikeness
    }
    let thickness = log(candidate.thickness / (configuration.unusualFactor * usual))
    if thickness > 0 { cost += configuration.thickCost * thickness }
    return cost
  }
}

extension Quadrilateral {
  /// With x and y exchanged, and the corners named and ordered as they lie then.
  var transposed: Quadrilateral {
    func swapped(_ point: Point) -> Point { Point(x: point.y, y: point.x) }
    return Quadrilateral(
      topLeft: swapped(topLeft), topRight: swapped(bottomLeft), bottomRight: swapped(bottomRight),
      bottomLeft: swapped(topRight))
  }
}

/// The median of some sizes of spines, each counting as much as its area; nil for none.
///
/// So pieces don't outvote books.
func medianByArea(_ sizes: [Double], _ areas: [Double]) -> Double? {
  let half = areas.reduce(0, +) / 2
  var sum = 0.0
  for (size, area) in zip(sizes, areas).sorted(by: { $0.0 < $1.0 }) {
    sum += area
    if sum >= half { return size }
  }
  return nil
}
