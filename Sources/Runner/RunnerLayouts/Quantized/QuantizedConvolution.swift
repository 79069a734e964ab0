import RunnerGraph
import RunnerNetworkOperators
import RunnerOperators
import RunnerTensors
import _RunnerKernels

/// A convolution of one or two spatial dimensions, exact in `int32`.
struct QuantizedConvolution: Kernel {
  private let window: SlidingWindow
  private let group: Int
  private let isRequantized: Bool
  /// The convolution, if its weights are known at load.
  private let packed: IntegerConvolution?

  init(_ node: NodeInfo, isRequantized: Bool) throws {
    window = try SlidingWindow(node)
    group = try node.int("group", default: 1)
    guard group >= 1 else { throw node.failure("group is \(group), must be at least 1") }
    self.isRequantized = isRequantized
    let (weights, zero) = isRequantized ? (3, 5) : (1, 3)
    let hasZero = node.hasInput.indices.contains(zero) && node.hasInput[zero]
    if let tensor = node.constant(weights), !hasZero || node.constant(zero) != nil {
      packed = Self.packed(tensor, zeros: node.constant(zero), group: group, window)
    } else {
      packed = nil
    }
  }

  /// The weights in the kernels' form; nil if the kernels cannot use them.
  private static func packed(
    _ weights: Tensor, zeros: Tensor?, group: Int, _ window: SlidingWindow
  ) -> IntegerConvolution? {
    guard weights.rank != 3 else {
      return packed(weights.asPlanes, zeros: zeros, group: group, window.overPlanes)
    }
    guard weights.elementType == .int8 || weights.elementType == .uint8,
      IntegerConvolution.takes(weights: weights, group: group),
      zeros.map({
        $0.elementType == weights.elementType && ($0.count == 1 || $0.shape == [weights.shape[0]])
      }) ?? true
    else { return nil }
    return IntegerConvolution(
      weights, zeros: Tensor.zeroPoints(zeros), group: group, window: window)
  }

  /// The convolution by its kernels; nil if they do not support it.
  ///
  /// A line is a plane of height 1.
  private func convolution(
    _ operands: QuantizedOperands, bias: Tensor?, in context: KernelContext
  ) throws -> Tensor? {
    guard operands.left.rank == 3, operands.right.rank == 3 else {
      return try convolution(
        operands, operands.left, operands.right, window, bias: bias, in: context)
    }
    let result = try convolution(
      operands, operands.left.asPlanes, operands.right.asPlanes, window.overPlanes, bias: bias,
      in: context)
    return result.map { $0.viewed(as: [$0.shape[0], $0.shape[1], $0.shape[3]]) }
  }

  private func convolution(
    _ operands: QuantizedOperands, _ input: Tensor, _ weights: Tensor, _ window: SlidingWindow,
    bias: Tensor?, in context: KernelContext
  ) throws -> Tensor? {
    guard operands.leftZero.map({ $0.count == 1 }) ?? true, input.rank == 4,
      bias.map({ $0.elementType == .int32 }) ?? true,
      let convolution = packed
        ?? Self.packed(weights, zeros: operands.rightZero, group: group, window),
      let (type, result) = operands.finish(columns: weights.shape[0])
    else { return nil }
    let shape = try ConvolutionShape(
      input: input, weights: weights, bias: bias, group: group, window: window, context)
    guard try Tensor.elementCount(of: shape.output) > 0 else {
      return try context.allocate(type, shape.output)
    }
    let margin = shape.axes.map { max($0.padBegin, $0.padEnd) }.max() ?? 0
    // With such a wide edge, the margin would be larger than the image; the direct method needs no
    // memory for it.
    guard margin <= 64 else { return nil }
    let zero = Tensor.zeroPoints(operands.leftZero)[0] + input.unsignedShift
    let pixels = try PixelTensor(
      sorting: input,
      PixelForm(channels: input.shape[1], margin: margin, zero: UInt8(clamping: zero)),
      in: context)
    let finish = convolution.finish(inputZero: zero, bias: bias, result: result)
    let form = PixelForm(channels: convolution.outputs)
    if type == .int32 {
      let sums = try context.allocate(
        .int32, [shape.batch, shape.axes[0].output, shape.axes[1].output, form.pitch])
      convolution.run(
        pixels, axes: shape.axes, zero: zero, finish: finish, table: nil,
        into: .init(sums, pitch: form.pitch), in: context)
      return try Self.planes(sums, channels: form.channels, in: context)
    }
    let target = try PixelTensor(
      batch: shape.batch, height: shape.axes[0].output, width: shape.axes[1].output, form,
      in: context)
    convolution.run(
      pixels, axes: shape.axes, zero: zero, finish: finish, table: nil, into: .init(target),
      in: context)
    // The kernel wrote numbers of the result's type, so nothing is shifted.
    let sorted = try target.sorted(as: .uint8, in: context)
    return Tensor(
      elementType: type, shape: sorted.shape, count: sorted.count, storage: sorted.storage)
  }

  /// [N, H, W, pitch] of 32-bit numbers to [N, C, H, W].
  static func planes(
    _ sums: Tensor, channels: Int, in context: KernelContext
  ) throws -> Tensor {
    let pixels = sums.shape[1] * sums.shape[2]
    let output = try context.allocate(
      sums.elementType, [sums.shape[0], channels, sums.shape[1], sums.shape[2]])
    // The kernel moves any 32-bit values.
    let source = sums.bytes.assumingMemoryBound(to: Float.self)
    let target = output.mutableBytes.assumingMemoryBound(to: Float.self)
    let grain = max(16, 16_384 / channels)
    let pieces = (pixels + grain - 1) / grain
    context.parallel(sums.shape[0] * pieces) { items in
      for item in items {
        let (image, piece) = item.quotientAndRemainder(dividingBy: pieces)
        let start = piece * grain
        vk_transpose_f32(
          source + (image * pixels + start) * sums.shape[3],
          target + image * channels * pixels + start, min(grain, pixels - start), channels,
          sums.shape[3], pixels)
      }
    }
    return output
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let operands = try QuantizedOperands(inputs, isRequantized: isRequantized, in: context)
    let bias = isRequantized ? context.optionalInput(8, of: inputs) : nil
    if let result = try convolution(operands, bias: bias, in: context) { return [result] }
    let input = try QuantizedOperands.centered(
      operands.left, operands.leftZero, axis: 1, in: context)
    let weights = try QuantizedOperands.centered(
      operands.right, operands.rightZero, axis: 0, in: context)
    let shape = try ConvolutionShape(
      input: input, weights: weights, bias: bias, group: group, window: window, context)
    guard shape.axes.count <= 2 else {
      throw context.unsupported("\(shape.axes.count) spatial dimensions")
    }
    let sums = try context.allocate(.int32, shape.output)
    if sums.count > 0 { convolve(input, weights, shape, into: sums, in: context) }
    var result = sums
    if let bias {
      guard bias.elementType == .int32 else {
        throw context.failure("bias is \(bias.elementType), expected int32")
      }
      let spread = try QuantizedOperands.spread(
        bias, axis: 1, rank: sums.rank, sums.shape, in: context)
      result = try context.converted(
        context.combined(
          context.converted(sums, to: .int64), context.converted(spread, to: .int64), .add),
        to: .int32)
    }
    return [try operands.requantized(result, leftAxis: 0, rightAxis: 1, in: context)]
  }

  private func convolve(
    _ input: Tensor, _ weights: Tensor, _ shape: ConvolutionShape, into sums: Tensor,
    in context: KernelContext
  ) {
    let plane = SlidingWindow.plane(shape.axes)
    let from = input.pointer(to: Int32.self)
    let taps = weights.pointer(to: Int32.self)
    let to = sums.mutablePointer(to: Int32.self)
    let outputs = shape.group * shape.groupOutputs
    let inputChannels = shape.group * shape.groupInputs
    context.parallel(shape.batch * outputs) { range in
      for item in range {
        let (image, output) = item.quotientAndRemainder(dividingBy: outputs)
        let target = to + item * shape.outputPixels
        target.update(repeating: 0, count: shape.outputPixels)
        let firstChannel = output / shape.groupOutputs * shape.groupInputs
        for channel in 0..<shape.groupInputs {
          let source = from + (image * inputChannels + firstChannel + channel) * shape.inputPixels
          let kernel = taps + (output * shape.groupInputs + channel) * shape.kernelPixels
          accumulate(source, kernel, plane, into: target)
        }
      }
    }
  }

  /// Adds one input plane's part, tap by tap, so that the inner loop runs along rows.
  private func accumulate(
    _ source: UnsafePointer<Int32>, _ kernel: UnsafePointer<Int32>, _ window: rk_window,
    into target: UnsafeMutablePointer<Int32>
  ) {
    for ky in 0..<window.kernel_height {
      for kx in 0..<window.kernel_width {
        let weight = kernel[ky * window.kernel_width + kx]
        let left = kx * window.dilation_x - window.pad_left
        // Output columns whose tap is on the input.
        let first = left >= 0 ? 0 : (-left + window.stride_x - 1) / window.stride_x
        let room = window.in_width - left
        let end = min(window.out_width, room <= 0 ? 0 : (room - 1) / window.stride_x + 1)
        guard weight != 0, first < end else { continue }
        for oy in 0..<window.out_height {
          let iy = oy * window.stride_y + ky * window.dilation_y - window.pad_top
          guard iy >= 0, iy < window.in_height else { continue }
          let row = source + iy * window.in_width
          let sums = target + oy * window.out_width
          for ox in first..<end {
            sums[ox] = sums[ox] &+ weight &* row[left + ox * window.stride_x]
          }
        }
      }
    }
  }
}

extension Tensor {
  /// A tensor [N, C, L] as [N, C, 1, L].
  fileprivate var asPlanes: Tensor { viewed(as: [shape[0], shape[1], 1, shape[2]]) }
}
