/// The corners of the smallest convex shape around points.
///
/// No corner is in line with its neighbours. Their order is clockwise on a screen, where y grows
/// downward. If their places in the input rise all the way round, the list begins with the corner
/// that is first in the input; if they fall, with the last. Otherwise it begins with the lowest of
/// the rightmost corners. This is OpenCV's order. It decides which of several rectangles of equal
/// area is found.
///
/// Source: Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.
///
/// - Complexity: O(*n* log *n*).
func convexHull(of points: ArraySlice<GridPoint>) -> [GridPoint] {
  let base = points.startIndex
  // Sorting by one number each: x, then y, then place in the input.
  var order = points.indices.sorted { a, b in
    let (p, q) = (points[a], points[b])
    return p.x != q.x ? p.x < q.x : (p.y != q.y ? p.y < q.y : a < b)
  }
  var kept = 0
  for index in order.indices where index == 0 || points[order[index]] != points[order[kept - 1]] {
    order[kept] = order[index]
    kept += 1
  }
  order.removeSubrange(kept...)
  guard order.count > 2 else { return order.map { points[$0] } }

  func half(_ order: some Sequence<Int>) -> [Int] {
    var chain: [Int] = []
    for place in order {
      while chain.count >= 2,
        turn(points[chain[chain.count - 2]], points[chain[chain.count - 1]], points[place]) <= 0
      {
        chain.removeLast()
      }
      chain.append(place)
    }
    return chain
  }
  // From the rightmost along the lower side of a screen to the leftmost, and back along the upper.
  var hull = half(order.reversed())
  hull.removeLast()
  hull += half(order)
  hull.removeLast()

  let descents = hull.indices.filter { hull[($0 + 1) % hull.count] < hull[$0] }
  if hull.count > 2, descents.count == 1 || descents.count == hull.count - 1 {
    let first =
      descents.count == 1
      ? hull.firstIndex(of: hull.min() ?? base) : hull.firstIndex(of: hull.max() ?? base)
    hull = Array(hull[(first ?? 0)...] + hull[..<(first ?? 0)])
  }
  return hull.map { points[$0] }
}

/// Above 0 if the way from `a` over `b` to `c` turns clockwise on a screen.
private func turn(_ a: GridPoint, _ b: GridPoint, _ c: GridPoint) -> Int64 {
  Int64(b.x - a.x) * Int64(c.y - a.y) - Int64(b.y - a.y) * Int64(c.x - a.x)
}
