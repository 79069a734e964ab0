/// How an image of 8-bit numbers lies with all channels of a pixel side by side: as a tensor
/// [N, H + 2 margin, W + 2 margin, pitch] of `uint8`.
///
/// The margin holds the number that stands for zero, which is the padding of the convolutions that
/// read the tensor. What lies past the channels is never used. Signed numbers are kept 128 higher.
package struct PixelForm: Hashable, Sendable {
  package var channels: Int
  /// Pixels around the image.
  package var margin = 0
  /// Whether the numbers are signed ones, moved up.
  package var isSigned = false
  /// What the margin holds.
  package var zero: UInt8 = 0

  package init(
    channels: Int, margin: Int = 0, isSigned: Bool = false, zero: UInt8 = 0
  ) {
    self.channels = channels
    self.margin = margin
    self.isSigned = isSigned
    self.zero = zero
  }

  /// Bytes a pixel takes, whole vectors.
  package var pitch: Int { (channels + 15) / 16 * 16 }
}

/// What a node whose tensors lie as pixels is told about them.
package struct PixelForms: Hashable, Sendable {
  /// Each input's form; nil if it lies as usual.
  package var inputs: [PixelForm?]
  /// The output's form; nil if it lies as usual.
  package var output: PixelForm?

  package init(
    inputs: [PixelForm?], output: PixelForm? = nil
  ) {
    self.inputs = inputs
    self.output = output
  }
}
