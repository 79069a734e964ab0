/// How an image of 8-bit numbers lies with all channels of a pixel side by side: as a tensor
/// [N, H + 2 margin, W + 2 margin, pitch] of `uint8`.
///
/// The margin holds the number that stands for zero, which is the padding of the convolutions that read
/// the tensor. What lies past the channels is never used. Signed numbers are kept 128 higher.
struct PixelForm: Hashable, Sendable {
  var channels: Int
  /// Pixels around the image.
  var margin = 0
  /// Whether the numbers are signed ones, moved up.
  var isSigned = false
  /// What the margin holds.
  var zero: UInt8 = 0

  /// Bytes a pixel takes, whole vectors.
  var pitch: Int { (channels + 15) / 16 * 16 }
}

/// What a node whose tensors lie as pixels is told about them.
struct PixelForms: Hashable, Sendable {
  /// Each input's form; nil where it lies as usual.
  var inputs: [PixelForm?]
  /// The output's form; nil where it lies as usual.
  var output: PixelForm?
}
