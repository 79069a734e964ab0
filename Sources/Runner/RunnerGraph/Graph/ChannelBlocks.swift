import RunnerTensors
import _RunnerKernels

/// The layout of a tensor [N, C, H, W] in blocks of sixteen channels.
///
/// In memory it is a tensor [N, C / 16 rounded up, H + 2 rows, W + 2 columns, 16]. The rows and columns of the margin
/// hold zeros, which are the padding of the convolutions that read the tensor. Values past the
/// last channel are never read. Channels and margin are known when a model is loaded, the height
/// and width only when it runs.
package struct ChannelBlocks: Hashable, Sendable {
  /// The number of channels in a block.
  package static let width = Int(RK_BLOCK)

  /// The number of channels.
  package var channels: Int

  /// The zeros around the image.
  package var margin = Margin.none

  /// Pixels of zeros around an image.
  package struct Margin: Hashable, Sendable {
    /// Those above it, and as many below.
    package var rows: Int
    /// Those at its left, and as many at its right.
    package var columns: Int

    package init(rows: Int, columns: Int) {
      self.rows = rows
      self.columns = columns
    }

    package static let none = Margin(rows: 0, columns: 0)
    package static let unlimited = Margin(rows: .max, columns: .max)

    /// The larger one of the two.
    package var widest: Int { max(rows, columns) }

    /// The least margin that has room for both.
    package func union(_ other: Margin) -> Margin {
      Margin(rows: max(rows, other.rows), columns: max(columns, other.columns))
    }

    /// A margin that is not wider than `limit` on any side.
    package func limited(to limit: Int) -> Margin {
      Margin(rows: min(rows, limit), columns: min(columns, limit))
    }
  }

  package init(channels: Int, margin: Margin = .none) {
    self.channels = channels
    self.margin = margin
  }

  /// The number of blocks.
  package var count: Int { (channels + Self.width - 1) / Self.width }

  /// The number of channels in the last block.
  package var lastDepth: Int { channels - (count - 1) * Self.width }

  /// The shape in memory of `batch` images of `height` by `width`.
  package func shape(batch: Int, height: Int, width: Int) -> [Int] {
    [batch, count, height + 2 * margin.rows, width + 2 * margin.columns, Self.width]
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
