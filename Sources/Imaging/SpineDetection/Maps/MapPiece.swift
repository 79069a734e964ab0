import Geometry
import _CLibrary

/// A connected set of core cells: a spine, or a part of one.
struct MapPiece {
  /// Indices of cells, in ascending order: row by row.
  let cells: [Int]
  /// Along the long axis; a unit vector.
  private(set) var axis: Point
  /// In cells.
  private(set) var middle: Point
  /// Its extent along the axis, from its middle.
  private(set) var reach: ClosedRange<Double>
  /// The place across the axis of the middle line, and the width of the core, by the place along.
  private(set) var course: StraightFit
  private(set) var width: StraightFit

  /// The normal of the axis, to its right with y downward.
  var normal: Point { Point(x: -axis.y, y: axis.x) }
  var length: Double { reach.upperBound - reach.lowerBound }
  /// The mean width of the core: half of the spine's thickness.
  var meanWidth: Double {
    max(width.value(at: (reach.lowerBound + reach.upperBound) / 2), 0.5)
  }

  /// A place in cells of one along the axis and one across it.
  func place(along: Double, across: Double) -> Point {
    Point(
      x: middle.x + along * axis.x + across * normal.x,
      y: middle.y + along * axis.y + across * normal.y)
  }

  /// Along and across of a place in cells.
  func coordinates(of point: Point) -> (along: Double, across: Double) {
    let (x, y) = (point.x - middle.x, point.y - middle.y)
    return (x * axis.x + y * axis.y, x * normal.x + y * normal.y)
  }

  /// Nil if the cells have no direction.
  init?(cells: [Int], in maps: SpineMaps) {
    guard !cells.isEmpty else { return nil }
    self.cells = cells
    var (sumX, sumY, cosine, sine) = (0.0, 0.0, 0.0, 0.0)
    let (cosines, sines) = (maps.start(of: .cosine), maps.start(of: .sine))
    for cell in cells {
      let (y, x) = cell.quotientAndRemainder(dividingBy: maps.width)
      sumX += Double(x) + 0.5
      sumY += Double(y) + 0.5
      cosine += Double(maps.values[cosines + cell])
      sine += Double(maps.values[sines + cell])
    }
    let count = Double(cells.count)
    middle = Point(x: sumX / count, y: sumY / count)
    guard hypot(cosine, sine) > 0.2 * count else { return nil }
    let angle = atan2(sine, cosine) / 2
    axis = Point(x: cos(angle), y: sin(angle))
    reach = 0...0
    (course, width) = (StraightFit(), StraightFit())
    measure(in: maps)
    // The field's direction is good to some degrees; the middle line says it better if it is long.
    let turn = atan(course.slope)
    if abs(turn) < 0.35, length > 3 * meanWidth {
      axis = Point(x: cos(angle + turn), y: sin(angle + turn))
      measure(in: maps)
    }
  }

  /// The cells at one place along the axis.
  private struct Slice {
    var count = 0.0
    /// The sum of their places across.
    var across = 0.0
  }

  /// Measures along the axis, a cell at a time.
  private mutating func measure(in maps: SpineMaps) {
    // No cell is farther from the middle, which lies between them.
    let most = maps.width + maps.height
    var slices = [Slice](repeating: Slice(), count: 2 * most + 1)
    for cell in cells {
      let (y, x) = cell.quotientAndRemainder(dividingBy: maps.width)
      let (along, across) = coordinates(of: Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
      let slice = most + Int(along.rounded())
      slices[slice].count += 1
      slices[slice].across += across
    }
    // A cell or two that stick out do not make an end.
    let usual = Double(cells.count) / Double(slices.count { $0.count > 0 })
    let whole = slices.indices.filter { slices[$0].count > 0 && slices[$0].count >= 0.3 * usual }
      .map { (along: Double($0 - most), slice: slices[$0]) }
    guard let first = whole.first?.along, let last = whole.last?.along else { return }
    reach = (first - 0.5)...(last + 0.5)
    course = StraightFit(whole.map { (x: $0.along, y: $0.slice.across / $0.slice.count) })
    width = StraightFit(whole.map { (x: $0.along, y: $0.slice.count) })
  }
}

/// A straight line through points, those far off left out.
struct StraightFit {
  var offset = 0.0
  var slope = 0.0

  func value(at x: Double) -> Double { offset + slope * x }

  init() {}

  /// Through two points.
  init(from first: (x: Double, y: Double), to last: (x: Double, y: Double)) {
    slope = (last.y - first.y) / max(last.x - first.x, 1e-9)
    offset = first.y - slope * first.x
  }

  /// Least squares, twice again without the points farther off than twice the mean distance.
  init(_ points: [(x: Double, y: Double)]) {
    var points = points
    for _ in 0..<3 {
      let count = Double(points.count)
      guard count > 0 else { return }
      let meanX = points.reduce(0) { $0 + $1.x } / count
      let meanY = points.reduce(0) { $0 + $1.y } / count
      let spread = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
      let common = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
      slope = spread > 1e-9 && count >= 4 ? common / spread : 0
      offset = meanY - slope * meanX
      let mean = points.reduce(0) { $0 + abs($1.y - value(at: $1.x)) } / count
      let kept = points.filter { abs($0.y - value(at: $0.x)) <= 2 * mean + 1e-9 }
      guard kept.count < points.count, kept.count >= 4 else { return }
      points = kept
    }
  }
}
