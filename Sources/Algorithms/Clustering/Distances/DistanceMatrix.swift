import LinearAlgebra

/// What a matrix of distances holds for two rows u and v.
public enum PairwiseMeasure: String, Hashable, Sendable, Codable, CaseIterable {
  /// One minus the cosine of the angle between them, 0...2.
  case cosine
  /// The length of u - v.
  case euclidean
  /// The square of that length.
  case squaredEuclidean
  /// The inner product with its sign turned, so that the nearest is the least.
  case innerProduct
}

extension Matrix<Float> {
  /// The distances of every two rows, a row and a column for each, symmetric and exactly 0 from a row to
  /// itself (of the inner product, its square with the sign turned).
  ///
  /// From matrix products in single precision, a block at a time, so that beside the result there is no
  /// second matrix of its size. Cosines are good to 1e-6. Of Euclidean distances the squares are good to
  /// about 1e-6 of the rows' squared distances from their mean: of near rows far from all others, take
  /// ``CondensedDistances/init(_:between:)``.
  ///
  /// - Complexity: O(n² d) time, n² values of 4 bytes.
  /// - Throws: ``ClusteringError/zeroRow(index:)`` (cosine alone),
  ///   ``ClusteringError/nonFiniteRow(index:)``, ``ClusteringError/tooMany(things:)``,
  ///   ``ClusteringError/distanceOverflow(row:other:)``.
  public func distanceMatrix(_ measure: PairwiseMeasure) throws(ClusteringError) -> Matrix {
    let (count, width) = (rowCount, columnCount)
    let (size, overflow) = count.multipliedReportingOverflow(by: count)
    guard !overflow, size <= Int.max / 8, count <= Int32.max, width <= Int32.max else {
      throw .tooMany(things: count)
    }
    let rows = try prepared(for: measure)
    guard count > 0, width > 0 else {
      return Matrix(
        unchecked: [Float](repeating: 0, count: size), rowCount: count, columnCount: count)
    }
    let isEuclidean = measure == .euclidean || measure == .squaredEuclidean
    let squares = isEuclidean ? rows.squaredNorms : [0]
    let values = [Float](unsafeUninitializedCapacity: size) { values, initialized in
      initialized = size
      LargeMemory.preferLargePages(values)
      rows.elements.withUnsafeBufferPointer { elements in
        squares.withUnsafeBufferPointer { squares in
          guard let elements = elements.baseAddress, let base = values.baseAddress,
            let first = squares.baseAddress
          else { return }
          // Each tile has places of its own; the squares are only read.
          nonisolated(unsafe) let (values, squares) = (base, first)
          ProductTile.forEach(rows: elements, count: count, width: width) { tile in
            tile.turn(into: measure, squares)
            tile.write(to: values, count: count)
          }
          guard measure != .innerProduct else { return }
          for row in 0..<count { values[row * (count + 1)] = 0 }
        }
      }
    }
    // Unit vectors have no other products.
    if measure != .cosine, let index = values.firstIndex(where: { !$0.isFinite }) {
      throw .distanceOverflow(
        row: Swift.min(index / count, index % count), other: Swift.max(index / count, index % count)
      )
    }
    return Matrix(unchecked: values, rowCount: count, columnCount: count)
  }

  /// Rows of which the products give a measure.
  private func prepared(for measure: PairwiseMeasure) throws(ClusteringError) -> Matrix {
    if measure == .cosine { return try unitRows() }
    if let index = (0..<rowCount).first(where: { !self[row: $0].allSatisfy(\.isFinite) }) {
      throw .nonFiniteRow(index: index)
    }
    guard measure != .innerProduct, rowCount > 0 else { return self }
    // About the mean: the nearer the origin, the less is lost in the products.
    var means = [Double](repeating: 0, count: columnCount)
    for row in 0..<rowCount {
      for (column, value) in self[row: row].enumerated() { means[column] += Double(value) }
    }
    var centered = self
    for row in 0..<rowCount {
      for column in 0..<columnCount {
        centered[row, column] = Float(
          Double(self[row, column]) - means[column] / Double(rowCount))
      }
    }
    return centered
  }

  private var squaredNorms: [Float] {
    (0..<rowCount).map { row in
      Float(self[row: row].reduce(0.0) { $0 + Double($1) * Double($1) })
    }
  }
}

/// The products of some rows of a matrix with some others.
///
/// Products are taken of so many rows at a time that they are still in the cache when they are put into
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

  /// Calls `body` with tiles that cover the diagonal and all above it, on as many threads as BLAS takes.
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

  /// Turns products into distances; `squares` are all rows' squared lengths, looked at for Euclidean ones alone.
  fileprivate func turn(into measure: PairwiseMeasure, _ squares: UnsafePointer<Float>) {
    for row in 0..<tall {
      let (line, others) = (products + row * wide, squares + left)
      switch measure {
      case .cosine: for place in 0..<wide { line[place] = min(max(1 - line[place], 0), 2) }
      case .innerProduct: for place in 0..<wide { line[place] = -line[place] }
      case .squaredEuclidean:
        let square = squares[top + row]
        for place in 0..<wide { line[place] = max(square + others[place] - 2 * line[place], 0) }
      case .euclidean:
        let square = squares[top + row]
        for place in 0..<wide {
          line[place] = max(square + others[place] - 2 * line[place], 0).squareRoot()
        }
      }
    }
  }

  /// Writes the tile to its place in a matrix of `count` columns, and mirrored.
  fileprivate func write(to matrix: UnsafeMutablePointer<Float>, count: Int) {
    for row in 0..<tall {
      let first = max(0, top + row - left)
      let (target, source) = (matrix + (top + row) * count + left, products + row * wide)
      for place in first..<max(first, wide) { target[place] = source[place] }
    }
    // Mirrored: rows across the diagonal one by one, what is right of it at once.
    let diagonal = min(max(0, top + tall - left), wide)
    for place in 0..<diagonal {
      let target = matrix + (left + place) * count + top
      for row in 0..<min(tall, max(0, left + place - top)) {
        target[row] = products[row * wide + place]
      }
    }
    BLAS.uncheckedTranspose(
      rows: tall, columns: wide - diagonal, products + diagonal, stride: wide,
      to: matrix + (left + diagonal) * count + top, stride: count)
  }
}
