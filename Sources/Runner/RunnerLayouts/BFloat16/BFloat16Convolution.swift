import RunnerGraph
import RunnerNetworkOperators
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// The operators with which ``BFloat16Selection`` replaces products in `float32`; files cannot
  /// use them.
  package static let bfloat16Products: [Operator] = [
    Operator(
      "Conv", domain: OperatorDomain.bfloat16, versions: [1], inputs: 2...4, types: .float32,
      attributes: .window.merging([BlockedFrame.residualFirst: .int]) { $1 },
      shape: .asReplaced, keeps: .constants, cost: .convolution(weights: 1)
    ) { try BFloat16Convolution($0) },
    Operator(
      "MatMul", domain: OperatorDomain.bfloat16, versions: [1], inputs: 2...3, types: .float32,
      shape: .asReplaced, cost: .matrixProduct
    ) { try BFloat16Product($0) },
  ]
}

/// A convolution of one group from blocks to blocks, with `bfloat16` operands.
///
/// The input is rounded once in advance, and the weights at load; sums, bias, activation and
/// results are `float32`.
private struct BFloat16Convolution: Kernel {
  let frame: BlockedFrame
  let weights: PackedWeights
  /// The number of blocks of the input that are one block of rounded numbers.
  ///
  /// Two fill a tile of AMX, even if the second is zeros.
  let joined: Int

  init(_ node: NodeInfo) throws {
    let (frame, weights) = try BlockedFrame.read(node)
    guard frame.input.channels % ChannelBlocks.width == 0 else {
      throw node.failure("its form is not known")
    }
    self.frame = frame
    let count = frame.input.count
    let joined = count % 2 == 0 || (count > 1 && rk_bf16_uses_tiles() != 0) ? 2 : 1
    self.joined = joined
    self.weights = node.packed(weights, as: "blocked bfloat16, \(joined)") { tensor, memory in
      let (outputs, inputs) = (tensor.shape[0], tensor.shape[1])
      let taps = tensor.shape[2] * tensor.shape[3]
      let padded = (count + joined - 1) / joined * joined * ChannelBlocks.width
      let storage = memory.storage(
        byteCount: ChannelBlocks(channels: outputs).count * ChannelBlocks.width * padded * taps * 2
      )
      rk_bf16_pack_weights(
        tensor.pointer(to: Float.self), inputs * taps, taps, 1,
        storage.base.assumingMemoryBound(to: UInt16.self), outputs, inputs, taps,
        joined * ChannelBlocks.width)
      return storage
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    try frame.run(inputs, in: context) { run in
      let narrow =
        joined > 1 ? try context.joined(run.source) : try context.narrowed(run.source.tensor)
      compute(run, narrow, in: context)
      withExtendedLifetime(narrow) {}
    }
  }

  private func compute(_ run: BlockedFrame.Run, _ narrow: Tensor, in context: KernelContext) {
    let (axes, source, target) = (run.axes, run.source, run.target)
    let width = ChannelBlocks.width
    var conv = rk_bf16_conv()
    conv.input_blocks = (frame.input.count + joined - 1) / joined
    conv.pairs = joined * width / 2
    conv.taps_y = axes[0].kernel
    conv.taps_x = axes[1].kernel
    conv.block_step = joined * source.blockStride
    conv.tap_row = axes[0].dilation * joined * source.rowStride
    conv.tap_column = axes[1].dilation * joined * width
    conv.pixel_step = axes[1].stride * joined * width
    conv.row_step = axes[0].stride * joined * source.rowStride
    conv.outputs = frame.output.channels
    conv.out_width = axes[1].output
    conv.out_block = target.blockStride
    conv.out_pixel = width
    conv.out_row = target.rowStride
    conv.residual_block = run.residual?.blockStride ?? 0
    conv.residual_pixel = width
    conv.residual_row = run.residual?.rowStride ?? 0
    conv.writes_whole_blocks = 1
    conv.finish = run.finish
    var height = axes[0].output
    if run.isFlat {
      // The image is one long row.
      conv.out_width = height * axes[1].output
      height = 1
    }
    let isRow = height == 1
    let piece = ProductShares.pixelPiece
    let rows = max(1, piece / max(conv.out_width, 1))
    let shares = ProductShares(
      blocks: frame.output.count,
      pieces: isRow ? (conv.out_width + piece - 1) / piece : (height + rows - 1) / rows,
      images: source.batch)
    let from = narrow.bytes.assumingMemoryBound(to: UInt16.self)
    // The place of the first tap among the pixels of an image with its margins.
    let firstTap = run.firstTap(of: 0) - UnsafePointer(source.tensor.pointer(to: Float.self))
    let imageStep = conv.input_blocks * conv.block_step
    let packed = weights.storage
    let factors = packed.base.assumingMemoryBound(to: UInt16.self)
    let added = frame.bias?.base.assumingMemoryBound(to: Float.self)
    shares.forEach(images: source.batch, in: context) { image, piece, blocks in
      var conv = conv
      var (start, count, offset) = (piece * rows, min(rows, height - piece * rows), 0)
      if isRow {
        let pixel = piece * conv.out_width / shares.pieces
        let next = (piece + 1) * conv.out_width / shares.pieces
        (start, count, offset) = (0, 1, pixel)
        conv.out_width = next - pixel
      }
      rk_bf16_conv_rows(
        &conv, from + image * imageStep + joined * firstTap + offset * conv.pixel_step, factors,
        added,
        run.residualPointer(image).map { $0 + offset * width },
        target.pointer(image: image) + offset * width, blocks.lowerBound, blocks.count, start,
        count)
    }
    withExtendedLifetime(packed) {}
  }
}

extension KernelContext {
  /// The numbers of a tensor in blocks rounded to `bfloat16`, in blocks of twice the width.
  ///
  /// Margins are rounded with the rest. If the number of blocks is odd, zeros are the other half of
  /// the last one.
  fileprivate func joined(_ source: BlockedTensor) throws -> Tensor {
    let width = ChannelBlocks.width
    let pixels = source.blockStride / width
    let pairs = (source.blocks.count + 1) / 2
    let result = try allocate(.bfloat16, [source.batch * pairs, pixels, 2 * width])
    let base = UnsafePointer(source.tensor.pointer(to: Float.self))
    let target = result.mutableBytes.assumingMemoryBound(to: UInt16.self)
    parallel(source.batch * pairs * pixels, grain: 1 << 10) { range in
      var index = range.lowerBound
      while index < range.upperBound {
        let (plane, pixel) = index.quotientAndRemainder(dividingBy: pixels)
        let (image, pair) = plane.quotientAndRemainder(dividingBy: pairs)
        let count = min(pixels - pixel, range.upperBound - index)
        let first =
          base + image * source.imageStride + 2 * pair * source.blockStride + pixel * width
        let hasSecond = 2 * pair + 1 < source.blocks.count
        rk_f32_to_bf16_pairs(
          first, hasSecond ? first + source.blockStride : nil, target + index * 2 * width, count)
        index += count
      }
    }
    return result
  }

  /// `float32` numbers rounded to `bfloat16`.
  fileprivate func narrowed(_ tensor: Tensor) throws -> Tensor {
    let result = try allocate(.bfloat16, tensor.shape)
    let source = tensor.pointer(to: Float.self)
    let target = result.mutableBytes.assumingMemoryBound(to: UInt16.self)
    parallel(tensor.count, grain: 1 << 15) { range in
      rk_f32_to_bf16(source + range.lowerBound, target + range.lowerBound, range.count)
    }
    return result
  }
}

/// A product with a known matrix on the right, with an optional vector added to each row, and an
/// activation.
private struct BFloat16Product: Kernel {
  let weights: PackedWeights
  let bias: TensorStorage?
  let activation: vk_activation
  let depth: Int
  let columns: Int

  init(_ node: NodeInfo) throws {
    guard let matrix = node.constant(1), matrix.rank == 2, matrix.elementType == .float32,
      matrix.count > 0, matrix.shape[0] % 2 == 0
    else { throw node.failure("its form is not known") }
    activation = node.fused.activation.kernelFormOrIdentity
    depth = matrix.shape[0]
    columns = matrix.shape[1]
    weights = node.packed(matrix, as: "columns bfloat16") { tensor, memory in
      let (depth, columns) = (tensor.shape[0], tensor.shape[1])
      let storage = memory.storage(byteCount: (columns + 15) / 16 * 16 * depth * 2)
      rk_bf16_pack_weights(
        tensor.pointer(to: Float.self), 1, columns, 0,
        storage.base.assumingMemoryBound(to: UInt16.self), columns, depth, 1, depth)
      return storage
    }
    let padded = (columns + 15) / 16 * 16
    bias = node.constant(2).map { $0.padded(to: padded) }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType == .float32, input.rank >= 1, input.shape.last == depth else {
      throw context.failure(
        "cannot multiply \(input.shape) of \(input.elementType) by [\(depth), \(columns)]")
    }
    let output = try context.allocate(.float32, input.shape.dropLast() + [columns])
    guard output.count > 0 else { return [output] }
    let rows = output.count / columns
    var conv = rk_bf16_conv()
    conv.input_blocks = 1
    conv.pairs = depth / 2
    conv.taps_y = 1
    conv.taps_x = 1
    conv.pixel_step = depth
    conv.outputs = columns
    conv.out_block = 16
    conv.out_pixel = columns
    conv.finish = vk_finish(activation: activation, residual_first: 0)
    let shares = ProductShares(
      blocks: (columns + 15) / 16,
      pieces: (rows + ProductShares.rowPiece - 1) / ProductShares.rowPiece)
    let packed = weights.storage
    let factors = packed.base.assumingMemoryBound(to: UInt16.self)
    let added = bias?.base.assumingMemoryBound(to: Float.self)
    let target = output.mutablePointer(to: Float.self)
    let source = input.pointer(to: Float.self)
    // Rows are rounded where they are multiplied: rounding a large batch at once would take half of
    // its memory again.
    let whole = shares.parts > 1 ? try context.narrowed(input) : nil
    shares.forEach(in: context) { _, piece, blocks in
      let start = piece * rows / shares.pieces
      var conv = conv
      conv.out_width = (piece + 1) * rows / shares.pieces - start
      func multiply(_ from: UnsafePointer<UInt16>) {
        rk_bf16_conv_rows(
          &conv, from, factors, added, nil, target + start * columns, blocks.lowerBound,
          blocks.count, 0, 1)
      }
      if let whole {
        multiply(whole.bytes.assumingMemoryBound(to: UInt16.self) + start * depth)
        return
      }
      let count = conv.out_width * depth
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: max(count, 1)) { narrow in
        guard let base = narrow.baseAddress else { return }
        rk_f32_to_bf16(source + start * depth, base, count)
        multiply(base)
      }
    }
    withExtendedLifetime((whole, packed)) {}
    return [output]
  }
}
