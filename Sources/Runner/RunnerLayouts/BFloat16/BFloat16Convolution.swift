import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// What ``BFloat16Selection`` puts in the place of products in `float32`; no file can name these.
  package static let bfloat16Products: [Operator] = [
    Operator(
      "Conv", domain: OperatorDomain.bfloat16, versions: [1], inputs: 2...4, types: .float32,
      shape: .seenInRun, keeps: .constants, cost: .convolution(weights: 1)
    ) { try BFloat16Convolution($0) },
    Operator(
      "MatMul", domain: OperatorDomain.bfloat16, versions: [1], inputs: 2...3, types: .float32,
      shape: .seenInRun, cost: .matrixProduct
    ) { try BFloat16Product($0) },
  ]
}

/// A convolution of one group from blocks to blocks, whose products take `bfloat16` operands.
///
/// The input is rounded once before, the weights at load; sums, bias, activation and results are
/// `float32`.
private struct BFloat16Convolution: Kernel {
  let window: SlidingWindow
  let input: ChannelBlocks
  let output: ChannelBlocks
  let residual: ChannelBlocks?
  let kernel: [Int]
  let activation: vk_activation
  let weights: PackedWeights
  let bias: TensorStorage?

  init(_ node: NodeInfo) throws {
    guard let forms = node.fused.blocks, let input = forms.inputs.first, let input,
      let output = forms.output, let weights = node.constant(1),
      input.channels % ChannelBlocks.width == 0
    else { throw node.failure("its form is not known") }
    window = try SlidingWindow(node)
    self.input = input
    self.output = output
    residual = forms.inputs.count > 3 ? forms.inputs[3] : nil
    kernel = Array(weights.shape[2...])
    activation =
      node.fused.activation?.kernelForm ?? vk_activation(kind: VK_IDENTITY, alpha: 0, beta: 0)
    self.weights = node.packed(weights, as: "blocked bfloat16") { tensor, memory in
      let (outputs, inputs) = (tensor.shape[0], tensor.shape[1])
      let taps = tensor.shape[2] * tensor.shape[3]
      let storage = memory.storage(
        byteCount: ChannelBlocks(channels: outputs).count * ChannelBlocks.width * inputs * taps * 2
      )
      rk_bf16_pack_weights(
        tensor.pointer(to: Float.self), inputs * taps, taps, 1,
        storage.base.assumingMemoryBound(to: UInt16.self), outputs, inputs, taps,
        ChannelBlocks.width)
      return storage
    }
    bias = node.constant(2).map { $0.padded(to: output.count * ChannelBlocks.width) }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try BlockedTensor(try context.input(0, of: inputs), input, in: context)
    let axes = try window.axes(over: [source.height, source.width], kernel: kernel, in: context)
    let reach = axes.map { max($0.padBegin, $0.padEnd) }.max() ?? 0
    guard reach <= input.margin else {
      throw context.failure("pads reach over \(reach), the margin over \(input.margin)")
    }
    let target = try BlockedTensor(
      batch: source.batch, height: axes[0].output, width: axes[1].output, output, in: context)
    let sum = try residual.map {
      try BlockedTensor(try context.input(3, of: inputs), $0, in: context)
    }
    let fits = sum.map {
      $0.batch == target.batch && $0.height == target.height && $0.width == target.width
    }
    guard target.tensor.count > 0 || fits == false else { return [target.tensor] }
    let narrow = try context.narrowed(source.tensor)
    convolve(
      source, narrow, axes, residual: fits == true ? sum : nil, into: target, in: context)
    withExtendedLifetime(narrow) {}
    guard let residual, let sum, fits == false else { return [target.tensor] }
    // One of the two is repeated, which the kernel doesn't do.
    let addition = BlockedArithmetic(
      operation: RK_ADD, inputs: [output, residual], output: output, constant: nil)
    return try addition.run([target.tensor, sum.tensor], in: context)
  }

  /// Output pixels and blocks that a thread takes on at a time.
  private static let pixelPiece = 256
  private static let blockGroup = 4
  private static let pieceCount = 8

  private func convolve(
    _ source: BlockedTensor, _ narrow: Tensor, _ axes: [SlidingWindow.Axis],
    residual: BlockedTensor?, into target: BlockedTensor, in context: KernelContext
  ) {
    let width = ChannelBlocks.width
    var conv = rk_bf16_conv()
    conv.input_blocks = input.count
    conv.pairs = width / 2
    conv.taps_y = kernel[0]
    conv.taps_x = kernel[1]
    conv.block_step = source.blockStride
    conv.tap_row = axes[0].dilation * source.rowStride
    conv.tap_column = axes[1].dilation * width
    conv.pixel_step = axes[1].stride * width
    conv.row_step = axes[0].stride * source.rowStride
    conv.outputs = output.channels
    conv.out_width = axes[1].output
    conv.out_block = target.blockStride
    conv.out_pixel = width
    conv.out_row = target.rowStride
    conv.residual_block = residual?.blockStride ?? 0
    conv.residual_pixel = width
    conv.residual_row = residual?.rowStride ?? 0
    conv.writes_whole_blocks = 1
    conv.finish = vk_finish(activation: activation, residual_first: 0)
    var height = axes[0].output
    let isPointwise = axes.allSatisfy { $0.kernel == 1 && $0.stride == 1 && $0.padBegin == 0 }
    let margin = max(input.margin, output.margin, residual?.blocks.margin ?? 0)
    if isPointwise, margin == 0 {
      // The image is one long row.
      conv.out_width = height * axes[1].output
      height = 1
    }
    let isRow = height == 1
    let rows = max(1, Self.pixelPiece / max(conv.out_width, 1))
    let pieces =
      isRow
      ? (conv.out_width + Self.pixelPiece - 1) / Self.pixelPiece : (height + rows - 1) / rows
    let groups = (output.count + Self.blockGroup - 1) / Self.blockGroup
    let parts = min(groups, max(1, Self.pieceCount / max(pieces * source.batch, 1)))
    let from = narrow.bytes.assumingMemoryBound(to: UInt16.self)
    let base = source.tensor.pointer(to: Float.self)
    let packed = weights.storage
    let factors = packed.base.assumingMemoryBound(to: UInt16.self)
    let added = bias?.base.assumingMemoryBound(to: Float.self)
    context.parallel(source.batch * pieces * parts) { items in
      for item in items {
        let image = item / parts / pieces
        let piece = item / parts % pieces
        let part = item % parts
        let first = part * groups / parts * Self.blockGroup
        let end = min((part + 1) * groups / parts * Self.blockGroup, output.count)
        let corner = source.pointer(
          image: image, row: -axes[0].padBegin, column: -axes[1].padBegin)
        var conv = conv
        var (start, count, offset) = (piece * rows, min(rows, height - piece * rows), 0)
        if isRow {
          let pixel = piece * conv.out_width / pieces
          let next = (piece + 1) * conv.out_width / pieces
          (start, count, offset) = (0, 1, pixel)
          conv.out_width = next - pixel
        }
        rk_bf16_conv_rows(
          &conv, from + (corner - UnsafeMutablePointer(mutating: base)) + offset * conv.pixel_step,
          factors, added, residual.map { UnsafePointer($0.pointer(image: image) + offset * width) },
          target.pointer(image: image) + offset * width, first, end - first, start, count)
      }
    }
    withExtendedLifetime(packed) {}
  }
}

extension KernelContext {
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

/// A product with a known matrix on the right, and a vector added to each row where there is one.
private struct BFloat16Product: Kernel {
  let weights: PackedWeights
  let bias: TensorStorage?
  let depth: Int
  let columns: Int

  init(_ node: NodeInfo) throws {
    guard let matrix = node.constant(1), matrix.rank == 2, matrix.elementType == .float32,
      matrix.count > 0, matrix.shape[0] % 2 == 0
    else { throw node.failure("its form is not known") }
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

  private static let rowPiece = 48
  private static let blockGroup = 4
  private static let pieceCount = 8

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType == .float32, input.rank >= 1, input.shape.last == depth else {
      throw context.failure(
        "cannot multiply \(input.shape) of \(input.elementType) by [\(depth), \(columns)]")
    }
    let output = try context.allocate(.float32, input.shape.dropLast() + [columns])
    guard output.count > 0 else { return [output] }
    let rows = output.count / columns
    let narrow = try context.narrowed(input)
    var conv = rk_bf16_conv()
    conv.input_blocks = 1
    conv.pairs = depth / 2
    conv.taps_y = 1
    conv.taps_x = 1
    conv.pixel_step = depth
    conv.outputs = columns
    conv.out_block = 16
    conv.out_pixel = columns
    conv.finish = vk_finish(
      activation: vk_activation(kind: VK_IDENTITY, alpha: 0, beta: 0), residual_first: 0)
    let pieces = (rows + Self.rowPiece - 1) / Self.rowPiece
    let blocks = (columns + 15) / 16
    let groups = (blocks + Self.blockGroup - 1) / Self.blockGroup
    let parts = min(groups, max(1, Self.pieceCount / pieces))
    let from = narrow.bytes.assumingMemoryBound(to: UInt16.self)
    let packed = weights.storage
    let factors = packed.base.assumingMemoryBound(to: UInt16.self)
    let added = bias?.base.assumingMemoryBound(to: Float.self)
    let target = output.mutablePointer(to: Float.self)
    context.parallel(pieces * parts) { items in
      for item in items {
        let (piece, part) = item.quotientAndRemainder(dividingBy: parts)
        let first = part * groups / parts * Self.blockGroup
        let end = min((part + 1) * groups / parts * Self.blockGroup, blocks)
        let start = piece * rows / pieces
        var conv = conv
        conv.out_width = (piece + 1) * rows / pieces - start
        rk_bf16_conv_rows(
          &conv, from + start * depth, factors, added, nil, target + start * columns, first,
          end - first, 0, 1)
      }
    }
    withExtendedLifetime((narrow, packed)) {}
    return [output]
  }
}
