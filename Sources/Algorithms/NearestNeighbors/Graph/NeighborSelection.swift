extension GraphView {
  /// Chooses neighbours among `candidates`, nearest first, that lie in different directions
  /// (algorithm 4 of the paper): one that is nearer to a chosen one than to the row itself is left
  /// out.
  ///
  /// - Parameter isFixed: Which candidates are chosen in any case; there are at most `limit`.
  func selectNeighbors(
    among candidates: [RankedRow], limit: Int, rowRuler: RowRuler,
    isFixed: ((Int32) -> Bool)? = nil
  ) -> [Int32] {
    var chosen: [Int32] = []
    chosen.reserveCapacity(limit)
    // Places that the fixed ones farther down will need.
    var reserved = 0
    if let isFixed { for candidate in candidates where isFixed(candidate.row) { reserved += 1 } }
    for candidate in candidates {
      if isFixed?(candidate.row) ?? false {
        reserved -= 1
        chosen.append(candidate.row)
        continue
      }
      if chosen.count + reserved >= limit {
        if reserved == 0 { break }
        continue
      }
      if isApart(candidate, from: chosen, rowRuler) { chosen.append(candidate.row) }
    }
    return chosen
  }

  /// Whether a candidate is nearer to the row in question than to all of `chosen`, or as near.
  @inline(__always) private func isApart(
    _ candidate: RankedRow, from chosen: [Int32], _ rowRuler: RowRuler
  ) -> Bool {
    let ruler = rowRuler.ruler(of: vector(candidate.row))
    let distance = candidate.distance
    for other in chosen where ruler.distance(vector(other)) < distance { return false }
    return true
  }
}
