/// Whether a point lies in a polygon, including its sides.
///
/// A point is inside if a ray to infinity crosses the sides an odd number of times. The last corner
/// is joined to the first; sides may cross. A polygon without corners contains no point.
///
/// Complexity: O(n) for n corners.
package func polygon(_ corners: [Point], contains point: Point) -> Bool {
  guard var a = corners.last else { return false }
  var isInside = false
  for b in corners {
    if Point.cross(a, b, point) == 0, point.x >= min(a.x, b.x), point.x <= max(a.x, b.x),
      point.y >= min(a.y, b.y), point.y <= max(a.y, b.y)
    {
      return true
    }
    if (a.y > point.y) != (b.y > point.y) {
      let crossing = a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
      if point.x < crossing { isInside.toggle() }
    }
    a = b
  }
  return isInside
}
