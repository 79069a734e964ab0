import Foundation
import RunnerGraph
import RunnerNetworkOperators
import RunnerTensors
import _RunnerKernels

/// A convolution from planes to blocks, for the few channels of an image.
///
/// It avoids a copy of the image in blocks, in which most channels would be empty.
package struct PlanarConvolution: Kernel {
  /// The greatest number of channels; more are better converted into blocks.
  package static let mostChannels = 4
  /// Larger windows would need much scratch memory.
  package static let mostTaps = 32

  let window: SlidingWindow
  let output: ChannelBlocks
  /// The shape of the weights: outputs, inputs, height, width.
  let shape: [Int]
  let activation: vk_activation
  let weights: PackedWeights
  let bias: TensorStorage?

  init(_ node: NodeInfo) throws {
    guard let output = node.fused.blocks?.output, let weights = node.constant(1), weights.rank == 4
    else {
      throw node.failure("its form is not known")
    }
    guard try node.int("group", default: 1) == 1 else { throw node.failure("it has groups") }
    window = try SlidingWindow(node)
    self.output = output
    shape = weights.shape
    activation =
      node.fused.activation.kernelFormOrIdentity
    self.weights = node.packed(weights, as: "planar") { weights, memory in
      let outputs = weights.shape[0]
      let taps = weights.count / outputs
      let width = ChannelBlocks(channels: outputs).count * ChannelBlocks.width
      let storage = memory.storage(byteCount: width * taps * 4)
      rk_pack_planar_weights_f32(
        weights.pointer(to: Float.self), storage.base.assumingMemoryBound(to: Float.self), outputs,
        taps)
      return storage
    }
    bias = node.bias(for: output)
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType == .float32, input.rank == 4, input.shape[1] == shape[1] else {
      throw context.failure(
        "expected [N, \(shape[1]), H, W] of float32, got \(input.shape) of \(input.elementType)")
    }
    let axes = try window.axes(
      over: Array(input.shape[2...]), kernel: Array(shape[2...]), in: context)
    let target = try BlockedTensor(
      batch: input.shape[0], height: axes[0].output, width: axes[1].output, output, in: context)
    guard target.tensor.count > 0 else { return [target.tensor] }
    let conv = rk_blocked_conv(
      input_blocks: 0, output_blocks: output.count, last_input_depth: 0,
      input: rk_blocked_layout(), output: target.layout, residual: rk_blocked_layout(),
      output_step: ChannelBlocks.width, out_height: axes[0].output, out_width: axes[1].output,
      kernel_height: axes[0].kernel, kernel_width: axes[1].kernel, stride_y: axes[0].stride,
      stride_x: axes[1].stride, dilation_y: axes[0].dilation, dilation_x: axes[1].dilation,
      finish: vk_finish(activation: activation, residual_first: 0), is_precise: 1,
      edges: rk_blocked_edges())
    let planes = rk_planar_input(
      channels: shape[1], height: input.shape[2], width: input.shape[3], pad_top: axes[0].padBegin,
      pad_left: axes[1].padBegin)
    let imageStride = input.shape[1] * input.shape[2] * input.shape[3]
    let source = input.pointer(to: Float.self)
    let filters = weights.floats
    let shifts = bias.map { UnsafePointer($0.base.assumingMemoryBound(to: Float.self)) }
    // Pieces are so large that few rows are copied twice, and small enough for several threads.
    let rows = min(max(4, 2048 / axes[1].output), max(1, axes[0].output / 8))
    let pieces = (axes[0].output + rows - 1) / rows
    let scratch = withUnsafePointer(to: conv) { rk_planar_scratch($0, shape[1], rows) }
    try context.parallel(input.shape[0] * pieces, scratch: scratch) { item, memory in
      let image = item / pieces
      let start = item % pieces * rows
      withUnsafePointer(to: conv) { conv in
        withUnsafePointer(to: planes) { planes in
          rk_planar_conv_f32(
            conv, planes, source + image * imageStride, filters, shifts,
            target.pointer(image: image), start, min(rows, axes[0].output - start), memory)
        }
      }
    }
    return [target.tensor]
  }
}

extension Tensor {
  /// A copy of float32 values, filled up to `count` with zeros.
  func padded(to count: Int) -> TensorStorage {
    let storage = TensorStorage(allocating: count * 4)
    let target = storage.base.assumingMemoryBound(to: Float.self)
    target.update(repeating: 0, count: count)
    target.update(from: pointer(to: Float.self), count: min(self.count, count))
    return storage
  }
}
