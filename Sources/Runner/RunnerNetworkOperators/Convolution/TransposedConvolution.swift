import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

extension AttributeKinds {
  package static let transposedConvolution =
    convolution + ["output_padding": .ints, "output_shape": .ints]
}

/// The transpose of a convolution: each input pixel adds its weighted window to the output.
package struct TransposedConvolution: Kernel {
  package let window: SlidingWindow
  package let group: Int
  let outputPadding: [Int]?
  let outputShape: [Int]?
  package let activation: vk_activation?

  package init(_ node: NodeInfo) throws {
    window = try SlidingWindow(node)
    group = try node.int("group", default: 1)
    guard group >= 1 else { throw node.failure("group is \(group), must be at least 1") }
    outputPadding = try node.ints("output_padding")
    outputShape = try node.ints("output_shape")
    activation = node.fused.activation?.kernelForm
    for list in [outputPadding, outputShape] {
      if let list, !list.allSatisfy({ $0 >= 0 && $0 <= SlidingWindow.limit }) {
        throw node.failure("output sizes \(list) must be from 0 to \(SlidingWindow.limit)")
      }
    }
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    try context.convolved(inputs) { input, weights, bias in
      guard input.rank >= 3, weights.rank == input.rank, weights.shape[0] == input.shape[1],
        weights.shape[0] % group == 0, weights.count > 0
      else {
        throw context.failure(
          "input \(input.shape) does not fit weights \(weights.shape) in \(group) groups")
      }
      let axes = try self.axes(
        over: Array(input.shape[2...]), kernel: Array(weights.shape[2...]), context)
      let outputs = weights.shape[1] * group
      if let bias, bias.shape != [outputs] {
        throw context.failure("bias has shape \(bias.shape), expected [\(outputs)]")
      }
      let shape = [input.shape[0], outputs] + axes.map(\.input)
      guard try Tensor.elementCount(of: shape) <= GEMM.maximumExtent,
        weights.count <= GEMM.maximumExtent, input.count <= GEMM.maximumExtent
      else { throw context.failure("output \(shape) is too large") }
      let output = try context.allocate(.float32, shape)
      guard output.count > 0 else { return output }
      try scatter(input, weights, bias, output, axes, context)
      return output
    }
  }

  /// The window seen from the output: it slides over the output, and has a place for each input pixel.
  package func axes(
    over input: [Int], kernel: [Int], _ context: some NodeFailures
  ) throws -> [SlidingWindow.Axis] {
    let count = input.count
    if let given = window.kernel, given != kernel {
      throw context.failure("kernel_shape is \(given), the weights' is \(kernel)")
    }
    for (name, values, expected) in [
      ("strides", window.strides, count), ("dilations", window.dilations, count),
      ("pads", window.pads, 2 * count), ("output_padding", outputPadding, count),
    ] {
      if let values, values.count != expected {
        throw context.failure("\(name) \(values) should be \(expected) numbers")
      }
    }
    return try (0..<count).map { index in
      var axis = SlidingWindow.Axis()
      axis.output = input[index]
      axis.kernel = kernel[index]
      axis.stride = window.strides?[index] ?? 1
      axis.dilation = window.dilations?[index] ?? 1
      let (span, overflow) = axis.stride.multipliedReportingOverflow(by: max(input[index], 1) - 1)
      guard !overflow, span < GEMM.maximumExtent, axis.kernel <= SlidingWindow.limit else {
        throw context.failure("the output would be too large")
      }
      let full =
        span + (outputPadding?[index] ?? 0) + (axis.kernel - 1) * axis.dilation + 1
      let isSame = window.padding == .sameUpper || window.padding == .sameLower
      if outputShape != nil || isSame {
        let wanted = outputShape?.suffix(count).dropFirst(index).first
        axis.input = wanted ?? axis.output * axis.stride
        let total = max(full - axis.input, 0)
        axis.padBegin = window.padding == .sameUpper ? total / 2 : total - total / 2
        axis.padEnd = total - axis.padBegin
      } else {
        axis.padBegin = window.padding == .valid ? 0 : window.pads?[index] ?? 0
        axis.padEnd = window.padding == .valid ? 0 : window.pads?[index + count] ?? 0
        axis.input = full - axis.padBegin - axis.padEnd
      }
      guard axis.input > 0 else {
        throw context.failure("padding leaves nothing of output axis \(index)")
      }
      return axis
    }
  }

  private func scatter(
    _ input: Tensor, _ weights: Tensor, _ bias: Tensor?, _ output: Tensor,
    _ axes: [SlidingWindow.Axis], _ context: KernelContext
  ) throws {
    let groupInputs = weights.shape[0] / group
    let groupOutputs = weights.shape[1]
    let taps = axes.reduce(1) { $0 * $1.kernel }
    let pixels = axes.reduce(1) { $0 * $1.output }
    let targets = axes.reduce(1) { $0 * $1.input }
    let columns = groupOutputs * taps
    let source = input.pointer(to: Float.self)
    let filters = weights.pointer(to: Float.self)
    let shifts = bias?.pointer(to: Float.self)
    let result = output.mutablePointer(to: Float.self)
    let shares = Shares(axes, taps: taps, pixels: pixels, outputs: groupOutputs)
    let blocks = (groupOutputs - 1) / shares.channels + 1
    try context.parallel(
      input.shape[0] * group * blocks, scratch: shares.channels * taps * shares.pixels
    ) { item, products in
      let image = item / blocks
      let first = item % blocks * shares.channels
      let count = min(shares.channels, groupOutputs - first)
      let groupIndex = image % group
      let planes = result + (image * groupOutputs + first) * targets
      for channel in 0..<count {
        (planes + channel * targets).update(
          repeating: shifts?[groupIndex * groupOutputs + first + channel] ?? 0, count: targets)
      }
      for start in stride(from: 0, to: pixels, by: shares.pixels) {
        let length = min(shares.pixels, pixels - start)
        GEMM.multiply(
          rows: count * taps, columns: length, depth: groupInputs,
          .init(
            pointer: filters + groupIndex * groupInputs * columns + first * taps, stride: columns,
            isTransposed: true),
          .init(pointer: source + image * groupInputs * pixels + start, stride: pixels),
          into: products, stride: length)
        for channel in 0..<count {
          add(
            products + channel * taps * length, of: start..<start + length,
            to: planes + channel * targets, axes)
        }
      }
      if let activation { rk_activate_f32(planes, planes, count * targets, activation) }
    }
  }

  /// How many output channels and input pixels are multiplied at a time, so that the products stay in
  /// the cache.
  private struct Shares {
    let channels: Int
    let pixels: Int

    /// Channels below which a product has too few rows to be worth its columns' copy.
    private static let leastChannels = 8

    init(_ axes: [SlidingWindow.Axis], taps: Int, pixels: Int, outputs: Int) {
      let most = 1 << 18
      let fitting = max(1, most / max(taps * pixels, 1))
      let row = axes.count <= 3 ? axes.last?.output ?? 1 : pixels
      guard fitting < min(outputs, Self.leastChannels), row < pixels else {
        channels = min(outputs, fitting)
        self.pixels = pixels
        return
      }
      channels = min(outputs, Self.leastChannels)
      // Whole rows of the input.
      self.pixels = min(pixels, max(1, most / (channels * taps * row)) * row)
    }
  }

  /// Adds each tap's products, one for each of some input pixels, where they belong.
  private func add(
    _ products: UnsafePointer<Float>, of pixels: Range<Int>,
    to plane: UnsafeMutablePointer<Float>, _ axes: [SlidingWindow.Axis]
  ) {
    guard axes.count <= 3, let x = axes.last else {
      let walk = WindowWalk(axes: axes)
      for pixel in pixels {
        walk.forEachTap(of: pixel) { tap, target in
          plane[target] += products[tap * pixels.count + pixel - pixels.lowerBound]
        }
      }
      return
    }
    let y = axes.count >= 2 ? axes[axes.count - 2] : SlidingWindow.Axis()
    let z = axes.count == 3 ? axes[0] : SlidingWindow.Axis()
    let rows = pixels.lowerBound / x.output..<pixels.upperBound / x.output
    for tapX in 0..<x.kernel {
      let shift = tapX * x.dilation - x.padBegin
      // Input columns whose target lies inside the output.
      let first = shift >= 0 ? 0 : (-shift + x.stride - 1) / x.stride
      let room = x.input - 1 - shift
      let end = room < 0 ? 0 : min(x.output, room / x.stride + 1)
      guard first < end else { continue }
      for tap in 0..<z.kernel * y.kernel {
        let (tapZ, tapY) = tap.quotientAndRemainder(dividingBy: y.kernel)
        let values = products + (tap * x.kernel + tapX) * pixels.count
        for row in rows {
          let (slice, line) = row.quotientAndRemainder(dividingBy: y.output)
          let targetSlice = slice * z.stride + tapZ * z.dilation - z.padBegin
          let targetRow = line * y.stride + tapY * y.dilation - y.padBegin
          guard targetSlice >= 0, targetSlice < z.input, targetRow >= 0, targetRow < y.input else {
            continue
          }
          let target = plane + (targetSlice * y.input + targetRow) * x.input + shift
          let source = values + (row - rows.lowerBound) * x.output
          for column in first..<end { target[column * x.stride] += source[column] }
        }
      }
    }
  }
}
