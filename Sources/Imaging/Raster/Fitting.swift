extension Raster {
  /// The image at the largest size that fits into a frame, its aspect ratio kept.
  ///
  /// Sides are rounded to the nearest pixel, at least 1. An image that fits already stays as it is
  /// unless it is asked to grow.
  ///
  /// - Parameters:
  ///   - width: the frame's width, at least 1.
  ///   - height: the frame's height, at least 1.
  ///   - method: how pixels are found.
  ///   - enlarging: whether a smaller image grows until it touches the frame.
  /// - Throws: ``RasterError/invalidLayout(width:height:channels:)`` if a side of the frame is
  ///   below 1.
  public func fitted(
    width: Int, height: Int, method: Resampling = .bicubic, enlarging: Bool = false
  ) throws(RasterError) -> Raster {
    guard width > 0, height > 0 else {
      throw .invalidLayout(width: width, height: height, channels: channels)
    }
    guard enlarging || self.width > width || self.height > height else { return self }
    let ratio = min(
      Double(width) / Double(self.width), Double(height) / Double(self.height))
    func side(_ side: Int) -> Int { max(Int((Double(side) * ratio).rounded()), 1) }
    return try resized(width: side(self.width), height: side(self.height), method: method)
  }
}
