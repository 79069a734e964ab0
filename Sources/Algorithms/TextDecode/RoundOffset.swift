import Geometry
import _CLibrary

/// A convex polygon moved outwards by a distance, its corners rounded.
///
/// On whole coordinates and with the steps of Clipper 6.4's `ClipperOffset` (`jtRound`, arcs at
/// most a quarter of a pixel off), whose corners the published code takes the rectangle of. Its
/// final union only drops points inside, which no rectangle around all notices.
///
/// Source: Chen and McMains, "Polygon offsetting by computing winding numbers", 2005.
struct RoundOffset {
  private let corners: [GridPoint]
  private let normals: [SIMD2<Double>]
  private let distance: Double
  private(set) var points: [GridPoint] = []

  /// Moves the sides of a convex polygon out; no points where fewer than three corners are left
  /// after repeated ones are dropped.
  init(_ polygon: [GridPoint], by distance: Double) {
    var distinct: [GridPoint] = []
    for corner in polygon where distinct.last != corner { distinct.append(corner) }
    while distinct.count > 1, distinct.last == distinct.first { distinct.removeLast() }
    // Corners go from the x axis towards the y axis.
    var twiceArea: Int64 = 0
    for (index, a) in distinct.enumerated() {
      let b = distinct[(index + 1) % distinct.count]
      twiceArea += Int64(a.x) * Int64(b.y) - Int64(b.x) * Int64(a.y)
    }
    if twiceArea < 0 { distinct.reverse() }
    corners = distinct
    self.distance = distance
    normals = distinct.indices.map { index in
      let (a, b) = (distinct[index], distinct[(index + 1) % distinct.count])
      let (dx, dy) = (Double(b.x - a.x), Double(b.y - a.y))
      let scale = 1 / (dx * dx + dy * dy).squareRoot()
      return SIMD2(dy * scale, -dx * scale)
    }
    guard distinct.count > 2, distance > 0 else { return }
    let tolerance = min(0.25, distance * 0.25)
    let steps = min(.pi / acos(1 - tolerance / distance), distance * .pi)
    let turn = (sine: sin(2 * .pi / steps), cosine: cos(2 * .pi / steps))
    for index in corners.indices {
      round(index, (index + corners.count - 1) % corners.count, steps / (2 * .pi), turn)
    }
  }

  /// The arc about one corner, from the normal of the side before it to that of the side after.
  private mutating func round(
    _ index: Int, _ before: Int, _ stepsPerRadian: Double, _ turn: (sine: Double, cosine: Double)
  ) {
    let (a, b) = (normals[before], normals[index])
    var sine = a.x * b.y - b.x * a.y
    let cosine = a.x * b.x + a.y * b.y
    if abs(sine * distance) < 1 {
      // So flat a corner that its arc is one point.
      if cosine > 0 { return append(index, a) }
    } else {
      sine = min(max(sine, -1), 1)
    }
    if sine < 0 {
      append(index, a)
      points.append(corners[index])
      return append(index, b)
    }
    let steps = max(Self.rounded(stepsPerRadian * abs(atan2(sine, cosine))), 1)
    var normal = a
    for _ in 0..<steps {
      append(index, normal)
      normal = SIMD2(
        normal.x * turn.cosine - turn.sine * normal.y, normal.x * turn.sine + normal.y * turn.cosine
      )
    }
    append(index, b)
  }

  private mutating func append(_ index: Int, _ normal: SIMD2<Double>) {
    points.append(
      GridPoint(
        x: Self.rounded(Double(corners[index].x) + normal.x * distance),
        y: Self.rounded(Double(corners[index].y) + normal.y * distance)))
  }

  /// The nearest whole number, halves away from zero.
  private static func rounded(_ value: Double) -> Int32 {
    let nearest = value.rounded(.toNearestOrAwayFromZero)
    return Int32(exactly: nearest) ?? (nearest < 0 ? .min / 2 : .max / 2)
  }
}
