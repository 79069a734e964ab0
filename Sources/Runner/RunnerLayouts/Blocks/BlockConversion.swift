import RunnerGraph
import RunnerTensors
import _RunnerKernels

/// Converts a tensor [N, C, H, W] into blocks.
struct ToBlocks: Kernel {
  let blocks: ChannelBlocks

  init(_ node: NodeInfo) throws {
    guard let blocks = node.fused.blocks?.output else {
      throw node.failure("its form is not known")
    }
    self.blocks = blocks
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    return [try Self.blocked(input, blocks, in: context).tensor]
  }

  static func blocked(
    _ input: Tensor, _ blocks: ChannelBlocks, in context: KernelContext
  ) throws -> BlockedTensor {
    guard input.elementType == .float32, input.rank == 4, input.shape[1] == blocks.channels else {
      throw context.failure(
        "expected [N, \(blocks.channels), H, W] of float32, got \(input.shape) of "
          + "\(input.elementType)")
    }
    let height = input.shape[2]
    let width = input.shape[3]
    let output = try BlockedTensor(
      batch: input.shape[0], height: height, width: width, blocks, in: context)
    guard input.count > 0 else { return output }
    let source = input.pointer(to: Float.self)
    context.parallel(output.batch * blocks.count * height, grain: max(1, 8192 / width)) { rows in
      for item in rows {
        let row = item % height
        let block = item / height % blocks.count
        let image = item / height / blocks.count
        let depth = block == blocks.count - 1 ? blocks.lastDepth : ChannelBlocks.width
        let channel = image * blocks.channels + block * ChannelBlocks.width
        let target = output.pointer(image: image, row: row) + block * output.blockStride
        if depth < ChannelBlocks.width {
          target.update(repeating: 0, count: width * ChannelBlocks.width)
        }
        vk_transpose_f32(
          source + (channel * height + row) * width, target, depth, width, height * width,
          ChannelBlocks.width)
      }
    }
    return output
  }
}

/// Converts blocks back into a tensor [N, C, H, W].
struct FromBlocks: Kernel {
  let blocks: ChannelBlocks

  init(_ node: NodeInfo) throws {
    guard let blocks = node.fused.blocks?.inputs.first, let blocks else {
      throw node.failure("its form is not known")
    }
    self.blocks = blocks
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try BlockedTensor(try context.input(0, of: inputs), blocks, in: context)
    let height = input.height
    let width = input.width
    let output = try context.allocate(
      .float32, [input.batch, blocks.channels, height, width])
    guard output.count > 0 else { return [output] }
    let target = output.mutablePointer(to: Float.self)
    context.parallel(input.batch * blocks.count * height, grain: max(1, 8192 / width)) { rows in
      for item in rows {
        let row = item % height
        let block = item / height % blocks.count
        let image = item / height / blocks.count
        let depth = block == blocks.count - 1 ? blocks.lastDepth : ChannelBlocks.width
        let channel = image * blocks.channels + block * ChannelBlocks.width
        vk_transpose_f32(
          input.pointer(image: image, row: row) + block * input.blockStride,
          target + (channel * height + row) * width, width, depth, ChannelBlocks.width,
          height * width)
      }
    }
    return [output]
  }
}
