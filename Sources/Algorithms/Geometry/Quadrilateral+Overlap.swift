import _CLibrary

extension Quadrilateral {
  /// The area that both shapes share.
  ///
  /// Convex shapes are clipped against each other (Sutherland and Hodgman, "Reentrant polygon
  /// clipping", 1974). A shape that is not convex is cut into two triangles first. Either shape may
  /// turn either way. The result is meaningless if the sides of a shape cross, and NaN if a
  /// coordinate is not finite.
  public func intersectionArea(_ other: Quadrilateral) -> Double {
    guard isFinite, other.isFinite else { return .nan }
    var area = 0.0
    for part in convexParts {
      for otherPart in other.convexParts {
        area += abs(Geometry.signedArea(of: clipped(part, toConvex: otherPart)))
      }
    }
    return area
  }

  /// Intersection over union, 0...1; 0 if the shapes share no area.
  public func iou(_ other: Quadrilateral) -> Double {
    let shared = intersectionArea(other)
    if shared <= 0 { return 0 }
    return min(shared / (area + other.area - shared), 1)
  }

  /// The shape itself if it is convex, otherwise two triangles: cut along the diagonal inside.
  private var convexParts: [[Point]] {
    if isConvex { return [corners] }
    let corners = corners
    // The diagonal lies inside at the corner that turns the other way (the reflex one).
    let direction = signedArea
    let reflex =
      (0..<4).first { index in
        Point.cross(corners[(index + 3) % 4], corners[index], corners[(index + 1) % 4])
          * direction < 0
      } ?? 0
    let turned = (0..<4).map { corners[($0 + reflex) % 4] }
    return [[turned[0], turned[1], turned[2]], [turned[0], turned[2], turned[3]]]
  }
}

/// The area by the shoelace formula, about the first corner.
///
/// This avoids cancellation far from the origin.
func signedArea(of corners: [Point]) -> Double {
  guard let first = corners.first else { return 0 }
  var twice = 0.0
  for (a, b) in zip(corners.dropFirst(), corners.dropFirst(2)) {
    twice += Point.cross(first, a, b)
  }
  return twice / 2
}

/// The part of `subject` inside the convex `clip`, which may turn either way.
private func clipped(_ subject: [Point], toConvex clip: [Point]) -> [Point] {
  let direction = signedArea(of: clip)
  if direction == 0 { return [] }
  var result = subject
  for index in clip.indices {
    let a = clip[index]
    let b = clip[(index + 1) % clip.count]
    // The side of the line for each point: at least 0 is inside.
    let sides = result.map { Point.cross(a, b, $0) * (direction > 0 ? 1 : -1) }
    var next: [Point] = []
    for current in result.indices {
      let previous = current == 0 ? result.count - 1 : current - 1
      if (sides[current] >= 0) != (sides[previous] >= 0) {
        let share = sides[previous] / (sides[previous] - sides[current])
        let (from, to) = (result[previous], result[current])
        next.append(
          Point(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y)))
      }
      if sides[current] >= 0 { next.append(result[current]) }
    }
    result = next
    if result.isEmpty { break }
  }
  return result
}

/// The angle of an axis from the x axis towards the y axis, greater than -pi/2 and at most pi/2.
func axisAngle(dx: Double, dy: Double) -> Double {
  let angle = atan2(dy, dx)
  if angle > .pi / 2 { return angle - .pi }
  return angle <= -.pi / 2 ? angle + .pi : angle
}
