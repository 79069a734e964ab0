import Clustering
import LinearAlgebra
import VisionProtocols

/// Estimates the number of kinds, and assigns each object to one.
///
/// A fixed similarity threshold would have to be known in advance, and differs between coins and
/// sweets. So the objects of the photo decide. Average linkage on cosine distances makes a tree,
/// and the tree is cut into 2 to ``mostKinds`` kinds. The cut with the greatest mean silhouette is
/// used if the silhouette is at least ``leastSilhouette`` and at least two kinds have two objects
/// or more. Otherwise all objects are one kind.
///
/// The silhouette is relative: if all coins with the same face look almost equal, the two faces of
/// one coin can be separated as well as two kinds of sweets. For an embedder that was trained to
/// recognize kinds, absolute distances say more; ``leastDistance`` sets a limit for those.
///
/// Complexity: O(n² d) time and O(n²) memory for n rows of d values.
package struct KindStage: Hashable, Sendable {
  /// The least mean silhouette for which there is more than one kind, -1...1; nil takes all for
  /// one.
  package var leastSilhouette: Double?
  /// The least mean cosine distance between objects of different kinds, 0...2.
  ///
  /// It is 0 for embedders whose distances have no known meaning.
  package var leastDistance: Double
  /// The greatest number of kinds, at least 1.
  package var mostKinds: Int
  /// Fewer things than this are always one kind.
  package var leastCount: Int

  /// A cut whose silhouette is this much too small is still a sensible reading.
  private static let doubtful = 0.1

  /// Cuts whose silhouettes differ by no more than this are equally sensible.
  private static let tied = 0.02

  /// What the stage answers.
  package struct Kinds: Hashable, Sendable {
    /// The kind of each thing: 0 has most things (of equally many, more score, then the first
    /// thing).
    package let labels: [Int]
    /// The labels by the best cut, taken or not: had it been decided the other way.
    package let bestLabels: [Int]
    /// The mean silhouette of the best cut, even if it was not used; nil if none was tried.
    package let silhouette: Double?
    /// All things as one kind, and as the best cut divides them, if that cut was taken or nearly.
    ///
    /// Red and green sweets are sweets, too. With them are the cuts that are as sensible as the one
    /// taken.
    package var readings: KindReadings?
  }

  /// Makes the stage.
  package init(
    leastSilhouette: Double? = 0.5, leastDistance: Double = 0, mostKinds: Int = 8,
    leastCount: Int = 5
  ) {
    self.leastSilhouette = leastSilhouette
    self.leastDistance = leastDistance
    self.mostKinds = mostKinds
    self.leastCount = leastCount
  }

  /// Whether this number of objects needs embeddings.
  package func needsEmbeddings(for count: Int) -> Bool {
    leastSilhouette != nil && count >= leastCount && mostKinds > 1
  }

  /// The kinds of the objects.
  ///
  /// - Parameters:
  ///   - embeddings: one row per object; no row is zero.
  ///   - scores: the detector's score of each object, one per row.
  /// - Throws: `ClusteringError` if a row is zero or not finite;
  ///   ``CountingError/labelCount(expected:got:)`` if the numbers of scores and rows differ.
  package func kinds(of embeddings: EmbeddingMatrix, scores: [Float]) throws -> Kinds {
    guard scores.count == embeddings.count else {
      throw CountingError.labelCount(expected: embeddings.count, got: scores.count)
    }
    var labels = [Int](repeating: 0, count: embeddings.count)
    var bestLabels = labels
    var best: Double?
    var ties: [KindReading] = []
    if let leastSilhouette, needsEmbeddings(for: embeddings.count) {
      let distances = try CondensedDistances(
        cosineBetween: Matrix(
          rowCount: embeddings.count, columnCount: embeddings.dimension,
          elements: embeddings.values))
      let tree = try AgglomerativeClustering(cut: .count(1)).fit(distances).dendrogram
      let cuts = try tree.cuts(into: 2...max(2, mostKinds), distances: distances) { labels in
        // One odd thing is not a second kind.
        let sizes = ClusterSizes(labels: labels).sizes.values
        return sizes.count { $0 > 1 } > 1
      }
      if let cut = Dendrogram.best(of: cuts) {
        (best, bestLabels) = (cut.silhouette.mean, cut.labels)
        let isFarApart = { (labels: [Int]) in
          Self.distanceApart(labels, distances) >= leastDistance
        }
        if cut.silhouette.mean >= leastSilhouette, isFarApart(cut.labels) {
          labels = cut.labels
          ties = cuts.filter {
            $0.labels != cut.labels && $0.silhouette.mean >= cut.silhouette.mean - Self.tied
              && isFarApart($0.labels)
          }.map { KindReading(labels: Self.numberedBySize($0.labels, scores: scores)) }
        }
      }
    }
    let bestNumbered = Self.numberedBySize(bestLabels, scores: scores)
    var kinds = Kinds(
      labels: Self.numberedBySize(labels, scores: scores), bestLabels: bestNumbered,
      silhouette: best)
    if let best, let leastSilhouette, best >= leastSilhouette - Self.doubtful {
      kinds.readings = KindReadings(
        coarser: KindReading(labels: labels.map { _ in 0 }),
        finer: KindReading(labels: bestNumbered), ties: ties)
    }
    return kinds
  }

  /// The mean distance between things of different kinds.
  private static func distanceApart(
    _ labels: [Int], _ distances: CondensedDistances<Float>
  ) -> Double {
    var (sum, count, pair) = (0.0, 0, 0)
    for first in labels.indices {
      for second in labels.indices.dropFirst(first + 1) {
        if labels[first] != labels[second] {
          sum += Double(distances.values[pair])
          count += 1
        }
        pair += 1
      }
    }
    return count > 0 ? sum / Double(count) : 0
  }

  /// Labels renumbered from the kind with most things down.
  static func numberedBySize(_ labels: [Int], scores: [Float]) -> [Int] {
    var members: [Int: (count: Int, score: Double, first: Int)] = [:]
    for (index, label) in labels.enumerated() {
      let before = members[label] ?? (0, 0, index)
      members[label] = (before.count + 1, before.score + Double(scores[index]), before.first)
    }
    let order = members.sorted { a, b in
      (b.value.count, b.value.score, a.value.first) < (a.value.count, a.value.score, b.value.first)
    }
    let numbers = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1.key, $0) })
    return labels.map { numbers[$0] ?? 0 }
  }
}
