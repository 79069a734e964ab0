import _RunnerKernels

extension OperatorTable {
  /// Matrix products and convolutions of integers.
  static let quantizedProducts: [OperatorDefinition] = [
    OperatorDefinition("MatMulInteger", versions: [10], inputs: 2...4) { _ in
      QuantizedMatMul(isRequantized: false)
    },
    OperatorDefinition("QLinearMatMul", versions: [10, 21], inputs: 8...8) { _ in
      QuantizedMatMul(isRequantized: true)
    },
    OperatorDefinition("ConvInteger", versions: [10], inputs: 2...4) { node in
      try QuantizedConvolution(node, isRequantized: false)
    },
    OperatorDefinition("QLinearConv", versions: [10], inputs: 8...9) { node in
      try QuantizedConvolution(node, isRequantized: true)
    },
  ]
}

/// What quantised products share: where scales and zero points are among the inputs.
private struct QuantizedOperands {
  let left: Tensor
  let right: Tensor
  let leftZero: Tensor?
  let rightZero: Tensor?
  /// The scales of both, and scale and zero point of the result.
  let scales: (left: Tensor, right: Tensor, result: Tensor, zero: Tensor)?

  init(_ inputs: [Tensor?], isRequantized: Bool, in context: KernelContext) throws {
    left = try context.input(0, of: inputs)
    if isRequantized {
      right = try context.input(3, of: inputs)
      leftZero = try context.input(2, of: inputs)
      rightZero = try context.input(5, of: inputs)
      scales = (
        try context.input(1, of: inputs), try context.input(4, of: inputs),
        try context.input(6, of: inputs), try context.input(7, of: inputs)
      )
    } else {
      right = try context.input(1, of: inputs)
      leftZero = context.optionalInput(2, of: inputs)
      rightZero = context.optionalInput(3, of: inputs)
      scales = nil
    }
    for (tensor, zero) in [(left, leftZero), (right, rightZero)] {
      guard tensor.elementType == .int8 || tensor.elementType == .uint8 else {
        throw context.unsupported("elements of type \(tensor.elementType)")
      }
      if let zero { try context.requireSameType([tensor, zero]) }
    }
  }

  /// `tensor` minus its zero points, which are one or as many as dimension `axis` has, as `int32`.
  static func centered(
    _ tensor: Tensor, _ zeros: Tensor?, axis: Int, in context: KernelContext
  ) throws -> Tensor {
    guard let zeros else { return try context.converted(tensor, to: .int32) }
    let zero = try spread(zeros, axis: axis, rank: tensor.rank, tensor.shape, in: context)
    let result = try context.combined(
      context.converted(tensor, to: .int64), context.converted(zero, to: .int64), .subtract)
    return try context.converted(result, to: .int32)
  }

  /// One number, or numbers along one axis, in a shape that broadcasts.
  static func spread(
    _ parameters: Tensor, axis: Int, rank: Int, _ shape: [Int], in context: KernelContext
  ) throws -> Tensor {
    if parameters.count == 1 { return parameters.viewed(as: []) }
    // A zero point may also come in a shape that broadcasts by itself.
    if parameters.rank == rank, rank > 1 { return parameters }
    guard rank > 0, axis < rank, parameters.count == shape[axis] else {
      throw context.failure("\(parameters.count) scales or zero points for shape \(shape)")
    }
    var view = [Int](repeating: 1, count: rank)
    view[axis] = parameters.count
    return parameters.viewed(as: view)
  }

  /// An `int32` result scaled and quantised again, if it is to be.
  func requantized(
    _ sums: Tensor, leftAxis: Int, rightAxis: Int, in context: KernelContext
  ) throws -> Tensor {
    guard let scales else { return sums }
    var value = try context.converted(sums, to: .float32)
    for (scale, axis) in [(scales.left, leftAxis), (scales.right, rightAxis)] {
      let factor = try Self.spread(
        context.converted(scale, to: .float32), axis: axis, rank: sums.rank, sums.shape,
        in: context)
      value = try context.combined(value, factor, RK_MUL)
    }
    guard scales.result.count == 1, scales.zero.count == 1 else {
      throw context.unsupported("a result with several scales")
    }
    return try context.quantized(
      value, scale: context.converted(scales.result, to: .float32).viewed(as: []),
      zeroPoint: scales.zero.viewed(as: []), to: scales.zero.elementType)
  }
}

private struct QuantizedMatMul: Kernel {
  let isRequantized: Bool

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let operands = try QuantizedOperands(inputs, isRequantized: isRequantized, in: context)
    // Rows of the left and columns of the right matrix may have zero points of their own.
    let left = try QuantizedOperands.centered(
      operands.left, operands.leftZero, axis: max(operands.left.rank - 2, 0), in: context)
    let right = try QuantizedOperands.centered(
      operands.right, operands.rightZero, axis: max(operands.right.rank - 1, 0), in: context)
    // The plain matrix product multiplies integers exactly.
    let sums = try context.perform("MatMul", [left, right])
    return [
      try operands.requantized(
        sums, leftAxis: max(sums.rank - 2, 0), rightAxis: max(sums.rank - 1, 0), in: context)
    ]
  }
}

/// A convolution of one or two spatial dimensions, exact in `int32`.
private struct QuantizedConvolution: Kernel {
  private let window: SlidingWindow
  private let group: Int
  private let isRequantized: Bool

  init(_ node: NodeInfo, isRequantized: Bool) throws {
    window = try SlidingWindow(node)
    group = try node.int("group", default: 1)
    guard group >= 1 else { throw node.failure("group is \(group), must be at least 1") }
    self.isRequantized = isRequantized
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let operands = try QuantizedOperands(inputs, isRequantized: isRequantized, in: context)
    let bias = isRequantized ? context.optionalInput(8, of: inputs) : nil
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
        // Output columns whose tap lies on the input.
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
