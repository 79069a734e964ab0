import Foundation
import RunnerGraph
import RunnerNetworkOperators
import RunnerTensors
import _RunnerKernels

/// A transposed convolution from blocks to blocks: one group, dilation 1.
///
/// With a stride of s, each output pixel sees every s-th tap. Pixels that see the same taps are s
/// apart, and are an ordinary convolution of the input with those taps in reverse. So there are s *
/// s ordinary convolutions, whose outputs are interleaved.
struct BlockedTransposedConvolution: Kernel {
  let form: TransposedConvolution
  let input: ChannelBlocks
  let output: ChannelBlocks
  /// The shape of the weights: inputs, outputs, height, width.
  let shape: [Int]
  let strides: [Int]
  let activation: vk_activation
  /// A convolution's weights for each first tap, row by row.
  let weights: [PackedWeights]
  let bias: TensorStorage?

  init(_ node: NodeInfo) throws {
    guard let forms = node.fused.blocks, let input = forms.inputs.first, let input,
      let output = forms.output, let weights = node.constant(1), weights.rank == 4
    else { throw node.failure("its form is not known") }
    form = try TransposedConvolution(node)
    self.input = input
    self.output = output
    shape = weights.shape
    let strides = form.window.strides ?? [1, 1]
    self.strides = strides
    activation =
      node.fused.activation.kernelFormOrIdentity
    self.weights = (0..<strides[0] * strides[1]).map { phase in
      let (row, column) = (phase / strides[1], phase % strides[1])
      return node.packed(weights, as: "phase \(row) \(column) of \(strides)") {
        Self.packed($0, firstTap: (row, column), strides, in: $1)
      }
    }
    bias = node.bias(for: output)
  }

  /// The taps of a kernel of `extent` from `first` on, every `stride`.
  private static func taps(_ extent: Int, from first: Int, every stride: Int) -> Int {
    (extent - first + stride - 1) / stride
  }

  private static func packed(
    _ weights: Tensor, firstTap: (row: Int, column: Int), _ strides: [Int],
    in memory: WeightMemory
  ) -> TensorStorage {
    let (inputs, outputs) = (weights.shape[0], weights.shape[1])
    let (height, width) = (weights.shape[2], weights.shape[3])
    let rows = taps(height, from: firstTap.row, every: strides[0])
    let columns = taps(width, from: firstTap.column, every: strides[1])
    let source = weights.pointer(to: Float.self)
    var turned = [Float](repeating: 0, count: inputs * outputs * rows * columns)
    for output in 0..<outputs {
      for input in 0..<inputs {
        for row in 0..<rows {
          for column in 0..<columns {
            let y = firstTap.row + (rows - 1 - row) * strides[0]
            let x = firstTap.column + (columns - 1 - column) * strides[1]
            turned[((output * inputs + input) * rows + row) * columns + column] =
              source[((input * outputs + output) * height + y) * width + x]
          }
        }
      }
    }
    let blocks = ChannelBlocks(channels: inputs).count * ChannelBlocks(channels: outputs).count
    let product = ChannelBlocks.width * ChannelBlocks.width
    let storage = memory.storage(byteCount: blocks * rows * columns * product * 4)
    rk_pack_conv_weights_f32(
      turned, storage.base.assumingMemoryBound(to: Float.self), outputs, inputs, rows * columns)
    return storage
  }

  /// One axis of the pixels that see the same taps.
  private struct Phase {
    /// The first of these taps.
    var tap = 0
    var taps = 0
    /// The first of these output pixels, and their number.
    var start = 0
    var count = 0
    /// The input pixel under the first tap of the first of them; negative in the margin.
    var input = 0
  }

  private func phases(_ axis: SlidingWindow.Axis) -> [Phase] {
    (0..<axis.stride).map { tap in
      var phase = Phase()
      phase.tap = tap
      phase.taps = Self.taps(axis.kernel, from: tap, every: axis.stride)
      phase.start = ((tap - axis.padBegin) % axis.stride + axis.stride) % axis.stride
      phase.count = max(0, (axis.input - phase.start + axis.stride - 1) / axis.stride)
      phase.input = (phase.start + axis.padBegin - tap) / axis.stride - (phase.taps - 1)
      return phase
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try BlockedTensor(try context.input(0, of: inputs), input, in: context)
    let axes = try form.axes(
      over: [source.height, source.width], kernel: Array(shape[2...]), context)
    let target = try BlockedTensor(
      batch: source.batch, height: axes[0].input, width: axes[1].input, output, in: context)
    guard target.tensor.count > 0 else { return [target.tensor] }
    for (row, y) in phases(axes[0]).enumerated() {
      for (column, x) in phases(axes[1]).enumerated() where y.count > 0 && x.count > 0 {
        let reach = ChannelBlocks.Margin(
          rows: max(-y.input, y.input + y.count + y.taps - 1 - source.height),
          columns: max(-x.input, x.input + x.count + x.taps - 1 - source.width))
        guard reach.rows <= input.margin.rows, reach.columns <= input.margin.columns else {
          throw context.failure("it reads \(reach.widest) past the edge of its input")
        }
        let packed = weights[row * strides[1] + column].storage
        run(y, x, packed, from: source, to: target, context)
      }
    }
    return [target.tensor]
  }

  private func run(
    _ y: Phase, _ x: Phase, _ packed: TensorStorage, from source: BlockedTensor,
    to target: BlockedTensor, _ context: KernelContext
  ) {
    var layout = target.layout
    layout.row_stride *= strides[0]
    let conv = rk_blocked_conv(
      input_blocks: input.count, output_blocks: output.count, last_input_depth: input.lastDepth,
      input: source.layout, output: layout, residual: rk_blocked_layout(),
      output_step: strides[1] * ChannelBlocks.width, out_height: y.count, out_width: x.count,
      kernel_height: y.taps, kernel_width: x.taps, stride_y: 1, stride_x: 1, dilation_y: 1,
      dilation_x: 1, finish: vk_finish(activation: activation, residual_first: 0), is_precise: 0,
      edges: rk_blocked_edges(
        height: source.height, width: source.width, pad_top: -y.input, pad_left: -x.input))
    let filters = UnsafePointer(packed.base.assumingMemoryBound(to: Float.self))
    let shifts = bias.map { UnsafePointer($0.base.assumingMemoryBound(to: Float.self)) }
    let rows = max(1, 256 / x.count)
    let shares = ProductShares(
      blocks: output.count, pieces: (y.count + rows - 1) / rows, images: source.batch)
    shares.forEach(images: source.batch, in: context) { image, piece, blocks in
      let start = piece * rows
      withUnsafePointer(to: conv) {
        rk_blocked_conv_f32(
          $0, source.pointer(image: image, row: y.input, column: x.input), filters, shifts, nil,
          target.pointer(image: image, row: y.start, column: x.start), blocks.lowerBound,
          blocks.count, start, min(rows, y.count - start))
      }
    }
    withExtendedLifetime(packed) {}
  }
}
