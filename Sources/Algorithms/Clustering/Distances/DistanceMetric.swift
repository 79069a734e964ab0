/// How far apart two embeddings are.
public enum DistanceMetric: String, Hashable, Sendable, Codable, CaseIterable {
  /// One minus the cosine of the angle between them, 0...2; lengths do not matter.
  case cosine
  /// The length of their difference.
  case euclidean
}

/// With how much care distances are computed.
public enum DistanceArithmetic: String, Hashable, Sendable, Codable, CaseIterable {
  /// Double precision, summed in the order in which SciPy 1.17 sums on x86-64, so that every distance
  /// equals SciPy's to the bit.
  ///
  /// Labels then equal scikit-learn's also where distances tie or nearly tie, duplicates among them.
  case reference
  /// Single precision on BLAS: many times faster on many long embeddings, and half the memory or less.
  ///
  /// In average linkage of cosine distances, merges that single precision cannot tell apart are decided in
  /// double precision, and from 200 rows on all merges' distances are computed in it: the tree is the
  /// reference's but where more than 64 clusters are equally near, as among hundreds of copies of one row. In other linkages and
  /// of Euclidean distances, labels can differ where two distances, or a distance and the threshold, are
  /// within about 1e-6 of each other.
  case fast
}

/// What agglomerative clustering holds in memory: every two things' distance, or every cluster's sum.
public enum ClusteringMethod: String, Hashable, Sendable, Codable, CaseIterable {
  /// Whatever is quickest within ``AgglomerativeClustering/memoryLimit``.
  ///
  /// In the fast arithmetic, average linkage of cosine distances first looks for parts that are farther
  /// apart than the cut and clusters them one by one; then no distance between rows of different parts
  /// is computed at all. All else holds distances.
  case automatic
  /// The distances of all pairs: n² / 2 numbers.
  case storedDistances
  /// The sum of each cluster's directions: n d numbers. Average linkage of cosine distances in the fast
  /// arithmetic alone.
  case clusterSums
}
