import LinearAlgebra

/// Centers in single precision, packed for products with rows.
struct CenterTable: Sendable {
  let count: Int
  let width: Int
  let packed: PackedRows
  /// The count, in whole vectors.
  let paddedCount: Int
  /// Half the squared length of each center; infinity behind the last.
  private let halves: [Float]
  /// The greatest length.
  private let longest: Float
  private let bound: Float

  /// Nil if single precision does not hold the squares: centers may be much farther away than rows.
  init?(_ centers: [Double], width: Int, scale: Double) {
    let count = centers.count / width
    (self.count, self.width) = (count, width)
    let values = centers.map { Float($0 * scale) }
    var packed = PackedRows(width: width, capacity: count)
    values.withUnsafeBufferPointer { values in
      if let values = values.baseAddress { packed.append(unchecked: values, count: count) }
    }
    self.packed = packed
    paddedCount = (count + 7) / 8 * 8
    var halves = [Float](repeating: .infinity, count: paddedCount)
    var longest = 0.0
    for center in 0..<count {
      var square = 0.0
      for column in 0..<width {
        let value = centers[center * width + column] * scale
        square += value * value
      }
      halves[center] = Float(square / 2)
      longest = max(longest, square.squareRoot())
    }
    guard longest < 1e15 else { return nil }
    self.halves = halves
    self.longest = Float(longest)
    bound = Float(width + 16) * 0x1p-24
  }

  /// Turns a row's products into half its squared distances, up to what is common to all, and finds
  /// the centers that may be the nearest.
  ///
  /// - Returns: the first of them, whether there are others, and the most that their values are.
  func candidates(
    _ products: UnsafeMutablePointer<Float>, length: Float
  ) -> (first: Int, areSeveral: Bool, most: Float) {
    // What is behind the last product was never written.
    for place in count..<paddedCount { products[place] = 0 }
    let raw = UnsafeMutableRawPointer(products)
    let size = MemoryLayout<Float>.stride
    var least = SIMD8<Float>(repeating: .infinity)
    halves.withUnsafeBytes { halves in
      for place in stride(from: 0, to: paddedCount, by: 8) {
        let half = halves.loadUnaligned(fromByteOffset: place * size, as: SIMD8<Float>.self)
        let product = raw.loadUnaligned(fromByteOffset: place * size, as: SIMD8<Float>.self)
        let value = half - product
        raw.storeBytes(of: value, toByteOffset: place * size, as: SIMD8<Float>.self)
        least.replace(with: value, where: value .< least)
      }
    }
    let error = bound * longest * (length + longest) + Float.leastNormalMagnitude * Float(width)
    let most = least.least + 4 * error
    var first = count
    var found = 0
    for place in stride(from: 0, to: paddedCount, by: 8) {
      let value = raw.loadUnaligned(fromByteOffset: place * size, as: SIMD8<Float>.self)
      guard any(value .<= most) else { continue }
      for lane in 0..<8 where value[lane] <= most {
        if found == 0 { first = place + lane }
        found += 1
      }
    }
    return (min(first, count - 1), found > 1, most)
  }
}

extension SIMD8<Float> {
  /// The least of the values; `min()` takes them one by one.
  fileprivate var least: Float {
    var four = lowHalf
    four.replace(with: highHalf, where: highHalf .< four)
    var two = four.lowHalf
    two.replace(with: four.highHalf, where: four.highHalf .< two)
    return two[0] < two[1] ? two[0] : two[1]
  }
}
