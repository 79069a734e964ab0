import LinearAlgebra

/// Average linkage of cosine distances by a nearest-neighbour chain over the clusters' means, in memory for
/// n vectors instead of n² / 2 distances.
///
/// A cluster's distances to all others are one product of a matrix with a vector. Found neighbours are
/// kept: a merge brings nothing nearer, so a neighbour is the nearest until it is merged itself.
///
/// Time O(n² d), memory O(n d).
struct ClusterMeanChain {
  private let width: Int
  private let limit: Float
  /// The means of the clusters in use, one after the other, and room for those that were.
  private var means: [Float]
  private var sizes: [Int]
  /// For each place its cluster's index: the highest of its members.
  private var indices: [Int]
  /// For each index its place; -1 where it is not in use.
  private var places: [Int]
  /// For each index its nearest neighbour's index, as long as that is in use, and the distance.
  private var neighbors: [(index: Int, distance: Float)]
  private var products: [Float]
  /// Which of several about equally near neighbours is nearest, and as what it knows the indices.
  private let sums: DirectionSums
  private let members: [Int]

  /// Takes below which distance merges are wanted, and who decides where rounding may.
  init(_ things: WeightedMeans, limit: Float, _ sums: DirectionSums) {
    width = things.width
    self.limit = limit
    self.sums = sums
    members = things.members
    means = Array(things.rows)
    sizes = things.sizes ?? [Int](repeating: 1, count: things.count)
    indices = Array(0..<things.count)
    places = indices
    neighbors = [(index: Int, distance: Float)](repeating: (-1, 0), count: things.count)
    products = [Float](repeating: 0, count: things.count)
  }

  /// All merges below the limit, in the order in which they are found.
  mutating func merges() -> [FoundMerge] {
    var merges: [FoundMerge] = []
    merges.reserveCapacity(max(indices.count - 1, 0))
    var chain: [Int] = []
    var first = 0
    while indices.count > 1 {
      if chain.isEmpty {
        while places[first] < 0 { first += 1 }
        chain.append(first)
      }
      let last = chain[chain.count - 1]
      let before = chain.count > 1 ? chain[chain.count - 2] : nil
      let (neighbor, distance) = nearestNeighbor(of: last, preferring: before)
      guard distance < limit || limit == .infinity else {
        // As in ``NearestNeighborChain``: it stays alone.
        remove(last)
        chain.removeLast()
        continue
      }
      guard neighbor == before else {
        chain.append(neighbor)
        continue
      }
      chain.removeLast(2)
      let (dropped, kept) = (min(last, neighbor), max(last, neighbor))
      let exact = sums.merge(members[dropped], into: members[kept])
      merges.append(FoundMerge(first: dropped, second: kept, distance: exact))
      merge(dropped, into: kept)
    }
    return merges
  }

  private mutating func nearestNeighbor(
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
    let nearest = decided(cluster, preferred, most)
    let distance = min(max(1 - products[places[nearest]], 0), 2)
    neighbors[cluster] = (nearest, distance)
    return (nearest, distance)
  }

  /// The nearest of those whose products with a cluster are the greatest but for rounding.
  private func decided(_ cluster: Int, _ before: Int?, _ most: Float) -> Int {
    let least = most - Float(DirectionSums.doubt)
    var contenders: [Int] = []
    for (place, index) in indices.enumerated()
    where products[place] > least && index != cluster {
      contenders.append(index)
    }
    // Places are in no order: of equally near ones the one before in the chain, else the lowest.
    contenders.sort()
    if contenders.count == 1 { return contenders[0] }
    if let before, let place = contenders.firstIndex(of: before) {
      contenders.remove(at: place)
      contenders.insert(before, at: 0)
    }
    // Among crowds of equals it does not matter.
    guard contenders.count <= DirectionSums.mostContenders else { return contenders[0] }
    return sums.nearest(of: members[cluster], among: contenders.map { ($0, members[$0]) })
  }

  private mutating func merge(_ dropped: Int, into kept: Int) {
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
    // It is another cluster now: who had it for a neighbour has to look again, and so has itself.
    neighbors[kept].index = -1
    for place in indices.indices where neighbors[indices[place]].index == kept {
      neighbors[indices[place]].index = -1
    }
    remove(dropped)
  }

  /// Takes a cluster out of use, and moves the last one to its place.
  private mutating func remove(_ cluster: Int) {
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
