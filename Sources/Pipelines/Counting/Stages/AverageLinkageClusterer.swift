import Clustering
import LinearAlgebra
import VisionProtocols

/// Groups embeddings by agglomerative clustering: average linkage, cosine distance.
///
/// Two groups are joined while their mean distance, `1 - cosine`, is less than `1 - similarity`.
/// Labels equal those of scikit-learn's `AgglomerativeClustering` with `metric="cosine"`,
/// `linkage="average"` and that `distance_threshold`, numbering included.
///
/// Complexity: O(n² d) time for n rows of d values, O(n k d) if they form k groups that are far
/// apart; O(n²) memory at most.
public struct AverageLinkageClusterer: EmbeddingClusterer {
  /// Makes a clusterer.
  public init() {}

  /// One label per row, counted from 0.
  ///
  /// - Throws: `ClusteringError`: a zero or non-finite row, a similarity above 1.
  public func labels(of embeddings: EmbeddingMatrix, similarity: Double) async throws -> [Int] {
    let rows = try Matrix(
      rowCount: embeddings.count, columnCount: embeddings.dimension, elements: embeddings.values)
    return try AgglomerativeClustering(
      linkage: .average, metric: .cosine, cut: .similarity(similarity)
    ).fit(rows).labels
  }
}
