import RunnerGraph
import RunnerTensors
import _RunnerKernels

/// The weights of a product or a convolution whose numbers are multiplied by parts.
///
/// On a processor with AMX, six products of `bfloat16` parts are faster than one of `float32` numbers, and as
/// exact. For a few inputs or outputs they are not faster, because the parts of the inputs must be made
/// first.
package struct SplitWeights: Sendable {
  /// With fewer pixels or rows most of a tile would be empty.
  package static let leastPixels = 16

  /// The bytes of parts and sums that should stay in the second-level cache of a thread.
  package static let cacheBytes = 1 << 20

  /// Results up to this size are not worth a second thread.
  private static let leastShared = 1 << 12
  /// From this number of rows for each thread on, threads share rows instead of outputs.
  private static let manyRows = 128

  /// The most bytes of packed weights.
  ///
  /// They count against the session's memory limit beside the weights without parts, so models with larger
  /// weights could exceed it.
  private static let mostBytes = 32 << 20

  private let packed: PackedWeights

  /// The weights of `outputs` by `inputs` by `taps` numbers; nil if products by parts are not possible or
  /// not faster.
  ///
  /// `strides` are the distances of neighbouring outputs, inputs and taps in `weights`. `form` names what
  /// the packed form depends on besides the tensor.
  package init?(
    _ node: NodeInfo, _ weights: Tensor, outputs: Int, inputs: Int, taps: Int = 1,
    strides: (output: Int, input: Int, tap: Int), alpha: Float = 1, form: String
  ) {
    guard rk_splits_products() != 0, weights.elementType == .float32,
      Self.pays(outputs: outputs, inputs: inputs, taps: taps)
    else { return nil }
    let size = rk_split_packed_size(outputs, inputs, taps) * MemoryLayout<UInt16>.stride
    guard size <= Self.mostBytes else { return nil }
    packed = node.packed(weights, as: "parts \(form)", mostBytes: size) { tensor, memory in
      let storage = memory.storage(byteCount: size)
      rk_split_pack_weights(
        tensor.pointer(to: Float.self), strides.output, strides.input, strides.tap, alpha,
        storage.base.assumingMemoryBound(to: UInt16.self), outputs, inputs, taps)
      return storage
    }
  }

  /// Whether enough products are made of each number's parts.
  ///
  /// Instructions multiply 32 inputs at a time, so at least three quarters of the last ones should be
  /// there.
  private static func pays(outputs: Int, inputs: Int, taps: Int) -> Bool {
    4 * inputs >= 3 * ((inputs + 31) / 32 * 32) && outputs >= 32 && inputs * taps >= 96
  }

  /// The packed parts.
  ///
  /// It takes a lock, so work on several threads reads it in advance.
  package var parts: UnsafePointer<UInt16> {
    UnsafePointer(packed.storage.base.assumingMemoryBound(to: UInt16.self))
  }

  /// The scratch memory for some rows of a convolution, in floats.
  package static func scratch(_ conv: rk_split_conv, rows: Int) -> Int {
    withUnsafePointer(to: conv) {
      (rk_split_scratch($0, rows) + MemoryLayout<Float>.stride - 1) / MemoryLayout<Float>.stride
    }
  }

  /// The product of the rows of `left` and the weights.
  func multiply(
    _ product: vk_product, rows: Int, _ left: Tensor, bias: Tensor?, residual: Tensor?,
    into output: Tensor, _ context: KernelContext
  ) throws {
    guard output.count > 0 else { return }
    var conv = rk_split_conv()
    conv.inputs = product.depth
    (conv.in_block, conv.in_pixel) = (16, product.a_row)
    (conv.taps_y, conv.taps_x, conv.stride_y, conv.stride_x) = (1, 1, 1, 1)
    (conv.dilation_y, conv.dilation_x) = (1, 1)
    conv.outputs = product.columns
    (conv.out_block, conv.out_pixel) = (16, product.c_row)
    (conv.residual_block, conv.residual_pixel) = (16, product.residual_row)
    conv.finish = product.finish
    let blocks = (product.columns + 15) / 16
    let pieces = pieces(rows: rows, blocks: blocks, product, context.threads.threadCount)
    conv.out_width = (rows + pieces.rows - 1) / pieces.rows
    let packed = parts
    let from = left.pointer(to: Float.self)
    let addend = bias?.pointer(to: Float.self)
    let more = residual?.pointer(to: Float.self)
    let to = output.mutablePointer(to: Float.self)
    // The same sums whatever the pieces, so these may depend on the number of threads.
    try context.parallel(pieces.rows * pieces.blocks, scratch: Self.scratch(conv, rows: 1)) {
      item, memory in
      let (rowPiece, blockPiece) = (item / pieces.blocks, item % pieces.blocks)
      let row = rows * rowPiece / pieces.rows
      let first = blocks / 2 * blockPiece / pieces.blocks * 2
      let end =
        blockPiece == pieces.blocks - 1
        ? blocks : blocks / 2 * (blockPiece + 1) / pieces.blocks * 2
      var piece = conv
      piece.out_width = rows * (rowPiece + 1) / pieces.rows - row
      rk_split_conv_rows(
        &piece, from + row * conv.in_pixel, packed, addend,
        more.map { $0 + row * conv.residual_pixel }, to + row * conv.out_pixel, first, end - first,
        0, 1, memory)
    }
  }

  /// The number of pieces of rows, and of blocks of outputs.
  private func pieces(
    rows: Int, blocks: Int, _ product: vk_product, _ threads: Int
  ) -> (rows: Int, blocks: Int) {
    let rowBytes = product.depth * 6 + 128
    // Two tiles of rows are multiplied together.
    let most = max(32, Self.cacheBytes / rowBytes / 32 * 32)
    let least = (rows + most - 1) / most
    guard threads > 1, rows * product.columns > Self.leastShared else { return (least, 1) }
    if rows >= Self.manyRows * threads { return (max(least, 2 * threads), 1) }
    // Two blocks are multiplied together, and each piece makes the parts of its rows again.
    return (least, max(1, min(blocks / 4, 2 * threads / least)))
  }
}
