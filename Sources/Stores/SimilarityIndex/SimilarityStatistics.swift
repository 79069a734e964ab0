import Foundation
import NearestNeighbors

/// What there is to say of an index.
public struct SimilarityStatistics: Hashable, Sendable {
  /// What a graph says of itself.
  public struct Graph: Hashable, Sendable {
    /// The number of rows that it was made of; later ones are compared one by one.
    public let rows: Int
    /// How many bytes it takes.
    public let bytes: Int
    /// The share of the ten nearest that it found when it was made, 0 to 1, with a search breadth
    /// of 128.
    public let recall: Double
    /// With how many of the entries as queries that was measured.
    public let queries: Int
  }

  /// How many entries there are.
  public let entries: Int
  /// How many values a vector has.
  public let dimension: Int
  /// The metric of the distances.
  public let metric: VectorMetric
  /// How exactly vectors are kept.
  public let precision: VectorPrecision
  /// How many bytes all files take.
  public let bytes: Int
  /// How many bytes vectors take, dead ones too.
  public let vectorBytes: Int
  /// How many bytes payloads take, dead ones too.
  public let payloadBytes: Int
  /// The share of the bytes of log, vectors and payloads that only removed or replaced entries
  /// have, 0 to 1: what compaction gives back.
  public let deadShare: Double
  /// The number of the last commit.
  public let commit: UInt64
  /// How many bytes of the log follow that: what a writer at work has written, or one that was
  /// stopped.
  public let uncommittedBytes: Int
  /// The graph, if there is one.
  public let graph: Graph?
  /// Whether searches go through it.
  public let isApproximate: Bool
}

extension SimilarityReader {
  /// What there is to say of the index.
  ///
  /// - Complexity: O(1), except a graph, which is read once.
  public var statistics: SimilarityStatistics {
    let state = files.state
    let stride = layout.rowStride
    let (entries, rows) = (files.entries.bytes.count, files.vectors.bytes.count)
    let payloads = files.payloads.bytes.count
    let total = entries + rows + payloads
    // A compacted log has a record an entry, and a commit.
    let dead =
      (state.recordCount - 1 - state.liveCount) * IndexFormat.recordLength
      + (state.rowCount - state.liveCount) * stride
      + state.commit.payloadBytes - state.livePayloadBytes
    return SimilarityStatistics(
      entries: state.liveCount, dimension: layout.dimension, metric: layout.metric,
      precision: layout.precision, bytes: total + graph.byteCount,
      vectorBytes: state.rowCount * stride, payloadBytes: state.commit.payloadBytes,
      deadShare: Double(dead) / Double(total), commit: commit,
      uncommittedBytes: files.tornBytes,
      graph: graph.facts.map {
        SimilarityStatistics.Graph(
          rows: Int($0.rows), bytes: graph.byteCount, recall: Double($0.recall) / 1e6,
          queries: Int($0.queries))
      },
      isApproximate: isApproximate)
  }
}
