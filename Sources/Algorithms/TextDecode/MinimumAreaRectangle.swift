import Geometry
import _CLibrary

/// The smallest rectangle, turned as need be, around points.
///
/// In float32 and by the steps of OpenCV 5's `minAreaRect` and `boxPoints`, because corners are
/// rounded to pixels afterwards and a last place decides between two.
///
/// Source: Toussaint, "Solving geometric problems with the rotating calipers", 1983.
struct MinimumAreaRectangle {
  /// The corners: upper left, upper right, lower right and lower left, by the two leftmost and the
  /// two rightmost.
  let corners: [SIMD2<Float>]
  /// The length of the shorter sides.
  let shortSide: Float

  /// Finds the rectangle; there is at least one point.
  init(around points: ArraySlice<GridPoint>) {
    let hull = convexHull(of: points).map { SIMD2(Float($0.x), Float($0.y)) }
    var center = hull.first ?? .zero
    var size = SIMD2<Float>.zero
    var angle = -Double.pi / 2
    if hull.count > 2 {
      let (corner, along, across) = Self.calipers(hull)
      center = corner + (along + across) * 0.5
      size = SIMD2(Self.length(across), Self.length(along))
      if along.x == 0, along.y > 0 {
        size = SIMD2(size.y, size.x)
      } else {
        angle = -atan2(Double(along.x), Double(along.y))
      }
    } else if hull.count == 2 {
      center = (hull[0] + hull[1]) * 0.5
      let difference = hull[0] - hull[1]
      size = SIMD2(0, Self.length(difference))
      if difference.x == 0 {
        size = SIMD2(size.y, 0)
      } else if difference.y < 0 {
        angle = atan2(Double(difference.y), Double(difference.x))
        size = SIMD2(size.y, 0)
      } else if difference.y > 0 {
        angle = -atan2(Double(difference.x), Double(difference.y))
      }
    }
    corners = Self.ordered(
      Self.corners(center: center, size: size, degrees: Float(angle * 180 / .pi)))
    shortSide = min(size.x, size.y)
  }

  private static func length(_ vector: SIMD2<Float>) -> Float {
    let (x, y) = (Double(vector.x), Double(vector.y))
    return Float((x * x + y * y).squareRoot())
  }

  private static func corners(
    center: SIMD2<Float>, size: SIMD2<Float>, degrees: Float
  ) -> [SIMD2<Float>] {
    let radians = Double(degrees) * .pi / 180
    let b = Float(cos(radians)) * 0.5
    let a = Float(sin(radians)) * 0.5
    let (aw, ah, bw, bh) = (a * size.x, a * size.y, b * size.x, b * size.y)
    let (x, y) = (center.x, center.y)
    return [
      SIMD2(x - ah - bw, y + bh - aw), SIMD2(x + ah - bw, y - bh - aw),
      SIMD2(x + ah + bw, y - bh + aw), SIMD2(x - ah + bw, y + bh + aw),
    ]
  }

  /// The two leftmost, the upper first, around the two rightmost, the upper first.
  private static func ordered(_ corners: [SIMD2<Float>]) -> [SIMD2<Float>] {
    let order = corners.indices.sorted { a, b in
      corners[a].x != corners[b].x ? corners[a].x < corners[b].x : a < b
    }
    let sorted = order.map { corners[$0] }
    let (topLeft, bottomLeft) =
      sorted[1].y > sorted[0].y ? (sorted[0], sorted[1]) : (sorted[1], sorted[0])
    let (topRight, bottomRight) =
      sorted[3].y > sorted[2].y ? (sorted[2], sorted[3]) : (sorted[3], sorted[2])
    return [topLeft, topRight, bottomRight, bottomLeft]
  }

  /// One corner of the rectangle of a hull of three corners or more, and its sides from there.
  private static func calipers(
    _ hull: [SIMD2<Float>]
  ) -> (corner: SIMD2<Float>, along: SIMD2<Float>, across: SIMD2<Float>) {
    let count = hull.count
    let sides = hull.indices.map { hull[($0 + 1) % count] - hull[$0] }
    func extreme(_ isBeyond: (SIMD2<Float>, SIMD2<Float>) -> Bool) -> Int {
      hull.indices.dropFirst().reduce(0) { isBeyond(hull[$1], hull[$0]) ? $1 : $0 }
    }
    // The corners that the four sides of the rectangle touch: the upper, right, lower, left one.
    var touched = [
      extreme { $0.y < $1.y }, extreme { $0.x > $1.x }, extreme { $0.y > $1.y },
      extreme { $0.x < $1.x },
    ]
    var least = Float.greatestFiniteMagnitude
    var best = (left: 0, upper: 0, base: SIMD2<Float>(1, 0), width: Float(0), height: Float(0))
    for _ in 0..<count {
      // The hull's side that the rectangle reaches first as it turns, each seen from the upper
      // side.
      var first = 0
      for side in 1..<4
      where isClockwise(
        from: turnedBack(sides[touched[side]], quarters: side),
        to: turnedBack(sides[touched[first]], quarters: first))
      {
        first = side
      }
      let vector = sides[touched[first]]
      let (x, y) = (Double(vector.x), Double(vector.y))
      let inverse = Float(1 / (x * x + y * y).squareRoot())
      let base = turnedBack(vector * inverse, quarters: first)
      touched[first] = (touched[first] + 1) % count

      let across = hull[touched[1]] - hull[touched[3]]
      let width = across.x * base.x + across.y * base.y
      let down = hull[touched[2]] - hull[touched[0]]
      let height = -down.x * base.y + down.y * base.x
      let area = width * height
      if area <= least {
        least = area
        best = (touched[3], touched[0], base, width, height)
      }
    }
    let (a, b) = (best.base, SIMD2(-best.base.y, best.base.x))
    let (left, upper) = (hull[best.left], hull[best.upper])
    let c1 = a.x * left.x + left.y * a.y
    let c2 = b.x * upper.x + upper.y * b.y
    let inverse = 1 / (a.x * b.y - b.x * a.y)
    let corner = SIMD2((c1 * b.y - c2 * a.y) * inverse, (a.x * c2 - b.x * c1) * inverse)
    return (corner, a * best.width, b * best.height)
  }

  /// A vector turned back by right angles: how it lies seen from the side before.
  private static func turnedBack(_ vector: SIMD2<Float>, quarters: Int) -> SIMD2<Float> {
    switch quarters {
    case 0: vector
    case 1: SIMD2(vector.y, -vector.x)
    case 2: -vector
    default: SIMD2(-vector.y, vector.x)
    }
  }

  /// Whether the shorter turn from the first vector to the second is clockwise on a screen.
  private static func isClockwise(from a: SIMD2<Float>, to b: SIMD2<Float>) -> Bool {
    a.y * b.x + -a.x * b.y < 0
  }
}
