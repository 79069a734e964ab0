import RunnerGraph
import RunnerTensors
import _RunnerKernels

/// An activation on blocks.
package struct BlockedActivation: Kernel {
  let activation: vk_activation
  let input: ChannelBlocks
  let output: ChannelBlocks

  /// The names of the nodes.
  package static let operations: Set = [
    "Relu", "Sigmoid", "HardSwish", "HardSigmoid", "LeakyRelu", "Clip", "Tanh", "Elu", "Selu",
    "Gelu",
  ]

  init(activation: vk_activation, input: ChannelBlocks, output: ChannelBlocks) {
    self.activation = activation
    self.input = input
    self.output = output
  }

  init(_ node: NodeInfo) throws {
    guard let forms = node.fused.blocks, let input = forms.inputs.first, let input,
      let output = forms.output, let activation = node.fused.activation
    else { throw node.failure("its form is not known") }
    self.input = input
    self.output = output
    self.activation = activation.kernelForm
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try BlockedTensor(try context.input(0, of: inputs), input, in: context)
    let target = try BlockedTensor(
      batch: source.batch, height: source.height, width: source.width, output, in: context)
    target.forEachRow(context) { image, block, row in
      rk_activate_f32(
        source.pointer(image: image, row: row) + block * source.blockStride,
        target.pointer(image: image, row: row) + block * target.blockStride,
        source.width * ChannelBlocks.width, activation)
    }
    return [target.tensor]
  }
}

/// Arithmetic of two tensors in blocks, or of one and a constant per channel.
///
/// A side with one row, one column or one image is repeated.
package struct BlockedArithmetic: Kernel {
  let operation: rk_binary_op
  let inputs: [ChannelBlocks?]
  let output: ChannelBlocks
  /// One value per channel, from the input that is constant.
  let constant: TensorStorage?

  /// The kernels' number of an operator; nil if they do not have it.
  static func kernelOperation(_ name: String) -> rk_binary_op? {
    switch name {
    case "Add": return RK_ADD
    case "Sub": return RK_SUB
    case "Mul": return RK_MUL
    case "Div": return RK_DIV
    default: return nil
    }
  }

  /// Whether a constant is one number, or one per channel.
  package static func isPerChannel(_ tensor: Tensor, channels: Int) -> Bool {
    guard tensor.elementType == .float32 else { return false }
    if tensor.count == 1 { return tensor.rank <= 4 }
    let shape = tensor.shape
    return shape == [channels, 1, 1] || shape == [1, channels, 1, 1]
  }

  init(
    operation: rk_binary_op, inputs: [ChannelBlocks?], output: ChannelBlocks,
    constant: TensorStorage?
  ) {
    self.operation = operation
    self.inputs = inputs
    self.output = output
    self.constant = constant
  }

  init(_ node: NodeInfo) throws {
    guard let forms = node.fused.blocks, let output = forms.output,
      let operation = Self.kernelOperation(node.operation), forms.inputs.count == 2
    else { throw node.failure("its form is not known") }
    self.operation = operation
    self.output = output
    inputs = forms.inputs
    guard let tensor = node.constant(0) ?? node.constant(1) else {
      constant = nil
      return
    }
    let count = output.count * ChannelBlocks.width
    let storage = TensorStorage(allocating: count * 4)
    let values = storage.base.assumingMemoryBound(to: Float.self)
    let source = tensor.pointer(to: Float.self)
    values.update(repeating: 1, count: count)
    for channel in 0..<output.channels {
      values[channel] = source[tensor.count == 1 ? 0 : channel]
    }
    constant = storage
  }

  /// One side: the place of its rows, and its step from pixel to pixel.
  private struct Side {
    let base: UnsafePointer<Float>
    let image: Int
    let block: Int
    let row: Int
    let pixel: Int

    init(_ tensor: BlockedTensor) {
      base = UnsafePointer(tensor.pointer())
      image = tensor.batch == 1 ? 0 : tensor.imageStride
      block = tensor.blockStride
      row = tensor.height == 1 ? 0 : tensor.rowStride
      pixel = tensor.width == 1 ? 0 : ChannelBlocks.width
    }

    init(constant: UnsafePointer<Float>) {
      base = constant
      image = 0
      block = ChannelBlocks.width
      row = 0
      pixel = 0
    }

    func pointer(image: Int, block: Int, row: Int) -> UnsafePointer<Float> {
      base + image * self.image + block * self.block + row * self.row
    }
  }

  package func run(_ arguments: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    var sides: [Side] = []
    var tensors: [BlockedTensor] = []
    for (index, blocks) in inputs.enumerated() {
      if let blocks {
        let tensor = try BlockedTensor(
          try context.input(index, of: arguments), blocks, in: context)
        tensors.append(tensor)
        sides.append(Side(tensor))
      } else if let constant {
        sides.append(Side(constant: constant.base.assumingMemoryBound(to: Float.self)))
      }
    }
    guard sides.count == 2 else { throw context.failure("an input is missing") }
    func extent(_ value: (BlockedTensor) -> Int) throws -> Int {
      let values = Set(tensors.map(value)).subtracting([1])
      guard values.count <= 1 else {
        throw context.failure("shapes \(tensors.map(\.tensor.shape)) do not broadcast")
      }
      return values.first ?? 1
    }
    let width = try extent(\.width)
    let target = try BlockedTensor(
      batch: try extent(\.batch), height: try extent(\.height), width: width, output, in: context)
    target.forEachRow(context) { image, block, row in
      let a = sides[0].pointer(image: image, block: block, row: row)
      let b = sides[1].pointer(image: image, block: block, row: row)
      let to = target.pointer(image: image, row: row) + block * target.blockStride
      if sides[0].pixel > 0, sides[1].pixel > 0 {
        rk_binary_f32(operation, a, 1, b, 1, to, width * ChannelBlocks.width)
      } else {
        rk_binary_rows_f32(
          operation, a, sides[0].pixel, 1, b, sides[1].pixel, 1, to, width, ChannelBlocks.width)
      }
    }
    return [target.tensor]
  }
}

extension BlockedTensor {
  /// Calls `body` with every image, block and row, on several threads.
  func forEachRow(
    _ context: KernelContext, _ body: (_ image: Int, _ block: Int, _ row: Int) -> Void
  ) {
    let height = self.height
    guard tensor.count > 0, height > 0, width > 0 else { return }
    let count = blocks.count
    context.parallel(batch * count * height, grain: max(1, 2048 / width)) { rows in
      for item in rows { body(item / height / count, item / height % count, item % height) }
    }
  }
}
