import Geometry
import LineSegments

/// A long line that may be the side of something upright.
///
/// It consists of joined pieces of straight edges, and of the rows of the picture in which there is
/// an edge under the line. Everything is in pixels of an ``EdgeView``.
package struct SideLine: Sendable {
  /// Its course in the view.
  package let course: Course
  /// By how many rows the edge outweighs its gaps between the course's top and bottom.
  package let strength: Double
  /// For each row of the view ``seen`` if there is an edge, 0 if there is none.
  let rows: [UInt8]

  /// What a row with an edge counts in ``rows``.
  package static let seen: UInt8 = 25
  /// What a row at the side of the picture counts: whether it has an edge is unknown.
  private static let unseen: UInt8 = 10

  /// A line through (`slope` y + `offset`, y).
  package struct Course: Sendable {
    package let slope: Double
    package let offset: Double
    /// The first row of the stretch that has an edge under it.
    package let top: Int
    /// One past the last row of that stretch.
    package let bottom: Int
    /// Whether the line is a side of the picture.
    package var isPictureSide = false

    /// The column at a row.
    package func column(at row: Double) -> Double { slope * row + offset }
  }

  /// The side of the picture itself, which may hide the rest of an object.
  ///
  /// Whether an edge would be there is unknown.
  package init(pictureSideAt column: Double, height: Int, top: Int, bottom: Int) {
    course = Course(slope: 0, offset: column, top: top, bottom: bottom, isPictureSide: true)
    strength = 0
    rows = [UInt8](repeating: Self.unseen, count: height)
  }

  private init(_ fit: Fit) {
    course = Course(
      slope: fit.slope, offset: fit.offset, top: fit.stretch.top, bottom: fit.stretch.bottom)
    strength = fit.stretch.strength
    rows = fit.rows
  }

  /// The weights of rows with and without an edge.
  ///
  /// A stretch gains by growing if more than 9 / 20 of the new rows have an edge.
  private static let (edgeWeight, gapWeight) = (11, 9)
}

extension SideLine {
  /// The long lines of a view that are at most 25 degrees off the upright, strongest first.
  ///
  /// No line is there twice. The search begins with the longest piece of edge. The pieces that lie
  /// on its line are joined to it, and the line is fitted again. Then the line is moved a little to
  /// the place where most rows have an edge. A line shorter than `leastLength`, a share of the
  /// view's height, is left out.
  package static func lines(
    in view: EdgeView, of edges: [StraightEdge], leastLength: Double
  ) -> [SideLine] {
    let pieces = edges.compactMap { Piece($0, isTurned: view.isTurned) }
      .sorted { $0.length > $1.length }
    let tolerance = max(1.6, 0.003 * Double(view.height))
    var isUsed = [Bool](repeating: false, count: pieces.count)
    var lines: [SideLine] = []
    for (seed, piece) in pieces.enumerated() where !isUsed[seed] {
      if piece.length < leastLength / 3 * Double(view.height) { break }
      var group = Group([piece])
      var members = [seed]
      // Each round takes what lies on the line; a few rounds end the growth.
      for _ in 0..<6 {
        let reach = 1.5 * (group.bottom - group.top)
        let next = pieces.indices.filter { index in
          let other = pieces[index]
          return other.bottom > group.top - reach && other.top < group.bottom + reach
            && abs(other.topColumn - group.column(at: other.top)) < tolerance
            && abs(other.bottomColumn - group.column(at: other.bottom)) < tolerance
            && (other.length < 20 || abs(other.slope - group.slope) < 0.05)
        }
        if next.isEmpty || next == members { break }
        members = next
        group = Group(members.map { pieces[$0] })
      }
      isUsed[seed] = true
      for member in members { isUsed[member] = true }
      let line = SideLine(best(near: group, in: view))
      if Double(line.course.bottom - line.course.top) >= leastLength * Double(view.height) {
        lines.append(line)
      }
    }
    return distinct(lines.sorted { $0.strength > $1.strength })
  }

  /// The line itself or one a fraction of a pixel beside it, whichever has the most edge under it.
  private static func best(near group: Group, in view: EdgeView) -> Fit {
    let middle = (group.top + group.bottom) / 2
    // Far from its pieces a line is not what they say.
    let reach = max(leastReach, group.bottom - group.top)
    let rows = max(0, Int(group.top - reach))..<min(view.height, Int(group.bottom + reach))
    var best = (slope: group.slope, offset: group.offset, strength: -1)
    // The line itself first: of equally good ones it stays.
    for (turn, shift) in moves {
      let (slope, offset) = (group.slope + turn, group.offset + shift - turn * middle)
      let strength = view.strength(
        along: slope, offset, rows: rows, edge: edgeWeight, gap: gapWeight)
      if strength > best.strength { best = (slope, offset, strength) }
    }
    return Fit(
      slope: best.slope, offset: best.offset, bow: bow(of: best, group, rows: rows, in: view),
      in: view)
  }

  /// How the line bends: as brings the most edge under it, where that is clearly more than a
  /// straight one has.
  private static func bow(
    of line: (slope: Double, offset: Double, strength: Int), _ group: Group, rows: Range<Int>,
    in view: EdgeView
  ) -> Bow {
    var best = Bow(sag: 0, top: group.top, bottom: group.bottom)
    // By 3 % and two rows.
    var most = line.strength + line.strength * 3 / 100 + 2 * (edgeWeight + gapWeight)
    for sag in bows {
      let bow = Bow(sag: sag, top: group.top, bottom: group.bottom)
      let strength = view.strength(
        along: line.slope, line.offset, bow: bow, rows: rows, edge: edgeWeight, gap: gapWeight)
      if strength > most { (best, most) = (bow, strength) }
    }
    return best
  }

  private static let bows: [Double] = [-1.5, 1.5]
  private static let leastReach = 40.0
  private static let moves: [(turn: Double, shift: Double)] = [
    (0, 0), (0, -0.7), (0, 0.7), (-0.004, 0), (-0.004, -0.7), (-0.004, 0.7), (0.004, 0),
    (0.004, -0.7), (0.004, 0.7),
  ]

  /// Without lines that lie on a stronger one.
  private static func distinct(_ lines: [SideLine]) -> [SideLine] {
    var kept: [SideLine] = []
    for line in lines {
      let course = line.course
      let (top, bottom) = (Double(course.top), Double(course.bottom))
      let isKnown = kept.contains { other in
        abs(course.column(at: top) - other.course.column(at: top)) < 1.8
          && abs(course.column(at: bottom) - other.course.column(at: bottom)) < 1.8
      }
      if !isKnown { kept.append(line) }
    }
    return kept
  }

  /// The best stretch of rows: that whose rows with an edge outweigh those without by most
  /// (Bentley, "Programming Pearls", 1984: the maximum sum of a stretch).
  fileprivate static func stretch(
    of rows: [UInt8]
  ) -> (top: Int, bottom: Int, strength: Double) {
    var best = (top: 0, bottom: 0, sum: 0)
    var (start, sum) = (0, 0)
    for (index, row) in rows.enumerated() {
      sum += row == 0 ? -gapWeight : edgeWeight
      if sum > best.sum { best = (start, index + 1, sum) }
      if sum <= 0 { (start, sum) = (index + 1, 0) }
    }
    return (best.top, best.bottom, Double(best.sum) / Double(edgeWeight + gapWeight))
  }
}

extension LineSegmentDetector {
  /// Finds faint and short pieces as well: of those on one line only the sum counts.
  package static func faint(workingSide: Int) -> LineSegmentDetector {
    LineSegmentDetector(workingSide: workingSide, leastContrast: 4, leastLength: 8)
  }
}

/// A line and the rows with an edge under it.
private struct Fit {
  let slope: Double
  let offset: Double
  let rows: [UInt8]
  let stretch: (top: Int, bottom: Int, strength: Double)

  init(slope: Double, offset: Double, bow: Bow, in view: EdgeView) {
    self.slope = slope
    self.offset = offset
    rows = view.rows(along: slope, offset, bow: bow)
    stretch = SideLine.stretch(of: rows)
  }
}

/// How a line bends: a parabola about the straight line that fits it best, a third of the sag to
/// one side in the middle and two thirds to the other at both ends.
package struct Bow: Sendable {
  /// The distance of the middle from the chord, in columns, 0 for a straight line.
  package let sag: Double
  /// The rows between which it bends by so much.
  package let top: Double
  package let bottom: Double

  package init(sag: Double, top: Double, bottom: Double) {
    self.sag = sag
    self.top = top
    self.bottom = bottom
  }

  /// What is added to the line's column at a row; beyond the ends it soon stays the same.
  package func shift(at row: Double) -> Double {
    let x = min(max(2 * (row - top) / max(1, bottom - top) - 1, -1.25), 1.25)
    return sag * (1.0 / 3 - x * x)
  }
}

/// A piece of edge in the view, from top to bottom.
private struct Piece {
  let top: Double
  let bottom: Double
  let topColumn: Double
  let bottomColumn: Double

  /// The tangent of 25 degrees.
  private static let steepest = 0.4663

  /// Nil if the edge is too far off the upright.
  init?(_ edge: StraightEdge, isTurned: Bool) {
    var (a, b) = (edge.segment.start, edge.segment.end)
    if isTurned { (a, b) = (Point(x: a.y, y: a.x), Point(x: b.y, y: b.x)) }
    if a.y > b.y { swap(&a, &b) }
    guard b.y > a.y, abs(b.x - a.x) <= Self.steepest * (b.y - a.y) else { return nil }
    (top, bottom, topColumn, bottomColumn) = (a.y, b.y, a.x, b.x)
  }

  /// In rows.
  var length: Double { bottom - top }
  var slope: Double { (bottomColumn - topColumn) / length }
}

/// Pieces on one line.
private struct Group {
  let slope: Double
  let offset: Double
  let top: Double
  let bottom: Double

  /// Fits the line with the least squares of the columns' distances along all pieces.
  init(_ pieces: [Piece]) {
    var (weight, row, column) = (0.0, 0.0, 0.0)
    for piece in pieces {
      weight += piece.length
      row += piece.length * (piece.top + piece.bottom) / 2
      column += piece.length * (piece.topColumn + piece.bottomColumn) / 2
    }
    (row, column) = (row / weight, column / weight)
    var (spread, shared) = (0.0, 0.0)
    for piece in pieces {
      let (y, x) = (
        (piece.top + piece.bottom) / 2 - row, (piece.topColumn + piece.bottomColumn) / 2 - column
      )
      // A piece is all its points: their spread about its middle counts too.
      spread += piece.length * (y * y + piece.length * piece.length / 12)
      shared +=
        piece.length
        * (y * x + piece.length * (piece.bottomColumn - piece.topColumn) / 12)
    }
    slope = spread > 0 ? shared / spread : 0
    offset = column - slope * row
    top = pieces.reduce(.infinity) { min($0, $1.top) }
    bottom = pieces.reduce(-.infinity) { max($0, $1.bottom) }
  }

  func column(at row: Double) -> Double { slope * row + offset }
}
