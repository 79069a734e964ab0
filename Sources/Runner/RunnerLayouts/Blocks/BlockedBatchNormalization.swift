import RunnerGraph
import RunnerTensors
import _RunnerKernels

/// A factor and a shift for each channel, and an activation if one follows.
///
/// It is batch normalization whose statistics are known, for which no convolution comes before it to
/// take its factors.
struct BlockedBatchNormalization: Kernel {
  let input: ChannelBlocks
  let output: ChannelBlocks
  /// One value per channel, filled up with zeros to whole blocks.
  let factors: [Float]
  let shifts: [Float]
  let activation: vk_activation?

  init(_ node: NodeInfo) throws {
    guard let forms = node.fused.blocks, let input = forms.inputs.first, let input,
      let output = forms.output, let factors = node.constant(1), let shifts = node.constant(2)
    else { throw node.failure("its form is not known") }
    guard factors.count == input.channels, shifts.count == input.channels else {
      throw node.failure("its parameters do not fit \(input.channels) channels")
    }
    self.input = input
    self.output = output
    let rest = [Float](repeating: 0, count: input.count * ChannelBlocks.width - input.channels)
    self.factors = try factors.array(of: Float.self) + rest
    self.shifts = try shifts.array(of: Float.self) + rest
    activation = node.fused.activation?.kernelForm
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try BlockedTensor(try context.input(0, of: inputs), input, in: context)
    let target = try BlockedTensor(
      batch: source.batch, height: source.height, width: source.width, output, in: context)
    target.forEachRow(context) { image, block, row in
      let first = block * ChannelBlocks.width
      let to = target.pointer(image: image, row: row) + block * target.blockStride
      factors.withUnsafeBufferPointer { factors in
        shifts.withUnsafeBufferPointer { shifts in
          guard let factor = factors.baseAddress, let shift = shifts.baseAddress else { return }
          rk_blocked_affine_f32(
            source.pointer(image: image, row: row) + block * source.blockStride, 0, factor + first,
            shift + first, to, 0, 1, source.width)
        }
      }
      if let activation {
        rk_activate_f32(to, to, source.width * ChannelBlocks.width, activation)
      }
    }
    return [target.tensor]
  }
}
