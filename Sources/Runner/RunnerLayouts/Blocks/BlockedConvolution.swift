import Foundation
import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

/// A convolution from blocks to blocks: one group, or one channel a group.
///
/// 3x3 of stride 1 by Winograd's F(4x4, 3x3) where there are channels enough to pay for the
/// transforms, of the weights too, which are four times as large transformed and so are not kept;
/// depthwise vector by vector; everything else, 1x1 included, by one kernel of register tiles. A
/// third input after the bias is added to the result once it is activated.
package struct BlockedConvolution: Kernel {
  /// How the sums are computed.
  enum Method: Sendable {
    case direct
    case winograd
    case depthwise
  }

  private(set) var frame: BlockedFrame
  let method: Method
  /// Packed for the method.
  let weights: PackedWeights

  init(_ node: NodeInfo) throws {
    let (frame, weights) = try BlockedFrame.read(node)
    self.frame = frame
    let group = try node.int("group", default: 1)
    let isDepthwise = group > 1
    self.frame.leastMargin = Self.margin(
      weights.shape, group: group, strides: frame.window.strides,
      dilations: frame.window.dilations, reach: .max)
    method =
      isDepthwise
      ? .depthwise
      : node.allowsWinograd
        && Self.usesWinograd(
          weights.shape, strides: frame.window.strides, dilations: frame.window.dilations)
        ? .winograd : .direct
    self.weights =
      isDepthwise
      ? node.packed(weights, as: "blocked depthwise") { Self.packedByChannel($0, in: $1) }
      : node.packed(weights, as: "blocked") { Self.packedByTap($0, in: $1) }
  }

  /// Whether Winograd's method is the quicker one for weights of this shape.
  ///
  /// Its transforms cost as much for a few channels on one side as for many on the other. A single block
  /// on the input's side gets the sums that lose less instead.
  package static func usesWinograd(_ weights: [Int], strides: [Int]?, dilations: [Int]?) -> Bool {
    weights.count == 4 && weights[2] == 3 && weights[3] == 3
      && weights[0] >= ChannelBlocks.width && weights[1] >= 2 * ChannelBlocks.width
      && strides?.allSatisfy { $0 == 1 } ?? true && dilations?.allSatisfy { $0 == 1 } ?? true
  }

  /// Pixels of padding that a convolution needs in memory whose pads reach over `reach`.
  ///
  /// Taps far apart that see nothing but padding are left out, so that what pixels computed together
  /// have in common is enough.
  package static func margin(
    _ weights: [Int], group: Int, strides: [Int]?, dilations: [Int]?, reach: Int
  ) -> Int {
    guard group == 1, weights.count == 4, weights[1] > ChannelBlocks.width,
      strides?.allSatisfy({ $0 == 1 }) ?? true, dilations?.contains(where: { $0 > 1 }) ?? false
    else { return reach }
    return min(reach, Int(RK_MOST_PIXELS))
  }

  /// As `rk_blocked_conv_f32` wants them.
  static func packedByTap(_ weights: Tensor, in memory: WeightMemory) -> TensorStorage {
    let (outputs, inputs) = (weights.shape[0], weights.shape[1])
    let taps = weights.shape[2] * weights.shape[3]
    let blocks =
      ChannelBlocks(channels: outputs).count * ChannelBlocks(channels: inputs).count
    let storage = memory.storage(
      byteCount: blocks * taps * ChannelBlocks.width * ChannelBlocks.width * 4)
    rk_pack_conv_weights_f32(
      weights.pointer(to: Float.self), storage.base.assumingMemoryBound(to: Float.self), outputs,
      inputs, taps)
    return storage
  }

  /// As `rk_blocked_depthwise_f32` wants them.
  private static func packedByChannel(
    _ weights: Tensor, in memory: WeightMemory
  ) -> TensorStorage {
    let taps = weights.shape[2] * weights.shape[3]
    let count = ChannelBlocks(channels: weights.shape[0]).count * taps * ChannelBlocks.width
    let storage = memory.storage(byteCount: count * 4)
    let source = weights.pointer(to: Float.self)
    let target = storage.base.assumingMemoryBound(to: Float.self)
    target.update(repeating: 0, count: count)
    for channel in 0..<weights.shape[0] {
      for tap in 0..<taps {
        target[
          (channel / ChannelBlocks.width * taps + tap) * ChannelBlocks.width
            + channel % ChannelBlocks.width] = source[channel * taps + tap]
      }
    }
    return storage
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    try frame.run(inputs, in: context) { run in
      let job = BlockedConvolutionJob(
        kernel: self, run: run, weights: weights.floats, context: context)
      try job.compute()
    }
  }
}

/// One run of a convolution on blocks.
private struct BlockedConvolutionJob {
  let kernel: BlockedConvolution
  let run: BlockedFrame.Run
  let weights: UnsafePointer<Float>
  let context: KernelContext

  /// Pieces that keep several threads busy to the end.
  private static let pieceCount = 16
  /// Products in a piece that takes long enough to be worth a thread's turn: some 30 microseconds.
  private static let pieceProducts = 1 << 21
  /// Pieces from which on both steps of Winograd's method are better done by one thread.
  private static let winogradPieces = 8

  private var bias: UnsafePointer<Float>? {
    frame.bias.map { UnsafePointer($0.base.assumingMemoryBound(to: Float.self)) }
  }

  private var frame: BlockedFrame { kernel.frame }
  private var axes: [SlidingWindow.Axis] { run.axes }
  private var source: BlockedTensor { run.source }
  private var target: BlockedTensor { run.target }

  func compute() throws {
    switch kernel.method {
    case .direct: direct()
    case .winograd: try winograd()
    case .depthwise: depthwise()
    }
  }

  /// Whether the kernels are to lose less.
  ///
  /// The layers next to the image add large numbers that cancel, and what they lose grows through all
  /// layers after them: in YOLOX-Nano most of a box's deviation from double precision begins in the
  /// first two. They have few channels, so care costs little there.
  private var isPrecise: Bool {
    frame.input.count == 1 && axes.contains { $0.kernel > 1 }
  }

  private var description: rk_blocked_conv {
    rk_blocked_conv(
      input_blocks: frame.input.count, output_blocks: frame.output.count,
      last_input_depth: frame.input.lastDepth, input: source.layout, output: target.layout,
      residual: run.residual?.layout ?? rk_blocked_layout(), output_step: ChannelBlocks.width,
      out_height: axes[0].output,
      out_width: axes[1].output, kernel_height: axes[0].kernel, kernel_width: axes[1].kernel,
      stride_y: axes[0].stride, stride_x: axes[1].stride, dilation_y: axes[0].dilation,
      dilation_x: axes[1].dilation,
      finish: vk_finish(activation: frame.activation, residual_first: 0),
      is_precise: isPrecise ? 1 : 0,
      edges: rk_blocked_edges(
        height: source.height, width: source.width, pad_top: axes[0].padBegin,
        pad_left: axes[1].padBegin))
  }

  /// Products of one weight and one value each, for one image.
  private var products: Int {
    let pixels = axes[0].output * axes[1].output * axes[0].kernel * axes[1].kernel
    return pixels * frame.input.count * frame.output.count * ChannelBlocks.width
      * ChannelBlocks.width
  }

  /// Whether an image takes less time than it takes to have a thread help.
  private var isSmall: Bool { products < 200_000 }

  /// How an image is shared out: `count` rows of `width` pixels in pieces, and output blocks in parts.
  ///
  /// A piece reads the weights of its part from one end to the other, so that it is of 256 pixels
  /// where that leaves pieces enough for threads to end at about the same time. Parts cost little: a
  /// piece is read once for each group of blocks anyway. Only then pieces become smaller, but of no
  /// fewer than 56 pixels.
  private func shares(of count: Int, width: Int) -> ProductShares {
    let blocks = frame.output.count
    guard !isSmall else { return ProductShares(blocks: blocks, pieces: 1, parts: 1) }
    let wanted = max(Self.pieceCount, products / Self.pieceProducts)
    var pieces = (count * width + 255) / 256
    let parts = min(
      ProductShares.groups(of: blocks), max(1, wanted / max(pieces * source.batch, 1)))
    let most = max(1, count * width / 56)
    pieces = max(pieces, min(Self.pieceCount / parts, most))
    return ProductShares(blocks: blocks, pieces: min(count, pieces), parts: parts)
  }

  private func direct() {
    let conv = description
    if run.isFlat {
      // In pieces of like length that become rows.
      let pixels = conv.out_height * conv.out_width
      let shares = shares(of: pixels, width: 1)
      shares.forEach(images: source.batch, in: context) { image, piece, blocks in
        let start = piece * pixels / shares.pieces
        var part = conv
        part.edges = rk_blocked_edges()
        part.out_height = 1
        part.out_width = (piece + 1) * pixels / shares.pieces - start
        let offset = start * ChannelBlocks.width
        rk_blocked_conv_f32(
          &part, source.pointer(image: image) + offset, weights, bias,
          run.residualPointer(image).map { $0 + offset }, target.pointer(image: image) + offset,
          blocks.lowerBound, blocks.count, 0, 1)
      }
      return
    }
    let shares = shares(of: conv.out_height, width: conv.out_width)
    shares.forEach(images: source.batch, in: context) { image, piece, blocks in
      let start = piece * axes[0].output / shares.pieces
      withUnsafePointer(to: conv) {
        rk_blocked_conv_f32(
          $0, run.firstTap(of: image), weights, bias, run.residualPointer(image),
          target.pointer(image: image), blocks.lowerBound, blocks.count, start,
          (piece + 1) * axes[0].output / shares.pieces - start)
      }
    }
  }

  /// Tiles whose transformed patches are kept at a time: as many as stay in the second-level cache,
  /// in whole register tiles, but not so few that the weights are read over and over.
  private static func winogradTiles(inputBlocks: Int) -> Int {
    let registerTile = 14
    let bytesEach = 36 * ChannelBlocks.width * MemoryLayout<Float>.stride * inputBlocks
    return min(max((768 << 10) / (bytesEach * registerTile), 2), 4) * registerTile
  }

  private func winograd() throws {
    let conv = description
    let tiles = ((axes[0].output + 3) / 4) * ((axes[1].output + 3) / 4)
    let pairs = (frame.output.count + 1) / 2
    let most = Self.winogradTiles(inputBlocks: frame.input.count)
    let pieces = (tiles + most - 1) / most
    if pieces * source.batch >= Self.winogradPieces {
      try winograd(conv, tiles: tiles, pieces: pieces, pairs: pairs)
    } else {
      try winogradInTwoPhases(conv, tiles: tiles, pieces: pieces, pairs: pairs)
    }
  }

  /// Many tiles: each piece goes through both steps on one thread.
  private func winograd(_ conv: rk_blocked_conv, tiles: Int, pieces: Int, pairs: Int) throws {
    let blocks = frame.input.count
    let most = (tiles + pieces - 1) / pieces
    let pairStride = rk_winograd_weights_stride(blocks)
    let transformed = try context.allocate(.float32, [pairs, pairStride])
    let factors = transformed.mutablePointer(to: Float.self)
    context.parallel(pairs) { items in
      rk_winograd_weights_f32(
        weights, factors + items.lowerBound * pairStride, conv.output_blocks, blocks,
        items.lowerBound, items.count)
    }
    let patches = 36 * rk_winograd_plane(blocks, most)
    let scratch = patches + 36 * rk_winograd_plane(2, most)
    try context.parallel(source.batch * pieces, scratch: scratch) { item, memory in
      let image = item / pieces
      let start = item % pieces * tiles / pieces
      let count = (item % pieces + 1) * tiles / pieces - start
      let plane = rk_winograd_plane(blocks, count)
      withUnsafePointer(to: conv) {
        rk_winograd_transform_f32(
          $0, run.firstTap(of: image), memory, plane, start, count, count, 0, blocks)
        rk_winograd_f32(
          $0, memory, plane, count, factors, bias, run.residualPointer(image),
          target.pointer(image: image), 0, pairs, start, count, memory + patches)
      }
    }
    withExtendedLifetime(transformed) {}
  }

  /// Few tiles: first all patches are transformed, then output channels are shared out.
  private func winogradInTwoPhases(
    _ conv: rk_blocked_conv, tiles: Int, pieces: Int, pairs: Int
  ) throws {
    let blocks = frame.input.count
    let plane = rk_winograd_plane(blocks, tiles)
    let most = (tiles + pieces - 1) / pieces
    let patches = try context.allocate(.float32, [source.batch, 36, plane])
    let base = patches.mutablePointer(to: Float.self)
    let grain = max(1, 64 / max(tiles, 1))
    context.parallel(source.batch * blocks, grain: grain) { items in
      for item in items {
        let image = item / blocks
        withUnsafePointer(to: conv) {
          rk_winograd_transform_f32(
            $0, run.firstTap(of: image), base + image * 36 * plane, plane, 0, tiles, tiles,
            item % blocks, 1)
        }
      }
    }
    // A pair's weights are transformed by whoever needs them, so that they are still in the cache.
    // Where there are more threads than pairs, several share a pair and each transforms its weights.
    let all = source.batch * pieces
    let parts = min(all, (2 * context.threads.threadCount + pairs - 1) / pairs)
    let pairStride = rk_winograd_weights_stride(blocks)
    let scratch = pairStride + 36 * rk_winograd_plane(2, most)
    try context.parallel(pairs * parts, scratch: scratch) { item, memory in
      let (pair, part) = (item / parts, item % parts)
      rk_winograd_weights_f32(weights, memory, conv.output_blocks, blocks, pair, 1)
      for piece in part * all / parts..<(part + 1) * all / parts {
        let image = piece / pieces
        let start = piece % pieces * tiles / pieces
        let count = (piece % pieces + 1) * tiles / pieces - start
        withUnsafePointer(to: conv) {
          rk_winograd_f32(
            $0, base + image * 36 * plane + start * ChannelBlocks.width, plane, tiles, memory,
            bias, run.residualPointer(image), target.pointer(image: image), pair, 1, start, count,
            memory + pairStride)
        }
      }
    }
    withExtendedLifetime(patches) {}
  }

  private func depthwise() {
    let conv = description
    let rows = max(1, 4096 / max(axes[1].output * axes[0].kernel * axes[1].kernel, 1))
    let pieces = (axes[0].output + rows - 1) / rows
    let count = frame.output.count
    context.parallel(source.batch * count * pieces) { items in
      for item in items {
        let image = item / pieces / count
        let start = item % pieces * rows
        withUnsafePointer(to: conv) {
          rk_blocked_depthwise_f32(
            $0, run.firstTap(of: image), weights, bias, target.pointer(image: image),
            item / pieces % count, start, min(rows, axes[0].output - start))
        }
      }
    }
  }
}
