/// A tree of clusters of at least some size, and where each thing leaves it.
///
/// The *level* of a merge is one over its distance: the higher, the denser. Going down the tree a
/// cluster lasts until it splits into two of at least the size; things that go away in smaller parts
/// leave it. The arithmetic and the order of sums are scikit-learn's.
struct CondensedTree {
  /// One cluster; number 0 is that of all things, and each is below the one it splits from.
  private struct Cluster {
    var parent: Int
    /// The level at which it comes about.
    var birth: Double
    /// The highest level at which a thing or a cluster leaves it.
    var death = 0.0
    /// Its things' levels above its birth, added up.
    var stability = 0.0
    var isLeaf = true
  }

  private var clusters = [Cluster(parent: 0, birth: 0)]
  /// For each thing the cluster that it leaves, and the level at which it does.
  private var homes: [(cluster: Int, level: Double)]

  /// - Precondition: the tree has at least two leaves.
  init(_ tree: Dendrogram, minClusterSize: Int) {
    let leafCount = tree.leafCount
    homes = [(cluster: Int, level: Double)](repeating: (0, 0), count: leafCount)
    // Row by row down the tree, as scikit-learn goes: this numbers the clusters.
    var row = [(node: leafCount + tree.merges.count - 1, cluster: 0)]
    while !row.isEmpty {
      var next: [(node: Int, cluster: Int)] = []
      for (node, cluster) in row where node >= leafCount {
        let merge = tree.merges[node - leafCount]
        let level = merge.distance > 0 ? 1 / merge.distance : .infinity
        let parts = [merge.left, merge.right].map { part in
          (node: part, size: part < leafCount ? 1 : tree.merges[part - leafCount].size)
        }
        let splits = parts.allSatisfy { $0.size >= minClusterSize }
        for part in parts {
          if splits {
            leave(cluster, size: part.size, level)
            clusters[cluster].isLeaf = false
            next.append((part.node, clusters.count))
            clusters.append(Cluster(parent: cluster, birth: level))
          } else if part.size < minClusterSize {
            drop(part.node, of: tree, from: cluster, level)
          } else {
            next.append((part.node, cluster))
          }
        }
      }
      row = next
    }
  }

  /// All things under a node leave a cluster one by one.
  private mutating func drop(
    _ node: Int, of tree: Dendrogram, from cluster: Int, _ level: Double
  ) {
    var pending = [node]
    while let node = pending.popLast() {
      if node < tree.leafCount {
        homes[node] = (cluster, level)
        leave(cluster, size: 1, level)
      } else {
        let merge = tree.merges[node - tree.leafCount]
        pending.append(merge.right)
        pending.append(merge.left)
      }
    }
  }

  private mutating func leave(_ cluster: Int, size: Int, _ level: Double) {
    clusters[cluster].stability += (level - clusters[cluster].birth) * Double(size)
    clusters[cluster].death = max(clusters[cluster].death, level)
  }

  /// Whether each cluster is selected by its excess of mass: it is at least as stable as the most
  /// stable selection below it, and no cluster above it is selected.
  func excessOfMass(includingRoot: Bool) -> [Bool] {
    var isSelected = [Bool](repeating: false, count: clusters.count)
    var stabilities = clusters.map(\.stability)
    // What the parts of each cluster add up to, when their turn has come.
    var below = [Double](repeating: 0, count: clusters.count)
    for cluster in clusters.indices.reversed() where cluster > 0 || includingRoot {
      // Copies of a thing have infinite levels, and stabilities that are not numbers: these stay.
      if below[cluster] > stabilities[cluster] {
        stabilities[cluster] = below[cluster]
      } else {
        isSelected[cluster] = true
      }
      if cluster > 0 { below[clusters[cluster].parent] += stabilities[cluster] }
    }
    var isCovered = [Bool](repeating: false, count: clusters.count)
    for cluster in clusters.indices.dropFirst() {
      let parent = clusters[cluster].parent
      isCovered[cluster] = isCovered[parent] || isSelected[parent]
      if isCovered[cluster] { isSelected[cluster] = false }
    }
    return isSelected
  }

  /// Whether each cluster is a leaf; the cluster of all things is none.
  var leaves: [Bool] {
    clusters.indices.map { $0 > 0 && clusters[$0].isLeaf }
  }

  /// The labels and probabilities of all things.
  func assignment(to isSelected: [Bool]) -> HDBSCANAssignment {
    // The selected cluster that each is in, and the numbers of the selected ones.
    var homeOf = [Int?](repeating: nil, count: clusters.count)
    var numbers = [Int](repeating: 0, count: clusters.count)
    var count = 0
    for cluster in clusters.indices {
      homeOf[cluster] = cluster > 0 ? homeOf[clusters[cluster].parent] : nil
      if isSelected[cluster] {
        homeOf[cluster] = cluster
        numbers[cluster] = count
        count += 1
      }
    }
    var labels: [Int?] = []
    var probabilities: [Double] = []
    for (home, level) in homes {
      // A single cluster of all has those that leave it last, or lower in the tree.
      guard let cluster = homeOf[home], cluster > 0 || level >= clusters[0].death else {
        labels.append(nil)
        probabilities.append(0)
        continue
      }
      let death = clusters[cluster].death
      labels.append(numbers[cluster])
      probabilities.append(death == 0 || level.isInfinite ? 1 : min(level, death) / death)
    }
    return HDBSCANAssignment(labels: labels, clusterCount: count, probabilities: probabilities)
  }
}
