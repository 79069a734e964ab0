extension Raster {
  /// How bright the image is, from 0 for black to 1 for white: the mean of its luma.
  ///
  /// The luma of each pixel is that of ``converted(toChannels:)``; alpha does not count.
  ///
  /// O(width * height).
  public var meanLuma: Double {
    let sum = samples.withUnsafeBufferPointer { source in
      var sum: UInt64 = 0
      var place = 0
      while place < source.count {
        sum &+= UInt64(
          channels <= 2
            ? source[place] : luma(source[place], source[place + 1], source[place + 2]))
        place += channels
      }
      return sum
    }
    return Double(sum) / (255 * Double(width) * Double(height))
  }
}
