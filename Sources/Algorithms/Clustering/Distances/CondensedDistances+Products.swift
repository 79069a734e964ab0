import LinearAlgebra

extension CondensedDistances<Float> {
  /// The cosine distances between the rows of `embeddings`, from matrix products in single
  /// precision.
  ///
  /// Rows are normalized once; distances are clamped to 0...2. Their error is
  /// below about 1e-6, so equal rows are that close together and not always exactly 0.
  ///
  /// - Complexity: O(n² d) time for n rows of d values; O(n² / 2 + n d) memory, as the products are
  ///   taken a block of rows at a time.
  /// - Throws: ``ClusteringError/zeroRow(index:)`` (any row, if rows are empty),
  ///   ``ClusteringError/nonFiniteRow(index:)``, ``ClusteringError/tooMany(things:)``.
  public init(cosineBetween embeddings: Matrix<Float>) throws(ClusteringError) {
    let count = embeddings.rowCount
    _ = try Self.pairCount(of: count)
    let rows = try embeddings.unitRows()
    guard count <= Int32.max, rows.columnCount <= Int32.max else { throw .tooMany(things: count) }
    self = rows.elements.withUnsafeBufferPointer {
      CondensedDistances(cosineBetween: $0, count: count, width: rows.columnCount)
    }
  }

  /// One minus the products of `count` rows of at least one value, clamped to 0...2.
  init(cosineBetween rows: UnsafeBufferPointer<Float>, count: Int, width: Int) {
    let pairs = count * max(count - 1, 0) / 2
    let values = [Float](unsafeUninitializedCapacity: pairs) { values, initialized in
      initialized = pairs
      LargeMemory.preferLargePages(values)
      guard let rows = rows.baseAddress, let base = values.baseAddress, pairs > 0 else { return }
      nonisolated(unsafe) let values = base  // Each tile has places of its own.
      ProductTile.forEach(rows: rows, count: count, width: width) { tile in
        for row in 0..<tile.tall {
          let first = tile.firstAbove(row)
          let place = Self.index(tile.top + row, tile.left + first, count: count)
          let (target, source) = (values + place, tile.products + row * tile.wide + first)
          for other in 0..<max(0, tile.wide - first) {
            target[other] = min(max(1 - source[other], 0), 2)
          }
        }
      }
    }
    self.init(unchecked: values, count: count)
  }
}

extension Matrix<Float> {
  /// The rows divided by their norms, good to two units in the last place.
  ///
  /// - Throws: ``ClusteringError/zeroRow(index:)`` (any row, if rows are empty),
  ///   ``ClusteringError/nonFiniteRow(index:)``.
  func unitRows() throws(ClusteringError) -> Matrix {
    let (count, width) = (rowCount, columnCount)
    guard width > 0, width <= Int32.max else { return try normalizedForClustering() }
    var isPlain = true
    let values = elements.withUnsafeBufferPointer { source in
      [Float](unsafeUninitializedCapacity: count * width) { target, initialized in
        initialized = count * width
        guard let source = source.baseAddress, let target = target.baseAddress else { return }
        for row in 0..<count {
          let (from, to) = (source + row * width, target + row * width)
          let square = BLAS.uncheckedDot(Int32(width), from, from)
          // No square is too large, too small or not finite.
          isPlain = isPlain && square > 1e-30 && square < 1e30
          let scale = 1 / square.squareRoot()
          for column in 0..<width { to[column] = from[column] * scale }
        }
      }
    }
    return isPlain
      ? Matrix(unchecked: values, rowCount: count, columnCount: width)
      : try normalizedForClustering()
  }
}

extension Matrix {
  /// The rows divided by their norms, with this module's errors.
  func normalizedForClustering() throws(ClusteringError) -> Matrix {
    try normalizedRows { index, isZero in
      isZero ? ClusteringError.zeroRow(index: index) : .nonFiniteRow(index: index)
    }
  }
}

/// The products of some rows of a matrix with some others.
///
/// A tile has few enough rows for the products to be still in the cache when they are put into
/// their places.
struct ProductTile {
  /// Its first row and how many it has.
  let top: Int
  let tall: Int
  /// The first row of the others, and how many these are.
  let left: Int
  let wide: Int
  /// Row after row.
  let products: UnsafeMutablePointer<Float>

  /// In a row of the tile the first place right of the diagonal.
  func firstAbove(_ row: Int) -> Int { max(0, top + row + 1 - left) }

  /// Calls `body` with tiles that cover the diagonal and all above it, on as many threads as BLAS
  /// takes.
  static func forEach(
    rows: UnsafePointer<Float>, count: Int, width: Int, _ body: @Sendable (ProductTile) -> Void
  ) {
    let side = 256
    let packed = PackedRows(unchecked: rows, count: count, width: width)
    nonisolated(unsafe) let rows = rows  // Only read.
    // Of few rows a strip of few: less below the diagonal is for nothing.
    let height = count <= 512 ? PackedRows.step : count <= 4096 ? 2 * PackedRows.step : side
    packed.spread((count + height - 1) / height) { strip in
      let top = strip * height
      let tall = min(height, count - top)
      withUnsafeTemporaryAllocation(of: Float.self, capacity: tall * min(side, count)) { products in
        guard let products = products.baseAddress else { return }
        for left in stride(from: top, to: count, by: side) {
          let wide = min(side, count - left)
          packed.uncheckedProducts(
            of: rows + top * width, count: tall, with: left..<left + wide, into: products,
            stride: wide)
          body(ProductTile(top: top, tall: tall, left: left, wide: wide, products: products))
        }
      }
    }
  }
}
