import LinearAlgebra

extension CondensedDistances<Float> {
  /// The cosine distances between the rows of `embeddings`, from matrix products in single precision.
  ///
  /// Rows are normalized once; distances are clamped to 0...2. Their error is
  /// below about 1e-6, so equal rows are that close together and not always exactly 0.
  ///
  /// - Complexity: O(n² d) time for n rows of d values; O(n² / 2 + n d) memory, as the products are
  ///   taken a block of rows at a time.
  /// - Throws: ``ClusteringError/zeroRow(index:)`` (any row, where rows are empty),
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
  /// - Throws: ``ClusteringError/zeroRow(index:)`` (any row, where rows are empty),
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
          // Neither are all squares too large or too small for a number, nor is one not finite.
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
