import Geometry
import _CLibrary

/// A spine as the maps show it: its outline in cells.
struct MappedSpine {
  /// Its long sides are the left and the right one, whichever way the spine lies in the picture.
  let outline: Quadrilateral
  let thickness: Double
  let length: Double

  private let piece: MapPiece
  private let sides: (left: StraightFit, right: StraightFit)
  private let reach: ClosedRange<Double>

  /// Nil if the piece has no extent.
  init?(_ piece: MapPiece, in maps: SpineMaps) {
    var (left, right) = Self.lines(of: piece)
    var reach = Self.reach(of: piece, in: maps)
    var (lower, upper) = ((left: 0.0, right: 0.0), (left: 0.0, right: 0.0))
    // Sides say how far a book goes, and the longer it is the better they are known.
    for _ in 0..<2 {
      Self.move(&left, of: piece, over: reach, in: maps)
      Self.move(&right, of: piece, over: reach, in: maps)
      let middle = (piece.reach.lowerBound + piece.reach.upperBound) / 2
      // The ends may lie at a slant; each is sought along several lines.
      lower = Self.end(of: piece, (left, right), from: middle, direction: -1, in: maps)
      upper = Self.end(of: piece, (left, right), from: middle, direction: 1, in: maps)
      let ends = ((lower.left + lower.right) / 2, (upper.left + upper.right) / 2)
      guard ends.1 > ends.0 + 0.5 else { return nil }
      if ends.0 > reach.lowerBound - 2, ends.1 < reach.upperBound + 2 { break }
      reach = ends.0...ends.1
    }
    let middle = (reach.lowerBound + reach.upperBound) / 2
    thickness = abs(right.value(at: middle) - left.value(at: middle))
    guard thickness > 0.5 else { return nil }
    length = (upper.left + upper.right - lower.left - lower.right) / 2
    guard length > thickness * 0.8 else { return nil }
    outline = Quadrilateral(
      topLeft: piece.place(along: lower.right, across: right.value(at: lower.right)),
      topRight: piece.place(along: lower.left, across: left.value(at: lower.left)),
      bottomRight: piece.place(along: upper.left, across: left.value(at: upper.left)),
      bottomLeft: piece.place(along: upper.right, across: right.value(at: upper.right)))
    self.piece = piece
    self.reach = reach
    sides = (left, right)
  }

  /// A side that runs through the inside all along; nil if none is likely.
  ///
  /// A piece that has one is two spines.
  func inner(in maps: SpineMaps) -> StraightFit? {
    let thickness = sides.right.value(at: 0) - sides.left.value(at: 0)
    guard abs(thickness) > 3 else { return nil }
    let steps = min(64, max(4, Int(abs(thickness) * 2)))
    let samples = 24
    func across(_ along: Double, _ u: Double) -> Double {
      sides.left.value(at: along) * (1 - u) + sides.right.value(at: along) * u
    }
    let least = Self.leastInnerSide * Double(samples)
    var best = (value: least, first: 0.0, last: 0.0)
    let shares = (0...steps).map { 0.2 + 0.6 * Double($0) / Double(steps) }
    for first in shares {
      for last in shares where abs(last - first) <= 0.15 {
        var sum = 0.0
        for sample in 0..<samples {
          // The rest cannot make it the best: each sample is 1 at most.
          guard sum + Double(samples - sample) + 1e-9 > best.value else { break }
          let share = (Double(sample) + 0.5) / Double(samples)
          let along = reach.lowerBound + (reach.upperBound - reach.lowerBound) * share
          let across = across(along, first + (last - first) * share)
          sum += maps.value(.side, at: piece.place(along: along, across: across))
        }
        if sum > best.value { best = (sum, first, last) }
      }
    }
    guard best.value > least else { return nil }
    let (start, end) = (reach.lowerBound, reach.upperBound)
    return StraightFit(
      from: (start, across(start, best.first)), to: (end, across(end, best.last)))
  }

  private static let leastInnerSide = 0.4

  /// The long sides by the core alone, which is the middle half.
  private static func lines(of piece: MapPiece) -> (left: StraightFit, right: StraightFit) {
    var (left, right) = (piece.course, piece.course)
    // Thickness cannot change by more than a third along the book.
    let mean = piece.meanWidth
    let slope =
      max(-mean / 3, min(mean / 3, piece.width.slope * piece.length)) / max(piece.length, 1)
    let center = (piece.reach.lowerBound + piece.reach.upperBound) / 2
    let width = mean - slope * center
    left.offset -= width
    left.slope -= slope
    right.offset += width
    right.slope += slope
    return (left, right)
  }

  /// How far the spine goes along its middle line.
  private static func reach(of piece: MapPiece, in maps: SpineMaps) -> ClosedRange<Double> {
    func end(_ direction: Double) -> Double {
      let start = direction < 0 ? piece.reach.lowerBound : piece.reach.upperBound
      let most = 1.2 * piece.meanWidth + 2
      var along = start
      while abs(along - start) < most {
        let next = along + 0.5 * direction
        let point = piece.place(along: next, across: piece.course.value(at: next))
        guard maps.value(.spine, at: point) > 0.5 else { break }
        along = next
      }
      return along
    }
    let (lower, upper) = (end(-1), end(1))
    return lower...max(upper, lower + 0.5)
  }

  /// Moves each end of a side to the side in the maps, by at most a third of the thickness.
  private static func move(
    _ line: inout StraightFit, of piece: MapPiece, over reach: ClosedRange<Double>,
    in maps: SpineMaps
  ) {
    let most = 0.5 * piece.meanWidth + 1
    let (start, end) = (reach.lowerBound, reach.upperBound)
    let (first, last) = (line.value(at: start), line.value(at: end))
    let samples = 16
    func score(_ a: Double, _ b: Double) -> Double {
      var sum = 0.0
      for sample in 0..<samples {
        let share = (Double(sample) + 0.5) / Double(samples)
        let along = start + (end - start) * share
        let across = first + a + (last + b - first - a) * share
        sum += maps.value(.side, at: piece.place(along: along, across: across))
      }
      return sum / Double(samples) - 0.12 * (abs(a) + abs(b)) / (2 * most)
        - 0.08 * abs(a - b) / most
    }
    // Roughly everywhere, then finely about the best.
    var best = (score: score(0, 0), first: 0.0, last: 0.0)
    var step = max(0.5, most / 4)
    for stage in 0..<3 {
      let (a, b) = (best.first, best.last)
      let reach = stage == 0 ? Int(most / step) : 2
      for i in -reach...reach {
        for j in -reach...reach {
          let (x, y) = (a + Double(i) * step, b + Double(j) * step)
          guard abs(x) <= most, abs(y) <= most, abs(x - y) <= most else { continue }
          let value = score(x, y)
          if value > best.score { best = (value, x, y) }
        }
      }
      step /= 2.5
    }
    best.first += first
    best.last += last
    line.slope = (best.last - best.first) / max(end - start, 0.5)
    line.offset = best.first - line.slope * start
  }

  /// The end of the spine, at its left and at its right side.
  private static func end(
    of piece: MapPiece, _ sides: (left: StraightFit, right: StraightFit), from middle: Double,
    direction: Double, in maps: SpineMaps
  ) -> (left: Double, right: Double) {
    let shares = [0.2, 0.35, 0.5, 0.65, 0.8]
    let start = direction < 0 ? piece.reach.lowerBound : piece.reach.upperBound
    // Up to here a spine ends with its core; beyond, it continues if its sides do.
    let farthest = 1.5 * piece.meanWidth + 3
    func hasSides(_ along: Double) -> Bool {
      [sides.left, sides.right].allSatisfy { side in
        [-1.0, 0, 1].contains { offset in
          maps.value(.side, at: piece.place(along: along, across: side.value(at: along) + offset))
            > 0.3
        }
      }
    }
    let ends = shares.map { share -> (x: Double, y: Double) in
      func value(_ along: Double) -> Double {
        let across =
          sides.left.value(at: along) * (1 - share) + sides.right.value(at: along) * share
        return maps.value(.spine, at: piece.place(along: along, across: across))
      }
      // Inward until there is a spine, then outward until there is none.
      var along = start
      while value(along) < 0.5, abs(along - start) < farthest, (along - middle) * direction > 1 {
        along -= 0.5 * direction
      }
      while value(along + 0.5 * direction) >= 0.5,
        abs(along - start) < farthest || hasSides(along + 0.5 * direction)
      {
        along += 0.5 * direction
      }
      return (share - 0.5, along)
    }
    // The median slant of all pairs: one line that runs on into a neighbour's print does not turn
    // the end.
    var slants: [Double] = []
    for (index, first) in ends.enumerated() {
      for second in ends[(index + 1)...] {
        slants.append((second.y - first.y) / (second.x - first.x))
      }
    }
    slants.sort()
    let most = 0.5 * piece.meanWidth
    let slope = max(-most, min(most, slants[slants.count / 2]))
    let offsets = ends.map { $0.y - slope * $0.x }.sorted()
    let center = offsets[offsets.count / 2]
    return (center - slope / 2, center + slope / 2)
  }
}
