import RunnerGraph
import RunnerTensors
import _RunnerKernels

/// Products of rows of 8-bit numbers with one packed matrix, with sums of 32 bits.
enum IntegerMatrixProduct {
  /// The left matrix in the kernels' form: unsigned rows of whole groups of four.
  struct Rows {
    let tensor: Tensor
    let pointer: UnsafePointer<UInt8>
    let pitch: Int
    let count: Int

    init(_ matrix: Tensor, offset: Int, count: Int, depth: Int, in context: KernelContext) throws {
      self.count = count
      let source = matrix.pointer(to: UInt8.self) + offset
      if matrix.elementType == .uint8, depth % 4 == 0 {
        tensor = matrix
        pointer = source
        pitch = depth
        return
      }
      let pitch = (depth + 3) / 4 * 4
      self.pitch = pitch
      let flip: UInt8 = matrix.elementType == .int8 ? 128 : 0
      tensor = try context.allocate(.uint8, [count, pitch])
      let target = tensor.mutablePointer(to: UInt8.self)
      pointer = UnsafePointer(target)
      context.parallel(count, grain: max(1, 16_384 / max(pitch, 1))) { rows in
        rk_q8_gather(
          source + rows.lowerBound * depth, depth, 1, target + rows.lowerBound * pitch, pitch,
          rows.count, depth, flip)
      }
    }
  }

  /// Writes rows of `weights.outputs` elements of `elementSize` bytes, without gaps.
  static func run(
    _ rows: Rows, _ weights: PackedBytes, _ finish: ProductFinish,
    into target: UnsafeMutableRawPointer, elementSize: Int, in context: KernelContext
  ) {
    guard rows.count > 0, weights.outputs > 0 else { return }
    var conv = rk_q8_conv()
    conv.depth = (weights.inputs + 3) / 4
    conv.taps_y = 1
    conv.taps_x = 1
    conv.pixel_step = rows.pitch
    conv.outputs = weights.outputs
    conv.out_pixel = weights.outputs
    let form = finish.kernelForm
    let shares = ProductShares(
      blocks: (weights.outputs + 15) / 16,
      pieces: (rows.count + ProductShares.rowPiece - 1) / ProductShares.rowPiece)
    shares.forEach(in: context) { _, piece, blocks in
      let start = piece * rows.count / shares.pieces
      var conv = conv
      conv.out_width = (piece + 1) * rows.count / shares.pieces - start
      withUnsafePointer(to: form) {
        rk_q8_conv_rows(
          &conv, rows.pointer + start * rows.pitch, weights.pointer, $0,
          target + start * weights.outputs * elementSize, blocks.lowerBound, blocks.count, 0, 1)
      }
    }
    withExtendedLifetime((rows.tensor, weights.storage, finish)) {}
  }
}

extension Tensor {
  /// The elements of a small 8-bit tensor; one zero if zero points are left out.
  package static func zeroPoints(_ tensor: Tensor?) -> [Int32] {
    guard let tensor else { return [0] }
    let bytes = tensor.pointer(to: UInt8.self)
    return (0..<tensor.count).map {
      tensor.elementType == .int8 ? Int32(Int8(bitPattern: bytes[$0])) : Int32(bytes[$0])
    }
  }

  /// The number that is added to signed numbers of this type to make them unsigned.
  var unsignedShift: Int32 { elementType == .int8 ? 128 : 0 }
}
