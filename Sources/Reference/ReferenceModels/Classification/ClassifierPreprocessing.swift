import Raster

/// How an image becomes the input of a classifier of any size, square or not.
public struct ClassifierPreprocessing: Hashable, Sendable, Codable {
  /// Which part of the image the network sees.
  public var framing: CropPreprocessing.Framing
  /// How much of the shorter side the crop keeps, 0.1...1, where the framing is `centerCrop`.
  ///
  /// ImageNet's 0.875 makes the shorter side 256 for an input of 224.
  public var cropShare: Double
  /// How the image is resized.
  public var resampling: Resampling
  /// The order of the colours.
  public var order: ChannelOrder
  /// The normalization of each sample.
  public var normalization: PixelNormalization

  /// Makes a preprocessing rule.
  public init(
    framing: CropPreprocessing.Framing = .centerCrop, cropShare: Double = 0.875,
    resampling: Resampling = .bilinearAntialiased, order: ChannelOrder = .rgb,
    normalization: PixelNormalization
  ) {
    self.framing = framing
    self.cropShare = cropShare
    self.resampling = resampling
    self.order = order
    self.normalization = normalization
  }

  /// The `width` x `height` image that the network sees, before normalization.
  ///
  /// With `centerCrop` the shorter side becomes the longer one of the crop divided by
  /// ``cropShare``, truncated, as torchvision's and timm's evaluation recipes have it.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - width: the width of the network's input in pixels, at least 1.
  ///   - height: the height of the network's input in pixels, at least 1.
  ///   - channels: 1 for grey, 3 for colours.
  /// - Throws: `RasterError`; ``ClassifierError/cropShare(_:)``.
  public func image(
    of image: Raster, width: Int, height: Int, channels: Int = 3
  ) throws -> Raster {
    let image = try image.converted(toChannels: channels)
    switch framing {
    case .centerCrop:
      guard (0.1...1).contains(cropShare) else { throw ClassifierError.cropShare(cropShare) }
      let shorterSide = Int(Double(max(width, height)) / cropShare)
      return try image.centerCropped(
        width: width, height: height, shorterSide: shorterSide, method: resampling)
    case .stretched:
      return try image.resized(width: width, height: height, method: resampling)
    }
  }
}

extension ClassifierPreprocessing {
  /// A rule that has a name.
  public enum Preset: String, Hashable, Sendable, Codable, CaseIterable {
    /// torchvision's: shorter side 256 for 224, bilinear, ImageNet's mean and deviation.
    case imageNet = "imagenet"
    /// timm's for most networks: the same, bicubic.
    case imageNetBicubic = "imagenet-bicubic"
    /// CLIP's: shorter side 224 for 224, bicubic, its own mean and deviation.
    case clip
    /// Values 0...1, cropped as ImageNet's.
    case unit
    /// Values -1...1, cropped as ImageNet's, as networks of TensorFlow want them.
    case signed
    /// Values 0...255, cropped as ImageNet's, for networks that normalize themselves.
    case raw
  }

  /// The rule of a preset.
  public init(_ preset: Preset) {
    switch preset {
    case .imageNet: self.init(normalization: CropPreprocessing.imageNet.normalization)
    case .imageNetBicubic:
      self.init(resampling: .bicubic, normalization: CropPreprocessing.imageNet.normalization)
    case .clip:
      self.init(
        cropShare: 1, resampling: .bicubic, normalization: CropPreprocessing.clip.normalization)
    case .unit: self.init(normalization: PixelNormalization(divisor: 255))
    case .signed:
      self.init(normalization: PixelNormalization(divisor: 255, mean: [0.5], deviation: [0.5]))
    case .raw: self.init(normalization: .none)
    }
  }
}
