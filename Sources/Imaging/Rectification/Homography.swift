import Geometry

/// A projective map of the plane: what a camera does to a flat thing.
///
/// Straight lines stay straight. Eight numbers say which map it is, two for each of four corners.
public struct Homography: Hashable, Sendable {
  /// The 3 x 3 matrix, row after row: (x, y, 1) goes to the first two rows' products, each divided
  /// by the third's.
  ///
  /// Scaled so that the last is 1, as OpenCV has it; where the origin goes to infinity the last is
  /// 0 and the largest magnitude is 1.
  public let elements: [Double]

  /// The map that leaves every point where it is.
  public static let identity = Homography(checked: [1, 0, 0, 0, 1, 0, 0, 0, 1])

  /// Finds the map that takes the corners of one shape to those of another, each to its namesake.
  ///
  /// Eight linear equations (Hartley and Zisserman, "Multiple View Geometry", 4.1) in coordinates
  /// that are moved and scaled to -1...1 (4.4.4), so that shapes of any size far from the origin
  /// lose no digits. Neither shape has to be convex, but no three corners of one may lie in a line.
  ///
  /// - Throws: ``RectificationError/nonFinite(_:)``, ``RectificationError/degenerate(_:)``.
  public init(from source: Quadrilateral, to target: Quadrilateral) throws(RectificationError) {
    let from = try ScaledCorners(source)
    let to = try ScaledCorners(target)
    var rows: [[Double]] = []
    var right: [Double] = []
    for (a, b) in zip(from.corners, to.corners) {
      rows.append([a.x, a.y, 1, 0, 0, 0, -a.x * b.x, -a.y * b.x])
      rows.append([0, 0, 0, a.x, a.y, 1, -a.x * b.y, -a.y * b.y])
      right += [b.x, b.y]
    }
    // With no three in a line the equations can only fail where the middle of the source goes to
    // infinity, which that of a convex shape never does.
    guard let solution = Self.solved(rows, right) else {
      throw .degenerate(target)
    }
    let scaled = to.leaving(from.entering(solution + [1]))
    guard let elements = Self.normalized(scaled) else { throw .nonFinite(target) }
    self.elements = elements
  }

  /// The x for which `rows` times x is `right`, by Gaussian elimination with partial pivoting; nil
  /// if a pivot is zero or the result is not finite.
  private static func solved(_ rows: [[Double]], _ right: [Double]) -> [Double]? {
    var rows = zip(rows, right).map { $0 + [$1] }
    let count = rows.count
    for column in 0..<count {
      var pivot = column
      for row in column..<count where abs(rows[row][column]) > abs(rows[pivot][column]) {
        pivot = row
      }
      rows.swapAt(column, pivot)
      guard rows[column][column] != 0 else { return nil }
      for row in column + 1..<count {
        let factor = rows[row][column] / rows[column][column]
        for place in column...count { rows[row][place] -= factor * rows[column][place] }
      }
    }
    var solution = [Double](repeating: 0, count: count)
    for row in (0..<count).reversed() {
      var sum = rows[row][count]
      for place in row + 1..<count { sum -= rows[row][place] * solution[place] }
      solution[row] = sum / rows[row][row]
    }
    return solution.allSatisfy(\.isFinite) ? solution : nil
  }

  private init(checked elements: [Double]) {
    self.elements = elements
  }

  /// The map of a matrix, scaled; nil if a number is not finite.
  private static func normalized(_ elements: [Double]) -> [Double]? {
    let byLast = elements.map { $0 / elements[8] }
    if byLast.allSatisfy(\.isFinite) { return byLast }
    let largest = elements.reduce(0) { max($0, $1.magnitude) }
    let byLargest = elements.map { $0 / largest }
    return byLargest.allSatisfy(\.isFinite) ? byLargest : nil
  }

  /// The map back.
  ///
  /// By the adjugate, which is the inverse except a factor that means nothing here; nil if there is
  /// no way back within the range of numbers.
  public var inverse: Homography? {
    let m = elements
    let adjugate = [
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
    ]
    return Self.normalized(adjugate).map(Homography.init(checked:))
  }

  /// The point to which the map takes a point; not finite if it is infinitely far away.
  public func apply(to point: Point) -> Point {
    let m = elements
    let w = depth(at: point)
    return Point(
      x: (m[0] * point.x + m[1] * point.y + m[2]) / w,
      y: (m[3] * point.x + m[4] * point.y + m[5]) / w)
  }

  /// What the map divides by at a point: its sign is the same wherever no infinity lies between.
  func depth(at point: Point) -> Double {
    elements[6] * point.x + elements[7] * point.y + elements[8]
  }
}

/// Four corners moved and scaled to -1...1 around their middle.
private struct ScaledCorners {
  let corners: [Point]
  private let middle: Point
  private let scale: Double

  /// The least part of the largest square that two sides must span not to be in a line.
  ///
  /// A strip of a millionth of its length spans some 1e-6; rounded coordinates in a line, 1e-16.
  private static let leastSpan = 1e-10

  init(_ quad: Quadrilateral) throws(RectificationError) {
    let xs = quad.corners.map(\.x)
    let ys = quad.corners.map(\.y)
    func middle(_ values: [Double]) -> Double {
      values.reduce(.infinity, min) / 2 + values.reduce(-.infinity, max) / 2
    }
    let center = Point(x: middle(xs), y: middle(ys))
    let moved = quad.corners.map { $0.translated(dx: -center.x, dy: -center.y) }
    let reach = moved.reduce(0) { max($0, $1.x.magnitude, $1.y.magnitude) }
    guard quad.isFinite, center.isFinite, reach.isFinite else { throw .nonFinite(quad) }
    guard reach > 0 else { throw .degenerate(quad) }
    let corners = moved.map { Point(x: $0.x / reach, y: $0.y / reach) }
    for index in 0..<4 {
      let (a, b, c) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
      let span = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
      guard span.magnitude > Self.leastSpan else { throw .degenerate(quad) }
    }
    self.corners = corners
    self.middle = center
    scale = reach
  }

  /// A map of scaled corners as one of the corners themselves: `m` times the scaling.
  func entering(_ m: [Double]) -> [Double] {
    stride(from: 0, to: 9, by: 3).flatMap { row in
      let (a, b) = (m[row] / scale, m[row + 1] / scale)
      return [a, b, m[row + 2] - a * middle.x - b * middle.y]
    }
  }

  /// A map to scaled corners as one to the corners themselves: the scaling back times `m`.
  func leaving(_ m: [Double]) -> [Double] {
    let x = (0..<3).map { scale * m[$0] + middle.x * m[6 + $0] }
    let y = (0..<3).map { scale * m[3 + $0] + middle.y * m[6 + $0] }
    return x + y + Array(m[6...])
  }
}
