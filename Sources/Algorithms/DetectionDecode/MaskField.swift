import Geometry

/// A grid of numbers over an image that says where an object is: above a threshold inside, below it
/// outside.
///
/// Cell (column, row) stands for its center, (column + 0.5, row + 0.5) in the grid's own units.
public struct MaskField: Hashable, Sendable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// The numbers, row after row.
  public let values: [Float]

  /// Joins numbers and their size.
  ///
  /// - Throws: ``DetectionDecodeError/valueCount(got:expected:)`` if the number of values is not
  ///   `width * height`.
  public init(
    width: Int, height: Int, values: [Float]
  ) throws(DetectionDecodeError) {
    let (count, overflows) = width.multipliedReportingOverflow(by: height)
    guard width >= 0, height >= 0, !overflows, count == values.count else {
      throw .valueCount(got: values.count, expected: overflows ? .max : max(count, 0))
    }
    self.width = width
    self.height = height
    self.values = values
  }

  /// The outline of the largest connected part that is above a threshold, as a closed polygon.
  ///
  /// The outline crosses between cells where the numbers, taken as linear between centers, reach
  /// the threshold (marching squares). Beyond the grid everything is outside. Holes are filled.
  /// Points on a straight line are left out.
  ///
  /// ### Edge cases
  /// NaN is outside. Cells that touch by a corner only are one part if their mean with the two
  /// others is above the threshold.
  ///
  /// - Parameters:
  ///   - threshold: what is greater is inside.
  ///   - bounds: what lies outside of this box, in the grid's units, is cut off; nil for nothing.
  /// - Returns: the corners, clockwise as seen, without the first one again; nil if nothing is
  ///   above the threshold or nothing is left inside of the bounds.
  /// - Complexity: O(*width* *height*) of the cells within the bounds.
  ///
  /// Source: Lorensen and Cline, "Marching Cubes", in two dimensions.
  public func outline(above threshold: Float, within bounds: Box? = nil) -> [Point]? {
    guard width > 0, height > 0, threshold.isFinite else { return nil }
    var columns = 0..<width
    var rows = 0..<height
    if let bounds {
      guard bounds.isFinite else { return nil }
      // A cell more on each side, so that the edge of the bounds is cut and not guessed.
      columns = Self.cells(from: bounds.minX, to: bounds.maxX, of: width, margin: 1)
      rows = Self.cells(from: bounds.minY, to: bounds.maxY, of: height, margin: 1)
      guard !columns.isEmpty, !rows.isEmpty else { return nil }
    }
    let squares = MarchingSquares(
      field: self, columns: columns, rows: rows, threshold: threshold)
    // What lies in the bounds decides which part is the largest.
    let parts = squares.loops().map { loop in bounds.map { Self.clipped(loop, to: $0) } ?? loop }
    guard var largest = parts.max(by: { abs(signedArea($0)) < abs(signedArea($1)) }) else {
      return nil
    }
    largest = Self.simplified(largest)
    return largest.count >= 3 ? largest : nil
  }

  /// The cells from one coordinate to another, and `margin` more on each side.
  static func cells(
    from least: Float, to greatest: Float, of count: Int, margin: Float
  ) -> Range<Int> {
    let low = Int(min(max(least.rounded(.down) - margin, 0), Float(count)))
    let high = Int(min(max(greatest.rounded(.up) + margin, 0), Float(count)))
    return low..<max(low, high)
  }

  /// A polygon's part in a box, by its four sides one after another.
  ///
  /// Source: Sutherland and Hodgman, "Reentrant polygon clipping".
  private static func clipped(_ polygon: [Point], to box: Box) -> [Point] {
    func cut(_ points: [Point], _ depth: (Point) -> Double) -> [Point] {
      var result: [Point] = []
      guard var before = points.last else { return [] }
      var depthBefore = depth(before)
      for point in points {
        let here = depth(point)
        if (here >= 0) != (depthBefore >= 0) {
          let share = depthBefore / (depthBefore - here)
          result.append(
            Point(
              x: before.x + (point.x - before.x) * share,
              y: before.y + (point.y - before.y) * share))
        }
        if here >= 0 { result.append(point) }
        (before, depthBefore) = (point, here)
      }
      return result
    }
    var points = cut(polygon) { $0.x - Double(box.minX) }
    points = cut(points) { Double(box.maxX) - $0.x }
    points = cut(points) { $0.y - Double(box.minY) }
    return cut(points) { Double(box.maxY) - $0.y }
  }

  /// A polygon without points that lie on the line between their neighbours, or on a neighbour.
  private static func simplified(_ polygon: [Point]) -> [Point] {
    var result: [Point] = []
    for point in polygon where result.last != point { result.append(point) }
    while result.count > 1, result.first == result.last { result.removeLast() }
    guard result.count > 3 else { return result }
    let count = result.count
    let kept = (0..<count).filter { index in
      let (a, b, c) = (
        result[(index + count - 1) % count], result[index], result[(index + 1) % count]
      )
      let cross = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
      return abs(cross) > 1e-9
    }
    return kept.count >= 3 ? kept.map { result[$0] } : result
  }

  private func signedArea(_ polygon: [Point]) -> Double {
    guard var before = polygon.last else { return 0 }
    var sum = 0.0
    for point in polygon {
      sum += before.x * point.y - point.x * before.y
      before = point
    }
    return sum / 2
  }
}

/// Finds the lines of one height in a field.
private struct MarchingSquares {
  let field: MaskField
  /// The cells that are looked at.
  let columns: Range<Int>
  let rows: Range<Int>
  let threshold: Float

  /// The corner points of squares are cells; one more ring around them lies outside.
  private var across: Int { columns.count + 2 }
  private var down: Int { rows.count + 2 }

  /// How far a cell of the ringed grid is above the threshold; less than nothing outside.
  private func height(_ x: Int, _ y: Int) -> Float {
    guard x > 0, y > 0, x <= columns.count, y <= rows.count else { return -1 }
    let at = (rows.lowerBound + y - 1) * field.width + columns.lowerBound + x - 1
    let value = field.values[at] - threshold
    return value.isNaN ? -1 : value
  }

  /// An edge between two neighbouring cells: the right (0) or lower (1) one of cell (x, y).
  private func edge(_ x: Int, _ y: Int, _ side: Int) -> Int { 2 * (y * across + x) + side }

  /// The point of an edge at which the field crosses the threshold, in the field's units.
  private func crossing(_ edge: Int) -> Point {
    let cell = edge / 2
    let (x, y) = (cell % across, cell / across)
    let isRight = edge.isMultiple(of: 2)
    let first = height(x, y)
    let second = isRight ? height(x + 1, y) : height(x, y + 1)
    // A cell beyond the grid has no number of its own: the grid ends half way.
    let isAtRim = !isInside(x, y) || !isInside(isRight ? x + 1 : x, isRight ? y : y + 1)
    let difference = Double(first) - Double(second)
    let share =
      isAtRim || difference == 0 || !difference.isFinite ? 0.5 : Double(first) / difference
    let (centerX, centerY) = (
      Double(columns.lowerBound + x) - 0.5, Double(rows.lowerBound + y) - 0.5
    )
    return Point(
      x: centerX + (isRight ? share : 0), y: centerY + (isRight ? 0 : share))
  }

  private func isInside(_ x: Int, _ y: Int) -> Bool {
    x > 0 && y > 0 && x <= columns.count && y <= rows.count
  }

  /// All closed lines.
  func loops() -> [[Point]] {
    var next = links()
    var found: [[Point]] = []
    for start in next.indices where next[start] >= 0 {
      var points: [Point] = []
      var place = start
      while next[place] >= 0 {
        points.append(crossing(place))
        let following = Int(next[place])
        next[place] = -1
        place = following
      }
      if points.count >= 3 { found.append(points) }
    }
    return found
  }

  /// From each edge to the edge on which the line leaves the square, with the inside on one hand;
  /// -1 if no line crosses the edge.
  private func links() -> [Int32] {
    guard 2 * across * down < Int(Int32.max) else { return [] }
    var next = [Int32](repeating: -1, count: 2 * across * down)
    for y in 0..<down - 1 {
      for x in 0..<across - 1 {
        let corners = [height(x, y), height(x + 1, y), height(x + 1, y + 1), height(x, y + 1)]
        let bits = corners.enumerated().reduce(0) { $0 | ($1.element > 0 ? 1 << $1.offset : 0) }
        guard bits != 0, bits != 15 else { continue }
        let (top, right, bottom, left) = (
          edge(x, y, 0), edge(x + 1, y, 1), edge(x, y + 1, 0), edge(x, y, 1)
        )
        func link(_ from: Int, _ to: Int) { next[from] = Int32(to) }
        // The inside lies on the right hand of the way, so that outer lines run clockwise as seen.
        switch bits {
        case 1: link(top, left)
        case 2: link(right, top)
        case 4: link(bottom, right)
        case 8: link(left, bottom)
        case 3: link(right, left)
        case 6: link(bottom, top)
        case 12: link(left, right)
        case 9: link(top, bottom)
        case 14: link(left, top)
        case 13: link(top, right)
        case 11: link(right, bottom)
        case 7: link(bottom, left)
        default:
          let isJoined = corners.reduce(0, +) > 0
          if bits == 5 {
            if isJoined {
              link(top, right)
              link(bottom, left)
            } else {
              link(top, left)
              link(bottom, right)
            }
          } else if isJoined {
            link(right, bottom)
            link(left, top)
          } else {
            link(right, top)
            link(left, bottom)
          }
        }
      }
    }
    return next
  }
}
