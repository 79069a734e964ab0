extension Dendrogram {
  /// The number of clusters that `cut` leaves.
  ///
  /// - Throws: ``ClusteringError/invalidThreshold(_:)``,
  ///   ``ClusteringError/invalidClusterCount(found:things:)``.
  public func clusterCount(cut: DendrogramCut) throws -> Int {
    switch cut {
    case .distance(let threshold):
      guard threshold >= 0 else { throw ClusteringError.invalidThreshold(threshold) }
      return leafCount == 0 ? 0 : merges.count { $0.distance >= threshold } + 1
    case .count(let count):
      guard count >= 1, count <= max(leafCount, 1) || leafCount == 0 else {
        throw ClusteringError.invalidClusterCount(found: count, things: leafCount)
      }
      return leafCount == 0 ? 0 : count
    }
  }

  /// The label of every thing after `cut`, counted from 0.
  ///
  /// The numbering is scikit-learn's, which is that of the places in a heap: the clusters of the cut
  /// are found by taking the last merge apart, then the last of what is left, and so on; the nodes wait
  /// in a binary heap with the highest on top, where the left part of a split is put in first and the
  /// right part then takes the place of the top. A cluster's label is its place in the heap at the end.
  ///
  /// - Complexity: O(n log n).
  /// - Throws: ``ClusteringError/invalidThreshold(_:)``,
  ///   ``ClusteringError/invalidClusterCount(found:things:)``.
  public func labels(cut: DendrogramCut) throws -> [Int] {
    let count = try clusterCount(cut: cut)
    guard count > 0 else { return [] }
    var labels = [Int](repeating: 0, count: leafCount)
    for (label, node) in topNodes(count).enumerated() {
      var pending = [node]
      while let node = pending.popLast() {
        if node < leafCount {
          labels[node] = label
        } else {
          let merge = merges[node - leafCount]
          pending.append(merge.left)
          pending.append(merge.right)
        }
      }
    }
    return labels
  }

  /// The `count` nodes that are left when the last `count - 1` merges are undone, as the heap has
  /// them; there is at least one thing and `count` is from 1 to the number of things.
  private func topNodes(_ count: Int) -> [Int] {
    var heap = [leafCount + merges.count - 1]
    for _ in 1..<count {
      let merge = merges[heap[0] - leafCount]
      heap.append(merge.left)
      var place = heap.count - 1
      while place > 0, heap[(place - 1) / 2] < heap[place] {
        heap.swapAt(place, (place - 1) / 2)
        place = (place - 1) / 2
      }
      // The top is the node taken apart: its parts are lower, so the left one did not pass it.
      heap[0] = merge.right
      place = 0
      while case let left = 2 * place + 1, left < heap.count {
        let right = left + 1
        let higher = right < heap.count && heap[right] > heap[left] ? right : left
        guard heap[higher] > heap[place] else { break }
        heap.swapAt(place, higher)
        place = higher
      }
    }
    return heap
  }
}
