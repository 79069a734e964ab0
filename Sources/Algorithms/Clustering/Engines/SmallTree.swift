import LinearAlgebra
import _ClusteringKernels

/// The tree of average linkage of cosine distances between few rows.
///
/// All distances in single precision, straight from the rows as they are given, and a nearest-neighbour chain on
/// a square matrix of them. Where rounding could have turned a decision round, because a cluster's two nearest
/// neighbours, two merges, or a merge and the cut are nearly equal, those distances are taken again in double
/// precision.
enum SmallTree {
  /// With more rows other ways are as quick: those that do without most distances.
  static let mostRows = 200

  /// The tree; nil where there are too many rows, one has no direction, or two neighbours are equally near, so
  /// that the order of rows decides.
  ///
  /// - Parameters:
  ///   - cut: the distance at which the tree will be cut, if that is known.
  ///   - memoryLimit: how many bytes of distances may be held.
  static func dendrogram(
    of rows: Matrix<Float>, cutAt cut: Double?, memoryLimit: Int
  ) -> Dendrogram? {
    let (count, width) = (rows.rowCount, rows.columnCount)
    guard count > 1, count < mostRows, width > 0 else { return nil }
    let stride = ck_distance_stride(count)
    guard count * stride * MemoryLayout<Float>.stride <= memoryLimit else { return nil }
    return rows.elements.withUnsafeBufferPointer { values in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: (count + 1) * stride) { matrix in
        withUnsafeTemporaryAllocation(
          byteCount: ck_average_tree_room(count, width), alignment: MemoryLayout<Double>.alignment
        ) { room in
          withUnsafeTemporaryAllocation(of: ck_merge.self, capacity: count) { found in
            guard let base = matrix.baseAddress, let merges = found.baseAddress,
              ck_cosine_distances_f32(
                values.baseAddress, count, width, base, base + count * stride) == 1
            else { return nil }
            var task = ck_tree_task(
              rows: values.baseAddress, count: count, width: width, distances: base,
              doubt: doubt(width: width), rounding: DirectionSums.rounding, cut: cut ?? -1)
            guard ck_average_tree_f32(&task, room.baseAddress, merges) == 1 else { return nil }
            return Dendrogram(
              unchecked: (0..<count - 1).map { Dendrogram.Merge(merges[$0]) }, leafCount: count)
          }
        }
      }
    }
  }

  /// How near two distances may be that rounding could have turned round.
  ///
  /// Products are summed in as many places as the processor's vectors have, at least four, and then these: each of
  /// the additions rounds by 3e-8 of what is there so far, which is up to a quarter, in either direction. That
  /// comes to 3e-8 for some hundred values and grows with the root of their number; the last additions add as
  /// much. Ten times that is certain.
  private static func doubt(width: Int) -> Double {
    3e-7 + 1e-8 * Double(width).squareRoot()
  }
}

extension Dendrogram.Merge {
  fileprivate init(_ merge: ck_merge) {
    self.init(
      left: Int(merge.left), right: Int(merge.right), distance: merge.distance,
      size: Int(merge.size))
  }
}
