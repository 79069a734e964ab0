extension Dendrogram {
  /// The number of clusters that `cut` leaves.
  ///
  /// - Complexity: O(n).
  /// - Throws: ``ClusteringError/invalidThreshold(_:)``,
  ///   ``ClusteringError/invalidClusterCount(found:things:)``.
  public func clusterCount(cut: DendrogramCut) throws(ClusteringError) -> Int {
    switch cut {
    case .distance(let threshold):
      guard threshold >= 0 else { throw .invalidThreshold(threshold) }
      return leafCount == 0 ? 0 : maximumDistances.count { $0 >= threshold } + 1
    case .count(let count):
      guard count >= 1, count <= max(leafCount, 1) || leafCount == 0 else {
        throw .invalidClusterCount(found: count, things: leafCount)
      }
      return leafCount == 0 ? 0 : count
    }
  }

  /// The label of every item after `cut`, counted from 0.
  ///
  /// The numbering is scikit-learn's, by places in a heap. The clusters of the cut are found by
  /// splitting the last merge, then the last of the remaining ones, and so on. The nodes are in a
  /// binary heap with the highest on top: the left part of a split is pushed first, and the right
  /// part then replaces the top. A cluster's label is its place in the heap at the end.
  ///
  /// In a tree with inversions a merge holds under a distance cut if it and all merges below it are
  /// below the threshold.
  ///
  /// - Complexity: O(n log n).
  /// - Throws: ``ClusteringError/invalidThreshold(_:)``,
  ///   ``ClusteringError/invalidClusterCount(found:things:)``.
  public func labels(cut: DendrogramCut) throws(ClusteringError) -> [Int] {
    try labels(cut: cut, numbering: .scikitLearn)
  }

  /// The label of every thing after `cut`, in the numbering asked for.
  ///
  /// - Complexity: O(n log n) in scikit-learn's numbering, else O(n).
  /// - Throws: ``ClusteringError/invalidThreshold(_:)``,
  ///   ``ClusteringError/invalidClusterCount(found:things:)``.
  public func labels(
    cut: DendrogramCut, numbering: ClusterNumbering
  ) throws(ClusteringError) -> [Int] {
    if numbering == .scikitLearn, case .distance(let threshold) = cut, threshold >= 0,
      leafCount > 0, let count = clusterCount(below: threshold)
    {
      return labels(of: topNodes(count), from: 0)
    }
    let count = try clusterCount(cut: cut)
    switch cut {
    case .distance(let threshold):
      return labels(holding: maximumDistances.map { $0 < threshold }, numbering: numbering)
    case .count:
      return labels(
        holding: merges.indices.map { $0 <= leafCount - 1 - count }, numbering: numbering)
    }
  }

  /// How many clusters are left by the merges below a distance; nil if distances do not ascend, so
  /// that this is not all there is to say.
  private func clusterCount(below threshold: Double) -> Int? {
    var (before, holding) = (0.0, 0)
    for merge in merges {
      guard merge.distance >= before else { return nil }
      before = merge.distance
      if before < threshold { holding += 1 }
    }
    return leafCount - holding
  }

  /// The labels if some merges hold; a merge may hold only if those of its parts do.
  func labels(holding holds: [Bool], numbering: ClusterNumbering) -> [Int] {
    guard leafCount > 0 else { return [] }
    let count = holds.count { !$0 } + 1
    switch numbering {
    case .scikitLearn:
      let isSorted = !holds.suffix(count - 1).contains(true)
      let tree = isSorted ? self : reordered(holding: holds)
      return tree.labels(of: tree.topNodes(count), from: 0)
    case .sciPy:
      return labels(of: nodesInTreeOrder(holding: holds), from: 1)
    case .appearance:
      let labels = labels(of: nodesInTreeOrder(holding: holds), from: 0)
      var numbers = [Int](repeating: -1, count: count)
      var next = 0
      for label in labels where numbers[label] < 0 {
        numbers[label] = next
        next += 1
      }
      return labels.map { numbers[$0] }
    }
  }

  /// Labels the things under each node by the node's place, counted from `first`.
  private func labels(of nodes: [Int], from first: Int) -> [Int] {
    var labels = [Int](repeating: 0, count: leafCount)
    var pending: [Int] = []
    pending.reserveCapacity(leafCount)
    for (place, node) in nodes.enumerated() {
      pending.append(node)
      while let node = pending.popLast() {
        if node < leafCount {
          labels[node] = first + place
        } else {
          let merge = merges[node - leafCount]
          pending.append(merge.left)
          pending.append(merge.right)
        }
      }
    }
    return labels
  }

  /// The nodes of the clusters, down the tree, merges before single things.
  private func nodesInTreeOrder(holding holds: [Bool]) -> [Int] {
    var nodes: [Int] = []
    var pending = [leafCount + merges.count - 1]
    while let node = pending.popLast() {
      guard node >= leafCount, !holds[node - leafCount] else {
        nodes.append(node)
        continue
      }
      let merge = merges[node - leafCount]
      // The last that is put here is the first to be taken.
      if merge.right < leafCount { pending.append(merge.right) }
      if merge.left < leafCount { pending.append(merge.left) }
      if merge.right >= leafCount { pending.append(merge.right) }
      if merge.left >= leafCount { pending.append(merge.left) }
    }
    return nodes
  }

  /// The tree with the merges that hold moved before those that do not.
  private func reordered(holding holds: [Bool]) -> Dendrogram {
    let order = merges.indices.filter { holds[$0] } + merges.indices.filter { !holds[$0] }
    var numbers = Array(0..<leafCount + merges.count)
    for (place, index) in order.enumerated() { numbers[leafCount + index] = leafCount + place }
    let moved = order.map { index in
      var merge = merges[index]
      (merge.left, merge.right) = (numbers[merge.left], numbers[merge.right])
      return merge
    }
    return Dendrogram(unchecked: moved, leafCount: leafCount)
  }

  /// The `count` nodes that are left when the last `count - 1` merges are undone, as the heap has
  /// them; there is at least one thing and `count` is from 1 to the number of things.
  private func topNodes(_ count: Int) -> [Int] {
    var heap = MaxHeap<Int>(capacity: count)
    heap.insert(leafCount + merges.count - 1)
    for _ in 1..<count {
      let merge = merges[heap.elements[0] - leafCount]
      heap.insert(merge.left)
      // The top is the node taken apart: its parts are lower, so the left one did not pass it.
      heap.replaceTop(with: merge.right)
    }
    return heap.elements
  }
}
