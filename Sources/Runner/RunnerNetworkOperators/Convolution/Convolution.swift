import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Convolutions.
  package static let convolution: [Operator] = [
    Operator(
      "Conv", versions: [1, 11, 22], inputs: 2...3, types: .real, attributes: .convolution,
      shape: .convolution, cost: .convolution(weights: 1), traits: [.product, .appliesActivation]
    ) { try Convolution($0) },
    Operator(
      "ConvTranspose", versions: [1, 11, 22], inputs: 2...3, types: .real,
      attributes: .transposedConvolution, shape: .convTranspose, cost: .transposedConvolution,
      traits: [.product, .appliesActivation]
    ) {
      try TransposedConvolution($0)
    },
  ]
}

extension ShapeRule {
  package static let convolution = ShapeRule {
    [ValueFact(try $0.input(0).type, try convolved($0, weights: 1))]
  }

  package static let convTranspose = ShapeRule { query in
    let input = try query.input(0)
    let weights = try query.shape(1)
    let kernel = try TransposedConvolution(query.info)
    guard weights.count == input.shape.count, input.shape.count >= 3 else {
      throw ShapeQuery.Unknown()
    }
    let axes = try kernel.axes(
      over: Array(input.shape[2...]), kernel: Array(weights[2...]), query.info)
    return [
      ValueFact(
        input.type, [input.shape[0], weights[1] * kernel.group] + axes.map(\.input))
    ]
  }

  /// The result of a convolution with the weights at the given input.
  package static func convolved(_ query: ShapeQuery, weights index: Int) throws -> [Int] {
    let input = try query.shape(0)
    let weights = try query.shape(index)
    guard input.count >= 3, weights.count == input.count else { throw ShapeQuery.Unknown() }
    let axes = try SlidingWindow(query.info).axes(
      over: Array(input[2...]), kernel: Array(weights[2...]), in: query.info)
    return [input[0], weights[0]] + axes.map(\.output)
  }
}

extension OperationCount {
  /// The operations of a convolution whose weights are the input at the given place.
  package static func convolution(weights: Int) -> OperationCount {
    OperationCount { query in
      query.shape(weights).flatMap { product([2] + query.result + $0.dropFirst()) }
    }
  }

  package static let transposedConvolution = OperationCount { query in
    guard let input = query.shape(0), let weights = query.shape(1) else { return nil }
    return product([2] + input + weights.dropFirst())
  }
}

/// Correlates the input with each output channel's weights.
///
/// One to three spatial dimensions: depthwise by its own kernel, 1x1 as a matrix product with the image
/// as it lies, the rest as a matrix product with columns gathered block by block. More dimensions by the
/// definition.
private struct Convolution: Kernel {
  let window: SlidingWindow
  let group: Int
  let activation: Activation?
  /// Packed weights for volumes, if they are known.
  let volume: VolumeBlocks?
  /// Likewise for signals and for images of few pixels.
  let windows: WindowWeights?

  init(_ node: NodeInfo) throws {
    window = try SlidingWindow(node)
    group = try node.int("group", default: 1)
    guard group >= 1 else { throw node.failure("group is \(group), must be at least 1") }
    activation = node.fused.activation
    volume = VolumeBlocks(node, group: group)
    windows = WindowWeights(node, group: group)
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    try context.convolved(inputs) { input, weights, bias in
      let shape = try ConvolutionShape(
        input: input, weights: weights, bias: bias, group: group, window: window, context)
      let output = try context.allocate(.float32, shape.output)
      guard output.count > 0 else { return output }
      if let volume,
        let job = VolumeBlocksJob(
          volume, shape, input: input.pointer(to: Float.self),
          bias: bias?.pointer(to: Float.self), output: output.mutablePointer(to: Float.self),
          activation: activation.kernelFormOrIdentity, context: context)
      {
        try job.run()
        return output
      }
      if let windows,
        let job = WindowJob(
          windows, shape, input: input.pointer(to: Float.self),
          bias: bias?.pointer(to: Float.self), output: output.mutablePointer(to: Float.self),
          activation: activation.kernelFormOrIdentity, context: context)
      {
        try job.run()
        return output
      }
      let job = ConvolutionJob(
        shape: shape, input: input.pointer(to: Float.self),
        weights: weights.pointer(to: Float.self), bias: bias?.pointer(to: Float.self),
        output: output.mutablePointer(to: Float.self),
        activation: activation.kernelFormOrIdentity, context: context)
      try job.run()
      return output
    }
  }
}

extension KernelContext {
  /// The result of `compute`, which gets a convolution's input, weights and bias in `float32`.
  ///
  /// Other floating-point types are converted before and the result after, also `float64`, which no vision
  /// model uses.
  func convolved(
    _ inputs: [Tensor?],
    _ compute: (_ input: Tensor, _ weights: Tensor, _ bias: Tensor?) throws -> Tensor
  ) throws -> [Tensor] {
    let input = try input(0, of: inputs)
    let weights = try self.input(1, of: inputs)
    let bias = optionalInput(2, of: inputs)
    guard input.elementType.isFloatingPoint, weights.elementType == input.elementType,
      bias.map({ $0.elementType == input.elementType }) ?? true
    else {
      throw failure(
        "input and weights must be floating point of one type, got \(input.elementType), "
          + "\(weights.elementType)")
    }
    let result = try compute(
      input.converted(to: .float32), weights.converted(to: .float32),
      bias?.converted(to: .float32))
    return [try result.converted(to: input.elementType)]
  }
}

/// The extents of a convolution, checked against each other.
package struct ConvolutionShape {
  package let batch: Int
  package let group: Int
  /// Channels of the input in each group.
  package let groupInputs: Int
  /// Channels of the output in each group.
  package let groupOutputs: Int
  package let axes: [SlidingWindow.Axis]
  package let output: [Int]

  package init(
    input: Tensor, weights: Tensor, bias: Tensor?, group: Int, window: SlidingWindow,
    _ context: KernelContext
  ) throws {
    guard input.rank >= 3, weights.rank == input.rank else {
      throw context.failure(
        "input \(input.shape) and weights \(weights.shape) must have the same rank, at least 3")
    }
    batch = input.shape[0]
    self.group = group
    groupInputs = weights.shape[1]
    let outputs = weights.shape[0]
    guard groupInputs > 0, outputs > 0, outputs % group == 0,
      input.shape[1] % group == 0, input.shape[1] / group == groupInputs
    else {
      throw context.failure(
        "input \(input.shape) does not fit weights \(weights.shape) in \(group) groups")
    }
    groupOutputs = outputs / group
    if let bias, bias.shape != [outputs] {
      throw context.failure("bias has shape \(bias.shape), expected [\(outputs)]")
    }
    axes = try window.axes(
      over: Array(input.shape[2...]), kernel: Array(weights.shape[2...]), in: context)
    output = [batch, outputs] + axes.map(\.output)
    guard
      try Tensor.elementCount(of: output) <= GEMM.maximumExtent,
      try Tensor.elementCount(of: Array(weights.shape[1...]))
        <= GEMM.maximumExtent, input.count <= GEMM.maximumExtent
    else { throw context.failure("output \(output) is too large") }
  }

  package var inputPixels: Int { axes.reduce(1) { $0 * $1.input } }
  package var outputPixels: Int { axes.reduce(1) { $0 * $1.output } }
  package var kernelPixels: Int { axes.reduce(1) { $0 * $1.kernel } }

  /// The two innermost axes, or the only one.
  package var planeAxes: [SlidingWindow.Axis] { Array(axes.suffix(2)) }

  /// Rows of an output channel, those of all slices of a volume.
  var outputRows: Int { axes.dropLast().reduce(1) { $0 * $1.output } }

  /// Whether each input channel has outputs of its own, or the only one has so few that a product would not
  /// pay for the gathering.
  var isDepthwise: Bool { groupInputs == 1 && (group > 1 || groupOutputs <= OneChannel.fewOutputs) }

  /// Whether each output pixel sees just the input pixel in its place.
  package var isPointwise: Bool {
    axes.allSatisfy {
      $0.kernel == 1 && $0.stride == 1 && $0.padBegin == 0 && $0.padEnd == 0
    }
  }
}

/// One run of a float32 convolution.
struct ConvolutionJob {
  // The pointers are valid for the kernel's call, in which this value lives.
  let shape: ConvolutionShape
  let input: UnsafePointer<Float>
  let weights: UnsafePointer<Float>
  let bias: UnsafePointer<Float>?
  let output: UnsafeMutablePointer<Float>
  let activation: vk_activation
  let context: KernelContext

  /// Columns that make a matrix product worth its while, and rows likewise.
  ///
  /// Pieces have these sizes whatever the number of threads.
  private static let columnPiece = 512
  private static let rowPiece = 64

  func run() throws {
    if shape.isPointwise, !shape.isDepthwise {
      if shape.outputPixels == 1, shape.group == 1 {
        fullyConnected()
      } else {
        pointwise()
      }
    } else if shape.axes.count > 3 {
      direct()
    } else if shape.isDepthwise, shape.axes.count == 3 {
      try depthwiseVolumes()
    } else if shape.isDepthwise {
      depthwise()
    } else if shape.outputPixels <= Self.columnPiece {
      try columnsAtOnce()
    } else {
      try columnsByRows()
    }
  }

  private func depthwise() {
    var window = SlidingWindow.plane(shape.axes)
    let multiplier = shape.groupOutputs
    // About a hundred thousand products a piece.
    let work = max(shape.outputPixels * shape.kernelPixels * multiplier, 1)
    context.parallel(shape.batch * shape.group, grain: max(1, 100_000 / work)) { planes in
      // A piece may span images; the bias starts again with each.
      var plane = planes.lowerBound
      while plane < planes.upperBound {
        let channel = plane % shape.group
        let count = min(planes.upperBound - plane, shape.group - channel)
        rk_depthwise_f32(
          input + plane * shape.inputPixels,
          weights + channel * multiplier * shape.kernelPixels,
          bias.map { $0 + channel * multiplier },
          output + plane * multiplier * shape.outputPixels, count * multiplier, multiplier,
          &window, activation)
        plane += count
      }
    }
  }

  /// One pixel an image: all images are the rows of one matrix.
  private func fullyConnected() {
    let depth = shape.groupInputs
    let outputs = shape.groupOutputs
    context.parallel(outputs, grain: 256) { columns in
      GEMM.multiply(
        rows: shape.batch, columns: columns.count, depth: depth,
        .init(pointer: input, stride: depth),
        .init(pointer: weights + columns.lowerBound * depth, stride: depth, isTransposed: true),
        into: output + columns.lowerBound, stride: outputs)
      rk_bias_activation_rows_f32(
        output + columns.lowerBound, bias.map { $0 + columns.lowerBound }, shape.batch,
        columns.count, outputs, activation)
    }
  }

  /// 1x1: the image is the matrix of columns as it lies.
  private func pointwise() {
    let pixels = shape.outputPixels
    let images = shape.batch * shape.group
    if pixels > Self.columnPiece {
      let pieces = (pixels - 1) / Self.columnPiece + 1
      context.parallel(images * pieces) { items in
        for item in items {
          let start = item % pieces * Self.columnPiece
          multiply(
            image: item / pieces, rows: 0..<shape.groupOutputs,
            columns: input + item / pieces * shape.groupInputs * pixels + start,
            stride: pixels, first: start, count: min(Self.columnPiece, pixels - start))
        }
      }
    } else {
      let pieces = (shape.groupOutputs - 1) / Self.rowPiece + 1
      context.parallel(images * pieces) { items in
        for item in items {
          multiply(
            image: item / pieces, rows: rows(item % pieces),
            columns: input + item / pieces * shape.groupInputs * pixels, stride: pixels,
            first: 0, count: pixels)
        }
      }
    }
  }

  /// Small images: all columns at once, then pieces of the output channels.
  private func columnsAtOnce() throws {
    let window = SlidingWindow.plane(shape.planeAxes)
    let height = shape.outputRows
    let pixels = shape.outputPixels
    let depth = shape.groupInputs * shape.kernelPixels
    let pieces = (shape.groupOutputs - 1) / Self.rowPiece + 1
    let scratch = try context.allocate(.float32, [depth, pixels])
    withExtendedLifetime(scratch) {
      let columns = scratch.mutablePointer(to: Float.self)
      let grain = max(1, 16_384 / max(shape.kernelPixels * pixels, 1))
      for image in 0..<shape.batch * shape.group {
        context.parallel(shape.groupInputs, grain: grain) { channels in
          gather(
            input + (image * shape.groupInputs + channels.lowerBound) * shape.inputPixels,
            channels: channels.count, window, rows: 0..<height,
            into: columns + channels.lowerBound * shape.kernelPixels * pixels, stride: pixels)
        }
        context.parallel(pieces) { items in
          for item in items {
            multiply(
              image: image, rows: rows(item), columns: columns, stride: pixels, first: 0,
              count: pixels)
          }
        }
      }
    }
  }

  /// Large images: columns of a few output rows at a time, or of a part of a long row, small enough to stay in the
  /// cache.
  private func columnsByRows() throws {
    let window = SlidingWindow.plane(shape.planeAxes)
    let width = window.out_width
    let depth = shape.groupInputs * shape.kernelPixels
    let height = shape.outputRows
    // A signal is a single row.
    let cached = max((1 << 18) / max(depth, 1), 256)
    let part = min(width, cached)
    let parts = (width - 1) / part + 1
    let block = parts > 1 ? 1 : min(height, max(cached / width, (255 + width) / width))
    let blocks = (height - 1) / block + 1
    try context.parallel(
      shape.batch * shape.group * blocks * parts, scratch: depth * block * part
    ) { item, columns in
      let image = item / (blocks * parts)
      let first = item / parts % blocks * block
      let column = item % parts * part
      let rowCount = min(block, height - first)
      var window = window
      window.out_width = min(part, width - column)
      window.pad_left -= column * window.stride_x
      let count = rowCount * window.out_width
      gather(
        input + image * shape.groupInputs * shape.inputPixels, channels: shape.groupInputs, window,
        rows: first..<first + rowCount, into: columns, stride: count)
      multiply(
        image: image, rows: 0..<shape.groupOutputs, columns: columns, stride: count,
        first: first * width + column, count: count)
    }
  }

  private func rows(_ piece: Int) -> Range<Int> {
    let start = piece * Self.rowPiece
    return start..<min(start + Self.rowPiece, shape.groupOutputs)
  }

  /// Some output channels at some pixels: weights times columns, then bias and activation.
  ///
  /// `image` counts the groups of each image; `first` is the first of `count` pixels.
  private func multiply(
    image: Int, rows: Range<Int>, columns: UnsafePointer<Float>, stride: Int, first: Int, count: Int
  ) {
    let depth = shape.groupInputs * shape.kernelPixels
    let channel = image % shape.group * shape.groupOutputs + rows.lowerBound
    let target =
      output + (image * shape.groupOutputs + rows.lowerBound) * shape.outputPixels + first
    GEMM.multiply(
      rows: rows.count, columns: count, depth: depth,
      .init(pointer: weights + channel * depth, stride: depth),
      .init(pointer: columns, stride: stride), into: target, stride: shape.outputPixels)
    rk_bias_activation_f32(
      target, bias.map { $0 + channel }, rows.count, count, shape.outputPixels, activation)
  }

  /// Any number of dimensions, by the definition.
  private func direct() {
    let walk = WindowWalk(axes: shape.axes)
    let outputs = shape.group * shape.groupOutputs
    context.parallel(shape.batch * outputs) { planes in
      for plane in planes {
        let channel = plane % outputs
        let firstInput =
          plane / outputs * shape.group * shape.groupInputs
          + channel / shape.groupOutputs * shape.groupInputs
        let filter = weights + channel * shape.groupInputs * shape.kernelPixels
        let target = output + plane * shape.outputPixels
        for pixel in 0..<shape.outputPixels {
          var sum = bias?[channel] ?? 0
          walk.forEachTap(of: pixel) { tap, source in
            for depth in 0..<shape.groupInputs {
              sum +=
                filter[depth * shape.kernelPixels + tap]
                * input[(firstInput + depth) * shape.inputPixels + source]
            }
          }
          target[pixel] = sum
        }
        rk_activate_f32(target, target, shape.outputPixels, activation)
      }
    }
  }
}
