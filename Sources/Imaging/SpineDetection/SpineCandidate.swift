import Geometry
import RectangleDetection

/// Two long lines taken for the sides of a spine, in pixels of an ``EdgeView``.
struct SpineCandidate {
  /// The sides' places in the row's list of lines, left before right.
  let left: Int
  let right: Int
  /// Its first and last row.
  let top: Int
  let bottom: Int
  /// The mean distance of the sides.
  let thickness: Double
  /// How much of the upper and the lower end has an edge, 0 to 1, above what chance would give.
  let ends: (top: Double, bottom: Double)
  /// How well it is seen, before its thickness is compared with the others'.
  let score: Double
  /// How much it looks like a gap between books, 0 to 1: thin, and darker than both sides.
  let gapLikeness: Double

  var length: Double { Double(bottom - top) }
}

/// Judges pairs of lines.
struct SpineEvidence {
  let isTurned: Bool
  let sums: ShelfSums
  let lines: LineTable
  let level: LevelTable
  /// The length of the longest lines, which the books of the row have about.
  let usualLength: Double
  let configuration: SpineDetectionConfiguration
  let text: TextEvidence

  /// The line on which the books stand, in the view: row = `slope` column + `offset`.
  typealias Floor = (slope: Double, offset: Double)

  /// The tangent of 6 degrees: sides converge no faster.
  private static let steepest = 0.105
  /// Rows with an edge at one side of two gain, by a little, and with none lose.
  private static let neutralShare = 0.52

  /// The candidate between two lines; nil if there is none.
  func candidate(left: Int, right: Int, floor: Floor?) -> SpineCandidate? {
    let (a, b) = (lines.courses[left], lines.courses[right])
    guard !text.runsAlong[left], !text.runsAlong[right] else { return nil }
    let hasPictureSide = a.isPictureSide || b.isPictureSide
    guard hasPictureSide || abs(a.slope - b.slope) <= Self.steepest,
      Double(min(a.bottom, b.bottom) - max(a.top, b.top)) >= 0.2 * usualLength
    else { return nil }
    guard let rows = rows(between: a, b), mayPay(left, right, rows: rows),
      let extent = extent(left, right, rows: rows, floor: floor)
    else { return nil }
    let (top, bottom) = (extent.top, extent.bottom)
    let length = Double(bottom - top)
    let (upper, lower) = (
      distance(a, b, at: Double(top)), distance(a, b, at: Double(bottom))
    )
    let thickness = (upper + lower) / 2
    guard length >= 0.3 * usualLength, min(upper, lower) > 2,
      max(upper, lower) <= 1.6 * min(upper, lower) + 4,
      thickness / length >= configuration.minimumAspectRatio,
      thickness / length <= configuration.maximumAspectRatio
    else { return nil }
    let supports = (lines.support(left, top, bottom), lines.support(right, top, bottom))
    guard min(supports.0, supports.1) >= 0.25 else { return nil }

    let sides = supports.0 + supports.1 - 2 * configuration.expectedSupport
    let ends = configuration.endGain * (extent.ends.top + extent.ends.bottom)
    let inside = inside(left, right, top: top, bottom: bottom, thickness: thickness)
    let shape = (sides - configuration.lengthCost - inside + ends) * length / usualLength
    // A candidate that does not reach its cost is in no best row.
    guard shape + configuration.textureGain / 4 > configuration.cost else { return nil }

    let texture = texture(a, b, top: top, bottom: bottom)
    if hasPictureSide {
      // What the picture cuts must show its upper end: walls and boards go on.
      let end = isTurned ? max(extent.ends.top, extent.ends.bottom) : extent.ends.top
      guard texture >= 0.4, end >= 0.6, top >= 3 else { return nil }
    }
    let score = shape + configuration.textureGain * (min(texture, 0.5) - 0.25)
    let darkness = darkness(a, b, top: top, bottom: bottom)
    let dim = configuration.thinCostOfBright
    return SpineCandidate(
      left: left, right: right, top: top, bottom: bottom, thickness: thickness,
      ends: extent.ends, score: score,
      gapLikeness: text.isInside(a, b, rows: top...bottom)
        ? 0
        : (dim + (1 - dim) * min(max(darkness / 10, 0), 1))
          * (1 - configuration.endRelief * (extent.ends.top + extent.ends.bottom) / 2))
  }

  /// The rows that a spine between two lines may have; nil if it would be too thin or too thick.
  private func rows(
    between a: SideLine.Course, _ b: SideLine.Course
  ) -> ClosedRange<Int>? {
    let margin = 0.04 * usualLength
    let low = max(0, Int(Double(min(a.top, b.top)) - margin))
    let high = min(sums.height - 1, Int(Double(max(a.bottom, b.bottom)) + margin))
    let distances = (distance(a, b, at: Double(low)), distance(a, b, at: Double(high)))
    guard low < high, min(distances.0, distances.1) > 1,
      (distances.0 + distances.1) / 2 < configuration.maximumAspectRatio * Double(high - low)
    else { return nil }
    return low...high
  }

  /// Whether a spine between two lines could score more than it costs: with its ends seen, nothing
  /// inside, and as many rows with an edge at its sides as the lines have at all.
  private func mayPay(_ left: Int, _ right: Int, rows: ClosedRange<Int>) -> Bool {
    let count = Double(rows.count)
    let seen = (
      lines.support(left, rows.lowerBound, rows.upperBound + 1) * count,
      lines.support(right, rows.lowerBound, rows.upperBound + 1) * count
    )
    let (fewer, more) = (min(seen.0, seen.1), max(seen.0, seen.1))
    // A spine of length l has min(l, fewer) + min(l, more) rows at best, and pays for each of l.
    let price =
      2 * configuration.expectedSupport + configuration.lengthCost - 2 * configuration.endGain
    func gain(_ length: Double) -> Double {
      min(length, fewer) + min(length, more) - price * length
    }
    let most = max(gain(fewer), gain(more), 0)
    return most / usualLength + configuration.textureGain / 4 > configuration.cost
  }

  /// Whether a candidate lies outside of regions if nothing more is looked for.
  func isFree(_ candidate: SpineCandidate, _ taken: [TakenRegion]) -> Bool {
    if taken.isEmpty { return true }
    let outline = outline(of: candidate)
    return !taken.contains { $0.covers(outline) }
  }

  /// The corners in pixels of the view, clockwise from the top left.
  func outline(of candidate: SpineCandidate) -> Quadrilateral {
    let (a, b) = (lines.courses[candidate.left], lines.courses[candidate.right])
    let (top, bottom) = (Double(candidate.top), Double(candidate.bottom))
    return Quadrilateral(
      topLeft: Point(x: a.column(at: top), y: top), topRight: Point(x: b.column(at: top), y: top),
      bottomRight: Point(x: b.column(at: bottom), y: bottom),
      bottomLeft: Point(x: a.column(at: bottom), y: bottom))
  }

  private func distance(_ a: SideLine.Course, _ b: SideLine.Course, at row: Double) -> Double {
    b.column(at: row) - a.column(at: row)
  }

  /// The extent of the spine: the rows with edges at the sides, between closing level edges, if
  /// any.
  private func extent(
    _ left: Int, _ right: Int, rows: ClosedRange<Int>, floor: Floor?
  ) -> (top: Int, bottom: Int, ends: (top: Double, bottom: Double))? {
    let (a, b) = (lines.courses[left], lines.courses[right])
    let floorRows = floor.map { rowsNear($0, a, b, rows) } ?? 0..<0
    // Gains in whole numbers: one row with an edge at one side is `unit`.
    let unit = Int(SideLine.seen) << Self.fraction
    let endWeight = 0.15 * usualLength * Double(unit)
    let neutral = Int(2 * Self.neutralShare * Double(unit))
    // Most rows close nothing: less than 0.4 of the width. It grows by the same from row to row.
    let one = Double(1 << Self.fraction)
    var leastCount = Int(0.4 * one * distance(a, b, at: Double(rows.lowerBound)))
    let leastCountStep = Int(0.8 * one * (b.slope - a.slope))
    var best = (gain: Int.min, top: 0, bottom: 0, topEnd: 0.0, bottomEnd: 0.0)
    var beginning = (gain: Int.min / 2, row: rows.lowerBound, end: 0.0)
    var sum = 0
    // Unsafe pointers: this runs for every row of every pair. Rows come from the lines, which are
    // as high as the picture is.
    level.before.withUnsafeBufferPointer { before in
      level.after.withUnsafeBufferPointer { after in
        lines.rows.withUnsafeBufferPointer { edges in
          let (first, second) = (left * sums.height, right * sums.height)
          // Every other row: a level edge counts two rows up and down.
          for row in stride(from: rows.lowerBound, through: rows.upperBound, by: 2) {
            let count = Int(before[second &+ row]) &- Int(after[first &+ row])
            var (share, weight) = (0.0, 0)
            if count > 0, count &<< Self.fraction > leastCount {
              share = closedShare(count, row, a, b)
              weight = Int(endWeight * share)
            }
            leastCount = leastCount &+ leastCountStep
            let gain = weight &- sum
            if gain >= beginning.gain { beginning = (gain, row, share) }
            let seen = Int(edges[first &+ row]) &+ Int(edges[second &+ row])
            sum = sum &+ seen &<< Self.fraction &- neutral
            var total = beginning.gain &+ sum &+ weight
            if floorRows.contains(row), let floor {
              total += Int(0.1 * usualLength * Double(unit) * bell(distance(row, floor, a, b)))
            }
            if total > best.gain { best = (total, beginning.row, row + 1, beginning.end, share) }
          }
        }
      }
    }
    guard best.bottom > best.top else { return nil }
    return (best.top, best.bottom, (best.topEnd, best.bottomEnd))
  }

  /// Bits after the point.
  private static let fraction = 16

  /// How far this number of pixels near level edges closes a row of a spine, 0 to 1.
  ///
  /// It is 0 with less than 0.4 of the spine's width.
  private func closedShare(
    _ count: Int, _ row: Int, _ a: SideLine.Course, _ b: SideLine.Course
  ) -> Double {
    let width = max(1, distance(a, b, at: Double(row)))
    return max(0, (Double(count) - 0.4 * width) / (0.6 * width))
  }

  /// How far a row's middle is above or below the floor, in widths of it.
  private func distance(
    _ row: Int, _ floor: Floor, _ a: SideLine.Course, _ b: SideLine.Course
  ) -> Double {
    let middle = (a.column(at: Double(row)) + b.column(at: Double(row))) / 2
    return (Double(row) - floor.slope * middle - floor.offset) / (0.02 * usualLength)
  }

  /// The rows whose middle is within three widths of the floor.
  private func rowsNear(
    _ floor: Floor, _ a: SideLine.Course, _ b: SideLine.Course, _ rows: ClosedRange<Int>
  ) -> Range<Int> {
    let first = distance(rows.lowerBound, floor, a, b)
    let step = distance(rows.lowerBound + 1, floor, a, b) - first
    // Neither the floor nor a side is far off its axis, so that the distance grows with the row.
    guard step > 0 else { return 0..<0 }
    let low = Double(rows.lowerBound) + (-3 - first) / step
    let high = Double(rows.lowerBound) + (3 - first) / step
    let limits = Double(rows.lowerBound)...Double(rows.upperBound)
    guard low <= limits.upperBound, high >= limits.lowerBound else { return 0..<0 }
    return Int(max(low, limits.lowerBound))..<Int(min(high, limits.upperBound)) + 1
  }

  /// How strongly lines inside tell that this is more than one spine.
  private func inside(
    _ left: Int, _ right: Int, top: Int, bottom: Int, thickness: Double
  ) -> Double {
    let middle = Double(top + bottom) / 2
    let (low, high) = (
      lines.courses[left].column(at: middle), lines.courses[right].column(at: middle)
    )
    var (first, second) = (0.0, 0.0)
    for line in (left + 1)..<max(left + 1, right) {
      let column = lines.courses[line].column(at: middle)
      let beside = min(column - low, high - column)
      guard beside >= 2.5 else { continue }
      let excess = max(0, lines.support(line, top, bottom) - configuration.insideSupport)
      let value = min(1, beside / thickness / configuration.besideShare) * excess
      if value > first { (first, second) = (value, first) } else { second = max(second, value) }
    }
    return first + configuration.secondInside * second
  }

  /// The share of rows with an edge well inside.
  private func texture(_ a: SideLine.Course, _ b: SideLine.Course, top: Int, bottom: Int) -> Double
  {
    var (rows, hits) = (0, 0)
    for row in stride(from: top, to: min(bottom, sums.height), by: 2) {
      let (left, right) = (a.column(at: Double(row)), b.column(at: Double(row)))
      let inset = 0.12 * (right - left)
      rows += 1
      if sums.edgeCount(row: row, from: Int(left + inset + 2), to: Int(right - inset - 1)) > 0 {
        hits += 1
      }
    }
    return rows > 0 ? Double(hits) / Double(rows) : 0
  }

  /// By how many grey levels it is darker inside than on the darker side of the two.
  private func darkness(_ a: SideLine.Course, _ b: SideLine.Course, top: Int, bottom: Int) -> Double
  {
    var (inside, before, after) = (Greys(), Greys(), Greys())
    for row in stride(from: top, to: min(bottom, sums.height), by: 2) {
      let (left, right) = (a.column(at: Double(row)), b.column(at: Double(row)))
      let (width, beside) = (right - left, max(4, 0.4 * (right - left)))
      inside.add(sums, row, left + 0.25 * width, right - 0.25 * width)
      before.add(sums, row, left - 2 - beside, left - 2)
      after.add(sums, row, right + 2, right + 2 + beside)
    }
    return min(before.median, after.median) - inside.median
  }

  /// Mean greys of rows, as a histogram.
  private struct Greys {
    private var counts = [Int](repeating: 0, count: 256)
    private var total = 0

    mutating func add(_ sums: ShelfSums, _ row: Int, _ from: Double, _ to: Double) {
      let (from, to) = (max(0, Int(from)), min(sums.width, Int(to)))
      guard from < to else { return }
      counts[min(255, sums.brightnessSum(row: row, from: from, to: to) / (to - from))] += 1
      total += 1
    }

    /// White if there is nothing: outside of the picture no side is dark.
    var median: Double {
      var seen = 0
      for (grey, count) in counts.enumerated() {
        seen += count
        if seen * 2 > total { return Double(grey) }
      }
      return 255
    }
  }
}

/// 1 at 0, falling to a hundredth at 3 on both sides, like the normal distribution's density but
/// without its logarithm: (1 - (x/3)^2)^4.
func bell(_ x: Double) -> Double {
  let rest = max(0, 1 - x * x / 9)
  return rest * rest * rest * rest
}
