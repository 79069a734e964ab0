import LinearAlgebra

/// Agglomerative clustering along the edges of a graph, nearest neighbours first.
///
/// The distance of two clusters is made of the edges between them alone, as in scikit-learn: their
/// mean is not that of all pairs of members. So a merge may be nearer than one before.
///
/// Time O(m log m) for m edges between the clusters that come about.
struct ConnectedClusters {
  private let graph: Connectivity
  private let linkage: Linkage

  init(_ graph: Connectivity, linkage: Linkage) {
    self.graph = graph
    self.linkage = linkage
  }

  /// All merges; the graph is connected.
  ///
  /// - Parameter means: for Ward's linkage the rows; else nil.
  func tree(means rows: Matrix<Double>?, _ distance: (Int, Int) -> Double) -> Dendrogram {
    if linkage == .single { return spanningTree(distance) }
    var means = rows.map { ClusterMeans($0) }
    func between(_ first: Int, _ second: Int) -> Double {
      means?.growth(first, second) ?? distance(first, second)
    }
    let count = graph.count
    // The neighbours of each cluster, ascending, with their distances.
    var links = graph.neighbors.enumerated().map { thing, neighbors in
      neighbors.map { (cluster: $0, distance: between(max(thing, $0), min(thing, $0))) }
    }
    var edges = MergeHeap(isOrderedByClusters: linkage == .ward)
    edges.fill(
      links.enumerated().flatMap { thing, links in
        links.filter { $0.cluster < thing }.map { ($0.distance, thing, $0.cluster) }
      })
    var sizes = [Int](repeating: 1, count: count)
    var isMerged = [Bool](repeating: false, count: count)
    var merges: [Dendrogram.Merge] = []
    while merges.count < count - 1, let edge = edges.pop() {
      let (first, second) = (edge.first, edge.second)
      guard !isMerged[first], !isMerged[second] else { continue }
      let new = count + merges.count
      let size = sizes[first] + sizes[second]
      merges.append(
        .init(
          left: second, right: first,
          distance: linkage == .ward ? (2 * edge.distance).squareRoot() : edge.distance, size: size)
      )
      isMerged[first] = true
      isMerged[second] = true
      means?.append(first, second)
      var joined: [(cluster: Int, distance: Double)] = []
      Self.forEachNeighbor(links[first], links[second]) { other, one, two in
        guard !isMerged[other] else { return }
        joined.append(
          (other, means?.growth(new, other) ?? combined(one, sizes[first], two, sizes[second])))
      }
      for link in joined {
        links[link.cluster].append((new, link.distance))
        edges.push(link.distance, new, link.cluster)
      }
      links.append(joined)
      (links[first], links[second]) = ([], [])
      sizes.append(size)
      isMerged.append(false)
    }
    return Dendrogram(unchecked: merges, leafCount: count)
  }

  /// The distance of a merged cluster from those of its parts, if both have one.
  private func combined(_ one: Double?, _ size: Int, _ two: Double?, _ other: Int) -> Double {
    guard let one, let two else { return one ?? two ?? 0 }
    switch linkage {
    case .complete: return max(one, two)
    case .average: return (Double(size) * one + Double(other) * two) / Double(size + other)
    case .weighted: return (one + two) / 2
    case .single, .ward: return min(one, two)
    }
  }

  /// Goes through two ascending lists of neighbours at once.
  private static func forEachNeighbor(
    _ first: [(cluster: Int, distance: Double)], _ second: [(cluster: Int, distance: Double)],
    _ body: (_ cluster: Int, _ one: Double?, _ two: Double?) -> Void
  ) {
    var (i, j) = (0, 0)
    while i < first.count || j < second.count {
      let one = i < first.count ? first[i].cluster : .max
      let two = j < second.count ? second[j].cluster : .max
      body(
        min(one, two), one <= two ? first[i].distance : nil, two <= one ? second[j].distance : nil)
      if one <= two { i += 1 }
      if two <= one { j += 1 }
    }
  }

  /// Single linkage: the shortest edges that join all things.
  private func spanningTree(_ distance: (Int, Int) -> Double) -> Dendrogram {
    var edges: [FoundMerge] = []
    for (thing, neighbors) in graph.neighbors.enumerated() {
      for other in neighbors where other > thing {
        edges.append(FoundMerge(first: thing, second: other, distance: distance(thing, other)))
      }
    }
    let order = edges.indices.sorted { (edges[$0].distance, $0) < (edges[$1].distance, $1) }
    var sets = ClusterNames(leafCount: graph.count)
    let shortest = order.filter { index in
      let (one, other) = (
        sets.cluster(of: edges[index].first), sets.cluster(of: edges[index].second)
      )
      guard one != other else { return false }
      _ = sets.merge(one, other)
      return true
    }
    return Dendrogram(
      leafCount: graph.count, found: shortest.map { edges[$0] }, sortsPairs: false)
  }
}

/// The sums of clusters' rows, from which Ward's linkage takes distances.
private struct ClusterMeans {
  private var sums: [[Double]]
  private var sizes: [Double]

  init(_ rows: Matrix<Double>) {
    sums = (0..<rows.rowCount).map { Array(rows[row: $0]) }
    sizes = [Double](repeating: 1, count: rows.rowCount)
  }

  /// Adds the cluster of two.
  mutating func append(_ first: Int, _ second: Int) {
    sums.append(zip(sums[first], sums[second]).map { $0 + $1 })
    sizes.append(sizes[first] + sizes[second])
  }

  /// By how much a merge makes the sum of squares about the means grow.
  func growth(_ first: Int, _ second: Int) -> Double {
    let (a, b) = (sizes[first], sizes[second])
    var square = 0.0
    for column in sums[first].indices {
      let difference = sums[first][column] / a - sums[second][column] / b
      square += difference * difference
    }
    return square * (a * b / (a + b))
  }
}
