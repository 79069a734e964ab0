import RunnerGraph
import RunnerTensors
import _RunnerKernels

/// Normalizes groups of channels of each image by their own mean and variance; groups are whole
/// blocks.
package struct BlockedGroupNormalization: Kernel {
  let input: ChannelBlocks
  let output: ChannelBlocks
  let groups: Int
  let epsilon: Float
  let factors: [Float]
  let shifts: [Float]

  /// Whether groups of this number of channels are whole blocks.
  package static func takes(channels: Int, groups: Int) -> Bool {
    groups > 0 && channels % groups == 0 && channels / groups % ChannelBlocks.width == 0
  }

  init(_ node: NodeInfo) throws {
    guard let forms = node.fused.blocks, let input = forms.inputs.first, let input,
      let output = forms.output, let factors = node.constant(1), let shifts = node.constant(2)
    else { throw node.failure("its form is not known") }
    self.input = input
    self.output = output
    groups = try node.int("num_groups", default: 0)
    epsilon = try node.float("epsilon", default: 1e-5)
    self.factors = try factors.array(of: Float.self)
    self.shifts = try shifts.array(of: Float.self)
    guard Self.takes(channels: input.channels, groups: groups),
      self.factors.count == input.channels, self.shifts.count == input.channels
    else { throw node.failure("its parameters do not fit \(input.channels) channels") }
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try BlockedTensor(try context.input(0, of: inputs), input, in: context)
    let target = try BlockedTensor(
      batch: source.batch, height: source.height, width: source.width, output, in: context)
    let (height, width) = (source.height, source.width * ChannelBlocks.width)
    guard target.tensor.count > 0, height > 0, width > 0 else { return [target.tensor] }
    let planes = source.batch * input.count
    let each = input.count / groups
    /// The sum of `value` of each row, over the rows of each block, then over the blocks of a
    /// group.
    func sums(
      _ value: (_ row: UnsafePointer<Float>, _ group: Int) -> Float
    ) -> [Double] {
      var parts = [Double](repeating: 0, count: planes)
      parts.withUnsafeMutableBufferPointer { parts in
        nonisolated(unsafe) let parts = parts
        context.parallel(planes, grain: max(1, 16_384 / (height * width))) { items in
          for plane in items {
            let first =
              source.pointer(image: plane / input.count)
              + plane % input.count * source.blockStride
            var sum = 0.0
            for row in 0..<height {
              sum += Double(value(first + row * source.rowStride, plane / each))
            }
            parts[plane] = sum
          }
        }
      }
      return (0..<planes / each).map { group in
        parts[group * each..<(group + 1) * each].reduce(0, +)
      }
    }
    let count = Double(each * height * width)
    let means = sums { row, _ in rk_sum_f32(row, width) }.map { Float($0 / count) }
    let variances = sums { row, group in rk_squared_distance_f32(row, means[group], width) }
    let inverses = variances.map { Float(1 / ($0 / count + Double(epsilon)).squareRoot()) }
    context.parallel(planes, grain: max(1, 16_384 / (height * width))) { items in
      for plane in items {
        let (image, block) = (plane / input.count, plane % input.count)
        let channel = block * ChannelBlocks.width
        let (mean, inverse) = (means[plane / each], inverses[plane / each])
        let scales = (channel..<channel + ChannelBlocks.width).map { factors[$0] * inverse }
        let offsets = scales.indices.map { shifts[channel + $0] - mean * scales[$0] }
        rk_blocked_affine_f32(
          source.pointer(image: image) + block * source.blockStride, source.rowStride, scales,
          offsets, target.pointer(image: image) + block * target.blockStride, target.rowStride,
          height, source.width)
      }
    }
    return [target.tensor]
  }
}
