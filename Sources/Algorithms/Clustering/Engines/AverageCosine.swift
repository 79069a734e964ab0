import LinearAlgebra

/// Average linkage of cosine distances in single precision, without all distances where that can be had.
///
/// The mean distance between the members of two clusters of unit vectors is `1 - a · b`, where `a` and `b`
/// are the means of their members: so two clusters' distance needs no pair of their members. Up to a
/// distance the rows fall apart into parts that ``ProvenParts`` finds, each is clustered by itself, and
/// the clusters that are left, as their means, together. The tree is that of all rows together: no pair of
/// rows in different parts is nearer than that distance, so neither is any mean of such pairs.
struct AverageCosine {
  /// Unit vectors, row after row.
  let rows: Matrix<Float>
  /// How many bytes of distances may be held.
  let memoryLimit: Int

  /// All merges, in no order.
  ///
  /// - Parameter distance: where the tree will be cut, if that is known: parts are looked for up to it.
  func merges(cutAt distance: Double?) -> [FoundMerge] {
    let (count, width) = (rows.rowCount, rows.columnCount)
    guard count > 1 else { return [] }
    return rows.elements.withUnsafeBufferPointer { elements in
      guard let elements = elements.baseAddress else { return [] }
      let all = WeightedMeans(
        rows: UnsafeBufferPointer(start: elements, count: count * width), width: width)
      guard count >= Self.leastToSplit,
        let split = ProvenParts(
          rows: elements, count: count, width: width, distance: distance ?? Self.usualDistance)
      else { return merges(of: all, limit: .infinity) }
      let limit = Float(distance ?? Self.usualDistance)
      var merges: [FoundMerge] = []
      merges.reserveCapacity(count - 1)
      for part in split.parts where part.count > 1 {
        let gathered = all.gathered(part)
        let found = gathered.withMeans { self.merges(of: $0, limit: limit) }
        for merge in found {
          merges.append(
            FoundMerge(
              first: part[merge.first], second: part[merge.second], distance: merge.distance))
        }
      }
      let top = ClusterMeans(rows: elements, count: count, width: width, merges: merges)
      let last = top.withMeans { self.merges(of: $0, limit: .infinity) }
      for merge in last {
        merges.append(
          FoundMerge(
            first: top.members[merge.first], second: top.members[merge.second],
            distance: merge.distance))
      }
      return merges
    }
  }

  /// With fewer rows all pairs are as quick.
  private static let leastToSplit = 200
  /// Up to where parts are looked for where no cut is known: any distance leads to the same tree.
  private static let usualDistance = 0.2

  /// Merges of things below a limit, by their distances where there is room for these.
  private func merges(of things: WeightedMeans, limit: Float) -> [FoundMerge] {
    let pairs = things.count * (things.count - 1) / 2
    if pairs <= memoryLimit / MemoryLayout<Float>.stride {
      var chain = NearestNeighborChain(
        CondensedDistances(cosineBetween: things.rows, count: things.count, width: things.width),
        linkage: .average, sizes: things.sizes, limit: limit)
      return chain.merges()
    }
    var chain = ClusterMeanChain(things, limit: limit)
    return chain.merges()
  }
}

/// Things that stand for numbers of rows: the mean of each one's.
struct WeightedMeans {
  /// Row after row.
  let rows: UnsafeBufferPointer<Float>
  let width: Int
  /// Of how many rows each is the mean; nil: of one.
  var sizes: [Int]?

  var count: Int { rows.count / width }

  /// Copies of some.
  func gathered(_ indices: [Int]) -> ClusterMeans {
    ClusterMeans(copying: indices, of: self)
  }
}

/// Means that own their memory.
struct ClusterMeans {
  /// For each a row that is in it.
  let members: [Int]
  private let sizes: [Int]?
  private let values: [Float]
  private let width: Int

  fileprivate init(copying indices: [Int], of means: WeightedMeans) {
    members = indices
    width = means.width
    sizes = means.sizes.map { sizes in indices.map { sizes[$0] } }
    let width = width
    values = [Float](unsafeUninitializedCapacity: indices.count * width) { values, count in
      guard let target = values.baseAddress, let source = means.rows.baseAddress else { return }
      for (place, index) in indices.enumerated() {
        (target + place * width).initialize(from: source + index * width, count: width)
      }
      count = indices.count * width
    }
  }

  /// The clusters that merges leave of all rows.
  init(rows: UnsafePointer<Float>, count: Int, width: Int, merges: [FoundMerge]) {
    var clusters = ClusterNames(leafCount: count)
    for merge in merges {
      _ = clusters.merge(clusters.cluster(of: merge.first), clusters.cluster(of: merge.second))
    }
    var places = [Int: Int]()
    var (members, sizes, values): ([Int], [Int], [Float]) = ([], [], [])
    values.reserveCapacity((count - merges.count) * width)
    for row in 0..<count {
      let cluster = clusters.cluster(of: row)
      let source = rows + row * width
      if let place = places[cluster] {
        sizes[place] += 1
        values.withUnsafeMutableBufferPointer { values in
          guard let target = values.baseAddress.map({ $0 + place * width }) else { return }
          for column in 0..<width { target[column] += source[column] }
        }
      } else {
        places[cluster] = members.count
        members.append(row)
        sizes.append(1)
        values.append(contentsOf: UnsafeBufferPointer(start: source, count: width))
      }
    }
    for (place, size) in sizes.enumerated() where size > 1 {
      let scale = 1 / Float(size)
      for index in place * width..<(place + 1) * width { values[index] *= scale }
    }
    self.members = members
    self.sizes = sizes
    self.values = values
    self.width = width
  }

  func withMeans<Result>(_ body: (WeightedMeans) -> Result) -> Result {
    values.withUnsafeBufferPointer { values in
      body(WeightedMeans(rows: values, width: width, sizes: sizes))
    }
  }
}
