import RunnerGraph
import RunnerTensors
import _RunnerKernels

/// A tensor in pixels, in the form for kernels.
struct PixelTensor {
  let tensor: Tensor
  let form: PixelForm

  /// Wraps `tensor`, which must be a result of a kernel with the layout `form`.
  init(_ tensor: Tensor, _ form: PixelForm, in context: KernelContext) throws {
    guard tensor.elementType == .uint8, tensor.rank == 4, tensor.shape[3] == form.pitch,
      tensor.shape[1] >= 2 * form.margin, tensor.shape[2] >= 2 * form.margin
    else {
      throw context.failure(
        "expected pixels of \(form.channels) channels, got \(tensor.shape) of "
          + "\(tensor.elementType)")
    }
    self.tensor = tensor
    self.form = form
  }

  /// Makes a tensor of `batch` images; its margin is filled and the other bytes are not set.
  init(
    batch: Int, height: Int, width: Int, _ form: PixelForm, in context: KernelContext
  ) throws {
    tensor = try context.allocate(
      .uint8, [batch, height + 2 * form.margin, width + 2 * form.margin, form.pitch])
    self.form = form
    fillMargin(with: form.zero)
  }

  var batch: Int { tensor.shape[0] }
  var height: Int { tensor.shape[1] - 2 * form.margin }
  var width: Int { tensor.shape[2] - 2 * form.margin }
  /// The number of bytes from a row to the next.
  var rowStride: Int { tensor.shape[2] * form.pitch }
  /// The number of bytes from an image to the next.
  var imageStride: Int { tensor.shape[1] * rowStride }

  /// The pixel at a row and column; in the margin if they are negative.
  func pointer(image: Int = 0, row: Int = 0, column: Int = 0) -> UnsafeMutablePointer<UInt8> {
    tensor.mutablePointer(to: UInt8.self)
      + image * imageStride + (row + form.margin) * rowStride + (column + form.margin) * form.pitch
  }

  private func fillMargin(with zero: UInt8) {
    let margin = form.margin
    guard margin > 0 else { return }
    let base = tensor.mutablePointer(to: UInt8.self)
    let side = margin * form.pitch
    for image in 0..<batch {
      let first = base + image * imageStride
      first.update(repeating: zero, count: margin * rowStride)
      for row in margin..<margin + height {
        (first + row * rowStride).update(repeating: zero, count: side)
        (first + (row + 1) * rowStride - side).update(repeating: zero, count: side)
      }
      (first + (margin + height) * rowStride).update(repeating: zero, count: margin * rowStride)
    }
  }
}

extension PixelTensor {
  /// Converts a tensor [N, C, H, W] of 8-bit numbers into pixels.
  init(
    sorting input: Tensor, _ form: PixelForm, in context: KernelContext
  ) throws {
    guard input.elementType.byteCount == 1, input.rank == 4, input.shape[1] == form.channels
    else {
      throw context.failure(
        "expected [N, \(form.channels), H, W] of 8-bit numbers, got \(input.shape) of "
          + "\(input.elementType)")
    }
    let (height, width) = (input.shape[2], input.shape[3])
    try self.init(
      batch: input.shape[0], height: height, width: width, form, in: context)
    guard input.count > 0 else { return }
    let source = input.pointer(to: UInt8.self)
    let flip: UInt8 = input.elementType == .int8 ? 128 : 0
    let image = self
    context.parallel(batch * height, grain: max(1, 16_384 / (width * form.channels))) { rows in
      for item in rows {
        let (number, row) = item.quotientAndRemainder(dividingBy: height)
        rk_q8_gather(
          source + (number * form.channels * height + row) * width, 1, height * width,
          image.pointer(image: number, row: row), form.pitch, width, form.channels, flip)
      }
    }
  }

  /// Converts to a tensor [N, C, H, W] of `type`.
  func sorted(as type: ElementType, in context: KernelContext) throws -> Tensor {
    let output = try context.allocate(type, [batch, form.channels, height, width])
    guard output.count > 0 else { return output }
    let target = output.mutablePointer(to: UInt8.self)
    let flip: UInt8 = type == .int8 ? 128 : 0
    let (height, width, channels) = (height, width, form.channels)
    context.parallel(batch * height, grain: max(1, 16_384 / (width * channels))) { rows in
      for item in rows {
        let (number, row) = item.quotientAndRemainder(dividingBy: height)
        rk_q8_gather(
          pointer(image: number, row: row), 1, form.pitch,
          target + (number * channels * height + row) * width, height * width, channels, width, flip
        )
      }
    }
    return output
  }
}
