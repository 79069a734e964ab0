import VisionProtocols

/// Groups embeddings of things that are alike.
public struct ClusteringStage: Hashable, Sendable {
  /// The least mean cosine of two groups that are still one.
  public var similarity: Double

  /// Makes the stage.
  public init(similarity: Double = 0.8) {
    self.similarity = similarity
  }

  /// One label per embedding, counted from 0.
  ///
  /// With no embedding there is no cluster, with a single one there is one. The clusterer is not
  /// called then. `itemsOut` is the number of clusters.
  ///
  /// - Throws: ``CountingError`` if the clusterer answers another number of labels or a negative
  ///   one; what the clusterer throws.
  public func labels(
    of embeddings: EmbeddingMatrix, with clusterer: any EmbeddingClusterer
  ) async throws -> StageOutput<[Int]> {
    let labels =
      embeddings.count < 2
      ? Array(repeating: 0, count: embeddings.count)
      : try await clusterer.labels(of: embeddings, similarity: similarity)
    guard labels.count == embeddings.count else {
      throw CountingError.labelCount(expected: embeddings.count, got: labels.count)
    }
    if let crop = labels.firstIndex(where: { $0 < 0 }) {
      throw CountingError.negativeLabel(labels[crop], crop: crop)
    }
    return StageOutput(items: labels, itemsIn: embeddings.count, itemsOut: Set(labels).count)
  }
}
