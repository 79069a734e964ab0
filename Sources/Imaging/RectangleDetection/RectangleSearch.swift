import Geometry
import LineSegments

/// Closes quadrilaterals of long lines.
struct RectangleSearch {
  /// Upright lines, strongest first.
  private let columns: LineTable
  /// Level lines, with columns and rows exchanged, strongest first.
  private let rows: LineTable
  /// Their crossings: for each upright line with all level ones.
  private let crossings: [Crossing]
  /// For each upright line the level ones in the order in which it crosses them, from top to
  /// bottom.
  private let orders: [Int]

  /// The most lines of either direction that are tried: the strongest.
  private static let most = 64
  /// The least share of a side with an edge under it.
  private static let leastSupport = 0.5
  /// The least length of a side, in pixels of the reduced picture.
  private static let leastLength = 4.0

  init(_ views: EdgeViews, of edges: [StraightEdge], leastLength: Double) {
    func table(_ view: EdgeView) -> LineTable {
      let lines = SideLine.lines(in: view, of: edges, leastLength: leastLength)
      return LineTable(Array(lines.prefix(Self.most)), height: view.height)
    }
    let (columns, rows) = (table(views.upright), table(views.turned))
    self.columns = columns
    self.rows = rows
    let crossings = columns.courses.indices.flatMap { column in
      rows.courses.indices.map { Crossing(columns, column, rows, $0) }
    }
    let count = rows.courses.count
    orders = columns.courses.indices.flatMap { column in
      rows.courses.indices.sorted {
        crossings[column * count + $0].point.y < crossings[column * count + $1].point.y
      }
    }
    self.crossings = crossings
  }

  /// In pixels of the reduced picture, of at least a confidence.
  func rectangles(surerThan leastConfidence: Double) -> [DetectedRectangle] {
    var found: [DetectedRectangle] = []
    let ends = UnsafeMutablePointer<End>.allocate(capacity: rows.courses.count)
    defer { ends.deallocate() }
    for first in columns.courses.indices {
      for second in columns.courses.indices.dropFirst(first + 1) {
        let (left, right) = inOrder(first, second)
        let count = findEnds(left, right, into: ends)
        close(
          left, right, UnsafeBufferPointer(start: ends, count: count), leastConfidence,
          into: &found)
      }
    }
    return found
  }

  /// Two upright lines, the left one first.
  private func inOrder(_ first: Int, _ second: Int) -> (left: Int, right: Int) {
    let (a, b) = (columns.courses[first], columns.courses[second])
    let middle = Double(max(a.top, b.top) + min(a.bottom, b.bottom)) / 2
    return a.column(at: middle) < b.column(at: middle) ? (first, second) : (second, first)
  }

  /// Writes the level lines with an edge for enough of their way from one upright line to another,
  /// from top to bottom, and returns how many.
  private func findEnds(_ left: Int, _ right: Int, into ends: UnsafeMutablePointer<End>) -> Int {
    let count = rows.courses.count
    var found = 0
    // Unsafe pointers: this runs for all pairs of upright lines, and the tables have all of them.
    crossings.withUnsafeBufferPointer { crossings in
      orders.withUnsafeBufferPointer { orders in
        for place in left * count..<(left + 1) * count {
          let row = orders[place]
          let (from, to) = (crossings[left * count + row], crossings[right * count + row])
          let length = to.point.x - from.point.x
          if length >= Self.leastLength, to.alongRow - from.alongRow >= Self.leastSupport * length {
            (ends + found).initialize(to: End(row: row, left: from, right: to))
            found += 1
          }
        }
      }
    }
    return found
  }

  /// Adds the rectangles between two upright lines.
  private func close(
    _ left: Int, _ right: Int, _ ends: UnsafeBufferPointer<End>, _ leastConfidence: Double,
    into found: inout [DetectedRectangle]
  ) {
    for index in 0..<ends.count {
      let upper = ends[index]
      for next in index + 1..<max(index + 1, ends.count) {
        let lower = ends[next]
        let (a, b) = (
          lower.left.point.y - upper.left.point.y, lower.right.point.y - upper.right.point.y
        )
        guard min(a, b) >= Self.leastLength,
          lower.left.alongColumn - upper.left.alongColumn >= Self.leastSupport * a,
          lower.right.alongColumn - upper.right.alongColumn >= Self.leastSupport * b
        else { continue }
        let outline = Outline(left: left, right: right, upper: upper, lower: lower)
        guard let confidence = confidence(of: outline, atLeast: leastConfidence) else { continue }
        let quad = outline.quad
        if quad.isConvex { found.append(DetectedRectangle(quad: quad, confidence: confidence)) }
      }
    }
  }

  /// How sure it is that two ends and two sides are one outline; nil if less than asked for.
  private func confidence(of outline: Outline, atLeast leastConfidence: Double) -> Double? {
    let (a, b) = (outline.upper.left, outline.upper.right)
    let (c, d) = (outline.lower.right, outline.lower.left)
    let supports = (
      (b.alongRow - a.alongRow) / (b.point.x - a.point.x),
      (c.alongColumn - b.alongColumn) / (c.point.y - b.point.y),
      (c.alongRow - d.alongRow) / (c.point.x - d.point.x),
      (d.alongColumn - a.alongColumn) / (d.point.y - a.point.y)
    )
    let lengths = (
      a.point.distance(to: b.point), b.point.distance(to: c.point), d.point.distance(to: c.point),
      a.point.distance(to: d.point)
    )
    let seen =
      supports.0 * lengths.0 + supports.1 * lengths.1 + supports.2 * lengths.2
      + supports.3 * lengths.3
    let share = seen / (lengths.0 + lengths.1 + lengths.2 + lengths.3)
    let least = min(min(supports.0, supports.1), min(supports.2, supports.3))
    // Most are not sure enough, whatever their ends are.
    var leastEnd = 1.0
    let (upper, lower) = (outline.upper.row, outline.lower.row)
    func isSure() -> Bool { (share + least + leastEnd) / 3 >= leastConfidence }
    guard isSure() else { return nil }
    leastEnd = min(
      leastEnd, Self.leastEnd(rows, upper, a.point.x, a.alongRow, b.point.x, b.alongRow))
    guard isSure() else { return nil }
    leastEnd = min(
      leastEnd, Self.leastEnd(rows, lower, d.point.x, d.alongRow, c.point.x, c.alongRow))
    guard isSure() else { return nil }
    leastEnd = min(
      leastEnd,
      Self.leastEnd(columns, outline.left, a.point.y, a.alongColumn, d.point.y, d.alongColumn))
    guard isSure() else { return nil }
    leastEnd = min(
      leastEnd,
      Self.leastEnd(columns, outline.right, b.point.y, b.alongColumn, c.point.y, c.alongColumn))
    return isSure() ? (share + least + leastEnd) / 3 : nil
  }

  /// The share with an edge under it of the first or the last fifth of a side, whichever has less.
  ///
  /// Takes where the side begins and ends, each with how many pixels with an edge lie before it.
  private static func leastEnd(
    _ lines: LineTable, _ line: Int, _ from: Double, _ before: Double, _ to: Double,
    _ until: Double
  ) -> Double {
    let fifth = max(2, (to - from) / 5)
    return min(
      lines.count(above: from + fifth, of: line) - before,
      until - lines.count(above: to - fifth, of: line)) / fifth
  }

  /// The crossing of an upright and a level line.
  private struct Crossing {
    let point: Point
    /// How many pixels with an edge under them the level line has to the left.
    let alongRow: Double
    /// How many the upright line has above.
    let alongColumn: Double

    init(_ columns: LineTable, _ column: Int, _ rows: LineTable, _ row: Int) {
      let (a, b) = (columns.courses[column], rows.courses[row])
      // x = m y + c and y = n x + d; neither is more than 25 degrees off its axis, so that m n is
      // below 1.
      let x = (a.slope * b.offset + a.offset) / (1 - a.slope * b.slope)
      point = Point(x: x, y: b.slope * x + b.offset)
      alongRow = rows.count(above: point.x, of: row)
      alongColumn = columns.count(above: point.y, of: column)
    }
  }

  /// A level side between two upright lines.
  private struct End {
    let row: Int
    let left: Crossing
    let right: Crossing
  }

  /// Two upright lines and two level sides between them.
  private struct Outline {
    let left: Int
    let right: Int
    let upper: End
    let lower: End

    var quad: Quadrilateral {
      Quadrilateral(
        topLeft: upper.left.point, topRight: upper.right.point, bottomRight: lower.right.point,
        bottomLeft: lower.left.point)
    }
  }
}
