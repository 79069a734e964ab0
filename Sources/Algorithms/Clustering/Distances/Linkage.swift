/// How far apart two clusters are, given how far apart their members are.
public enum Linkage: String, Hashable, Sendable, Codable, CaseIterable {
  /// The mean of the distances between a member of the one and a member of the other.
  case average
  /// The largest of those distances.
  case complete
  /// The smallest of those distances.
  case single
  /// The mean of the distances of the two clusters that a cluster was merged from, for any sizes.
  case weighted
  /// By how much the sum of squares about the means would grow, as a distance: the root of twice
  /// that.
  ///
  /// Euclidean distances alone mean this.
  case ward
}

/// The rule for cutting a dendrogram into clusters.
public enum DendrogramCut: Hashable, Sendable, Codable {
  /// Merges below this distance hold: 0 or more. A merge exactly at it does not.
  case distance(Double)
  /// This number of clusters, from 1 to the number of items.
  case count(Int)

  /// The cut at a cosine distance of `1 - similarity`: groups whose similarity is above it are one.
  public static func similarity(_ similarity: Double) -> DendrogramCut {
    .distance(1 - similarity)
  }

  /// The distance, if the rule is a distance.
  var threshold: Double? {
    if case .distance(let distance) = self { return distance }
    return nil
  }
}
