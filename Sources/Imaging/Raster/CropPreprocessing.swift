/// The preprocessing of an image for a classifier or an embedder.
///
/// It makes a square of `size` x `size`, then normalized planes.
///
/// With ``Framing/centerCrop`` the rules are torchvision's `Resize(size)`, `CenterCrop(size)`,
/// `ToTensor()`, `Normalize(mean, std)` on a Pillow image, which is how CLIP was trained, and the
/// values are equal to theirs bit for bit:
///
/// - the longer side becomes `Int(size * long / short)`, truncated;
/// - the crop starts at half the surplus, rounded to the nearest and ties to even;
/// - `(sample / 255 - mean) / deviation` in float32.
///
/// Only the pixels inside the crop are computed, so an image of 1 x 100000 costs no more than any
/// other.
public struct CropPreprocessing: Hashable, Sendable, Codable {
  /// The side of the square input, in pixels.
  public var size: Int
  /// Which part of the image the square shows.
  public var framing: Framing
  /// How the image is resized; torchvision uses Pillow's antialiased filters.
  public var resampling: Resampling
  /// The order of the colour planes.
  public var order: ChannelOrder
  /// The normalization of each sample.
  public var normalization: PixelNormalization

  /// Makes a preprocessing rule.
  public init(
    size: Int, framing: Framing = .centerCrop, resampling: Resampling = .bicubic,
    order: ChannelOrder = .rgb,
    normalization: PixelNormalization
  ) {
    self.size = size
    self.framing = framing
    self.resampling = resampling
    self.order = order
    self.normalization = normalization
  }
}

extension CropPreprocessing {
  /// How an image that is not a square becomes one.
  public enum Framing: String, Hashable, Sendable, Codable, CaseIterable {
    /// The shorter side becomes the square's, and what the longer side has beyond it is cut off.
    case centerCrop
    /// Both sides become the square's: everything is seen, out of proportion.
    case stretched
  }

  /// How many values ``tensor(of:)`` answers: `3 * size * size`.
  public var valueCount: Int { 3 * size * size }

  /// The `size` x `size` RGB image that the network sees, before normalization.
  ///
  /// Images of 1, 2 and 4 channels are converted to RGB first.
  ///
  /// - Throws: ``RasterError`` if ``size`` is below 1 or too large.
  public func square(of image: Raster) throws(RasterError) -> Raster {
    _ = try Raster.boundedSampleCount(width: size, height: size, channels: 3)
    let image = try image.converted(toChannels: 3)
    switch framing {
    case .centerCrop:
      return try image.centerCropped(
        width: size, height: size, shorterSide: size, method: resampling)
    case .stretched:
      return try image.resized(width: size, height: size, method: resampling)
    }
  }

  /// The network's input for one image: three planes of `size` x `size` values.
  ///
  /// - Throws: ``RasterError`` if ``size`` is below 1 or too large, or the normalization does not
  ///   fit three channels.
  public func tensor(of image: Raster) throws(RasterError) -> [Float] {
    try square(of: image).planar(order: order, normalization: normalization)
  }

  /// Appends the input for one image to those before it, so that a batch (NCHW) grows in one array.
  ///
  /// - Throws: as ``tensor(of:)`` does.
  public func append(_ image: Raster, to tensor: inout [Float]) throws(RasterError) {
    try square(of: image).appendPlanar(to: &tensor, order: order, normalization: normalization)
  }
}
