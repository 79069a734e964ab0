import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

/// Which convolutions of a single channel along the last axis are faster in planes than in blocks of sixteen channels.
package enum OneChannel {
  /// So few outputs are computed one by one, as in a depthwise convolution.
  static let fewOutputs = 4
  /// With fewer taps, blocks cost little.
  private static let leastTaps = 9
  /// With more taps, the product of the windows is faster whatever the number of outputs.
  private static let fewTaps = 32

  /// Whether weights of this shape, of one group, are those of windows along the last axis of one channel.
  fileprivate static func isSignal(_ weights: [Int]) -> Bool {
    weights.count >= 3 && weights[1...].dropLast().allSatisfy { $0 == 1 }
  }

  /// Whether weights of this shape, of one group, are of such a convolution.
  package static func isFaster(_ weights: [Int]) -> Bool {
    guard isSignal(weights) else { return false }
    let taps = weights[weights.count - 1]
    return taps > fewTaps || (taps >= leastTaps && weights[0] <= fewOutputs)
  }
}

/// The known weights of a convolution of signals: of one channel along its last axis.
///
/// A window's values lie side by side in memory, so the windows are the rows of a matrix, in which they may overlap.
/// The convolution is the product of that matrix and the weights, packed in panels, and nothing is gathered. Short-time
/// Fourier transforms are published in this form.
struct SignalWeights: Sendable {
  let outputs: Int
  let taps: Int
  fileprivate let packed: PackedWeights

  /// Fewer outputs would leave much of a panel empty.
  private static let leastOutputs = Int(VK_PANEL) / 2
  /// With fewer taps the result's transposition takes longer than what is saved.
  private static let leastTaps = 16

  /// Nil if the weights are not known, are not those of one channel along its last axis, or are too few.
  init?(_ node: NodeInfo, group: Int) {
    guard group == 1, let weights = node.constant(1), weights.elementType == .float32,
      OneChannel.isSignal(weights.shape), weights.shape[0] >= Self.leastOutputs,
      weights.shape[weights.rank - 1] >= Self.leastTaps
    else { return nil }
    let (outputs, taps) = (weights.shape[0], weights.shape[weights.rank - 1])
    self.outputs = outputs
    self.taps = taps
    let panels = vk_panel_count(outputs)
    let bytes = panels * taps * Int(VK_PANEL) * MemoryLayout<Float>.stride
    packed = node.packed(weights, as: "signal", mostBytes: bytes) { weights, memory in
      let storage = memory.storage(byteCount: bytes)
      vk_pack_right_f32(
        weights.pointer(to: Float.self), 1, taps, taps, outputs, 1,
        storage.base.assumingMemoryBound(to: Float.self), 0, panels)
      return storage
    }
  }
}

/// One run of a convolution of signals.
struct SignalJob {
  // The pointers are valid for the kernel's call, in which this value lives.
  private let weights: SignalWeights
  private let input: UnsafePointer<Float>
  private let bias: UnsafePointer<Float>?
  private let output: UnsafeMutablePointer<Float>
  private let activation: vk_activation
  private let context: KernelContext

  private let axis: SlidingWindow.Axis
  private let images: Int
  /// Signals of an image.
  private let lines: Int

  /// The padding that any signal may have, however short it is.
  private static let mostPadding = 4096
  /// Windows that one thread takes on at a time.
  private static let windowsAtOnce = 108
  /// Panels of outputs likewise; each is read for all windows.
  private static let panelsAtOnce = 4

  /// Nil if the window moves on more axes than the last one, or skips values, or if there is more padding than
  /// should be written out.
  init?(
    _ weights: SignalWeights, _ shape: ConvolutionShape, input: UnsafePointer<Float>,
    bias: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>, activation: vk_activation,
    context: KernelContext
  ) {
    guard let axis = shape.axes.last, axis.dilation == 1,
      shape.axes.dropLast().allSatisfy({
        $0.kernel == 1 && $0.stride == 1 && $0.padBegin == 0 && $0.padEnd == 0
      }), axis.padBegin + axis.padEnd <= axis.input + Self.mostPadding
    else { return nil }
    self.weights = weights
    self.input = input
    self.bias = bias
    self.output = output
    self.activation = activation
    self.context = context
    self.axis = axis
    images = shape.batch
    lines = shape.outputRows
  }

  func run() throws {
    let reach = (axis.output - 1) * axis.stride + axis.kernel
    guard axis.padBegin > 0 || reach > axis.input else {
      try multiply(input, length: axis.input)
      return
    }
    let scratch = try context.allocate(.float32, [images * lines, reach])
    try withExtendedLifetime(scratch) {
      let padded = scratch.mutablePointer(to: Float.self)
      let first = min(axis.padBegin, reach)
      let count = min(axis.input, reach - first)
      context.parallel(images * lines, grain: max(1, 65_536 / reach)) { signals in
        for signal in signals {
          let to = padded + signal * reach
          to.update(repeating: 0, count: first)
          (to + first).update(from: input + signal * axis.input, count: count)
          (to + first + count).update(repeating: 0, count: reach - first - count)
        }
      }
      try multiply(padded, length: reach)
    }
  }

  /// The product for signals that lie `length` values apart.
  private func multiply(_ signals: UnsafePointer<Float>, length: Int) throws {
    let panels = vk_panel_count(weights.outputs)
    let panelPieces = (panels - 1) / Self.panelsAtOnce + 1
    let windowPieces = (axis.output - 1) / Self.windowsAtOnce + 1
    let width = Self.panelsAtOnce * Int(VK_PANEL)
    let tile = min(Self.windowsAtOnce, axis.output) * width
    let pieces = windowPieces * panelPieces
    try context.parallel(images * lines * pieces, scratch: tile) { item, product in
      let signal = item / pieces
      let (windowPiece, panelPiece) = (item % pieces / panelPieces, item % panelPieces)
      let first = windowPiece * Self.windowsAtOnce
      let count = min(Self.windowsAtOnce, axis.output - first)
      let panel = panelPiece * Self.panelsAtOnce
      let channel = panel * Int(VK_PANEL)
      let channels = min(width, weights.outputs - channel)
      var form = vk_product(
        columns: channels, depth: weights.taps, a_row: axis.stride, a_column: 1, c_row: width,
        residual_row: 0, finish: vk_finish(activation: activation, residual_first: 0))
      vk_packed_gemm_f32(
        &form, signals + signal * length + first * axis.stride,
        weights.packed.floats + panel * weights.taps * Int(VK_PANEL), bias.map { $0 + channel },
        nil, product, 0, count, 0, vk_panel_count(channels))
      // An image has [channels, lines, windows].
      let (image, line) = (signal / lines, signal % lines)
      let plane = image * weights.outputs + channel
      vk_transpose_f32(
        product, output + (plane * lines + line) * axis.output + first, count, channels, width,
        lines * axis.output)
    }
  }
}
