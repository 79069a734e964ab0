/// What passes tell a node's kernel beyond what a file can say.
struct FusedOperation: Equatable, Sendable {
  /// How a node's tensors lie in memory, if not as usual.
  enum Layout: Equatable, Sendable {
    /// In blocks of channels, set by ``ChannelBlocking``.
    case blocks(BlockedForms)
    /// With the channels of a pixel side by side, set by ``PixelLayout``.
    case pixels(PixelForms)
  }

  /// An activation to apply to the output.
  var activation: Activation?

  /// For a node that stands for a chain of products: the activation of the first.
  var innerActivation: Activation?

  var layout: Layout?

  /// How the tensors lie in blocks; nil if they do not.
  var blocks: BlockedForms? {
    if case .blocks(let forms) = layout { forms } else { nil }
  }

  /// How the tensors lie as pixels; nil if they do not.
  var pixels: PixelForms? {
    if case .pixels(let forms) = layout { forms } else { nil }
  }
}
