import RunnerGraph
import RunnerNetworkOperators
import RunnerTensors
import _RunnerKernels

/// One run of a convolution on blocks.
struct BlockedConvolutionJob {
  let kernel: BlockedConvolution
  let run: BlockedFrame.Run
  let weights: UnsafePointer<Float>
  let context: KernelContext

  /// The number of pieces that keeps several threads busy to the end.
  private static let pieceCount = 16
  /// The least number of products in a piece that is worth a thread: about 30 microseconds.
  private static let pieceProducts = 1 << 21

  var bias: UnsafePointer<Float>? {
    frame.bias.map { UnsafePointer($0.base.assumingMemoryBound(to: Float.self)) }
  }

  var frame: BlockedFrame { kernel.frame }
  var axes: [SlidingWindow.Axis] { run.axes }
  var source: BlockedTensor { run.source }
  var target: BlockedTensor { run.target }

  func compute() throws {
    switch kernel.method {
    case .direct: direct()
    case .winograd: try winograd()
    case .depthwise: depthwise()
    }
  }

  /// Whether the kernels should be more precise.
  ///
  /// The layers next to the image add large numbers that cancel, and their errors grow through all
  /// later layers: in YOLOX-Nano most of a box's deviation from double precision begins in the
  /// first two. They have few channels, so precision costs little there.
  private var isPrecise: Bool {
    frame.input.count == 1 && axes.contains { $0.kernel > 1 }
  }

  var description: rk_blocked_conv {
    rk_blocked_conv(
      input_blocks: frame.input.count, output_blocks: frame.output.count,
      last_input_depth: frame.input.lastDepth, input: source.layout, output: target.layout,
      residual: run.residual?.layout ?? rk_blocked_layout(), output_step: ChannelBlocks.width,
      out_height: axes[0].output,
      out_width: axes[1].output, kernel_height: axes[0].kernel, kernel_width: axes[1].kernel,
      stride_y: axes[0].stride, stride_x: axes[1].stride, dilation_y: axes[0].dilation,
      dilation_x: axes[1].dilation,
      finish: run.finish,
      is_precise: isPrecise ? 1 : 0,
      edges: rk_blocked_edges(
        height: source.height, width: source.width, pad_top: axes[0].padBegin,
        pad_left: axes[1].padBegin))
  }

  /// The description for kernels that need no margin: with one, padding is like any other pixels.
  var bareDescription: rk_blocked_conv {
    var conv = description
    let margin = source.blocks.margin
    if max(axes[0].padBegin, axes[0].padEnd) <= margin.rows,
      max(axes[1].padBegin, axes[1].padEnd) <= margin.columns
    {
      conv.edges = rk_blocked_edges()
    }
    return conv
  }

  /// The number of products of one weight and one value, for one image.
  private var products: Int {
    let pixels = axes[0].output * axes[1].output * axes[0].kernel * axes[1].kernel
    return pixels * kernel.parts.area * ChannelBlocks.width * ChannelBlocks.width
  }

  /// Whether an image takes less time than starting another thread.
  private var isSmall: Bool { products < 200_000 }

  /// The division of an image: `count` rows of `width` pixels in pieces, and output blocks in
  /// parts.
  ///
  /// A piece reads all weights of its part, so it has 256 pixels if that leaves enough pieces for
  /// threads to end at about the same time. Parts cost little, because a piece is read once for
  /// each group of blocks anyway. Only then pieces become smaller, but have at least 56 pixels.
  /// Results are the same bits for every division, so it may depend on the number of threads: one thread has no use
  /// for parts, whose first weights nothing has fetched into the cache.
  private func shares(of count: Int, width: Int) -> ProductShares {
    let blocks = frame.output.count
    guard !isSmall else { return ProductShares(blocks: blocks, pieces: 1, parts: 1) }
    let threads = context.threads.threadCount
    var pieces = (count * width + 255) / 256
    guard threads > 1 else {
      return ProductShares(blocks: blocks, pieces: min(count, pieces), parts: 1)
    }
    let wanted = max(Self.pieceCount, products / Self.pieceProducts)
    var parts = min(
      ProductShares.groups(of: blocks), max(1, wanted / max(pieces * source.batch, 1)))
    let most = max(1, count * width / 56)
    pieces = min(count, max(pieces, min(Self.pieceCount / parts, most)))
    // Few shares have to be the same number for each thread.
    let total = pieces * parts * source.batch
    if total < 8 * threads, total % threads > 0 {
      parts = min(blocks, (parts + threads - 1) / threads * threads)
    }
    return ProductShares(blocks: blocks, pieces: pieces, parts: parts, divisibleBy: 1)
  }

  func direct() {
    let conv = description
    if run.isFlat || conv.out_height == 1 {
      directRow(conv)
      return
    }
    let shares = shares(of: conv.out_height, width: conv.out_width)
    shares.forEach(images: source.batch, in: context) { image, piece, blocks in
      let start = piece * axes[0].output / shares.pieces
      direct(
        conv, run.firstTap(of: image), blocks, image: image,
        rows: start..<(piece + 1) * axes[0].output / shares.pieces, pixel: 0)
    }
  }

  /// Computes an image whose output is one row, or can be seen as one, in pieces of similar length.
  private func directRow(_ conv: rk_blocked_conv) {
    let pixels = conv.out_height * conv.out_width
    let shares = shares(of: pixels, width: 1)
    shares.forEach(images: source.batch, in: context) { image, piece, blocks in
      let start = piece * pixels / shares.pieces
      var part = conv
      if run.isFlat { part.edges = rk_blocked_edges() }
      part.edges.pad_left -= start * conv.stride_x
      part.out_height = 1
      part.out_width = (piece + 1) * pixels / shares.pieces - start
      direct(
        part, run.firstTap(of: image) + start * conv.stride_x * ChannelBlocks.width, blocks,
        image: image, rows: 0..<1, pixel: start)
    }
  }

  /// Computes some rows of some blocks of an image, from a pixel of the output on.
  private func direct(
    _ conv: rk_blocked_conv, _ firstTap: UnsafePointer<Float>, _ blocks: Range<Int>, image: Int,
    rows: Range<Int>, pixel: Int
  ) {
    let offset = pixel * ChannelBlocks.width
    for part in kernel.parts.parts where part.outputs.overlaps(blocks) {
      let outputs = part.outputs.clamped(to: blocks)
      let place = place(of: part, in: conv, image: image)
      withUnsafePointer(to: place.conv) {
        rk_blocked_conv_f32(
          $0, firstTap + part.inputs.lowerBound * source.blockStride, place.weights, place.bias,
          place.residual.map { $0 + offset }, place.target + offset,
          outputs.lowerBound - part.outputs.lowerBound, outputs.count, rows.lowerBound, rows.count)
      }
    }
  }

  /// A part as a convolution of one group.
  struct Place {
    var conv: rk_blocked_conv
    let weights: UnsafePointer<Float>
    let bias: UnsafePointer<Float>?
    let residual: UnsafePointer<Float>?
    let target: UnsafeMutablePointer<Float>
  }

  func place(
    of part: ConvolutionParts.Part, in conv: rk_blocked_conv, image: Int
  ) -> Place {
    let first = part.outputs.lowerBound
    let taps = axes[0].kernel * axes[1].kernel
    var conv = conv
    conv.input_blocks = part.inputs.count
    conv.output_blocks = part.outputs.count
    conv.last_input_depth = part.lastDepth
    return Place(
      conv: conv,
      weights: weights + part.weights * taps * ChannelBlocks.width * ChannelBlocks.width,
      bias: bias.map { $0 + first * ChannelBlocks.width },
      residual: run.residualPointer(image).map { $0 + first * conv.residual.block_stride },
      target: target.pointer(image: image) + first * target.blockStride)
  }

  private func depthwise() {
    let conv = bareDescription
    let rows = max(1, 4096 / max(axes[1].output * axes[0].kernel * axes[1].kernel, 1))
    let pieces = (axes[0].output + rows - 1) / rows
    let count = frame.output.count
    // Large images are divided by rows first, as by convolutions, so that a thread finds its part in its cache.
    let isLarge = axes[0].output * axes[1].output >= 2 * ProductShares.pixelPiece
    context.parallel(source.batch * count * pieces) { items in
      for item in items {
        let image = item / pieces / count
        let start = (isLarge ? item / count % pieces : item % pieces) * rows
        withUnsafePointer(to: conv) {
          rk_blocked_depthwise_f32(
            $0, run.firstTap(of: image), weights, bias, target.pointer(image: image),
            isLarge ? item % count : item / pieces % count, start,
            min(rows, axes[0].output - start))
        }
      }
    }
  }
}
