import LinearAlgebra

/// Single linkage by growing a minimum spanning tree.
///
/// Grown from thing 0, by the nearest thing outside at each step (the lowest index of several). An
/// edge is written down between the thing added before and the one added: once the edges are sorted
/// by length, stably, that names the same clusters as the edge's true end.
///
/// Sources: Prim, "Shortest connection networks and some generalizations", Bell System Technical
/// Journal 36 (1957); Müllner, arXiv:1109.2378 (2011), figure 6.
///
/// Time O(n²), memory O(n) beside the distances.
enum MinimumSpanningTree {
  static func edges<Scalar: MatrixScalar>(
    _ distances: CondensedDistances<Scalar>
  ) -> [FoundMerge] {
    let count = distances.count
    guard count > 1 else { return [] }
    var edges: [FoundMerge] = []
    edges.reserveCapacity(count - 1)
    var outside = Array(1..<count)
    var reach = [Scalar](repeating: .infinity, count: count)
    var added = 0
    while !outside.isEmpty {
      // One pass over plain memory; most of the time is spent here.
      let (nearest, least) = distances.values.withUnsafeBufferPointer { values in
        reach.withUnsafeMutableBufferPointer { reach in
          var nearest = 0
          var least = Scalar.infinity
          for (position, thing) in outside.enumerated() {
            let place = CondensedDistances<Scalar>.index(
              min(added, thing), max(added, thing), count: count)
            if values[place] < reach[thing] { reach[thing] = values[place] }
            if reach[thing] < least { (nearest, least) = (position, reach[thing]) }
          }
          return (nearest, least)
        }
      }
      let thing = outside.remove(at: nearest)
      edges.append(FoundMerge(first: added, second: thing, distance: Double(least)))
      added = thing
    }
    return edges
  }
}
