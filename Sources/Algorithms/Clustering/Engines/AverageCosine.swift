import LinearAlgebra

/// Average linkage of cosine distances in single precision, if possible without all distances.
///
/// The mean distance between the members of two clusters of unit vectors is `1 - a · b`, where `a`
/// and `b` are the means of their members. So the distance of two clusters needs no pairs of
/// members. ``SeparateParts`` finds parts of the rows that are separated by at least some distance.
/// Each part is clustered by itself; then the remaining clusters are clustered by their means. The
/// tree is that of all rows together, because no pair of rows in different parts, and so no mean of
/// such pairs, is nearer than that distance.
struct AverageCosine {
  /// Unit vectors, row after row.
  private let rows: Matrix<Float>
  /// How many bytes of distances may be held.
  private let memoryLimit: Int
  private let sums: DirectionSums

  /// With fewer rows all pairs are as quick.
  private static let leastToSplit = 200
  /// The distance between parts if no cut is known; any distance gives the same tree.
  private static let usualDistance = 0.2

  /// - Throws: ``ClusteringError/zeroRow(index:)``, ``ClusteringError/nonFiniteRow(index:)``.
  init(_ embeddings: Matrix<Float>, memoryLimit: Int) throws(ClusteringError) {
    rows = try embeddings.unitRows()
    self.memoryLimit = memoryLimit
    sums = DirectionSums(embeddings)
  }

  /// The tree, with distances in double precision, and whether ties decided anything in it or in
  /// how it is cut.
  ///
  /// - Parameter cut: where the tree will be cut, if that is known: parts are looked for up to it.
  func tree(cutAt cut: Double?) -> (tree: Dendrogram, hasTies: Bool) {
    let tree = Dendrogram(leafCount: rows.rowCount, found: merges(cutAt: cut))
    var before = -1.0
    let areTied = tree.merges.contains { merge in
      defer { before = merge.distance }
      return merge.distance - before < DirectionSums.rounding
        || abs(merge.distance - (cut ?? -1)) < DirectionSums.rounding
    }
    return (tree, areTied || sums.hasTies)
  }

  private func merges(cutAt cut: Double?) -> [FoundMerge] {
    let (count, width) = (rows.rowCount, rows.columnCount)
    guard count > 1 else { return [] }
    return rows.elements.withUnsafeBufferPointer { elements -> [FoundMerge] in
      let all = WeightedMeans(
        rows: elements, width: width, members: Array(0..<count), sizes: nil)
      let distance = cut ?? Self.usualDistance
      guard count >= Self.leastToSplit, let base = elements.baseAddress,
        let split = SeparateParts(rows: base, count: count, width: width, distance: distance)
      else { return merges(of: all) }
      var merges: [FoundMerge] = []
      merges.reserveCapacity(count - 1)
      for part in split.parts where part.count > 1 {
        merges += OwnedMeans(of: all, part).withMeans {
          self.merges(of: $0, below: Float(distance))
        }
      }
      return merges
        + OwnedMeans(of: all, clustersOf: merges).withMeans { self.merges(of: $0) }
    }
  }

  /// Merges of things below a limit, by their distances if there is room for these.
  private func merges(of things: WeightedMeans, below limit: Float = .infinity) -> [FoundMerge] {
    let bytes = things.count * (things.count - 1) / 2 * MemoryLayout<Float>.stride
    var found: [FoundMerge]
    if bytes <= memoryLimit {
      var clusters = CondensedClusters(
        CondensedDistances(cosineBetween: things.rows, count: things.count, width: things.width),
        linkage: .average, sizes: things.sizes, breakingTiesBy: (sums, things.members))
      found = clusters.chainedMerges(below: limit)
    } else {
      var clusters = MeanClusters(things, breakingTiesBy: sums)
      found = clusters.chainedMerges(below: limit)
    }
    for index in found.indices {
      found[index].first = things.members[found[index].first]
      found[index].second = things.members[found[index].second]
    }
    return found
  }
}

/// Things that stand for numbers of rows: the mean of each one's.
struct WeightedMeans {
  /// Row after row.
  let rows: UnsafeBufferPointer<Float>
  let width: Int
  /// For each the row under whose number its cluster goes.
  let members: [Int]
  /// Of how many rows each is the mean; nil: of one.
  let sizes: [Int]?

  var count: Int { members.count }
}

/// Means that own their memory.
private struct OwnedMeans {
  private let values: [Float]
  private let width: Int
  private let members: [Int]
  private let sizes: [Int]?

  /// Copies of some rows.
  init(of rows: WeightedMeans, _ indices: [Int]) {
    members = indices
    sizes = nil
    width = rows.width
    let width = width
    values = [Float](unsafeUninitializedCapacity: indices.count * width) { values, count in
      guard let target = values.baseAddress, let source = rows.rows.baseAddress else { return }
      for (place, index) in indices.enumerated() {
        (target + place * width).initialize(from: source + index * width, count: width)
      }
      count = indices.count * width
    }
  }

  /// The clusters that merges leave of all rows.
  ///
  /// A cluster goes under the number of its highest row, as the chains have it.
  init(of rows: WeightedMeans, clustersOf merges: [FoundMerge]) {
    let (count, width) = (rows.count, rows.width)
    var clusters = ClusterNames(leafCount: count)
    for merge in merges {
      _ = clusters.merge(clusters.cluster(of: merge.first), clusters.cluster(of: merge.second))
    }
    var places = [Int: Int]()
    var (members, sizes, values): ([Int], [Int], [Float]) = ([], [], [])
    values.reserveCapacity((count - merges.count) * width)
    for row in 0..<count {
      let cluster = clusters.cluster(of: row)
      let source = rows.rows[row * width..<(row + 1) * width]
      guard let place = places[cluster] else {
        places[cluster] = members.count
        members.append(row)
        sizes.append(1)
        values.append(contentsOf: source)
        continue
      }
      members[place] = row
      sizes[place] += 1
      values.withUnsafeMutableBufferPointer { values in
        guard let target = values.baseAddress, let source = source.base.baseAddress else { return }
        let (to, from) = (target + place * width, source + row * width)
        for column in 0..<width { to[column] += from[column] }
      }
    }
    for (place, size) in sizes.enumerated() where size > 1 {
      let scale = 1 / Float(size)
      for index in place * width..<(place + 1) * width { values[index] *= scale }
    }
    (self.members, self.sizes, self.values, self.width) = (members, sizes, values, width)
  }

  func withMeans<Result>(_ body: (WeightedMeans) -> Result) -> Result {
    values.withUnsafeBufferPointer { values in
      body(WeightedMeans(rows: values, width: width, members: members, sizes: sizes))
    }
  }
}
