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

/// The known weights of a convolution of one group, as a matrix that windows are multiplied by.
///
/// Each window of the input is a row of the left matrix. The right matrix is packed in panels, so that each weight is
/// read once for several windows and from where the last one was.
struct WindowWeights: Sendable {
  let outputs: Int
  /// Values in a window.
  let depth: Int
  /// Whether windows are of one channel along its last axis.
  let isSignal: Bool
  /// Whether a second copy of them takes little memory.
  var isSmall: Bool { outputs * depth <= Self.smallCount }
  fileprivate let packed: PackedWeights

  /// Fewer outputs would leave much of a panel empty.
  private static let leastOutputs = Int(VK_PANEL) / 2
  /// Weights of which there may be a second copy: 4 MiB.
  private static let smallCount = 1 << 20
  /// With fewer values in a window the result's transposition takes longer than what is saved.
  private static let leastDepth = 16

  /// Nil if the weights are not known, or are too few.
  init?(_ node: NodeInfo, group: Int) {
    guard group == 1, let weights = node.constant(1), weights.elementType == .float32,
      weights.rank >= 3, weights.shape[0] >= Self.leastOutputs,
      weights.count / weights.shape[0] >= Self.leastDepth
    else { return nil }
    let (outputs, depth) = (weights.shape[0], weights.count / weights.shape[0])
    self.outputs = outputs
    self.depth = depth
    isSignal = OneChannel.isSignal(weights.shape)
    let panels = vk_panel_count(outputs)
    let bytes = panels * depth * Int(VK_PANEL) * MemoryLayout<Float>.stride
    packed = node.packed(weights, as: "windows", mostBytes: bytes) { weights, memory in
      let storage = memory.storage(byteCount: bytes)
      vk_pack_right_f32(
        weights.pointer(to: Float.self), 1, depth, depth, outputs, 1,
        storage.base.assumingMemoryBound(to: Float.self), 0, panels)
      return storage
    }
  }
}

/// One run of a convolution as a product of its windows and its weights.
///
/// A signal's windows lie side by side in memory, and may overlap in it: nothing is gathered. Short-time Fourier
/// transforms are published in this form. Of images with few pixels the windows are gathered, because a product whose
/// columns are pixels would leave most of a vector empty.
struct WindowJob {
  // The pointers are valid for the kernel's call, in which this value lives.
  private let weights: WindowWeights
  private let shape: ConvolutionShape
  private let input: UnsafePointer<Float>
  private let bias: UnsafePointer<Float>?
  private let output: UnsafeMutablePointer<Float>
  private let activation: vk_activation
  private let context: KernelContext

  /// The padding that any signal may have, however short it is.
  private static let mostPadding = 4096
  /// Pixels of an image whose windows are gathered, at most.
  private static let fewPixels = 16
  /// Windows that one thread takes on at a time.
  private static let windowsAtOnce = 108
  /// Panels of outputs likewise; each is read for all windows.
  private static let panelsAtOnce = 4

  /// Nil if this is not faster than what other convolutions do.
  init?(
    _ weights: WindowWeights, _ shape: ConvolutionShape, input: UnsafePointer<Float>,
    bias: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>, activation: vk_activation,
    context: KernelContext
  ) {
    self.weights = weights
    self.shape = shape
    self.input = input
    self.bias = bias
    self.output = output
    self.activation = activation
    self.context = context
    guard isSignal || (shape.outputPixels <= Self.fewPixels && weights.isSmall) else { return nil }
  }

  /// Whether the window moves on the last axis alone, sees all values, and little padding has to be written out.
  private var isSignal: Bool {
    guard weights.isSignal, let axis = shape.axes.last, axis.dilation == 1 else { return false }
    return axis.padBegin + axis.padEnd <= axis.input + Self.mostPadding
      && shape.axes.dropLast().allSatisfy {
        $0.kernel == 1 && $0.stride == 1 && $0.padBegin == 0 && $0.padEnd == 0
      }
  }

  func run() throws {
    if isSignal, let axis = shape.axes.last {
      try multiplySignals(along: axis)
    } else {
      try multiplyGathered()
    }
  }

  // MARK: Signals

  private func multiplySignals(along axis: SlidingWindow.Axis) throws {
    let lines = shape.outputRows
    let reach = (axis.output - 1) * axis.stride + axis.kernel
    guard axis.padBegin > 0 || reach > axis.input else {
      try multiply(input, length: axis.input, step: axis.stride, count: axis.output, lines: lines)
      return
    }
    let signals = shape.batch * lines
    let scratch = try context.allocate(.float32, [signals, reach])
    try withExtendedLifetime(scratch) {
      let padded = scratch.mutablePointer(to: Float.self)
      let first = min(axis.padBegin, reach)
      let count = min(axis.input, reach - first)
      context.parallel(signals, grain: max(1, 65_536 / reach)) { signals in
        for signal in signals {
          let to = padded + signal * reach
          to.update(repeating: 0, count: first)
          (to + first).update(from: input + signal * axis.input, count: count)
          (to + first + count).update(repeating: 0, count: reach - first - count)
        }
      }
      try multiply(padded, length: reach, step: axis.stride, count: axis.output, lines: lines)
    }
  }

  // MARK: Few pixels

  private func multiplyGathered() throws {
    let walk = WindowWalk(axes: shape.axes)
    let (pixels, taps) = (shape.outputPixels, shape.kernelPixels)
    let depth = weights.depth
    let scratch = try context.allocate(.float32, [shape.batch * pixels, depth])
    try withExtendedLifetime(scratch) {
      let windows = scratch.mutablePointer(to: Float.self)
      windows.update(repeating: 0, count: scratch.count)
      context.parallel(shape.batch * pixels, grain: max(1, 65_536 / depth)) { items in
        for item in items {
          let image = input + item / pixels * shape.groupInputs * shape.inputPixels
          let window = windows + item * depth
          walk.forEachTap(of: item % pixels) { tap, source in
            for channel in 0..<shape.groupInputs {
              window[channel * taps + tap] = image[channel * shape.inputPixels + source]
            }
          }
        }
      }
      try multiply(windows, length: pixels * depth, step: depth, count: pixels, lines: 1)
    }
  }

  // MARK: The product

  /// Multiplies the `count` windows of each line, which begin `step` values apart, those of lines `length` apart.
  private func multiply(
    _ windows: UnsafePointer<Float>, length: Int, step: Int, count: Int, lines: Int
  ) throws {
    let panels = vk_panel_count(weights.outputs)
    let panelPieces = (panels - 1) / Self.panelsAtOnce + 1
    let windowPieces = (count - 1) / Self.windowsAtOnce + 1
    let width = Self.panelsAtOnce * Int(VK_PANEL)
    let tile = min(Self.windowsAtOnce, count) * width
    let pieces = windowPieces * panelPieces
    let packed = weights.packed.floats
    try context.parallel(shape.batch * lines * pieces, scratch: tile) { item, product in
      let all = item / pieces
      let (windowPiece, panelPiece) = (item % pieces / panelPieces, item % panelPieces)
      let first = windowPiece * Self.windowsAtOnce
      let part = min(Self.windowsAtOnce, count - first)
      let panel = panelPiece * Self.panelsAtOnce
      let channel = panel * Int(VK_PANEL)
      let channels = min(width, weights.outputs - channel)
      var form = vk_product(
        columns: channels, depth: weights.depth, a_row: step, a_column: 1, c_row: width,
        residual_row: 0, finish: vk_finish(activation: activation, residual_first: 0))
      vk_packed_gemm_f32(
        &form, windows + all * length + first * step,
        packed + panel * weights.depth * Int(VK_PANEL), bias.map { $0 + channel }, nil, product, 0,
        part, 0, vk_panel_count(channels))
      // An image has [channels, lines, windows].
      let (image, line) = (all / lines, all % lines)
      let plane = image * weights.outputs + channel
      vk_transpose_f32(
        product, output + (plane * lines + line) * count + first, part, channels, width,
        lines * count)
    }
  }
}
