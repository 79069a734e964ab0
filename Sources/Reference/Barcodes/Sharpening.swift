import Raster

extension Raster {
  /// One channel, sharpened with an unsharp mask.
  ///
  /// The difference of each sample to the mean around it is added `amount` times.
  ///
  /// - Parameters:
  ///   - radius: the mean is of the square that extends this number of pixels to each side.
  ///   - amount: the factor on the difference.
  func sharpened(radius: Int, amount: Float) throws -> Raster {
    let means = GreyPlane(self).means(radius: radius)
    let sharp = zip(samples, means).map { sample, mean in
      UInt8(min(max(Float(sample) + amount * (Float(sample) - mean), 0), 255))
    }
    return try Raster(width: width, height: height, channels: 1, samples: sharp)
  }
}

extension GreyPlane {
  /// The mean around each sample, over a square cut off by the picture's sides.
  fileprivate func means(radius: Int) -> [Float] {
    var columns = [Int32](repeating: 0, count: width)
    var means = [Float](repeating: 0, count: width * height)
    var sums = [Int32](repeating: 0, count: width + 1)
    for row in -radius..<height {
      if row + radius < height {
        for x in 0..<width { columns[x] += Int32(samples[(row + radius) * width + x]) }
      }
      if row > radius {
        for x in 0..<width { columns[x] -= Int32(samples[(row - radius - 1) * width + x]) }
      }
      guard row >= 0 else { continue }
      for x in 0..<width { sums[x + 1] = sums[x] + columns[x] }
      let rows = min(row + radius, height - 1) - max(row - radius, 0) + 1
      for x in 0..<width {
        let (from, to) = (max(x - radius, 0), min(x + radius + 1, width))
        means[row * width + x] = Float(sums[to] - sums[from]) / Float((to - from) * rows)
      }
    }
    return means
  }
}
