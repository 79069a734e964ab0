import LinearAlgebra

extension AgglomerativeClustering {
  /// Clusters the rows of `embeddings` along the edges of a graph of neighbours.
  ///
  /// Only clusters with an edge between them are merged. If the graph has several parts, an edge
  /// between the nearest rows of each two of them is added. Average, complete and weighted linkage
  /// see the distances of neighbours alone, so that a merge may be nearer than one before it. A
  /// distance cut then undoes as many of the last merges as there are merges that are not below it.
  ///
  /// Labels equal those of scikit-learn's `AgglomerativeClustering(connectivity:)`, which has no
  /// weighted linkage. In single linkage the numbers of clusters may be others, because
  /// scikit-learn's order of an edge's two ends depends on the processor. Equal distances are taken
  /// in its order, except in single linkage.
  ///
  /// - Complexity: O(m d + m log m) time and O(m) memory for m edges between the clusters that come
  ///   about; O(n² d) time if the graph has several parts.
  /// - Throws: as without a graph; also ``ClusteringError/connectivityCount(found:expected:)``, and
  ///   ``ClusteringError/rowOverflow(index:)`` for a value above 1e140.
  public func fit(
    _ embeddings: Matrix<Float>, connectivity: Connectivity
  ) throws(ClusteringError) -> ClusterAssignment {
    try fit(embeddings.converted(to: Double.self), connectivity: connectivity)
  }

  /// Clusters the rows of `embeddings` in double precision along the edges of a graph.
  ///
  /// - Throws: as for single precision.
  public func fit(
    _ embeddings: Matrix<Double>, connectivity: Connectivity
  ) throws(ClusteringError) -> ClusterAssignment {
    try check(things: embeddings.rowCount, areEmbeddings: true)
    let count = embeddings.rowCount
    guard connectivity.count == count else {
      throw .connectivityCount(found: connectivity.count, expected: count)
    }
    let rows = metric == .cosine ? try embeddings.normalizedForClustering() : embeddings
    for index in 0..<count where !rows[row: index].isWithinSquares {
      throw rows[row: index].allSatisfy(\.isFinite)
        ? .rowOverflow(index: index) : .nonFiniteRow(index: index)
    }
    let width = rows.columnCount
    let isCosine = metric == .cosine
    let means = linkage == .ward ? rows : nil
    return try rows.elements.withUnsafeBufferPointer {
      (values) throws(ClusteringError) -> ClusterAssignment in
      try fit(connectivity, means: means) { first, second in
        guard let values = values.baseAddress else { return 0 }
        let square = ComparableRows.square(
          values + first * width, values + second * width, width)
        return isCosine ? square / 2 : square.squareRoot()
      }
    }
  }

  /// Clusters things by their `distances` along the edges of a graph; the metric plays no part.
  ///
  /// - Throws: as without a graph; also ``ClusteringError/connectivityCount(found:expected:)``,
  ///   ``ClusteringError/wardNeedsRows``.
  @_specialize(where Scalar == Double)
  @_specialize(where Scalar == Float)
  public func fit<Scalar: MatrixScalar>(
    _ distances: CondensedDistances<Scalar>, connectivity: Connectivity
  ) throws(ClusteringError) -> ClusterAssignment {
    try check(things: distances.count, areEmbeddings: false)
    guard linkage != .ward else { throw .wardNeedsRows }
    guard connectivity.count == distances.count else {
      throw .connectivityCount(found: connectivity.count, expected: distances.count)
    }
    return try fit(connectivity, means: nil) { Double(distances[$0, $1]) }
  }

  private func fit(
    _ connectivity: Connectivity, means: Matrix<Double>?, _ distance: (Int, Int) -> Double
  ) throws(ClusteringError) -> ClusterAssignment {
    let graph = connectivity.joined(distance)
    let tree = ConnectedClusters(graph, linkage: linkage).tree(means: means, distance)
    let count: Int
    switch cut {
    case .distance(let threshold):
      count = graph.count == 0 ? 0 : tree.merges.count { $0.distance >= threshold } + 1
    case .count(let clusters): count = min(clusters, graph.count)
    }
    guard count > 0 else {
      return ClusterAssignment(labels: [], clusterCount: 0, dendrogram: tree)
    }
    var labels = try tree.labels(cut: .count(count))
    if case .count = cut, Double(count) >= max(100, 0.02 * Double(graph.count)) {
      labels = tree.labelsByNode(count: count)
    }
    return ClusterAssignment(labels: labels, clusterCount: count, dendrogram: tree)
  }
}

extension Dendrogram {
  /// The labels of `count` clusters in the order of their nodes: scikit-learn's numbering if it does
  /// not build the whole tree.
  fileprivate func labelsByNode(count: Int) -> [Int] {
    var heads = Array(0..<leafCount + merges.count)
    let kept = leafCount - count
    for index in (0..<kept).reversed() {
      let head = heads[leafCount + index]
      heads[merges[index].left] = head
      heads[merges[index].right] = head
    }
    let leaves = heads[..<leafCount]
    var numbers: [Int: Int] = [:]
    for head in Set(leaves).sorted() { numbers[head] = numbers.count }
    return leaves.map { numbers[$0] ?? 0 }
  }
}
