import LinearAlgebra

/// Clusters of unit vectors by their means, for average linkage of cosine distances in memory for n
/// vectors instead of n² / 2 distances.
///
/// A cluster's distances to all others are one product of a matrix with a vector. Found neighbours
/// are kept: a merge brings nothing nearer, so a neighbour is the nearest until it is merged
/// itself.
///
/// Time O(n² d), memory O(n d).
struct MeanClusters: NearestNeighborChain {
  private let width: Int
  /// The means of the clusters in use, one after the other, and room for those that were.
  private var means: [Float]
  private var sizes: [Int]
  /// For each place its cluster's index: the highest of its members.
  private var indices: [Int]
  /// For each index its place; -1 if it is not in use.
  private var places: [Int]
  /// For each index its nearest neighbour's index, as long as that is in use, and the distance.
  private var neighbors: [(index: Int, distance: Float)]
  private var products: [Float]
  /// No index below is in use.
  private var start = 0
  /// What breaks ties within rounding, and under which rows' numbers it knows the indices.
  private let sums: DirectionSums
  private let members: [Int]

  init(_ things: WeightedMeans, breakingTiesBy sums: DirectionSums) {
    width = things.width
    self.sums = sums
    members = things.members
    means = Array(things.rows)
    sizes = things.sizes ?? [Int](repeating: 1, count: things.count)
    indices = Array(0..<things.count)
    places = indices
    neighbors = [(index: Int, distance: Float)](repeating: (-1, 0), count: things.count)
    products = [Float](repeating: 0, count: things.count)
  }

  var activeCount: Int { indices.count }

  mutating func lowest() -> Int {
    while places[start] < 0 { start += 1 }
    return start
  }

  mutating func nearestNeighbor(
    of cluster: Int, preferring preferred: Int?
  ) -> (neighbor: Int, distance: Float) {
    let known = neighbors[cluster]
    if known.index >= 0, places[known.index] >= 0 { return (known.index, known.distance) }
    let (place, count, width) = (places[cluster], indices.count, width)
    means.withUnsafeBufferPointer { means in
      products.withUnsafeMutableBufferPointer { products in
        guard let means = means.baseAddress, let products = products.baseAddress else { return }
        BLAS.uncheckedGEMV(
          rows: Int32(count), columns: Int32(width), means, means + place * width, products)
      }
    }
    var most = -Float.infinity
    for other in 0..<count where other != place { most = max(most, products[other]) }
    let least = most - Float(DirectionSums.doubt)
    // Places are in no order.
    let near = indices.indices.filter { products[$0] > least && $0 != place }.map { indices[$0] }
    let nearest =
      near.count == 1
      ? near[0]
      : sums.nearest(of: cluster, preferring: preferred, rows: members, among: near.sorted())
    let distance = min(max(1 - products[places[nearest]], 0), 2)
    neighbors[cluster] = (nearest, distance)
    return (nearest, distance)
  }

  mutating func merge(_ dropped: Int, into kept: Int, distance: Float) -> Double {
    let (from, to) = (places[dropped], places[kept])
    let (fromSize, toSize) = (Float(sizes[from]), Float(sizes[to]))
    let (share, rest) = (fromSize / (fromSize + toSize), toSize / (fromSize + toSize))
    let width = width
    means.withUnsafeMutableBufferPointer { means in
      guard let base = means.baseAddress else { return }
      let (source, target) = (base + from * width, base + to * width)
      for column in 0..<width { target[column] = share * source[column] + rest * target[column] }
    }
    sizes[to] += sizes[from]
    // It is another cluster now, so its neighbour and those of others that had it are searched
    // again.
    neighbors[kept].index = -1
    for place in indices.indices where neighbors[indices[place]].index == kept {
      neighbors[indices[place]].index = -1
    }
    remove(dropped)
    return sums.merge(members[dropped], into: members[kept])
  }

  /// Moves the last one to its place.
  mutating func remove(_ cluster: Int) {
    let (place, last) = (places[cluster], indices.count - 1)
    if place != last {
      let width = width
      means.withUnsafeMutableBufferPointer { means in
        guard let base = means.baseAddress else { return }
        (base + place * width).update(from: base + last * width, count: width)
      }
      sizes[place] = sizes[last]
      indices[place] = indices[last]
      places[indices[place]] = place
    }
    indices.removeLast()
    sizes.removeLast()
    places[cluster] = -1
  }
}
