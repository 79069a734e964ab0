import LinearAlgebra

extension Dendrogram {
  /// The same tree with its merges turned so that neighbouring leaves are as near as possible.
  ///
  /// No other choice of sides has a smaller sum of the distances between neighbours. If two orders
  /// are mirror images, it takes the one that does not turn the last merge. Among other orders with
  /// equal sums, it may take any.
  ///
  /// This is the purpose of SciPy's `optimal_leaf_ordering`, and the sum is never above SciPy's.
  /// SciPy's sum is often not the least, because it chooses the sides of a cluster's parts by that
  /// cluster's own best ends, not by its ends in the whole tree (scipy issue 11227).
  ///
  /// Sources: Bar-Joseph, Gifford and Jaakkola, "Fast optimal leaf ordering for hierarchical
  /// clustering", Bioinformatics 17 (2001). In two steps, which makes it O(n³): Biedl, Brejová,
  /// Demaine, Hamel and Vinař, "Optimal arrangement of leaves in the tree representing hierarchical
  /// clustering of gene expression data", University of Waterloo CS-2001-14 (2001).
  ///
  /// - Complexity: O(n³) time at worst, if clusters of similar size merge, O(n²) in a chain; memory
  ///   for 1.25 n² values of 8 bytes.
  /// - Throws: ``ClusteringError/distanceCount(things:expected:found:)`` if the distances are not
  ///   between as many things as the tree has, ``ClusteringError/tooMany(things:)``.
  @_specialize(where Scalar == Double)
  @_specialize(where Scalar == Float)
  public func optimallyArranged<Scalar: MatrixScalar>(
    for distances: CondensedDistances<Scalar>
  ) throws(ClusteringError) -> Dendrogram {
    try check(distances)
    // Twice the pairs have to be addressed.
    _ = try CondensedDistances<Double>.pairCount(of: leafCount + 1)
    guard leafCount > 2 else { return self }
    var ordering = OptimalLeafOrdering(self, distances)
    ordering.findLeastSums()
    let isTurned = ordering.turns()
    return turned { index, _ in isTurned[index] }
  }

  /// The sum of the distances between neighbours in the order of the leaves.
  ///
  /// - Complexity: O(n).
  /// - Throws: ``ClusteringError/distanceCount(things:expected:found:)`` if the distances are not
  ///   between as many things as the tree has.
  public func neighborDistanceSum<Scalar: MatrixScalar>(
    _ distances: CondensedDistances<Scalar>
  ) throws(ClusteringError) -> Double {
    try check(distances)
    let order = leafOrder
    return zip(order, order.dropFirst()).reduce(0) { $0 + Double(distances[$1.0, $1.1]) }
  }
}

/// The least sums of neighbours' distances of every cluster, by the leaves at its ends.
private struct OptimalLeafOrdering<Scalar: MatrixScalar> {
  private let tree: Dendrogram
  private let distances: CondensedDistances<Scalar>
  /// The leaves in the tree's own order: every cluster is a range of places in it.
  private let order: [Int]
  private let ranges: [Range<Int>]
  /// For two places the least sum of an order of the smallest cluster with both, from one to the
  /// other.
  ///
  /// A square. Above the diagonal it has the distance of the two until that sum is found.
  private var sums: [Double]

  init(_ tree: Dendrogram, _ distances: CondensedDistances<Scalar>) {
    self.tree = tree
    self.distances = distances
    order = tree.leafOrder
    ranges = tree.ranges()
    let count = tree.leafCount
    sums = [Double](repeating: 0, count: count * count)
    for row in 0..<count {
      for column in row + 1..<max(count, row + 1) {
        sums[row * count + column] = Double(distances[order[row], order[column]])
      }
    }
  }

  /// The parts of a cluster, whole in one if it is a single thing: an order that begins in one of
  /// them ends in the other.
  private func ends(_ node: Int) -> [(begin: Range<Int>, end: Range<Int>)] {
    guard node >= tree.leafCount else { return [(ranges[node], ranges[node])] }
    let merge = tree.merges[node - tree.leafCount]
    let (left, right) = (ranges[merge.left], ranges[merge.right])
    return [(left, right), (right, left)]
  }

  mutating func findLeastSums() {
    let count = tree.leafCount
    var half: [Double] = []
    for merge in tree.merges {
      let (left, right) = (ranges[merge.left], ranges[merge.right])
      // An order of the left part from u to m, then a step to k: the least over m, by u and k.
      half = [Double](repeating: .infinity, count: left.count * right.count)
      let (leftEnds, rightEnds) = (ends(merge.left), ends(merge.right))
      sums.withUnsafeMutableBufferPointer { sums in
        half.withUnsafeMutableBufferPointer { half in
          let sums = sums.baseAddress!
          let half = half.baseAddress!
          let offset = left.lowerBound * right.count + right.lowerBound
          for (begin, end) in leftEnds {
            leastSums(
              UnsafePointer(sums), stride: count, UnsafePointer(sums), stride: count,
              rows: begin, over: end, columns: right, into: half - offset, stride: right.count)
          }
          // Then an order of the right part from k to w: the least over k, by u and w.
          for row in left {
            for column in right { sums[row * count + column] = .infinity }
          }
          for (end, begin) in rightEnds {
            leastSums(
              UnsafePointer(half - offset), stride: right.count, UnsafePointer(sums), stride: count,
              rows: left, over: begin, columns: end, into: sums, stride: count)
          }
          for row in left {
            for column in right { sums[column * count + row] = sums[row * count + column] }
          }
        }
      }
    }
  }

  /// Which merges have to be turned for the least sum of all.
  func turns() -> [Bool] {
    let count = tree.leafCount
    var turns = [Bool](repeating: false, count: tree.merges.count)
    guard let root = tree.merges.last else { return turns }
    var best = (sum: Double.infinity, first: 0, last: 0)
    for first in ranges[root.left] {
      for last in ranges[root.right] where sums[first * count + last] < best.sum {
        best = (sums[first * count + last], first, last)
      }
    }
    // Clusters with the places that are to be at their ends.
    var pending = [(node: count + tree.merges.count - 1, first: best.first, last: best.last)]
    while let (node, first, last) = pending.popLast() {
      guard node >= count else { continue }
      let merge = tree.merges[node - count]
      let isTurned = !ranges[merge.left].contains(first)
      turns[node - count] = isTurned
      let (left, right) = isTurned ? (merge.right, merge.left) : (merge.left, merge.right)
      var meeting = (sum: Double.infinity, last: first, first: last)
      for (begin, end) in ends(left) where begin.contains(first) {
        for (other, start) in ends(right) where other.contains(last) {
          for one in end {
            for two in start {
              let step = Double(distances[order[one], order[two]])
              let sum = sums[first * count + one] + step + sums[two * count + last]
              if sum < meeting.sum { meeting = (sum, one, two) }
            }
          }
        }
      }
      pending.append((left, first, meeting.last))
      pending.append((right, meeting.first, last))
    }
    return turns
  }
}

/// The min-plus product of two matrices.
///
/// For every row and column it stores the least `first[row, k] + second[k, column]` over k, if that
/// is below the value in `result`. Rows and columns count from the pointers on; `result` overlaps
/// neither `first` nor `second`.
private func leastSums(
  _ first: UnsafePointer<Double>, stride firstStride: Int,
  _ second: UnsafePointer<Double>, stride secondStride: Int,
  rows: Range<Int>, over middle: Range<Int>, columns: Range<Int>,
  into result: UnsafeMutablePointer<Double>, stride resultStride: Int
) {
  // A tile of the second matrix stays near the processor while all rows are taken against it.
  let (tileWidth, tileHeight) = (256, 64)
  for columnStart in Swift.stride(from: columns.lowerBound, to: columns.upperBound, by: tileWidth) {
    let width = min(tileWidth, columns.upperBound - columnStart)
    for middleStart in Swift.stride(from: middle.lowerBound, to: middle.upperBound, by: tileHeight)
    {
      let middleEnd = min(middleStart + tileHeight, middle.upperBound)
      for row in rows {
        let least = result + (row * resultStride + columnStart)
        let values = first + row * firstStride
        var k = middleStart
        while k + 3 < middleEnd {
          // Four at once, so that the least is read and written once for four sums.
          let (a, b, c, d) = (values[k], values[k + 1], values[k + 2], values[k + 3])
          let rowA = second + (k * secondStride + columnStart)
          let (rowB, rowC) = (rowA + secondStride, rowA + 2 * secondStride)
          let rowD = rowA + 3 * secondStride
          for column in 0..<width {
            let (sumA, sumB) = (a + rowA[column], b + rowB[column])
            let (sumC, sumD) = (c + rowC[column], d + rowD[column])
            let leastAB = sumA < sumB ? sumA : sumB
            let leastCD = sumC < sumD ? sumC : sumD
            let leastNew = leastAB < leastCD ? leastAB : leastCD
            least[column] = leastNew < least[column] ? leastNew : least[column]
          }
          k += 4
        }
        while k < middleEnd {
          let value = values[k]
          let others = second + (k * secondStride + columnStart)
          for column in 0..<width {
            let sum = value + others[column]
            least[column] = sum < least[column] ? sum : least[column]
          }
          k += 1
        }
      }
    }
  }
}
