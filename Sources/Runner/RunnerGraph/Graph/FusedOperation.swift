/// What passes tell a node's kernel beyond what a file can say.
package struct FusedOperation: Equatable, Sendable {
  /// How a node's tensors lie in memory, if not as usual.
  package enum Layout: Equatable, Sendable {
    /// In blocks of channels, set by ``ChannelBlocking``.
    case blocks(BlockedForms)
    /// With the channels of a pixel side by side, set by ``PixelLayout``.
    case pixels(PixelForms)
  }

  /// An activation to apply to the output.
  package var activation: Activation?

  /// For a node that stands for a chain of products: the activation of the first.
  package var innerActivation: Activation?

  package var layout: Layout?

  package init(
    activation: Activation? = nil, innerActivation: Activation? = nil, layout: Layout? = nil
  ) {
    self.activation = activation
    self.innerActivation = innerActivation
    self.layout = layout
  }

  /// How the tensors lie in blocks; nil if they do not.
  package var blocks: BlockedForms? {
    if case .blocks(let forms) = layout { forms } else { nil }
  }

  /// How the tensors lie as pixels; nil if they do not.
  package var pixels: PixelForms? {
    if case .pixels(let forms) = layout { forms } else { nil }
  }
}
