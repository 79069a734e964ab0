import Foundation
import RunnerGraph
import RunnerNetworkOperators
import RunnerTensors
import _RunnerKernels

/// A convolution from blocks to blocks: one group, some groups of several channels, or one channel
/// per group.
///
/// 3x3 convolutions of stride 1 use Winograd's F(4x4, 3x3) if there are enough channels to pay for
/// the transforms. Those include transforms of the weights, which are four times as large and so
/// are not kept. Depthwise convolutions are computed vector by vector, and all others, 1x1
/// included, by one kernel of register tiles. A third input after the bias is added to the result
/// after the activation.
package struct BlockedConvolution: Kernel {
  /// The method for computing the sums.
  enum Method: Sendable {
    case direct
    case winograd
    case depthwise
  }

  private(set) var frame: BlockedFrame
  let method: Method
  /// The inputs for each output, unless it is depthwise.
  let parts: ConvolutionParts
  /// The weights, packed for the method.
  let weights: PackedWeights
  let group: Int

  init(_ node: NodeInfo) throws {
    let (frame, weights) = try BlockedFrame.read(node)
    self.frame = frame
    let group = try node.int("group", default: 1)
    self.group = group
    let shape = weights.shape
    let (strides, dilations) = (frame.window.strides, frame.window.dilations)
    let usesWinograd =
      node.allowsWinograd
      && Self.usesWinograd(shape, group: group, strides: strides, dilations: dilations)
    self.frame.leastMargin = Self.margin(
      shape, group: group, strides: strides, dilations: dilations, pads: frame.window.pads,
      reach: .unlimited, allowsWinograd: node.allowsWinograd)
    guard group == 1 || shape[1] > 1 else {
      method = .depthwise
      parts = ConvolutionParts(shape, group: group, areDisjoint: false)
      self.weights = node.packed(weights, as: "blocked depthwise") {
        Self.packedByChannel($0, in: $1)
      }
      return
    }
    method = usesWinograd ? .winograd : .direct
    let parts = ConvolutionParts(shape, group: group, areDisjoint: usesWinograd)
    self.parts = parts
    if group == 1 {
      self.weights = node.packed(weights, as: "blocked") { Self.packedByTap($0, in: $1) }
    } else {
      let most = parts.area.multipliedReportingOverflow(
        by: 4 * shape[2] * shape[3] * ChannelBlocks.width * ChannelBlocks.width)
      self.weights = node.packed(
        weights, as: "blocked, \(group) groups, apart: \(usesWinograd)",
        mostBytes: most.overflow ? .max : most.partialValue
      ) { parts.packed($0, group: group, in: $1) }
    }
  }

  /// Whether Winograd's method is faster for weights of this shape.
  ///
  /// Its transforms cost as much for a few channels on one side as for many on the other. If there
  /// is a single input block, the more precise sums are used instead. Groups that share blocks
  /// become one, which must not cost more than the method saves.
  package static func usesWinograd(
    _ weights: [Int], group: Int = 1, strides: [Int]?, dilations: [Int]?
  ) -> Bool {
    guard weights.count == 4, weights[2] == 3, weights[3] == 3,
      strides?.allSatisfy({ $0 == 1 }) ?? true, dilations?.allSatisfy({ $0 == 1 }) ?? true
    else { return false }
    guard group > 1 else {
      return weights[0] >= ChannelBlocks.width && weights[1] >= 2 * ChannelBlocks.width
    }
    return weights[1] > 1
      && ConvolutionParts(weights, group: group, areDisjoint: true).area
        <= 2 * ConvolutionParts(weights, group: group, areDisjoint: false).area
  }

  /// Whether weights of these extents belong to a convolution on blocks.
  ///
  /// With groups of fewer than four channels, most of a block's products would be unused.
  package static func takes(_ weights: [Int], group: Int) -> Bool {
    if group == 1 { return !OneChannel.isFaster(weights) }
    if group == weights[0], weights[1] == 1 { return true }
    guard weights.count == 4, group > 1, weights[0] % group == 0, weights[1] >= 4,
      weights[0] / group >= 4
    else { return false }
    let dense = weights[1].multipliedReportingOverflow(by: weights[0])
    let area = ConvolutionParts(weights, group: group, areDisjoint: false).area
    return !dense.overflow
      && area.multipliedReportingOverflow(by: 32).partialValue <= max(dense.partialValue, 1 << 10)
  }

  /// The pixels of padding in memory that a convolution needs if its pads reach over `reach`.
  ///
  /// Taps far apart that see only padding are left out, so the common part of pixels that are
  /// computed together is enough. The usual depthwise convolutions and Winograd's method need none.
  /// `pads` are those of the node, nil if none are given or they follow from the size.
  package static func margin(
    _ weights: [Int], group: Int, strides: [Int]?, dilations: [Int]?, pads: [Int]?,
    reach: ChannelBlocks.Margin, allowsWinograd: Bool
  ) -> ChannelBlocks.Margin {
    if isBareDepthwise(weights, group: group, strides: strides, dilations: dilations, pads: pads) {
      return .none
    }
    // Several groups need the margin: if there are few tiles, they are computed by the direct method.
    if allowsWinograd, group == 1,
      usesWinograd(weights, strides: strides, dilations: dilations)
    {
      return .none
    }
    guard group == 1, weights.count == 4, weights[1] > ChannelBlocks.width,
      strides?.allSatisfy({ $0 == 1 }) ?? true, dilations?.contains(where: { $0 > 1 }) ?? false
    else { return reach }
    return reach.limited(to: Int(RK_MOST_PIXELS))
  }

  /// Whether the kernel of a depthwise convolution needs no padding in memory.
  ///
  /// A single block of channels gets more precise sums, by a kernel that needs it.
  private static func isBareDepthwise(
    _ weights: [Int], group: Int, strides: [Int]?, dilations: [Int]?, pads: [Int]?
  ) -> Bool {
    guard weights.count == 4, weights[1] == 1, group == weights[0],
      group > ChannelBlocks.width, let stride = (strides ?? [1, 1]).last,
      (dilations ?? []).allSatisfy({ $0 == 1 }),
      rk_depthwise_is_bare(weights[2], weights[3], stride, 1) != 0
    else { return false }
    return (pads ?? []).allSatisfy { $0 <= weights[2] / 2 }
  }

  /// The weights in the layout of `rk_blocked_conv_f32`.
  static func packedByTap(_ weights: Tensor, in memory: WeightMemory) -> TensorStorage {
    let (outputs, inputs) = (weights.shape[0], weights.shape[1])
    let taps = weights.shape[2] * weights.shape[3]
    let blocks =
      ChannelBlocks(channels: outputs).count * ChannelBlocks(channels: inputs).count
    let storage = memory.storage(
      byteCount: blocks * taps * ChannelBlocks.width * ChannelBlocks.width * 4)
    rk_pack_conv_weights_f32(
      weights.pointer(to: Float.self), storage.base.assumingMemoryBound(to: Float.self), outputs,
      inputs, taps)
    return storage
  }

  /// The weights in the layout of `rk_blocked_depthwise_f32`.
  private static func packedByChannel(
    _ weights: Tensor, in memory: WeightMemory
  ) -> TensorStorage {
    let taps = weights.shape[2] * weights.shape[3]
    let count = ChannelBlocks(channels: weights.shape[0]).count * taps * ChannelBlocks.width
    let storage = memory.storage(byteCount: count * 4)
    let source = weights.pointer(to: Float.self)
    let target = storage.base.assumingMemoryBound(to: Float.self)
    target.update(repeating: 0, count: count)
    for channel in 0..<weights.shape[0] {
      for tap in 0..<taps {
        target[
          (channel / ChannelBlocks.width * taps + tap) * ChannelBlocks.width
            + channel % ChannelBlocks.width] = source[channel * taps + tap]
      }
    }
    return storage
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    try frame.run(inputs, in: context) { run in
      let job = BlockedConvolutionJob(
        kernel: self, run: run, weights: weights.floats, context: context)
      try job.compute()
    }
  }
}
