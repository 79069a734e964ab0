import RunnerGraph
import RunnerNetworkOperators
import RunnerTensors
import _RunnerKernels

/// The common part of convolutions from blocks to blocks, for all types of numbers.
///
/// It has the layouts of inputs and output, the window, the bias, and a third input that is added
/// to the activated result, or before the activation.
package struct BlockedFrame: Sendable {
  let window: SlidingWindow
  let input: ChannelBlocks
  let output: ChannelBlocks
  let residual: ChannelBlocks?
  let kernel: [Int]
  let activation: vk_activation
  let bias: TensorStorage?
  /// Whether the third input is added before the activation.
  let isResidualFirst: Bool
  /// The padding that must be in memory, if there is more.
  var leastMargin = ChannelBlocks.Margin.unlimited

  /// The attribute of a node whose third input is added before the activation.
  package static let residualFirst = "residual_first"

  /// The frame of a node, and the weights as in the file.
  static func read(_ node: NodeInfo) throws -> (frame: BlockedFrame, weights: Tensor) {
    guard let forms = node.fused.blocks, let input = forms.inputs.first, let input,
      let output = forms.output, let weights = node.constant(1)
    else { throw node.failure("its form is not known") }
    let frame = BlockedFrame(
      window: try SlidingWindow(node), input: input, output: output,
      residual: forms.inputs.count > 3 ? forms.inputs[3] : nil,
      kernel: Array(weights.shape[2...]), activation: node.fused.activation.kernelFormOrIdentity,
      bias: node.bias(for: output),
      isResidualFirst: try node.int(Self.residualFirst, default: 0) != 0)
    return (frame, weights)
  }

  /// The tensors of one run.
  struct Run {
    let axes: [SlidingWindow.Axis]
    let source: BlockedTensor
    let target: BlockedTensor
    let residual: BlockedTensor?
    /// What follows the sums.
    let finish: vk_finish

    /// Whether every output sees only its own pixel.
    var isPointwise: Bool {
      axes.allSatisfy { $0.kernel == 1 && $0.stride == 1 && $0.padBegin == 0 }
    }

    /// Whether an image is one long row: pointwise, and without a margin between rows.
    var isFlat: Bool {
      isPointwise
        && [source, target, residual].allSatisfy { $0.map { $0.blocks.margin == .none } ?? true }
    }

    /// The value under the first tap of the first output.
    func firstTap(of image: Int) -> UnsafePointer<Float> {
      UnsafePointer(
        source.pointer(image: image, row: -axes[0].padBegin, column: -axes[1].padBegin))
    }

    func residualPointer(_ image: Int) -> UnsafePointer<Float>? {
      residual.map { UnsafePointer($0.pointer(image: image)) }
    }

    /// The same run with a column of pixels as a row, because kernels compute pixels of a row together.
    ///
    /// In memory the two are the same, unless margins lie between the pixels.
    var withRowForColumn: Run {
      guard source.width == 1, target.width == 1, axes[1].kernel == 1,
        let source = source.turnedColumn, let target = target.turnedColumn
      else { return self }
      var turned: BlockedTensor?
      if let residual {
        turned = residual.turnedColumn
        guard turned != nil else { return self }
      }
      return Run(
        axes: [axes[1], axes[0]], source: source, target: target, residual: turned, finish: finish)
    }
  }

  /// Checks the inputs of a run, lets `compute` fill the target, and returns the result.
  func run(
    _ inputs: [Tensor?], in context: KernelContext, compute: (Run) throws -> Void
  ) throws -> [Tensor] {
    let source = try BlockedTensor(try context.input(0, of: inputs), input, in: context)
    let axes = try window.axes(
      over: [source.height, source.width], kernel: kernel,
      margins: [
        input.margin.rows >= leastMargin.rows ? .max : input.margin.rows,
        input.margin.columns >= leastMargin.columns ? .max : input.margin.columns,
      ], in: context)
    let target = try BlockedTensor(
      batch: source.batch, height: axes[0].output, width: axes[1].output, output, in: context)
    let sum = try residual.map {
      try BlockedTensor(try context.input(3, of: inputs), $0, in: context)
    }
    let fits = sum.map {
      $0.batch == target.batch && $0.height == target.height && $0.width == target.width
    }
    guard target.tensor.count > 0 || fits == false else { return [target.tensor] }
    // If one of the two is repeated, which the kernels do not support, the sum is a step of its own.
    let activatesLater = isResidualFirst && fits == false
    let finish = vk_finish(
      activation: activatesLater ? Activation?.none.kernelFormOrIdentity : activation,
      residual_first: isResidualFirst ? 1 : 0)
    let run = Run(
      axes: axes, source: source, target: target, residual: fits == true ? sum : nil,
      finish: finish)
    try compute(run.withRowForColumn)
    guard let residual, let sum, fits == false else { return [target.tensor] }
    let addition = BlockedArithmetic(
      operation: RK_ADD, inputs: [output, residual], output: output, constant: nil)
    let results = try addition.run([target.tensor, sum.tensor], in: context)
    guard activatesLater else { return results }
    return try BlockedActivation(activation: activation, input: output, output: output)
      .run(results, in: context)
  }
}

extension NodeInfo {
  /// The third input, a convolution's bias, filled up with zeros to whole blocks.
  func bias(for output: ChannelBlocks) -> TensorStorage? {
    constant(2).map { $0.padded(to: output.count * ChannelBlocks.width) }
  }
}
