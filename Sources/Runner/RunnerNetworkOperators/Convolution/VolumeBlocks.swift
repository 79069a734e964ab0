import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

/// The known weights of a convolution of volumes, packed for the kernels on blocks of sixteen channels.
///
/// A slice of the output is a convolution of planes: the slices under the window lie one after the other,
/// each in blocks of its channels, and are the input's blocks together.
struct VolumeBlocks: Sendable {
  /// Of the weights: outputs, inputs, depth, height, width.
  let shape: [Int]
  /// Whether Winograd's method may be used for planes.
  let allowsWinograd: Bool
  fileprivate let packed: PackedWeights

  /// Channels in a block.
  fileprivate static let width = Int(RK_BLOCK)

  /// The number of blocks for a number of channels.
  fileprivate static func blocks(_ channels: Int) -> Int { (channels + width - 1) / width }

  /// Nil if the weights are not known, or would leave much of the blocks empty.
  init?(_ node: NodeInfo, group: Int) {
    guard group == 1, let weights = node.constant(1), weights.elementType == .float32,
      weights.rank == 5, weights.count > 0, weights.shape[2...].contains(where: { $0 > 1 }),
      weights.shape[..<2].allSatisfy({ 3 * Self.blocks($0) * Self.width <= 4 * $0 })
    else { return nil }
    shape = weights.shape
    allowsWinograd = node.allowsWinograd
    let (outputs, inputs, depth) = (shape[0], shape[1], shape[2])
    let taps = shape[3] * shape[4]
    let filled = Self.blocks(inputs) * Self.width
    let bytes = Self.blocks(outputs) * Self.width * filled * depth * taps * 4
    packed = node.packed(weights, as: "volume in blocks", mostBytes: bytes) { weights, memory in
      let storage = memory.storage(byteCount: bytes)
      // From [outputs, inputs, depth, taps], each depth's inputs filled up.
      var sorted = [Float](repeating: 0, count: outputs * depth * filled * taps)
      let source = weights.pointer(to: Float.self)
      for output in 0..<outputs {
        for (input, slice) in (0..<inputs).flatMap({ input in (0..<depth).map { (input, $0) } }) {
          let from = source + ((output * inputs + input) * depth + slice) * taps
          let to = ((output * depth + slice) * filled + input) * taps
          for tap in 0..<taps { sorted[to + tap] = from[tap] }
        }
      }
      rk_pack_conv_weights_f32(
        sorted, storage.base.assumingMemoryBound(to: Float.self), outputs, depth * filled, taps)
      return storage
    }
  }
}

/// One run of a convolution of volumes on blocks.
struct VolumeBlocksJob {
  // The pointers are valid for the kernel's call, in which this value lives.
  private let weights: VolumeBlocks
  private let shape: ConvolutionShape
  private let input: UnsafePointer<Float>
  private let bias: UnsafePointer<Float>?
  private let output: UnsafeMutablePointer<Float>
  private let activation: vk_activation
  private let context: KernelContext

  private let axis: SlidingWindow.Axis
  private let y: SlidingWindow.Axis
  private let x: SlidingWindow.Axis
  /// Blocks of a slice of the input and of the output.
  private let inputBlocks: Int
  private let outputBlocks: Int
  /// Rows and columns of a slice that the window sees, padding included.
  private let rows: Int
  private let columns: Int
  /// Tiles of 4x4 pixels of a slice of the output.
  private let tiles: Int
  private let usesWinograd: Bool

  /// Floats that the slices of the input, and what is made of them, may take at a time.
  private static let most = 1 << 24
  /// Floats that those of one slice of the output may take.
  private static let mostAtOnce = 1 << 26
  /// Floats that transformed weights may take; larger ones are made if they are needed.
  private static let mostWeights = 1 << 22
  /// Tiles from which on it pays to transform the weights.
  private static let leastTiles = 14

  private static let width = VolumeBlocks.width

  /// Nil where the kernels don't do what is asked for.
  init?(
    _ weights: VolumeBlocks, _ shape: ConvolutionShape, input: UnsafePointer<Float>,
    bias: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>, activation: vk_activation,
    context: KernelContext
  ) {
    guard shape.axes.count == 3, shape.axes[0].dilation == 1 || shape.axes[0].kernel == 1 else {
      return nil
    }
    let (y, x) = (shape.axes[1], shape.axes[2])
    self.weights = weights
    self.shape = shape
    self.input = input
    self.bias = bias
    self.output = output
    self.activation = activation
    self.context = context
    axis = shape.axes[0]
    self.y = y
    self.x = x
    inputBlocks = VolumeBlocks.blocks(shape.groupInputs)
    outputBlocks = VolumeBlocks.blocks(shape.groupOutputs)
    rows = (y.output - 1) * y.stride + (y.kernel - 1) * y.dilation + 1
    columns = (x.output - 1) * x.stride + (x.kernel - 1) * x.dilation + 1
    tiles = ((y.output + 3) / 4) * ((x.output + 3) / 4)
    // What the slices under one window take; with wide padding it could be anything.
    let pixels = Double(rows) * Double(columns)
    let channels = Double(inputBlocks * Self.width) * Double(axis.kernel)
    guard pixels <= 4 * Double(y.input) * Double(x.input) + 4096,
      pixels * channels <= Double(Self.mostAtOnce)
    else { return nil }
    usesWinograd =
      weights.allowsWinograd
      && [y, x].allSatisfy { $0.kernel == 3 && $0.stride == 1 && $0.dilation == 1 }
      && tiles * axis.output >= Self.leastTiles
      && 36 * Double(tiles) * channels <= Double(Self.mostAtOnce)
  }

  /// Floats of a slice of the input in blocks, and of its patches.
  private var sliceSize: Int {
    inputBlocks * Self.width * (rows * columns + (usesWinograd ? 36 * tiles : 0))
  }

  private var outputSlice: Int { outputBlocks * Self.width * y.output * x.output }

  func run() throws {
    let fitting = (Self.most / (sliceSize * axis.stride + outputSlice)) - axis.kernel / axis.stride
    let most = min(axis.output, max(1, fitting))
    let shifts = try paddedBias()
    for image in 0..<shape.batch {
      for start in stride(from: 0, to: axis.output, by: most) {
        try compute(image, start..<min(start + most, axis.output), shifts)
      }
    }
  }

  /// The bias, filled up with zeros to whole blocks.
  private func paddedBias() throws -> Tensor? {
    guard let bias else { return nil }
    let padded = try context.allocate(.float32, [outputBlocks * Self.width])
    let values = padded.mutablePointer(to: Float.self)
    values.update(repeating: 0, count: padded.count)
    values.update(from: bias, count: shape.groupOutputs)
    return padded
  }

  /// Some slices of an image's output.
  private func compute(_ image: Int, _ slices: Range<Int>, _ bias: Tensor?) throws {
    let count = (slices.count - 1) * axis.stride + axis.kernel
    let source = try context.allocate(.float32, [count, inputBlocks, rows * columns, Self.width])
    let target = try context.allocate(.float32, [slices.count, outputSlice])
    let blocked = source.mutablePointer(to: Float.self)
    let results = target.mutablePointer(to: Float.self)
    let first = slices.lowerBound * axis.stride - axis.padBegin
    context.parallel(count * inputBlocks) { items in
      for item in items {
        sort(
          image, slice: first + item / inputBlocks, block: item % inputBlocks,
          into: blocked + item * rows * columns * Self.width)
      }
    }
    let shifts = bias.map { UnsafePointer($0.mutablePointer(to: Float.self)) }
    if usesWinograd {
      try winograd(blocked, count, slices.count, shifts, into: results)
    } else {
      direct(blocked, slices.count, shifts, into: results)
    }
    let pixels = y.output * x.output
    context.parallel(slices.count * outputBlocks) { items in
      for item in items {
        let (slice, block) = item.quotientAndRemainder(dividingBy: outputBlocks)
        let channel = block * Self.width
        let place =
          (image * shape.groupOutputs + channel) * axis.output + slices.lowerBound + slice
        vk_transpose_f32(
          results + item * pixels * Self.width, output + place * pixels, pixels,
          min(Self.width, shape.groupOutputs - channel), Self.width, axis.output * pixels)
      }
    }
    withExtendedLifetime((source, target, bias)) {}
  }

  /// A block of a slice of the input, with its padding; zeros for a slice of the padding.
  private func sort(
    _ image: Int, slice: Int, block: Int, into target: UnsafeMutablePointer<Float>
  ) {
    let channel = block * Self.width
    let depth = min(Self.width, shape.groupInputs - channel)
    guard slice >= 0, slice < axis.input else {
      target.update(repeating: 0, count: rows * columns * Self.width)
      return
    }
    let place = (image * shape.groupInputs + channel) * axis.input + slice
    let from = input + place * y.input * x.input
    let last = min(columns, x.padBegin + x.input)
    for row in 0..<rows {
      let line = target + row * columns * Self.width
      let sourceRow = row - y.padBegin
      let isInside = sourceRow >= 0 && sourceRow < y.input && last > x.padBegin
      if !isInside || depth < Self.width {
        line.update(repeating: 0, count: columns * Self.width)
      } else {
        line.update(repeating: 0, count: x.padBegin * Self.width)
        (line + last * Self.width).update(repeating: 0, count: (columns - last) * Self.width)
      }
      guard isInside else { continue }
      vk_transpose_f32(
        from + sourceRow * x.input, line + x.padBegin * Self.width, depth, last - x.padBegin,
        axis.input * y.input * x.input, Self.width)
    }
  }

  private var description: rk_blocked_conv {
    rk_blocked_conv(
      input_blocks: axis.kernel * inputBlocks, output_blocks: outputBlocks,
      last_input_depth: Self.width,
      input: rk_blocked_layout(
        block_stride: rows * columns * Self.width, row_stride: columns * Self.width),
      output: rk_blocked_layout(
        block_stride: y.output * x.output * Self.width, row_stride: x.output * Self.width),
      residual: rk_blocked_layout(), output_step: Self.width, out_height: y.output,
      out_width: x.output, kernel_height: y.kernel, kernel_width: x.kernel, stride_y: y.stride,
      stride_x: x.stride, dilation_y: y.dilation, dilation_x: x.dilation,
      finish: vk_finish(activation: activation, residual_first: 0), is_precise: 0,
      edges: rk_blocked_edges(
        height: y.input, width: x.input, pad_top: y.padBegin, pad_left: x.padBegin))
  }

  /// Groups of output blocks at some rows of a slice.
  private func direct(
    _ source: UnsafePointer<Float>, _ slices: Int, _ bias: UnsafePointer<Float>?,
    into target: UnsafeMutablePointer<Float>
  ) {
    let conv = description
    let factors = weights.packed.floats
    let together = 4
    let parts = (outputBlocks + together - 1) / together
    let some = max(1, 256 / x.output)
    let pieces = (y.output + some - 1) / some
    let step = axis.stride * inputBlocks * rows * columns * Self.width
    // Neighbours share the weights.
    context.parallel(parts * slices * pieces) { items in
      for item in items {
        let (slice, piece) = (item / pieces % slices, item % pieces)
        let block = item / pieces / slices * together
        withUnsafePointer(to: conv) {
          rk_blocked_conv_f32(
            $0, source + slice * step, factors, bias, nil, target + slice * outputSlice, block,
            min(together, outputBlocks - block), piece * some,
            min(some, y.output - piece * some))
        }
      }
    }
  }

  /// Patches of all slices first, each of which several slices of the output read.
  private func winograd(
    _ source: UnsafePointer<Float>, _ count: Int, _ slices: Int, _ bias: UnsafePointer<Float>?,
    into target: UnsafeMutablePointer<Float>
  ) throws {
    let conv = description
    let (tiles, blocks) = (tiles, axis.kernel * inputBlocks)
    let plane = rk_winograd_plane(count * inputBlocks, tiles)
    let patches = try context.allocate(.float32, [36, plane])
    let base = patches.mutablePointer(to: Float.self)
    context.parallel(count * inputBlocks, grain: max(1, 64 / tiles)) { items in
      withUnsafePointer(to: conv) {
        rk_winograd_transform_f32(
          $0, source, base, plane, 0, tiles, tiles, items.lowerBound, items.count)
      }
    }
    let pairs = (outputBlocks + 1) / 2
    let pairStride = rk_winograd_weights_stride(blocks)
    let factors = weights.packed.floats
    // As many tiles as stay in the second-level cache, in whole register tiles.
    let most = min(max((768 << 10) / (36 * 64 * blocks * 14), 2), 4) * 14
    let pieces = (tiles + most - 1) / most
    let longest = (tiles + pieces - 1) / pieces
    func multiply(
      _ slice: Int, _ piece: Int, _ weights: UnsafePointer<Float>, pairs: Range<Int>,
      _ memory: UnsafeMutablePointer<Float>
    ) {
      let start = piece * tiles / pieces
      let length = (piece + 1) * tiles / pieces - start
      let patch = slice * axis.stride * inputBlocks * tiles + start
      withUnsafePointer(to: conv) {
        rk_winograd_f32(
          $0, base + patch * Self.width, plane, tiles, weights, bias, nil,
          target + slice * outputSlice, pairs.lowerBound, pairs.count, start, length, memory)
      }
    }
    let scratch = 36 * rk_winograd_plane(2, longest)
    if pairs * pairStride <= Self.mostWeights {
      let transformed = try context.allocate(.float32, [pairs, pairStride])
      let all = transformed.mutablePointer(to: Float.self)
      context.parallel(pairs) { items in
        rk_winograd_weights_f32(
          factors, all + items.lowerBound * pairStride, outputBlocks, blocks, items.lowerBound,
          items.count)
      }
      try context.parallel(slices * pieces, scratch: scratch) { item, memory in
        multiply(item / pieces, item % pieces, all, pairs: 0..<pairs, memory)
      }
      withExtendedLifetime(transformed) {}
    } else {
      try context.parallel(pairs, scratch: pairStride + scratch) { pair, memory in
        rk_winograd_weights_f32(factors, memory, outputBlocks, blocks, pair, 1)
        for item in 0..<slices * pieces {
          multiply(
            item / pieces, item % pieces, memory, pairs: pair..<pair + 1, memory + pairStride)
        }
      }
    }
    withExtendedLifetime(patches) {}
  }
}
