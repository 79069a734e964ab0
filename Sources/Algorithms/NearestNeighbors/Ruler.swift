import LinearAlgebra

/// Computes the distances of rows from one vector.
///
/// All searches use it and nothing else, so that they agree to the bit.
struct Ruler {
  private enum Kind {
    case floatCosine, floatProduct, floatSquares, halfCosine, halfProduct, halfSquares
    case byteCosine, byteProduct, byteSquares
  }

  private let kind: Kind
  private let dimension: Int
  // A layout uses only one of the two, and that one is set.
  private let values: UnsafePointer<Float>
  private let integers: UnsafePointer<Int16>
  private let scale: Double
  private let squares: Double

  init(
    layout: VectorLayout, values: UnsafePointer<Float>?, integers: UnsafePointer<Int16>?,
    scale: Double = 0, squares: Double = 0
  ) {
    kind =
      switch (layout.precision, layout.metric) {
      case (.float32, .cosine): .floatCosine
      case (.float32, .innerProduct): .floatProduct
      case (.float32, .squaredEuclidean): .floatSquares
      case (.float16, .cosine): .halfCosine
      case (.float16, .innerProduct): .halfProduct
      case (.float16, .squaredEuclidean): .halfSquares
      case (.int8, .cosine): .byteCosine
      case (.int8, .innerProduct): .byteProduct
      case (.int8, .squaredEuclidean): .byteSquares
      }
    dimension = layout.dimension
    let nowhere = UnsafeRawPointer(bitPattern: 16)!
    self.values = values ?? nowhere.assumingMemoryBound(to: Float.self)
    self.integers = integers ?? nowhere.assumingMemoryBound(to: Int16.self)
    self.scale = scale
    self.squares = squares
  }

  /// The distance of the row at `row`.
  @inline(__always) func distance(_ row: UnsafeRawPointer) -> Float {
    switch kind {
    case .floatCosine: Self.cosineDistance(Products.dot(values, floats(row), dimension))
    case .floatProduct: -Products.dot(values, floats(row), dimension)
    case .floatSquares: Products.squaredDifference(values, floats(row), dimension)
    case .halfCosine: Self.cosineDistance(Products.dot(values, halves(row), dimension))
    case .halfProduct: -Products.dot(values, halves(row), dimension)
    case .halfSquares: Products.squaredDifference(values, halves(row), dimension)
    case .byteCosine: Self.cosineDistance(Float(byteProduct(row)))
    case .byteProduct: Float(-byteProduct(row))
    case .byteSquares: byteSquaredDifference(row)
    }
  }

  /// The distances of the rows in `numbers`, with one decision for all of them.
  @inline(__always) func distances(
    of numbers: UnsafePointer<Int32>, count: Int, rows: UnsafeRawPointer, stride: Int,
    into distances: UnsafeMutablePointer<Float>
  ) {
    if kind == .floatCosine {
      for index in 0..<count {
        let row = rows + Int(numbers[index]) &* stride
        distances[index] = Self.cosineDistance(Products.dot(values, floats(row), dimension))
      }
    } else {
      for index in 0..<count { distances[index] = distance(rows + Int(numbers[index]) &* stride) }
    }
  }

  /// Rounding may leave a vector at a distance just below 0 from itself.
  ///
  /// NaN stays NaN.
  @inline(__always) static func cosineDistance(_ product: Float) -> Float {
    let distance = 1 - product
    return distance < 0 ? 0 : distance > 2 ? 2 : distance
  }

  @inline(__always) private func floats(_ row: UnsafeRawPointer) -> UnsafePointer<Float> {
    row.assumingMemoryBound(to: Float.self)
  }

  @inline(__always) private func halves(_ row: UnsafeRawPointer) -> UnsafePointer<UInt16> {
    row.assumingMemoryBound(to: UInt16.self)
  }

  @inline(__always) private func byteProduct(_ row: UnsafeRawPointer) -> Double {
    let product = Products.dot(integers, (row + 4).assumingMemoryBound(to: Int8.self), dimension)
    return Double(product) * scale * Double(floats(row).pointee)
  }

  /// |q|² + |r|² - 2 q·r, each of them exact except the scales.
  private func byteSquaredDifference(_ row: UnsafeRawPointer) -> Float {
    let bytes = (row + 4).assumingMemoryBound(to: Int8.self)
    let product = Double(Products.dot(integers, bytes, dimension))
    let own = Double(Products.squares(bytes, dimension))
    let rowScale = Double(floats(row).pointee)
    let distance =
      scale * scale * squares + rowScale * rowScale * own - 2 * scale * rowScale * product
    return Float(distance < 0 ? 0 : distance)
  }
}
