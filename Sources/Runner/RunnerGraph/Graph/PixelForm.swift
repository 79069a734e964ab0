/// The layout of an image of 8-bit numbers with all channels of a pixel side by side.
///
/// In memory it is a tensor [N, H + 2 margin, W + 2 margin, pitch] of `uint8`. The margin holds the
/// number for zero, which is the padding of the convolutions that read the tensor. Bytes past the
/// channels are never used. Signed numbers are stored with 128 added.
package struct PixelForm: Hashable, Sendable {
  package var channels: Int
  /// Pixels around the image.
  package var margin = 0
  /// Whether the numbers are signed, and 128 was added.
  package var isSigned = false
  /// The number in the margin.
  package var zero: UInt8 = 0

  package init(
    channels: Int, margin: Int = 0, isSigned: Bool = false, zero: UInt8 = 0
  ) {
    self.channels = channels
    self.margin = margin
    self.isSigned = isSigned
    self.zero = zero
  }

  /// The bytes per pixel, in whole vectors.
  package var pitch: Int { (channels + 15) / 16 * 16 }
}

/// The layouts of a node's tensors, some of which are in pixels.
package struct PixelForms: Hashable, Sendable {
  /// Each input's layout; nil for the usual one.
  package var inputs: [PixelForm?]
  /// The output's layout; nil for the usual one.
  package var output: PixelForm?

  package init(
    inputs: [PixelForm?], output: PixelForm? = nil
  ) {
    self.inputs = inputs
    self.output = output
  }
}
