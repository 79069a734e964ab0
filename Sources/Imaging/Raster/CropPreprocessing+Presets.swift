extension CropPreprocessing {
  /// CLIP's preprocessing: 224, bicubic, and the mean and deviation of its training images.
  ///
  /// Source: Radford et al., "Learning transferable visual models from natural language
  /// supervision", 2021, and the values published with its code.
  public static let clip = CropPreprocessing(
    size: 224,
    normalization: PixelNormalization(
      divisor: 255, mean: [0.481_454_66, 0.457_827_5, 0.408_210_73],
      deviation: [0.268_629_54, 0.261_302_58, 0.275_777_11]))

  /// The preprocessing for embedders trained on ImageNet: as ``clip``, with ImageNet's mean and
  /// deviation.
  ///
  /// The shortest side becomes 224, not 256 as in torchvision's evaluation recipe: a crop around an
  /// object has no border to spare, and cutting an eighth off it loses the object's outline.
  /// Resized bicubically for the same reason as in ``clip``: one rule for every embedder.
  public static let imageNet = CropPreprocessing(
    size: 224,
    normalization: PixelNormalization(
      divisor: 255, mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225]))

  /// The preprocessing of the package's own embedder: the whole crop as a square of 64 x 64, values
  /// -2...2.
  ///
  /// Stretched, because of a long thing a square cut from the middle shows no ends, and small,
  /// because a photo of many things shows none of them larger.
  public static let stretched = CropPreprocessing(
    size: 64, framing: .stretched,
    normalization: PixelNormalization(
      divisor: 255, mean: [0.5, 0.5, 0.5], deviation: [0.25, 0.25, 0.25]))
}
