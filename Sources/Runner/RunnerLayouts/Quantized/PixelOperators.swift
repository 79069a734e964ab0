import RunnerGraph
import RunnerNetworkOperators
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// The operators with which ``PixelLayout`` replaces operators on 8-bit numbers.
  ///
  /// Files cannot use them: without the pass their layouts are not known, and making a kernel
  /// throws.
  package static let pixels: [Operator] = {
    func definition(
      _ name: String, inputs: ClosedRange<Int> = 1...1, attributes: AttributeKinds = [:],
      cost: OperationCount? = nil,
      make: @escaping @Sendable (NodeInfo) throws -> any Kernel
    ) -> Operator {
      Operator(
        name, domain: OperatorDomain.pixels, versions: [1], inputs: inputs,
        types: ElementTypes([.int8, .uint8]), attributes: attributes, shape: .seenInRun,
        keeps: .constants, cost: cost,
        make: make)
    }
    return [
      definition("ToPixels") { try ToPixels($0) },
      definition("FromPixels") { try FromPixels($0) },
      definition(
        "QLinearConv", inputs: 8...10, attributes: .convolution, cost: .convolution(weights: 3)
      ) {
        try PixelConvolution($0)
      },
      definition("Lookup", inputs: 2...2) { try PixelLookup($0) },
      definition("QLinearAdd", inputs: 8...8) { try PixelArithmetic($0, RK_ADD) },
      definition("QLinearMul", inputs: 8...8) { try PixelArithmetic($0, RK_MUL) },
      definition("QLinearConcat", inputs: 5...Operator.many) { try PixelConcat($0) },
      definition("QLinearGlobalAveragePool", inputs: 5...5) { try PixelMean($0) },
      definition("MaxPool", attributes: .pooling) { try PixelMaximum($0) },
      definition("Resize", inputs: 1...3) { try PixelRepetition($0) },
      definition("Upsample", inputs: 1...3) { try PixelRepetition($0) },
    ]
  }()
}

extension NodeInfo {
  /// The layout of an input in pixels.
  func pixelInput(_ index: Int) throws -> PixelForm {
    guard let forms = fused.pixels, index < forms.inputs.count, let form = forms.inputs[index]
    else {
      throw failure("its form is not known")
    }
    return form
  }

  /// The layout of the output in pixels.
  func pixelOutput() throws -> PixelForm {
    guard let form = fused.pixels?.output else { throw failure("its form is not known") }
    return form
  }

  /// A known scale and zero point, the latter of unsigned numbers.
  func pixelRange(_ index: Int) throws -> rk_q8_range {
    guard let scale = constant(index), scale.elementType == .float32, scale.count == 1,
      let zero = constant(index + 1), zero.count == 1, zero.elementType.byteCount == 1
    else { throw failure("its scales are not known") }
    return rk_q8_range(
      scale: scale.pointer(to: Float.self)[0],
      zero: Tensor.zeroPoints(zero)[0] + zero.unsignedShift)
  }

  /// A known table, from unsigned numbers to unsigned numbers.
  func pixelTable(_ index: Int, isSigned: Bool) throws -> TensorStorage {
    guard let table = constant(index), table.count == 256, table.elementType.byteCount == 1
    else { throw failure("its table is not known") }
    let values = table.pointer(to: UInt8.self)
    let flip: UInt8 = table.elementType == .int8 ? 128 : 0
    return TensorStorage(
      copying: (0..<256).map { values[isSigned ? $0 ^ 128 : $0] ^ flip })
  }
}

private struct ToPixels: Kernel {
  let form: PixelForm

  init(_ node: NodeInfo) throws { form = try node.pixelOutput() }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.byteInput(0, of: inputs)
    guard (input.elementType == .int8) == form.isSigned else {
      throw context.failure("elements are \(input.elementType)")
    }
    return [try PixelTensor(sorting: input, form, in: context).tensor]
  }
}

private struct FromPixels: Kernel {
  let form: PixelForm

  init(_ node: NodeInfo) throws { form = try node.pixelInput(0) }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try PixelTensor(context.input(0, of: inputs), form, in: context)
    return [try input.sorted(as: form.isSigned ? .int8 : .uint8, in: context)]
  }
}

/// A QLinearConv whose result may pass through a table.
private struct PixelConvolution: Kernel {
  let input: PixelForm
  let output: PixelForm
  let convolution: IntegerConvolution
  let finish: ProductFinish
  let zero: Int32
  let table: TensorStorage?

  init(_ node: NodeInfo) throws {
    input = try node.pixelInput(0)
    output = try node.pixelOutput()
    guard let weights = node.constant(3), let scales = node.constant(4),
      let zeros = node.constant(5)
    else { throw node.failure("its weights are not known") }
    let (group, window) = (try node.int("group", default: 1), try SlidingWindow(node))
    guard IntegerConvolution.takes(weights: weights, group: group) else {
      throw node.failure("weights of shape \(weights.shape) in \(group) groups")
    }
    convolution = IntegerConvolution(
      weights, zeros: Tensor.zeroPoints(zeros), group: group, window: window)
    let given = try node.pixelRange(1)
    let wanted = try node.pixelRange(6)
    zero = given.zero
    let right = scales.pointer(to: Float.self)
    let outputs = weights.shape[0]
    let factors = (0..<output.pitch).map { channel -> Float in
      guard channel < outputs else { return 0 }
      return given.scale * right[scales.count == 1 ? 0 : channel] / wanted.scale
    }
    finish = convolution.finish(
      inputZero: given.zero, bias: node.constant(8),
      result: .bytes(
        scale: TensorStorage(copying: factors), zero: wanted.zero, range: 0...255))
    let isSigned = node.constant(7)?.elementType == .int8
    table = node.constant(9) == nil ? nil : try node.pixelTable(9, isSigned: isSigned)
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try PixelTensor(context.input(0, of: inputs), input, in: context)
    let axes = try convolution.axes(over: source, in: context)
    let target = try PixelTensor(
      batch: source.batch, height: axes[0].output, width: axes[1].output, output, in: context)
    guard target.tensor.count > 0 else { return [target.tensor] }
    convolution.run(
      source, axes: axes, zero: zero, finish: finish,
      table: table.map { UnsafePointer($0.base.assumingMemoryBound(to: UInt8.self)) },
      into: .init(target), in: context)
    return [target.tensor]
  }
}

extension KernelContext {
  /// Calls `body` with the image and the row of each row of a tensor in pixels.
  fileprivate func forEachRow(
    of target: PixelTensor, _ body: (_ image: Int, _ row: Int) -> Void
  ) {
    let grain = max(1, 16_384 / max(target.rowStride, 1))
    let height = target.height
    parallel(target.batch * height, grain: grain) { rows in
      for item in rows { body(item / height, item % height) }
    }
  }
}

private struct PixelLookup: Kernel {
  let input: PixelForm
  let output: PixelForm
  let table: TensorStorage

  init(_ node: NodeInfo) throws {
    input = try node.pixelInput(0)
    output = try node.pixelOutput()
    table = try node.pixelTable(1, isSigned: input.isSigned)
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try PixelTensor(context.input(0, of: inputs), input, in: context)
    let target = try PixelTensor(
      batch: source.batch, height: source.height, width: source.width, output, in: context)
    let numbers = table.base.assumingMemoryBound(to: UInt8.self)
    let count = source.width * input.pitch
    context.forEachRow(of: target) { image, row in
      rk_q8_table(
        source.pointer(image: image, row: row), target.pointer(image: image, row: row), count,
        numbers)
    }
    return [target.tensor]
  }
}

/// A sum or product of two images, one of which may be one pixel or one image for all.
private struct PixelArithmetic: Kernel {
  let operation: rk_binary_op
  let forms: (PixelForm, PixelForm)
  let output: PixelForm
  let ranges: (rk_q8_range, rk_q8_range, rk_q8_range)

  init(_ node: NodeInfo, _ operation: rk_binary_op) throws {
    self.operation = operation
    forms = (try node.pixelInput(0), try node.pixelInput(3))
    output = try node.pixelOutput()
    ranges = (try node.pixelRange(1), try node.pixelRange(4), try node.pixelRange(6))
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let a = try PixelTensor(context.input(0, of: inputs), forms.0, in: context)
    let b = try PixelTensor(context.input(3, of: inputs), forms.1, in: context)
    func joined(_ first: Int, _ second: Int) throws -> Int {
      guard first == second || first == 1 || second == 1 else {
        throw context.failure("extents \(first) and \(second) do not broadcast")
      }
      return first == 1 ? second : first
    }
    let target = try PixelTensor(
      batch: joined(a.batch, b.batch), height: joined(a.height, b.height),
      width: joined(a.width, b.width), output, in: context)
    let pitch = output.pitch
    let width = target.width
    func row(_ tensor: PixelTensor, _ image: Int, _ row: Int) -> UnsafePointer<UInt8> {
      UnsafePointer(
        tensor.pointer(
          image: tensor.batch == 1 ? 0 : image, row: tensor.height == 1 ? 0 : row))
    }
    let isWhole = a.width == width && b.width == width
    context.forEachRow(of: target) { image, number in
      let (left, right) = (row(a, image, number), row(b, image, number))
      let to = target.pointer(image: image, row: number)
      if isWhole {
        rk_q8_binary(
          operation, left, 1, ranges.0, right, 1, ranges.1, to, ranges.2, width * pitch)
      } else {
        for pixel in 0..<width {
          rk_q8_binary(
            operation, left + (a.width == 1 ? 0 : pixel) * pitch, 1, ranges.0,
            right + (b.width == 1 ? 0 : pixel) * pitch, 1, ranges.1, to + pixel * pitch, ranges.2,
            pitch)
        }
      }
    }
    return [target.tensor]
  }
}

private struct PixelConcat: Kernel {
  private struct Part: Sendable {
    var index: Int
    var form: PixelForm
    /// The first channel in the result.
    var first: Int
    /// The new value of each number, if scales differ.
    var table: TensorStorage?
  }

  private let parts: [Part]
  private let output: PixelForm

  init(_ node: NodeInfo) throws {
    output = try node.pixelOutput()
    let wanted = try node.pixelRange(0)
    var first = 0
    parts = try stride(from: 2, to: node.inputCount, by: 3).map { index in
      let form = try node.pixelInput(index)
      let range = try node.pixelRange(index + 1)
      defer { first += form.channels }
      var table: TensorStorage?
      if range.scale != wanted.scale || range.zero != wanted.zero {
        var numbers = (0..<256).map { UInt8($0) }
        var floats = [Float](repeating: 0, count: 256)
        rk_dequantize_f32(numbers, &floats, 256, range.scale, range.zero, 0)
        rk_quantize_f32(floats, &numbers, 256, wanted.scale, wanted.zero, 0)
        table = TensorStorage(copying: numbers)
      }
      return Part(index: index, form: form, first: first, table: table)
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let sources = try parts.map {
      try PixelTensor(context.input($0.index, of: inputs), $0.form, in: context)
    }
    guard let first = sources.first else { throw context.failure("it has no parts") }
    guard
      sources.allSatisfy({
        $0.batch == first.batch && $0.height == first.height && $0.width == first.width
      })
    else { throw context.failure("the parts differ in more than their channels") }
    let target = try PixelTensor(
      batch: first.batch, height: first.height, width: first.width, output, in: context)
    let width = target.width
    context.forEachRow(of: target) { image, row in
      let to = target.pointer(image: image, row: row)
      for (part, source) in zip(parts, sources) {
        let from = source.pointer(image: image, row: row)
        rk_q8_gather(
          from, part.form.pitch, 1, to + part.first, output.pitch, width, part.form.channels, 0)
        guard let table = part.table else { continue }
        let numbers = table.base.assumingMemoryBound(to: UInt8.self)
        for pixel in 0..<width {
          let at = to + pixel * output.pitch + part.first
          rk_q8_table(at, at, part.form.channels, numbers)
        }
      }
    }
    return [target.tensor]
  }
}

/// The mean over height and width.
private struct PixelMean: Kernel {
  let input: PixelForm
  let output: PixelForm
  let given: rk_q8_range
  let wanted: rk_q8_range

  init(_ node: NodeInfo) throws {
    input = try node.pixelInput(0)
    output = try node.pixelOutput()
    given = try node.pixelRange(1)
    wanted = try node.pixelRange(3)
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try PixelTensor(context.input(0, of: inputs), input, in: context)
    let target = try PixelTensor(
      batch: source.batch, height: 1, width: 1, output, in: context)
    let pixels = source.height * source.width
    // The sums of this number of bytes fit in 32 bits.
    guard pixels > 0, pixels < 1 << 23 else {
      throw context.failure("cannot take the mean of \(pixels) pixels")
    }
    context.parallel(source.batch) { images in
      for image in images {
        var sums = [Int32](repeating: 0, count: input.pitch)
        for row in 0..<source.height {
          rk_q8_column_sums(
            source.pointer(image: image, row: row), source.width, input.pitch, &sums, input.pitch)
        }
        let means = sums.map { sum in
          Float(Double(Int(sum) - Int(given.zero) * pixels) / Double(pixels)) * given.scale
        }
        rk_quantize_f32(
          means, target.pointer(image: image), input.pitch, wanted.scale, wanted.zero, 0)
      }
    }
    return [target.tensor]
  }
}

private struct PixelMaximum: Kernel {
  let window: SlidingWindow
  let kernel: [Int]
  let input: PixelForm
  let output: PixelForm

  init(_ node: NodeInfo) throws {
    window = try SlidingWindow(node)
    guard let kernel = window.kernel else { throw node.failure("kernel_shape must be given") }
    self.kernel = kernel
    input = try node.pixelInput(0)
    output = try node.pixelOutput()
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try PixelTensor(context.input(0, of: inputs), input, in: context)
    let axes = try window.axes(over: [source.height, source.width], kernel: kernel, in: context)
    let (y, x) = (axes[0], axes[1])
    let target = try PixelTensor(
      batch: source.batch, height: y.output, width: x.output, output, in: context)
    let pitch = output.pitch
    context.forEachRow(of: target) { image, row in
      let to = target.pointer(image: image, row: row)
      // No number is less, and every window contains a pixel.
      to.update(repeating: 0, count: x.output * pitch)
      for tapY in 0..<y.kernel {
        let sourceRow = row * y.stride + tapY * y.dilation - y.padBegin
        guard (0..<source.height).contains(sourceRow) else { continue }
        let from = UnsafePointer(source.pointer(image: image, row: sourceRow))
        for tapX in 0..<x.kernel {
          let left = tapX * x.dilation - x.padBegin
          // Output columns whose tap is on the image.
          let first = left >= 0 ? 0 : (-left + x.stride - 1) / x.stride
          let room = source.width - left
          let end = min(x.output, room <= 0 ? 0 : (room - 1) / x.stride + 1)
          guard first < end else { continue }
          if x.stride == 1 {
            rk_q8_max(from + (first + left) * pitch, to + first * pitch, (end - first) * pitch)
          } else {
            for column in first..<end {
              rk_q8_max(from + (column * x.stride + left) * pitch, to + column * pitch, pitch)
            }
          }
        }
      }
    }
    return [target.tensor]
  }
}

/// Repeats each pixel a whole number of times in both directions.
private struct PixelRepetition: Kernel {
  let input: PixelForm
  let output: PixelForm
  let factors: (Int, Int)

  init(_ node: NodeInfo) throws {
    input = try node.pixelInput(0)
    output = try node.pixelOutput()
    guard let factors = BlockedUpsample.scales(of: node.constant) else {
      throw node.failure("its scales are not known")
    }
    self.factors = factors
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try PixelTensor(context.input(0, of: inputs), input, in: context)
    let (height, rowOverflow) = source.height.multipliedReportingOverflow(by: factors.0)
    let (width, columnOverflow) = source.width.multipliedReportingOverflow(by: factors.1)
    guard !rowOverflow, !columnOverflow else { throw context.failure("the result is too large") }
    let target = try PixelTensor(
      batch: source.batch, height: height, width: width, output, in: context)
    let pitch = input.pitch
    context.forEachRow(of: target) { image, row in
      let from = source.pointer(image: image, row: row / factors.0)
      let to = target.pointer(image: image, row: row)
      for column in 0..<width {
        (to + column * pitch).update(from: from + column / factors.1 * pitch, count: pitch)
      }
    }
    return [target.tensor]
  }
}
