import VisionProtocols

/// The kinds of a photo that a person meant.
///
/// Kinds are found from the photo itself, as without exemplars. A kind is counted if it contains an
/// exemplar to count, or if it is similar to rows known from elsewhere. If these kinds contain only
/// the exemplars themselves, all objects similar to them are counted. Then objects that are nearer
/// to an exemplar not to count than to any exemplar to count are left out.
struct GuidedKinds: Sendable {
  /// The places of objects to count among the photo's own.
  var like: [Int] = []
  /// The places of objects not to count.
  var unlike: [Int] = []
  /// Rows of length 1 of things to count that are not among the photo's objects.
  var likeRows: [[Float]] = []
  /// Rows of length 1 of things not to count that are not among the photo's objects.
  var unlikeRows: [[Float]] = []
  /// The least cosine to rows to count: of a kind's objects, on average, to ``likeRows``; of an
  /// object to ``like`` if those are alone in their kind; -1...1.
  var leastLikeness: Float = 0.55

  /// Whether each object is of a kind that was meant.
  ///
  /// - Parameters:
  ///   - rows: the objects' embeddings.
  ///   - labels: their kinds.
  /// - Complexity: O(n k d) for n objects, k rows of d values.
  func isMeant(_ rows: EmbeddingMatrix, labels: [Int]) -> [Bool] {
    let toCount = likeRows + like.map { Array(rows[row: $0]) }
    let toLeave = unlikeRows + unlike.map { Array(rows[row: $0]) }
    let meant = meantKinds(rows, labels: labels)
    // A kind of exemplars only is useless: no one draws a box around one object to get a count of
    // 1.
    let isAlone =
      likeRows.isEmpty
      && labels.indices.allSatisfy { !meant.contains(labels[$0]) || like.contains($0) }
    return labels.indices.map { place in
      guard !unlike.contains(place) else { return false }
      if like.contains(place) { return true }
      let row = rows[row: place]
      guard
        isAlone
          ? Self.nearest(row, among: toCount) ?? -1 >= leastLikeness
          : meant.contains(labels[place])
      else { return false }
      guard let other = Self.nearest(row, among: toLeave) else { return true }
      return other <= Self.nearest(row, among: toCount) ?? leastLikeness
    }
  }

  /// The kinds to count.
  private func meantKinds(_ rows: EmbeddingMatrix, labels: [Int]) -> Set<Int> {
    var meant = Set(like.map { labels[$0] })
    var refused = Set(unlike.map { labels[$0] })
    for (kind, members) in Dictionary(grouping: labels.indices, by: { labels[$0] }) {
      let likeness = Self.mean(members, rows, among: likeRows)
      let unlikeness = Self.mean(members, rows, among: unlikeRows)
      if let likeness, likeness >= leastLikeness, likeness >= unlikeness ?? -1 {
        meant.insert(kind)
      } else if let unlikeness, unlikeness >= leastLikeness {
        refused.insert(kind)
      }
    }
    if !like.isEmpty || !likeRows.isEmpty { return meant }
    // Only what not to count is known: the largest of the other kinds is meant.
    let sizes = ClusterSizes(labels: labels.filter { !refused.contains($0) }).sizes
    return sizes.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { [$0.key] }
      ?? Set(labels)
  }

  /// The mean over some objects of the greatest cosine to rows; nil if there are no objects or
  /// rows.
  private static func mean(
    _ members: [Int], _ rows: EmbeddingMatrix, among others: [[Float]]
  ) -> Float? {
    guard !others.isEmpty, !members.isEmpty else { return nil }
    let sum = members.reduce(Float(0)) { $0 + (nearest(rows[row: $1], among: others) ?? 0) }
    return sum / Float(members.count)
  }

  /// The greatest cosine of a row to others; nil if there are none.
  static func nearest(_ row: ArraySlice<Float>, among others: [[Float]]) -> Float? {
    others.map { other in zip(row, other).reduce(Float(0)) { $0 + $1.0 * $1.1 } }.max()
  }
}
