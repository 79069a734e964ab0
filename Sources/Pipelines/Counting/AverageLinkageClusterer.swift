import Clustering
import Perception

/// Groups embeddings by agglomerative clustering: average linkage, cosine distance.
///
/// Two groups are joined while their mean distance, `1 - cosine`, is less than `1 - similarity`.
/// Labels equal those of scikit-learn's `AgglomerativeClustering` with `metric="cosine"`,
/// `linkage="average"` and that `distance_threshold`, numbering included.
///
/// Complexity: O(n² d) time and O(n²) memory for n rows of d values.
public struct AverageLinkageClusterer: EmbeddingClusterer {
  /// Makes a clusterer.
  public init() {}

  /// One label per row, counted from 0.
  ///
  /// - Throws: what `Clustering` throws, of a zero or non-finite row.
  public func labels(of embeddings: EmbeddingMatrix, similarity: Double) async throws -> [Int] {
    averageLinkage(
      (0..<embeddings.count).map { Array(embeddings[row: $0]).map(Double.init) }, 1 - similarity)
  }
}
