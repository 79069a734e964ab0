import RunnerTensors
import _RunnerKernels

/// The layout of a tensor [N, C, H, W] in blocks of sixteen channels.
///
/// In memory it is a tensor [N, C / 16 rounded up, H + 2 margin, W + 2 margin, 16]. The margin
/// holds zeros, which are the padding of the convolutions that read the tensor. Values past the
/// last channel are never read. Channels and margin are known when a model is loaded, the height
/// and width only when it runs.
package struct ChannelBlocks: Hashable, Sendable {
  /// The number of channels in a block.
  package static let width = Int(RK_BLOCK)

  /// The number of channels.
  package var channels: Int

  /// Pixels of zeros around the image.
  package var margin = 0

  package init(
    channels: Int, margin: Int = 0
  ) {
    self.channels = channels
    self.margin = margin
  }

  /// The number of blocks.
  package var count: Int { (channels + Self.width - 1) / Self.width }

  /// The number of channels in the last block.
  package var lastDepth: Int { channels - (count - 1) * Self.width }

  /// The shape in memory of `batch` images of `height` by `width`.
  package func shape(batch: Int, height: Int, width: Int) -> [Int] {
    [batch, count, height + 2 * margin, width + 2 * margin, Self.width]
  }
}

/// The layouts of a node's tensors, some of which are in blocks.
package struct BlockedForms: Hashable, Sendable {
  /// Each input's layout; nil for the usual one.
  package var inputs: [ChannelBlocks?]
  /// The output's layout; nil for the usual one.
  package var output: ChannelBlocks?

  package init(
    inputs: [ChannelBlocks?], output: ChannelBlocks? = nil
  ) {
    self.inputs = inputs
    self.output = output
  }
}

extension ValueFact {
  /// The shape of the tensor that holds the value, which may be in blocks.
  package func memoryShape(_ blocks: ChannelBlocks?) -> [Int] {
    guard let blocks, shape.count == 4 else { return shape }
    return blocks.shape(batch: shape[0], height: shape[2], width: shape[3])
  }
}
