import LinearAlgebra

/// Computes merges' distances again in double precision.
///
/// The order of merges numbers clusters and so labels. Two that are nearer to each other than what rounding
/// may have done to them could stand the wrong way round, or the other way round with another number of
/// threads.
enum MergeRefinement {
  /// The merges, those of average linkage of the rows' cosine distances.
  static func refined(_ merges: [FoundMerge], rows: Matrix<Float>) -> [FoundMerge] {
    // Both parts of a merge are there when its turn comes: they are nearer, or by rounding as near.
    var merges = merges.sorted { $0.distance < $1.distance }
    let sums = DirectionSums(rows)
    var clusters = Representatives(count: rows.rowCount)
    for index in merges.indices {
      let first = clusters.representative(of: merges[index].first)
      let second = clusters.representative(of: merges[index].second)
      merges[index].distance = sums.distance(first, second)
      sums.merge(first, into: second)
      clusters.join(first, into: second)
    }
    return merges
  }

  /// Which row stands for the cluster that a row is in.
  private struct Representatives {
    private var parents: [Int]

    init(count: Int) {
      parents = Array(0..<count)
    }

    mutating func representative(of row: Int) -> Int {
      var row = row
      while parents[row] != row {
        parents[row] = parents[parents[row]]
        row = parents[row]
      }
      return row
    }

    mutating func join(_ first: Int, into second: Int) {
      parents[first] = second
    }
  }
}
