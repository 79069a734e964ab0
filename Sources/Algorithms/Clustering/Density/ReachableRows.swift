import LinearAlgebra

/// Mutual reachability of rows: products in single precision say which pairs may matter, and only
/// their distances are computed, in double precision.
///
/// The bound of the products' rounding is that of ``ComparableRows``.
struct ReachableRows {
  private let rows: ComparableRows
  private let centered: CenteredRows
  private let memoryLimit: Int
  private let count: Int
  private let width: Int
  /// Half of each squared length, with all that rounding may take away, or add.
  private let least: [Float]
  private let most: [Float]

  /// The number of rows whose products are taken at a time.
  private static let height = 64
  /// Products of rows of at most this many columns are as quickly computed twice as kept.
  private static let mostRepeatedColumns = 64

  init(_ rows: ComparableRows, memoryLimit: Int) {
    self.rows = rows
    self.memoryLimit = memoryLimit
    (count, width) = (rows.rows.rowCount, rows.rows.columnCount)
    centered = CenteredRows(rows.rows, centers: rows.metric == .euclidean)
    (least, most) = (centered.leastHalves, centered.mostHalves)
  }

  /// The edges of a minimum spanning tree.
  func edges(neighbors: Int) -> [FoundMerge] {
    guard count > 1, width > 0, width < Int32.max else {
      // Rows without values are copies of one another.
      return (1..<max(count, 1)).map { FoundMerge(first: 0, second: $0, distance: 0) }
    }
    if width <= NarrowRows.mostColumns, rows.metric == .euclidean {
      return NarrowRows(rows.rows).edges(neighbors: neighbors)
    }
    return centered.values.withUnsafeBufferPointer { values in
      guard let values = values.baseAddress else { return [] }
      let packed = PackedRows(unchecked: values, count: count, width: width)
      let keepsProducts =
        width > Self.mostRepeatedColumns
        && count <= memoryLimit / MemoryLayout<Float>.stride / count
      let room = keepsProducts ? count * count : count
      let products = UnsafeMutableBufferPointer<Float>.allocate(capacity: room)
      defer { products.deallocate() }
      LargeMemory.preferLargePages(products)
      guard let base = products.baseAddress else { return [] }
      let cores = coreDistances(neighbors, packed, values, keeping: keepsProducts ? base : nil)
      var tree = ReachTree(count: count, keepsSources: rows.metric == .euclidean)
      // What a product has to be above for its pair to be nearer than before, less what the last
      // row adds.
      var limits = [Float](repeating: -.infinity, count: count)
      for _ in 1..<count {
        let last = tree.last
        let row = keepsProducts ? base + last * count : base
        if !keepsProducts {
          packed.uncheckedProducts(
            of: values + last * width, count: 1, with: 0..<count, into: row, stride: count)
        }
        limits[last] = .infinity
        offer(row, of: last, cores, to: &tree, &limits)
        tree.grow()
      }
      return tree.edges
    }
  }

  /// Offers the tree the distances between its last row and the rows outside that may be nearer.
  private func offer(
    _ products: UnsafePointer<Float>, of last: Int, _ cores: [Double], to tree: inout ReachTree,
    _ limits: inout [Float]
  ) {
    let own = least[last]
    let core = cores[last]
    var place = 0
    while place < count {
      let end = min(place + 8, count)
      if end - place == 8 {
        let found = UnsafeRawPointer(products + place).loadUnaligned(as: SIMD8<Float>.self)
        let limit = limits.withUnsafeBytes { bytes in
          bytes.loadUnaligned(
            fromByteOffset: place * MemoryLayout<Float>.stride, as: SIMD8<Float>.self)
        }
        guard any(found .> limit + own) else {
          place = end
          continue
        }
      }
      for other in place..<end where products[other] > limits[other] + own {
        let reach = tree.reach[other]
        let atLeast = max(core, cores[other])
        guard atLeast < reach else { continue }
        let distance = max(atLeast, rows.distance(last, other))
        guard distance < reach else { continue }
        tree.offer(other, distance)
        limits[other] = least[other] - Float(key(of: distance) * (1 + centered.bound))
      }
      place = end
    }
  }

  /// Half the squared distance in the unit of the products, or the cosine distance.
  private func key(of distance: Double) -> Double {
    guard rows.metric == .euclidean else { return distance }
    let scaled = distance * centered.scale
    return scaled * scaled / 2
  }

  /// The distance of each row to the last of its nearest, itself included.
  ///
  /// - Parameter kept: room for all products, or nil.
  private func coreDistances(
    _ neighbors: Int, _ packed: PackedRows, _ values: UnsafePointer<Float>,
    keeping kept: UnsafeMutablePointer<Float>?
  ) -> [Double] {
    nonisolated(unsafe) let values = values  // Only read.
    nonisolated(unsafe) let kept = kept  // Each strip has places of its own.
    return [Double](unsafeUninitializedCapacity: count) { cores, initialized in
      initialized = count
      nonisolated(unsafe) let cores = cores  // Likewise.
      packed.spread((count + Self.height - 1) / Self.height) { strip in
        let top = strip * Self.height
        let tall = min(Self.height, count - top)
        withUnsafeTemporaryAllocation(
          of: Float.self, capacity: kept == nil ? tall * count : 1
        ) { room in
          guard let products = kept.map({ $0 + top * count }) ?? room.baseAddress else { return }
          packed.uncheckedProducts(
            of: values + top * width, count: tall, with: 0..<count, into: products, stride: count)
          var nearest = NearestKeys<Float>(capacity: neighbors - 1)
          for row in top..<top + tall {
            cores[row] = coreDistance(
              of: row, neighbors, products + (row - top) * count, &nearest)
          }
        }
      }
    }
  }

  private func coreDistance(
    of row: Int, _ neighbors: Int, _ products: UnsafePointer<Float>,
    _ nearest: inout NearestKeys<Float>
  ) -> Double {
    guard neighbors > 1 else { return 0 }
    nearest.removeAll()
    for other in 0..<count where other != row {
      nearest.offer(most[other] - products[other])
    }
    // Rows whose least key is above are not among the nearest.
    let limit = least[row] - (nearest.greatest + most[row]).nextUp
    var distances: [Double] = []
    var copies = 0
    for other in 0..<count where other != row && products[other] >= least[other] + limit {
      let distance = rows.distance(row, other)
      distances.append(distance)
      if distance == 0 {
        copies += 1
        if copies == neighbors - 1 { return 0 }
      }
    }
    distances.sort()
    return distances[min(neighbors - 2, distances.count - 1)]
  }
}
