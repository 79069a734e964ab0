extension GraphView {
  /// Chooses neighbours in different directions among `candidates`, nearest first.
  ///
  /// A candidate that is nearer to a chosen one than to the row itself is left out (algorithm 4 of
  /// the paper).
  ///
  /// - Parameter isFixed: whether a candidate is chosen in any case; there are at most `limit`.
  func selectNeighbors(
    among candidates: [RankedRow], limit: Int, rowRuler: RowRuler,
    isFixed: ((Int32) -> Bool)? = nil
  ) -> [Int32] {
    var chosen: [Int32] = []
    chosen.reserveCapacity(limit)
    // The number of places for fixed candidates that come later.
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

  /// Whether a candidate is at least as near to the row in question as to all of `chosen`.
  @inline(__always) private func isApart(
    _ candidate: RankedRow, from chosen: [Int32], _ rowRuler: RowRuler
  ) -> Bool {
    let ruler = rowRuler.ruler(of: vector(candidate.row))
    let distance = candidate.distance
    for other in chosen where ruler.distance(vector(other)) < distance { return false }
    return true
  }
}
