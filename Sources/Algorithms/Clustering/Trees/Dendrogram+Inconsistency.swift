/// How a merge's distance compares with those of the merges close below it.
public struct MergeInconsistency: Hashable, Sendable {
  /// The mean distance of the compared merges, including the merge itself.
  public let mean: Double
  /// Their sample standard deviation; 0 of a single one.
  public let deviation: Double
  /// The number of compared merges.
  public let count: Int
  /// How many deviations the merge lies above the mean; 0 if there is no deviation.
  public let coefficient: Double
}

extension Dendrogram {
  /// The inconsistency of every merge, as SciPy's `inconsistent` has it, to the bit.
  ///
  /// A merge is compared with the merges below it, down to `depth` levels of which it is the first.
  ///
  /// *Edge cases.* The deviation is the root of a difference of sums of squares, taken in SciPy's
  /// order. If the compared merges have the same distance, it can be a rounding error instead of 0.
  /// The coefficient then means nothing.
  ///
  /// - Complexity: O(n · min(n, 2^depth)).
  /// - Throws: ``ClusteringError/invalidDepth(_:)``.
  public func inconsistency(depth: Int = 2) throws(ClusteringError) -> [MergeInconsistency] {
    guard depth >= 1 else { throw .invalidDepth(depth) }
    var pending: [(merge: Int, level: Int)] = []
    var found: [Int] = []
    return merges.indices.map { index in
      found.removeAll(keepingCapacity: true)
      pending.append((index, 1))
      while let (merge, level) = pending.popLast() {
        found.append(merge)
        guard level < depth else { continue }
        for node in [merges[merge].left, merges[merge].right] where node >= leafCount {
          pending.append((node - leafCount, level + 1))
        }
      }
      // Each merge was found before its right part, and that before the left one; backwards it is
      // the order in which SciPy adds, and rounds.
      var (sum, squares) = (0.0, 0.0)
      for merge in found.reversed() {
        let distance = merges[merge].distance
        sum += distance
        squares += distance * distance
      }
      let count = Double(found.count)
      let mean = sum / count
      let variance = found.count > 1 ? (squares - sum * sum / count) / (count - 1) : 0
      guard variance > 0 else {
        return MergeInconsistency(mean: mean, deviation: 0, count: found.count, coefficient: 0)
      }
      let deviation = variance.squareRoot()
      return MergeInconsistency(
        mean: mean, deviation: deviation, count: found.count,
        coefficient: (merges[index].distance - mean) / deviation)
    }
  }

  /// For every merge the largest distance of it and the merges below it: SciPy's `maxdists`.
  ///
  /// - Complexity: O(n).
  public var maximumDistances: [Double] { maxima(merges.map(\.distance)) }

  /// The largest of `values` of each merge and the merges below it.
  ///
  /// With the values of ``inconsistency(depth:)``, these are SciPy's `maxinconsts` and `maxRstat`.
  ///
  /// - Complexity: O(n).
  /// - Throws: ``ClusteringError/mergeValueCount(merges:found:)``,
  ///   ``ClusteringError/invalidMergeValue(index:)`` for a value that is NaN.
  public func maximaBelow(_ values: [Double]) throws(ClusteringError) -> [Double] {
    guard values.count == merges.count else {
      throw .mergeValueCount(merges: merges.count, found: values.count)
    }
    if let index = values.firstIndex(where: \.isNaN) { throw .invalidMergeValue(index: index) }
    return maxima(values)
  }

  /// Whether no merge is at a lower distance than the one before.
  ///
  /// - Complexity: O(n).
  public var isMonotonic: Bool {
    zip(merges, merges.dropFirst()).allSatisfy { $0.distance <= $1.distance }
  }

  private func maxima(_ values: [Double]) -> [Double] {
    var maxima = values
    for (index, merge) in merges.enumerated() {
      for node in [merge.left, merge.right] where node >= leafCount {
        maxima[index] = max(maxima[index], maxima[node - leafCount])
      }
    }
    return maxima
  }
}
