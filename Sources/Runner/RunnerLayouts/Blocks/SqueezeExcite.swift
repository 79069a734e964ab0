import RunnerGraph
import RunnerTensors
import _RunnerKernels

/// Multiplies each channel of an image in blocks by a factor from two products of all channel
/// means.
///
/// The image is added if the attribute `residual` is set.
package struct SqueezeExcite: Kernel {
  /// The name of the operation.
  package static let operation = "SqueezeExcite"

  /// A product of one vector, with its bias and activation.
  private struct Layer {
    let inputs: ChannelBlocks
    let outputs: ChannelBlocks
    let weights: PackedWeights
    let bias: TensorStorage?
    let activation: vk_activation

    init(_ node: NodeInfo, weights index: Int, _ activation: Activation?) throws {
      guard let weights = node.constant(index), weights.rank == 4, weights.shape[2...] == [1, 1]
      else { throw node.failure("its form is not known") }
      inputs = ChannelBlocks(channels: weights.shape[1])
      outputs = ChannelBlocks(channels: weights.shape[0])
      self.weights = node.packed(weights, as: "blocked") {
        BlockedConvolution.packedByTap($0, in: $1)
      }
      let count = outputs.count * ChannelBlocks.width
      bias = node.constant(index + 1).map { $0.padded(to: count) }
      self.activation =
        activation.kernelFormOrIdentity
    }

    /// The number of floats in its result.
    var count: Int { outputs.count * ChannelBlocks.width }

    /// The least number of weights for which several threads are worth it.
    private static let leastShared = 1 << 15

    func apply(
      _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>,
      _ context: KernelContext
    ) {
      let block = rk_blocked_layout(block_stride: ChannelBlocks.width, row_stride: 0)
      let conv = rk_blocked_conv(
        input_blocks: inputs.count, output_blocks: outputs.count,
        last_input_depth: inputs.lastDepth, input: block, output: block,
        residual: rk_blocked_layout(), output_step: ChannelBlocks.width, out_height: 1,
        out_width: 1, kernel_height: 1, kernel_width: 1, stride_y: 1, stride_x: 1, dilation_y: 1,
        dilation_x: 1, finish: vk_finish(activation: activation, residual_first: 0),
        is_precise: 0,
        edges: rk_blocked_edges())
      let packed = weights.floats
      let isShared = inputs.channels * outputs.channels >= Self.leastShared
      context.parallel(outputs.count, grain: isShared ? 4 : outputs.count) { blocks in
        withUnsafePointer(to: conv) {
          rk_blocked_conv_f32(
            $0, source, packed,
            bias.map { UnsafePointer($0.base.assumingMemoryBound(to: Float.self)) }, nil, target,
            blocks.lowerBound, blocks.count, 0, 1)
        }
      }
    }
  }

  let input: ChannelBlocks
  let output: ChannelBlocks
  private let reduce: Layer
  private let expand: Layer
  private let addsInput: Bool

  init(_ node: NodeInfo) throws {
    guard let forms = node.fused.blocks, let input = forms.inputs.first, let input,
      let output = forms.output
    else { throw node.failure("its form is not known") }
    self.input = input
    self.output = output
    reduce = try Layer(node, weights: 1, node.fused.innerActivation)
    expand = try Layer(node, weights: 3, node.fused.activation)
    addsInput = try node.flag("residual")
    guard reduce.inputs.channels == input.channels, expand.outputs.channels == input.channels,
      expand.inputs.channels == reduce.outputs.channels, output.channels == input.channels
    else { throw node.failure("its numbers of channels do not fit together") }
  }

  /// It writes nothing before all means are known, so the result may replace the input in memory.
  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try BlockedTensor(try context.input(0, of: inputs), input, in: context)
    guard source.height > 0, source.width > 0 else {
      throw context.failure("there are no pixels to take the mean of")
    }
    let count = input.count * ChannelBlocks.width
    let numbers = (2 * count + reduce.count) * source.batch
    // This is not from the arena, where the result may replace the input.
    return try withUnsafeTemporaryAllocation(of: Float.self, capacity: max(numbers, 1)) { memory in
      guard let means = memory.baseAddress else { throw context.failure("there is no memory") }
      let factors = means + count * source.batch
      source.average(
        into: means, imageStride: count,
        rk_blocked_layout(block_stride: ChannelBlocks.width, row_stride: ChannelBlocks.width),
        context)
      for image in 0..<source.batch {
        let hidden = factors + count * source.batch + image * reduce.count
        reduce.apply(means + image * count, hidden, context)
        expand.apply(hidden, factors + image * count, context)
      }
      if addsInput {
        // x + f x
        for index in 0..<count * source.batch { factors[index] += 1 }
      }
      let target = try BlockedTensor(
        batch: source.batch, height: source.height, width: source.width, output, in: context)
      context.parallel(source.batch * input.count, grain: source.blockGrain) { items in
        for item in items {
          let (image, block) = (item / input.count, item % input.count)
          rk_blocked_scale_f32(
            source.pointer(image: image) + block * source.blockStride, source.rowStride,
            factors + item * ChannelBlocks.width,
            target.pointer(image: image) + block * target.blockStride, target.rowStride,
            source.height, source.width)
        }
      }
      return [target.tensor]
    }
  }

  package var choice: String? {
    "means, \(input.channels) to \(reduce.outputs.channels) and back, in place where it can be"
      + (addsInput ? ", and the image" : "")
  }
}
