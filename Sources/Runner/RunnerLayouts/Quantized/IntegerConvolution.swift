import RunnerGraph
import RunnerNetworkOperators
import RunnerTensors
import _RunnerKernels

/// A convolution over pixels with sums of 32 bits.
package struct IntegerConvolution: Sendable {
  let window: SlidingWindow
  let kernel: [Int]
  let outputs: Int
  let inputs: Int
  private let weights: Weights

  private enum Weights: Sendable {
    /// Parts of some groups each, of which the last may have fewer.
    case dense([PackedBytes])
    /// [tap][channel], as `float32`, in which such small sums are exact.
    case depthwise(TensorStorage)
  }

  /// With more taps, `float32` could round the sums.
  static let mostDepthwiseTaps = 512

  /// Whether such a convolution is supported here.
  package static func takes(weights: Tensor, group: Int) -> Bool {
    guard weights.rank == 4, weights.count > 0, weights.elementType.byteCount == 1 else {
      return false
    }
    guard group > 1 else { return group == 1 }
    return weights.shape[0] % group == 0
      && weights.count * min(groupsAtOnce(weights, in: group), group) <= mostPackedWeights
  }

  /// How many weights groups side by side may have.
  ///
  /// That can be 16 times the number in the model. The plain loops need no memory for more.
  private static let mostPackedWeights = 1 << 28

  /// How many groups are computed side by side: their outputs fill blocks of the kernel, and their inputs steps of it.
  private static func groupsAtOnce(_ weights: Tensor, in group: Int) -> Int {
    guard group > 1 else { return 1 }
    let (outputs, inputs) = (weights.shape[0] / group, weights.shape[1])
    var count = 1
    while count * outputs % 16 != 0 || count * inputs % 4 != 0 { count += 1 }
    return count
  }

  /// Packs weights; `zeros` are the weights' zero points: none, one, or one per output.
  init(_ tensor: Tensor, zeros: [Int32], group: Int, window: SlidingWindow) {
    self.window = window
    kernel = Array(tensor.shape[2...])
    let taps = kernel[0] * kernel[1]
    let isSigned = tensor.elementType == .int8
    outputs = tensor.shape[0]
    inputs = tensor.shape[1] * group
    let source = tensor.pointer(to: UInt8.self)
    let isDepthwise =
      group > 1 && outputs == group && tensor.shape[1] == 1 && taps <= Self.mostDepthwiseTaps
    if !isDepthwise {
      weights = .dense(Self.parts(of: tensor, zeros: zeros, group: group))
    } else {
      let pitch = PixelForm(channels: outputs).pitch
      var values = [Float](repeating: 0, count: taps * pitch)
      for channel in 0..<outputs {
        let zero = zeros.count == 1 ? zeros[0] : zeros.isEmpty ? 0 : zeros[channel]
        for tap in 0..<taps {
          let byte = source[channel * taps + tap]
          let weight = isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)
          values[tap * pitch + channel] = Float(weight - zero)
        }
      }
      weights = .depthwise(TensorStorage(copying: values))
    }
  }

  /// Groups side by side.
  ///
  /// The weights between a group and the inputs of another are the output's zero point, so their products are 0.
  /// A kernel computes 16 outputs at once in any case, so this costs no more than a group alone.
  private static func parts(of tensor: Tensor, zeros: [Int32], group: Int) -> [PackedBytes] {
    let source = tensor.pointer(to: UInt8.self)
    let (rows, depth) = (tensor.shape[0] / group, tensor.shape[1])
    let taps = tensor.shape[2] * tensor.shape[3]
    let size = groupsAtOnce(tensor, in: group)
    return stride(from: 0, to: group, by: size).map { first -> PackedBytes in
      let groups = min(size, group - first)
      let (outputs, inputs) = (groups * rows, groups * depth)
      func packed(_ weights: UnsafePointer<UInt8>) -> PackedBytes {
        PackedBytes(
          weights, isSigned: tensor.elementType == .int8,
          steps: .init(output: inputs * taps, input: taps, tap: 1),
          zeros: zeros.count > 1 ? Array(zeros[first * rows..<first * rows + outputs]) : zeros,
          outputs: outputs, inputs: inputs, taps: taps)
      }
      // A group by itself lies as it is packed.
      guard groups > 1 else { return packed(source + first * rows * depth * taps) }
      var weights: [UInt8] = []
      weights.reserveCapacity(outputs * inputs * taps)
      for output in 0..<outputs {
        let index = first * rows + output
        let zero = zeros.count == 1 ? zeros[0] : zeros.isEmpty ? 0 : zeros[index]
        let none = UInt8(truncatingIfNeeded: zero)
        let before = output / rows * depth
        weights += repeatElement(none, count: before * taps)
        weights += UnsafeBufferPointer(start: source + index * depth * taps, count: depth * taps)
        weights += repeatElement(none, count: (inputs - depth - before) * taps)
      }
      return packed(weights)
    }
  }

  /// The offsets of the sums if the input's zero point is `zero`.
  func finish(
    inputZero zero: Int32, bias: Tensor?, result: ProductFinish.Result
  ) -> ProductFinish {
    switch weights {
    case .dense(let parts):
      var offsets: [Int32] = []
      for part in parts {
        let bias = bias.map { $0.pointer(to: Int32.self) + offsets.count }
        offsets += part.offsets(inputZero: zero, bias: bias)
      }
      // Each part has its own zero points.
      return ProductFinish(
        result: result, offsets: TensorStorage(copying: offsets), weightZeros: nil)
    case .depthwise:
      var offsets = [Int32](repeating: 0, count: PixelForm(channels: outputs).pitch)
      if let bias {
        for channel in 0..<outputs { offsets[channel] = bias.pointer(to: Int32.self)[channel] }
      }
      return ProductFinish(
        result: result, offsets: TensorStorage(copying: offsets), weightZeros: nil)
    }
  }

  /// The destination of results: strides in elements from a pixel, a row and an image to the next.
  struct Target {
    var base: UnsafeMutableRawPointer
    var elementSize: Int
    var pixel: Int
    var row: Int
    var image: Int
    /// Whether a row of the result ends where the next begins.
    var isFlat: Bool

    init(_ pixels: PixelTensor) {
      base = UnsafeMutableRawPointer(pixels.pointer())
      elementSize = 1
      pixel = pixels.form.pitch
      row = pixels.rowStride
      image = pixels.imageStride
      isFlat = pixels.form.margin == 0
    }

    /// [N, H, W, `pitch`] of 32-bit elements.
    init(_ tensor: Tensor, pitch: Int) {
      base = tensor.mutableBytes
      elementSize = 4
      pixel = pitch
      row = tensor.shape[2] * pitch
      image = tensor.shape[1] * row
      isFlat = true
    }
  }

  /// The window over an image; its padding must lie in the margin.
  func axes(over source: PixelTensor, in context: KernelContext) throws -> [SlidingWindow
    .Axis]
  {
    guard source.form.channels == inputs else {
      throw context.failure("expected \(inputs) channels, got \(source.form.channels)")
    }
    return try window.axes(
      over: [source.height, source.width], kernel: kernel,
      margins: [source.form.margin, source.form.margin], in: context)
  }

  /// Computes all outputs.
  ///
  /// `table`, of 256 numbers, is applied to bytes that are written.
  func run(
    _ source: PixelTensor, axes: [SlidingWindow.Axis], zero: Int32, finish: ProductFinish,
    table: UnsafePointer<UInt8>?, into target: Target, in context: KernelContext
  ) {
    var conv = rk_q8_conv()
    conv.depth = (inputs + 3) / 4
    conv.taps_y = kernel[0]
    conv.taps_x = kernel[1]
    conv.tap_row = axes[0].dilation * source.rowStride
    conv.tap_column = axes[1].dilation * source.form.pitch
    conv.pixel_step = axes[1].stride * source.form.pitch
    conv.row_step = axes[0].stride * source.rowStride
    conv.outputs = outputs
    conv.out_width = axes[1].output
    conv.out_pixel = target.pixel
    conv.out_row = target.row
    var height = axes[0].output
    // Without margins, and if every output sees only its own pixel, the image is one long row; a
    // line is always one.
    let isPointwise = axes.allSatisfy { $0.kernel == 1 && $0.stride == 1 && $0.padBegin == 0 }
    var rowPixels = axes[1].output
    if height == 1 || isPointwise && source.form.margin == 0 && target.isFlat {
      let pixels = height * rowPixels
      // Rows have equal length; the last may be shorter.
      let parts = max(1, (pixels + ProductShares.pixelPiece - 1) / ProductShares.pixelPiece)
      rowPixels = (pixels + parts - 1) / parts
      height = (pixels + rowPixels - 1) / max(rowPixels, 1)
      conv.row_step = rowPixels * axes[1].stride * source.form.pitch
      conv.out_row = rowPixels * target.pixel
      conv.out_width = rowPixels
    }
    let lastRow = axes[0].output * axes[1].output - (height - 1) * rowPixels
    let rows = max(1, ProductShares.pixelPiece / max(rowPixels, 1))
    let pieces = (height + rows - 1) / rows
    let blocks = (outputs + 15) / 16
    let isDepthwise = if case .depthwise = weights { true } else { false }
    let shares =
      isDepthwise
      ? ProductShares(blocks: blocks, pieces: pieces, parts: 1)
      : ProductShares(blocks: blocks, pieces: pieces, images: source.batch)
    let form = finish.kernelForm
    shares.forEach(images: source.batch, in: context) { image, piece, blocks in
      let start = piece * rows
      let count = min(rows, height - start)
      let from = UnsafePointer(
        source.pointer(image: image, row: -axes[0].padBegin, column: -axes[1].padBegin))
      let to = target.base + image * target.image * target.elementSize
      var conv = conv
      // A shorter last row is separate.
      let whole = start + count == height && lastRow < rowPixels ? count - 1 : count
      compute(&conv, from, form, zero, to, blocks, start..<start + whole)
      if whole < count {
        conv.out_width = lastRow
        compute(&conv, from, form, zero, to, blocks, start + whole..<start + count)
        conv.out_width = rowPixels
      }
      if let table {
        apply(
          table, to: to.assumingMemoryBound(to: UInt8.self), conv, blocks,
          start..<start + count, lastRow: start + count == height ? lastRow : rowPixels)
      }
    }
  }

  private func compute(
    _ conv: inout rk_q8_conv, _ from: UnsafePointer<UInt8>, _ finish: rk_q8_finish, _ zero: Int32,
    _ to: UnsafeMutableRawPointer, _ blocks: Range<Int>, _ rows: Range<Int>
  ) {
    guard !rows.isEmpty else { return }
    withUnsafePointer(to: finish) { finish in
      switch weights {
      case .dense(let parts):
        compute(parts, conv, from, finish.pointee, to, blocks, rows)
      case .depthwise(let values):
        rk_q8_depthwise_rows(
          &conv, from, values.base.assumingMemoryBound(to: Float.self), zero, finish, to,
          rows.lowerBound, rows.count)
      }
    }
  }

  private func compute(
    _ parts: [PackedBytes], _ conv: rk_q8_conv, _ from: UnsafePointer<UInt8>,
    _ finish: rk_q8_finish, _ to: UnsafeMutableRawPointer, _ blocks: Range<Int>, _ rows: Range<Int>
  ) {
    let (outputs, inputs) = (parts[0].outputs, parts[0].inputs)
    let each = (outputs + 15) / 16
    for index in blocks.lowerBound / each...(blocks.upperBound - 1) / each {
      let part = parts[index]
      var (conv, finish) = (conv, finish)
      conv.outputs = part.outputs
      conv.depth = (part.inputs + 3) / 4
      finish.offset += index * outputs
      if let scale = finish.scale { finish.scale = scale + index * outputs }
      if let bias = finish.bias { finish.bias = bias + index * outputs }
      finish.weight_zero = part.zerosPointer
      let first = max(blocks.lowerBound - index * each, 0)
      let elementSize = finish.result == RK_Q8_BYTE ? 1 : 4
      rk_q8_conv_rows(
        &conv, from + index * inputs, part.pointer, &finish, to + index * outputs * elementSize,
        first, min(blocks.upperBound - index * each, each) - first, rows.lowerBound, rows.count)
    }
  }

  private func apply(
    _ table: UnsafePointer<UInt8>, to base: UnsafeMutablePointer<UInt8>, _ conv: rk_q8_conv,
    _ blocks: Range<Int>, _ rows: Range<Int>, lastRow: Int
  ) {
    let isWhole = blocks.count * 16 >= outputs
    for row in rows {
      let pixels = row == rows.upperBound - 1 ? lastRow : conv.out_width
      let first = base + row * conv.out_row
      if isWhole {
        rk_q8_table(first, first, pixels * conv.out_pixel, table)
      } else {
        let count = min(blocks.count * 16, outputs - blocks.lowerBound * 16)
        for pixel in 0..<pixels {
          let at = first + pixel * conv.out_pixel + blocks.lowerBound * 16
          rk_q8_table(at, at, count, table)
        }
      }
    }
  }
}
