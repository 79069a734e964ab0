import RunnerGraph
import RunnerNetworkOperators
import RunnerTensors
import _RunnerKernels

/// A convolution of one group from blocks to blocks, whose numbers are multiplied by parts.
///
/// ``SplitWeights`` says when that is faster. Winograd's method is faster still. Images of a few pixels are
/// computed like those of a ``BlockedConvolution``.
struct SplitConvolution: Kernel {
  private let plain: BlockedConvolution
  private let weights: SplitWeights
  private var frame: BlockedFrame { plain.frame }

  /// Nil if products by parts are not faster for the node, or not possible.
  init?(_ node: NodeInfo, plain: BlockedConvolution) throws {
    guard plain.method == .direct, plain.group == 1, plain.frame.leastMargin == .unlimited,
      let weights = node.constant(1)
    else { return nil }
    let taps = weights.shape[2] * weights.shape[3]
    let strides = (output: weights.shape[1] * taps, input: taps, tap: 1)
    guard
      let split = SplitWeights(
        node, weights, outputs: weights.shape[0], inputs: weights.shape[1], taps: taps,
        strides: strides, form: "blocked")
    else { return nil }
    self.plain = plain
    self.weights = split
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    try frame.run(inputs, in: context) { run in
      guard run.axes[0].output * run.axes[1].output >= SplitWeights.leastPixels else {
        return try BlockedConvolutionJob(
          kernel: plain, run: run, weights: plain.weights.floats, context: context
        ).compute()
      }
      try compute(run, in: context)
    }
  }

  private func compute(_ run: BlockedFrame.Run, in context: KernelContext) throws {
    let (axes, source, target) = (run.axes, run.source, run.target)
    let width = ChannelBlocks.width
    var conv = rk_split_conv()
    conv.inputs = frame.input.channels
    (conv.in_block, conv.in_pixel, conv.in_row) = (source.blockStride, width, source.rowStride)
    (conv.taps_y, conv.taps_x) = (axes[0].kernel, axes[1].kernel)
    (conv.stride_y, conv.stride_x) = (axes[0].stride, axes[1].stride)
    (conv.dilation_y, conv.dilation_x) = (axes[0].dilation, axes[1].dilation)
    conv.outputs = frame.output.channels
    conv.out_width = axes[1].output
    (conv.out_block, conv.out_pixel, conv.out_row) = (target.blockStride, width, target.rowStride)
    conv.residual_block = run.residual?.blockStride ?? 0
    (conv.residual_pixel, conv.residual_row) = (width, run.residual?.rowStride ?? 0)
    conv.writes_whole_blocks = 1
    conv.finish = run.finish
    // A step that is not made may be of any length.
    if axes[0].output == 1 { conv.stride_y = 1 }
    if axes[1].output == 1 { conv.stride_x = 1 }
    if conv.taps_y == 1, conv.taps_x == 1 {
      // Pixels between those that are used need no parts.
      conv.in_pixel *= conv.stride_x
      conv.in_row *= conv.stride_y
      (conv.stride_y, conv.stride_x) = (1, 1)
    }
    var height = axes[0].output
    let isRow = run.isFlat || height == 1
    if run.isFlat {
      // The image is one long row.
      conv.out_width = height * axes[1].output
      height = 1
    }
    let shares = shares(
      of: conv, height: height, batch: source.batch, threads: context.threads.threadCount)
    if isRow { conv.out_width = (conv.out_width + shares.pieces - 1) / shares.pieces }
    let rows = isRow ? 1 : (height + shares.pieces - 1) / shares.pieces
    let pixels = isRow ? target.height * target.width : 0
    let parts = weights.parts
    let bias = frame.bias?.base.assumingMemoryBound(to: Float.self)
    try shares.forEach(
      images: source.batch, scratch: SplitWeights.scratch(conv, rows: rows), in: context
    ) { image, piece, blocks, memory in
      var conv = conv
      var (pixel, row, count) = (0, 0, 1)
      if isRow {
        pixel = piece * pixels / shares.pieces
        conv.out_width = (piece + 1) * pixels / shares.pieces - pixel
      } else {
        row = piece * height / shares.pieces
        count = (piece + 1) * height / shares.pieces - row
      }
      rk_split_conv_rows(
        &conv, run.firstTap(of: image) + pixel * conv.stride_x * conv.in_pixel, parts, bias,
        run.residualPointer(image).map { $0 + pixel * width },
        target.pointer(image: image) + pixel * width, blocks.lowerBound, blocks.count, row, count,
        memory)
    }
  }

  /// The greatest number of pixels in a piece.
  private static let pixels = 512
  /// The least number of pixels in a piece that is made only for another thread.
  private static let leastPixels = 96

  /// The division of an image into pieces of pixels or rows, and of its blocks into parts.
  ///
  /// Each part of a piece makes the parts of its numbers again, so there are several only if there are too
  /// few pieces for the threads. Sums do not depend on the division.
  private func shares(
    of conv: rk_split_conv, height: Int, batch: Int, threads: Int
  ) -> ProductShares {
    let all = conv.out_width * height
    let most = height > 1 ? height : all
    let bytes = SplitWeights.scratch(conv, rows: height) * MemoryLayout<Float>.stride
    var pieces = max(
      (all + Self.pixels - 1) / Self.pixels,
      (bytes + SplitWeights.cacheBytes - 1) / SplitWeights.cacheBytes)
    let wanted = threads > 1 ? 2 * threads : 1
    if pieces * batch < wanted {
      pieces = max(pieces, min((wanted + batch - 1) / batch, all / Self.leastPixels))
    }
    pieces = min(pieces, most)
    let blocks = frame.output.count
    let parts = min(ProductShares.groups(of: blocks), (wanted - 1) / (pieces * batch) + 1)
    return ProductShares(blocks: blocks, pieces: pieces, parts: parts)
  }

  var choice: String? {
    "products by parts: " + frame.detail(group: 1)
  }
}
