import Geometry

extension Raster {
  /// The middle of the image, once its shorter side is `shorterSide` pixels long.
  ///
  /// The rules are torchvision's `Resize(shorterSide)` and `CenterCrop((height, width))` on a
  /// Pillow image: the longer side becomes `Int(shorterSide * long / short)`, truncated; the crop
  /// starts at half the surplus, rounded to the nearest and ties to even. With an antialiased
  /// method only the pixels inside the crop are computed, so that an image of 1 x 100000 costs no
  /// more than any other.
  ///
  /// - Parameters:
  ///   - width: the width of the crop, 1 to `shorterSide`.
  ///   - height: the height of the crop, 1 to `shorterSide`.
  ///   - shorterSide: what the shorter side becomes.
  ///   - method: how the image is resized; torchvision uses Pillow's antialiased filters.
  /// - Throws: ``RasterError`` if a side of the crop is below 1 or above `shorterSide`, or too
  ///   large.
  public func centerCropped(
    width: Int, height: Int, shorterSide: Int, method: Resampling
  ) throws(RasterError) -> Raster {
    _ = try Self.boundedSampleCount(width: width, height: height, channels: channels)
    guard max(width, height) <= shorterSide, shorterSide <= Self.maximumSamples else {
      throw .tooLarge(width: width, height: height, channels: channels)
    }
    let shorter = min(self.width, self.height)
    let resizedWidth = Self.side(self.width, shorter: shorter, target: shorterSide)
    let resizedHeight = Self.side(self.height, shorter: shorter, target: shorterSide)
    guard
      let window = PixelRect(
        x: Self.margin(resizedWidth, width), y: Self.margin(resizedHeight, height),
        width: width, height: height)
    else { throw .tooLarge(width: width, height: height, channels: channels) }
    switch method {
    case .bicubic, .bilinearAntialiased:
      return try resizedWithAntialiasing(
        width: resizedWidth, height: resizedHeight,
        filter: method == .bicubic ? .cubic : .triangle, window: window)
    case .bilinear:
      let resized = try resized(width: resizedWidth, height: resizedHeight, method: .bilinear)
      guard let crop = resized.cropped(to: window) else {
        throw .invalidLayout(width: width, height: height, channels: channels)
      }
      return crop
    }
  }

  /// A side of the image once its shorter one is `target`.
  private static func side(_ side: Int, shorter: Int, target: Int) -> Int {
    if side == shorter { return target }
    return Int(Double(target * side) / Double(shorter))
  }

  /// The pixels left of (above) a center crop; Python's `round`, ties to even.
  private static func margin(_ side: Int, _ size: Int) -> Int {
    Int((Double(side - size) / 2).rounded(.toNearestOrEven))
  }
}
