import RunnerGraph
import RunnerTensors
import _RunnerKernels

/// A tensor in blocks, in the form for kernels.
struct BlockedTensor {
  let tensor: Tensor
  let blocks: ChannelBlocks
  let batch: Int
  let height: Int
  let width: Int
  /// The number of floats from a row to the next.
  let rowStride: Int
  /// The number of floats from a block to the next.
  let blockStride: Int
  /// The number of floats from an image to the next.
  let imageStride: Int
  /// The first pixel of the first block that is not in the margin.
  private let origin: UnsafeMutablePointer<Float>

  /// Wraps `tensor`, which must be a result of a kernel with the layout `blocks`.
  init(_ tensor: Tensor, _ blocks: ChannelBlocks, in context: KernelContext) throws {
    guard tensor.elementType == .float32, tensor.rank == 5, tensor.shape[1] == blocks.count,
      tensor.shape[4] == ChannelBlocks.width, tensor.shape[2] >= 2 * blocks.margin.rows,
      tensor.shape[3] >= 2 * blocks.margin.columns
    else {
      throw context.failure("expected \(blocks.channels) channels in blocks, got \(tensor.shape)")
    }
    self.init(known: tensor, blocks)
  }

  /// Makes a tensor of `batch` images; its margin is zero and the other values are not set.
  init(
    batch: Int, height: Int, width: Int, _ blocks: ChannelBlocks, in context: KernelContext
  ) throws {
    let tensor = try context.allocate(
      .float32, blocks.shape(batch: batch, height: height, width: width))
    self.init(known: tensor, blocks)
    clearMargin()
  }

  private init(known tensor: Tensor, _ blocks: ChannelBlocks) {
    let (rows, columns) = (tensor.shape[2], tensor.shape[3])
    self.tensor = tensor
    self.blocks = blocks
    batch = tensor.shape[0]
    height = rows - 2 * blocks.margin.rows
    width = columns - 2 * blocks.margin.columns
    rowStride = columns * ChannelBlocks.width
    blockStride = rows * rowStride
    imageStride = blocks.count * blockStride
    origin =
      tensor.mutablePointer(to: Float.self)
      + blocks.margin.rows * rowStride + blocks.margin.columns * ChannelBlocks.width
  }

  private init(row source: BlockedTensor) {
    tensor = source.tensor
    blocks = source.blocks
    batch = source.batch
    (height, width) = (source.width, source.height)
    rowStride = source.blockStride
    blockStride = source.blockStride
    imageStride = source.imageStride
    origin = source.origin
  }

  /// The same memory as images of one row, if they are one pixel wide and have no margin.
  var turnedColumn: BlockedTensor? {
    width == 1 && blocks.margin == .none ? BlockedTensor(row: self) : nil
  }

  var layout: rk_blocked_layout {
    rk_blocked_layout(block_stride: blockStride, row_stride: rowStride)
  }

  /// The pixel at a row and column of the first block; in the margin if they are negative.
  func pointer(image: Int = 0, row: Int = 0, column: Int = 0) -> UnsafeMutablePointer<Float> {
    origin + image * imageStride + row * rowStride + column * ChannelBlocks.width
  }

  private func clearMargin() {
    let margin = blocks.margin
    guard margin != .none else { return }
    let base = tensor.mutablePointer(to: Float.self)
    let side = margin.columns * ChannelBlocks.width
    for plane in 0..<batch * blocks.count {
      let first = base + plane * blockStride
      first.update(repeating: 0, count: margin.rows * rowStride)
      for row in margin.rows..<margin.rows + height {
        (first + row * rowStride).update(repeating: 0, count: side)
        (first + (row + 1) * rowStride - side).update(repeating: 0, count: side)
      }
      (first + (margin.rows + height) * rowStride)
        .update(repeating: 0, count: margin.rows * rowStride)
    }
  }
}
