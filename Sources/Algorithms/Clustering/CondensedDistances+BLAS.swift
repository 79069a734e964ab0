import LinearAlgebra

extension CondensedDistances<Float> {
  /// The cosine distances between the rows of `embeddings`, from matrix products in single precision.
  ///
  /// Rows are normalized once, in double precision; distances are clamped to 0...2. Their error is
  /// below about 1e-6, so equal rows are that close together and not always exactly 0.
  ///
  /// - Complexity: O(n² d) time for n rows of d values; O(n² / 2 + n d) memory, as the products are
  ///   taken a block of rows at a time.
  /// - Throws: ``ClusteringError/zeroRow(index:)`` (any row, where rows are empty),
  ///   ``ClusteringError/nonFiniteRow(index:)``, ``ClusteringError/tooMany(things:)``.
  public init(cosineBetween embeddings: Matrix<Float>) throws {
    let count = embeddings.rowCount
    let pairs = try Self.pairCount(of: count)
    let rows = try embeddings.normalizedForClustering()
    let width = rows.columnCount
    guard count <= Int32.max, width <= Int32.max else {
      throw ClusteringError.tooMany(things: count)
    }
    let blockSize = 128
    var products = [Float](repeating: 0, count: min(blockSize, count) * count)
    let values = [Float](unsafeUninitializedCapacity: pairs) { values, initialized in
      rows.elements.withUnsafeBufferPointer { elements in
        products.withUnsafeMutableBufferPointer { products in
          var index = 0
          for start in stride(from: 0, to: count - 1, by: blockSize) {
            // The products of these rows with all from them on: the rest is known.
            let height = min(blockSize, count - start)
            let remaining = count - start
            let first = elements.baseAddress! + start * width
            BLAS.uncheckedGEMM(
              GEMMShape(
                m: Int32(height), n: Int32(remaining), k: Int32(width), transposesB: true),
              a: first, b: first, c: products.baseAddress!)
            for row in 0..<height {
              for other in row + 1..<max(remaining, row + 1) {
                values[index] = min(max(1 - products[row * remaining + other], 0), 2)
                index += 1
              }
            }
          }
          initialized = pairs
        }
      }
    }
    self.init(unchecked: values, count: count)
  }

  /// The Euclidean distances between the rows of `embeddings`, rounded to single precision.
  ///
  /// - Throws: as ``CondensedDistances/init(_:between:)``.
  public init(euclideanBetween embeddings: Matrix<Float>) throws {
    // Products would lose the small differences of far-off rows; differences keep them.
    let exact = try CondensedDistances<Double>(.euclidean, between: embeddings)
    self.init(unchecked: exact.values.map { Float($0) }, count: exact.count)
    if let index = values.firstIndex(where: { !$0.isFinite }) {
      let (row, other) = pair(at: index)
      throw ClusteringError.distanceOverflow(row: row, other: other)
    }
  }
}

extension Matrix {
  /// The rows divided by their norms, with this module's errors.
  func normalizedForClustering() throws -> Matrix {
    do {
      return try normalizedRows()
    } catch LinearAlgebraError.zeroRow(let index) {
      throw ClusteringError.zeroRow(index: index)
    } catch LinearAlgebraError.nonFiniteRow(let index) {
      throw ClusteringError.nonFiniteRow(index: index)
    }
  }
}
