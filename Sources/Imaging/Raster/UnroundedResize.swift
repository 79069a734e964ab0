extension Raster {
  /// The image at another size as float32 planes (CHW), without rounding to bytes in between.
  ///
  /// Bilinear, between the four nearest pixels and not antialiased. Equals PyTorch's `interpolate`
  /// of a float image (`align_corners=False`, `antialias=False`), and torchvision's `resize` with
  /// `antialias=False`. Normalization follows.
  ///
  /// - Parameters:
  ///   - width: the new width, at least 1.
  ///   - height: the new height, at least 1.
  ///   - order: the order of red, green and blue.
  ///   - normalization: the normalization of each sample.
  /// - Returns: `channels * height * width` values.
  /// - Throws: ``RasterError`` if a side is below 1, the result would be too large, or the
  ///   normalization does not fit.
  public func unroundedPlanes(
    width: Int, height: Int, order: ChannelOrder = .rgb,
    normalization: PixelNormalization = .none
  ) throws(RasterError) -> [Float] {
    let count = try Self.boundedSampleCount(width: width, height: height, channels: channels)
    let columns = Self.taps(from: self.width, to: width)
    let rows = Self.taps(from: self.height, to: height)
    let tables = try (0..<channels).map { (channel) throws(RasterError) in
      try normalization.table(channel: channel, of: channels)
    }
    var planes: [Float] = []
    planes.reserveCapacity(count)
    for (plane, table) in tables.enumerated() {
      // A normalization is linear: two of its values say what it does to numbers in between.
      let (offset, slope) = (table[0], (table[255] - table[0]) / 255)
      let channel = order == .bgr && channels >= 3 && plane < 3 ? 2 - plane : plane
      for row in rows {
        let (upper, lower) = (row.first * self.width, row.second * self.width)
        for column in columns {
          func sample(_ start: Int, _ x: Int) -> Float {
            Float(samples[(start + x) * channels + channel])
          }
          let top =
            sample(upper, column.first) * (1 - column.share)
            + sample(upper, column.second) * column.share
          let bottom =
            sample(lower, column.first) * (1 - column.share)
            + sample(lower, column.second) * column.share
          planes.append(offset + slope * (top * (1 - row.share) + bottom * row.share))
        }
      }
    }
    return planes
  }

  /// For each new place the two old ones around it, and the share of the second.
  private static func taps(
    from old: Int, to new: Int
  ) -> [(first: Int, second: Int, share: Float)] {
    let scale = Float(old) / Float(new)
    return (0..<new).map { place in
      let at = max((Float(place) + 0.5) * scale - 0.5, 0)
      let first = min(Int(at), old - 1)
      return (first, min(first + 1, old - 1), min(at - Float(first), 1))
    }
  }
}
