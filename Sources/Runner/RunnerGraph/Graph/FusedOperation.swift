/// The properties that passes give a node's kernel and that a file cannot express.
package struct FusedOperation: Equatable, Sendable {
  /// The layout of a node's tensors in memory, if it is not the usual one.
  package enum Layout: Equatable, Sendable {
    /// In blocks of channels, set by ``ChannelBlocking``.
    case blocks(BlockedForms)
    /// With the channels of a pixel side by side, set by ``PixelLayout``.
    case pixels(PixelForms)
  }

  /// An activation to apply to the output.
  package var activation: Activation?

  /// For a node that replaces a chain of products: the activation of the first.
  package var innerActivation: Activation?

  package var layout: Layout?

  package init(
    activation: Activation? = nil, innerActivation: Activation? = nil, layout: Layout? = nil
  ) {
    self.activation = activation
    self.innerActivation = innerActivation
    self.layout = layout
  }

  /// The layout in blocks; nil if the tensors are not in blocks.
  package var blocks: BlockedForms? {
    if case .blocks(let forms) = layout { forms } else { nil }
  }

  /// The layout in pixels; nil if the tensors are not in pixels.
  package var pixels: PixelForms? {
    if case .pixels(let forms) = layout { forms } else { nil }
  }
}
