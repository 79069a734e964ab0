/// The distance of a point from the nearest side of a polygon, 0 or more.
///
/// A point inside has a distance too. The last corner is joined to the first; sides may have no
/// length. It is infinite if there are no corners or none of the coordinates are finite.
///
/// Complexity: O(n) for n corners.
package func polygon(_ corners: [Point], distanceTo point: Point) -> Double {
  guard var start = corners.last else { return .infinity }
  var nearest = Double.infinity
  for end in corners {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let square = dx * dx + dy * dy
    let along = ((point.x - start.x) * dx + (point.y - start.y) * dy) / square
    let share = square > 0 ? min(max(along, 0), 1) : 0
    nearest = min(nearest, point.distance(to: start.translated(dx: share * dx, dy: share * dy)))
    start = end
  }
  return nearest
}
