import RunnerGraph
import RunnerNetworkOperators
import RunnerTensors
import _RunnerKernels

/// Joins tensors in blocks along the channels; all but the last fill their blocks.
struct BlockedConcat: Kernel {
  let inputs: [ChannelBlocks]
  let output: ChannelBlocks

  init(_ node: NodeInfo) throws {
    guard let forms = node.fused.blocks, let output = forms.output else {
      throw node.failure("its form is not known")
    }
    inputs = forms.inputs.compactMap { $0 }
    guard inputs.count == forms.inputs.count, !inputs.isEmpty else {
      throw node.failure("its form is not known")
    }
    self.output = output
  }

  func run(_ arguments: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let sources = try inputs.enumerated().map { index, blocks in
      try BlockedTensor(try context.input(index, of: arguments), blocks, in: context)
    }
    let first = sources[0]
    guard
      sources.allSatisfy({
        $0.batch == first.batch && $0.height == first.height && $0.width == first.width
      })
    else { throw context.failure("inputs \(sources.map(\.tensor.shape)) do not join") }
    let target = try BlockedTensor(
      batch: first.batch, height: first.height, width: first.width, output, in: context)
    var block = 0
    for source in sources {
      // A part that was computed in its place is there already.
      if !Self.lies(source, at: block, of: target) {
        Self.copy(source, to: block, of: target, context)
      }
      block += source.blocks.count
    }
    return [target.tensor]
  }

  private static func lies(
    _ source: BlockedTensor, at first: Int, of target: BlockedTensor
  ) -> Bool {
    source.pointer() == target.pointer() + first * target.blockStride
      && source.rowStride == target.rowStride && source.blockStride == target.blockStride
      && (source.batch == 1 || source.imageStride == target.imageStride)
  }

  private static func copy(
    _ source: BlockedTensor, to first: Int, of target: BlockedTensor, _ context: KernelContext
  ) {
    let count = source.width * ChannelBlocks.width
    source.forEachRow(context) { image, block, row in
      let from = source.pointer(image: image, row: row) + block * source.blockStride
      let to = target.pointer(image: image, row: row) + (first + block) * target.blockStride
      to.update(from: from, count: count)
    }
  }
}

/// Repeats each pixel a whole number of times in each direction.
package struct BlockedUpsample: Kernel {
  let input: ChannelBlocks
  let output: ChannelBlocks
  let scaleY: Int
  let scaleX: Int

  init(_ node: NodeInfo) throws {
    guard let forms = node.fused.blocks, let input = forms.inputs.first, let input,
      let output = forms.output, let scales = Self.scales(of: node.constant)
    else { throw node.failure("its form is not known") }
    self.input = input
    self.output = output
    (scaleY, scaleX) = scales
  }

  /// The factors in a Resize node's input of scales, if they are whole numbers.
  package static func scales(of constant: (Int) -> Tensor?) -> (Int, Int)? {
    guard let tensor = constant(2), let scales = try? tensor.array(of: Float.self),
      scales.count == 4, scales[0] == 1, scales[1] == 1
    else { return nil }
    let factors = scales[2...].compactMap { Int(exactly: $0) }
    guard factors.count == 2, factors.allSatisfy({ (1...64).contains($0) }) else { return nil }
    return (factors[0], factors[1])
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try BlockedTensor(try context.input(0, of: inputs), input, in: context)
    let target = try BlockedTensor(
      batch: source.batch, height: source.height * scaleY, width: source.width * scaleX, output,
      in: context)
    target.forEachRow(context) { image, block, row in
      var to = target.pointer(image: image, row: row) + block * target.blockStride
      var from = source.pointer(image: image, row: row / scaleY) + block * source.blockStride
      for _ in 0..<source.width {
        for _ in 0..<scaleX {
          to.update(from: from, count: ChannelBlocks.width)
          to += ChannelBlocks.width
        }
        from += ChannelBlocks.width
      }
    }
    return [target.tensor]
  }
}

/// The maximum or the mean in a window.
struct BlockedPool: Kernel {
  let window: SlidingWindow
  let kernel: [Int]
  let averages: Bool
  let countsPadding: Bool
  let input: ChannelBlocks
  let output: ChannelBlocks

  init(_ node: NodeInfo) throws {
    window = try SlidingWindow(node)
    guard let forms = node.fused.blocks, let input = forms.inputs.first, let input,
      let output = forms.output, let kernel = window.kernel
    else { throw node.failure("its form is not known") }
    self.kernel = kernel
    self.input = input
    self.output = output
    averages = node.operation == "AveragePool"
    countsPadding = try averages && node.flag("count_include_pad")
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try BlockedTensor(try context.input(0, of: inputs), input, in: context)
    let axes = try window.axes(over: [source.height, source.width], kernel: kernel, in: context)
    let target = try BlockedTensor(
      batch: source.batch, height: axes[0].output, width: axes[1].output, output, in: context)
    let plane = SlidingWindow.plane(axes)
    let from = source.layout
    let to = target.layout
    guard target.tensor.count > 0 else { return [target.tensor] }
    // Rows share the kernel's results for the rows in their windows.
    let height = axes[0].output
    let rows = height <= 32 ? height : 16
    let pieces = (height + rows - 1) / rows
    let count = output.count
    let grain = max(1, 512 / (rows * axes[1].output))
    context.parallel(target.batch * count * pieces, grain: grain) { items in
      for item in items {
        let image = item / pieces / count
        let first = item % pieces * rows
        withUnsafePointer(to: plane) {
          rk_blocked_pool_f32(
            $0, source.pointer(image: image), from, target.pointer(image: image), to,
            item / pieces % count, first, min(rows, height - first), averages ? 1 : 0,
            countsPadding ? 1 : 0)
        }
      }
    }
    return [target.tensor]
  }
}

/// The mean of each channel over the whole image.
struct BlockedMean: Kernel {
  let input: ChannelBlocks
  let output: ChannelBlocks

  init(_ node: NodeInfo) throws {
    guard let forms = node.fused.blocks, let input = forms.inputs.first, let input,
      let output = forms.output
    else { throw node.failure("its form is not known") }
    self.input = input
    self.output = output
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try BlockedTensor(try context.input(0, of: inputs), input, in: context)
    guard source.height > 0, source.width > 0 else {
      throw context.failure("there are no pixels to take the mean of")
    }
    let target = try BlockedTensor(
      batch: source.batch, height: 1, width: 1, output, in: context)
    source.average(into: target.pointer(), imageStride: target.imageStride, target.layout, context)
    return [target.tensor]
  }
}

extension BlockedTensor {
  /// The number of blocks that is worth a thread.
  var blockGrain: Int { max(1, 4096 / (height * width)) }

  /// Writes the mean of each channel's pixels to `target`; there must be at least one pixel.
  func average(
    into target: UnsafeMutablePointer<Float>, imageStride: Int, _ layout: rk_blocked_layout,
    _ context: KernelContext
  ) {
    var window = rk_window()
    window.in_height = height
    window.in_width = width
    window.out_height = 1
    window.out_width = 1
    window.kernel_height = height
    window.kernel_width = width
    window.stride_y = 1
    window.stride_x = 1
    window.dilation_y = 1
    window.dilation_x = 1
    let plane = window
    let from = self.layout
    context.parallel(batch * blocks.count, grain: blockGrain) { items in
      for item in items {
        let image = item / blocks.count
        withUnsafePointer(to: plane) {
          rk_blocked_pool_f32(
            $0, pointer(image: image), from, target + image * imageStride, layout,
            item % blocks.count, 0, 1, 1, 0)
        }
      }
    }
  }
}
