import LinearAlgebra

/// The silhouettes of items: how well they fit their clusters.
///
/// An item's silhouette is `(b - a) / max(a, b)`, where `a` is its mean distance to the others of
/// its cluster and `b` the least mean distance to all of another cluster. It lies in -1...1. Near 1
/// the item fits its cluster, near 0 it lies between two clusters, below 0 it is in the wrong one.
/// An item alone in its cluster has 0, and so has one whose `a` and `b` are both 0. Equal to
/// scikit-learn's `silhouette_samples` up to rounding.
///
/// Source: Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of cluster
/// analysis", 1987.
public struct Silhouette: Hashable, Sendable {
  /// The silhouette of each thing, in order, -1...1.
  public let samples: [Double]
  /// Their mean: how well the whole clustering fits, -1...1.
  public let mean: Double

  /// Measures a clustering.
  ///
  /// - Parameters:
  ///   - labels: one label a thing, counted from 0; labels without a thing are skipped.
  ///   - distances: the distances between the things.
  /// - Complexity: O(n²) time, O(n k) memory for n things in k clusters.
  /// - Throws: ``ClusteringError/labelCount(labels:rows:)``,
  ///   ``ClusteringError/labelOutOfRange(index:label:)``;
  ///   ``ClusteringError/noSilhouette(clusters:things:)`` unless there are at least two clusters
  ///   and fewer than things.
  @_specialize(where Scalar == Double)
  @_specialize(where Scalar == Float)
  public init<Scalar: MatrixScalar>(
    labels: [Int], distances: CondensedDistances<Scalar>
  ) throws(ClusteringError) {
    let count = distances.count
    guard labels.count == count else { throw .labelCount(labels: labels.count, rows: count) }
    if let index = labels.firstIndex(where: { !(0..<count).contains($0) }) {
      throw .labelOutOfRange(index: index, label: labels[index])
    }
    let width = (labels.max() ?? -1) + 1
    var sizes = [Int](repeating: 0, count: width)
    for label in labels { sizes[label] += 1 }
    let clusters = sizes.count { $0 > 0 }
    guard clusters >= 2, clusters < count else {
      throw .noSilhouette(clusters: clusters, things: count)
    }

    // Every thing's distances, added up by the cluster they lead to.
    var sums = [Double](repeating: 0, count: count * width)
    var pair = 0
    for first in 0..<count - 1 {
      for second in first + 1..<count {
        let distance = Double(distances.values[pair])
        pair += 1
        sums[first * width + labels[second]] += distance
        sums[second * width + labels[first]] += distance
      }
    }
    samples = (0..<count).map { thing in
      let own = labels[thing]
      guard sizes[own] > 1 else { return 0 }
      let inside = sums[thing * width + own] / Double(sizes[own] - 1)
      var outside = Double.infinity
      for label in 0..<width where label != own && sizes[label] > 0 {
        outside = min(outside, sums[thing * width + label] / Double(sizes[label]))
      }
      let larger = max(inside, outside)
      return larger > 0 ? (outside - inside) / larger : 0
    }
    mean = samples.reduce(0, +) / Double(count)
  }
}

extension Dendrogram {
  /// The cut with the greatest mean silhouette among `counts`, the one with fewest clusters in a
  /// tie.
  ///
  /// - Parameters:
  ///   - counts: the numbers of clusters to try; those below 2, or not below the number of things,
  ///     have no silhouette and are skipped.
  ///   - distances: the distances that the tree was made of.
  ///   - isAllowed: whether a cut, given as one label per item, is allowed.
  /// - Returns: nil if no cut is left to try.
  /// - Complexity: O(n² m) for m numbers of clusters.
  /// - Throws: ``ClusteringError/distanceCount(things:expected:found:)`` if the distances are not
  ///   between as many things as the tree has.
  public func bestCut<Scalar: MatrixScalar>(
    into counts: ClosedRange<Int>, distances: CondensedDistances<Scalar>,
    where isAllowed: ([Int]) -> Bool = { _ in true }
  ) throws(ClusteringError) -> (labels: [Int], silhouette: Silhouette)? {
    Self.best(of: try cuts(into: counts, distances: distances, where: isAllowed))
  }

  /// The cut with the greatest mean silhouette, the first one in a tie; nil if there are none.
  package static func best(
    of cuts: [(labels: [Int], silhouette: Silhouette)]
  ) -> (labels: [Int], silhouette: Silhouette)? {
    var best: (labels: [Int], silhouette: Silhouette)?
    for cut in cuts where cut.silhouette.mean > best?.silhouette.mean ?? -.infinity { best = cut }
    return best
  }

  /// The cuts into each of `counts` clusters with their silhouettes, those into fewer clusters
  /// first.
  ///
  /// Parameters, complexity and errors are those of ``bestCut(into:distances:where:)``.
  package func cuts<Scalar: MatrixScalar>(
    into counts: ClosedRange<Int>, distances: CondensedDistances<Scalar>,
    where isAllowed: ([Int]) -> Bool = { _ in true }
  ) throws(ClusteringError) -> [(labels: [Int], silhouette: Silhouette)] {
    guard distances.count == leafCount else {
      throw .distanceCount(
        things: leafCount, expected: leafCount * (leafCount - 1) / 2,
        found: distances.values.count)
    }
    guard leafCount > 2, counts.overlaps(2...leafCount - 1) else { return [] }
    var cuts: [(labels: [Int], silhouette: Silhouette)] = []
    for count in counts.clamped(to: 2...leafCount - 1) {
      let labels = try labels(cut: .count(count))
      guard isAllowed(labels) else { continue }
      cuts.append((labels, try Silhouette(labels: labels, distances: distances)))
    }
    return cuts
  }
}
