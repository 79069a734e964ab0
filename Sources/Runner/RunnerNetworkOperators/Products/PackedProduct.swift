import Foundation
import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// What passes put in the place of several of ONNX's operators.
  ///
  /// No file can name these: without the passes their form is not known.
  package static let fused: [Operator] = [
    Operator(
      PackedProduct.operation, domain: OperatorDomain.fused, versions: [1], inputs: 2...4,
      types: .float32,
      attributes: [
        "alpha": .float, "matrix": .int, "residual_first": .int, "transA": .int, "transB": .int,
      ],
      shape: .asReplaced, keeps: .input(1), cost: .packedProduct
    ) { try PackedProduct($0) },
    Operator(
      "Gelu", domain: OperatorDomain.fused, versions: [1], inputs: 1...1, types: .float32,
      attributes: ["approximate": .string], shape: .asReplaced
    ) { try UnaryKernel.gelu($0) },
    Operator(
      "LayerNormalization", domain: OperatorDomain.fused, versions: [1], inputs: 3...3,
      types: .float32, attributes: ["axis": .int, "epsilon": .float], shape: .asReplaced
    ) { try LayerNormalization($0) },
    Operator(
      "GroupNormalization", domain: OperatorDomain.fused, versions: [1], inputs: 3...3,
      types: .float32, attributes: ["epsilon": .float, "num_groups": .int], shape: .asReplaced
    ) { try GroupNormalization($0) },
    Operator(
      FusedAttention.operation, domain: OperatorDomain.fused, versions: [1], inputs: 3...4,
      types: .float32, attributes: ["heads_first": .int, "layouts": .ints, "scale": .float],
      shape: .asReplaced, cost: .attention
    ) { try FusedAttention($0) },
  ]
}

extension OperationCount {
  /// The weights and, except the columns, the result.
  static let packedProduct = OperationCount { query in
    query.shape(1).flatMap { product([2] + query.result.dropLast() + $0) }
  }
}

/// A product with a known right matrix in panels, with what follows it done while a tile of the result
/// is in the cache.
package struct PackedProduct: Kernel {
  /// What a node that it computes is called.
  package static let operation = "Product"

  package let columns: Int
  package let depth: Int
  /// Whether the left input is one matrix, used transposed or not; otherwise its last dimension is
  /// multiplied, as by `MatMul`.
  let isMatrix: Bool
  let transposesLeft: Bool
  package let weights: PackedWeights
  /// The weights for many rows, on a processor that multiplies by parts.
  private let split: SplitWeights?
  package let finish: vk_finish

  /// Rows that one thread takes on at a time if there are many: their part of the left matrix stays
  /// in the second-level cache.
  private static let rowsAtOnce = 108

  /// Rows that are multiplied together.
  private static let rowsOfTile = 6

  /// Multiplications below which a second thread is not worth waking.
  private static let leastWork = 1 << 18

  package init(_ node: NodeInfo) throws {
    guard let weights = node.constant(1), weights.elementType == .float32, weights.rank == 2 else {
      throw node.unsupported("a right matrix that is not known")
    }
    let transposesRight = try node.flag("transB")
    let alpha = try node.float("alpha", default: 1)
    columns = weights.shape[transposesRight ? 0 : 1]
    depth = weights.shape[transposesRight ? 1 : 0]
    isMatrix = try node.flag("matrix")
    transposesLeft = try node.flag("transA")
    finish = vk_finish(
      activation: node.fused.activation.kernelFormOrIdentity,
      residual_first: try node.flag("residual_first") ? 1 : 0)
    self.weights = node.packed(
      weights, as: "panels \(transposesRight) \(alpha)",
      mostBytes: vk_panel_count(columns) * depth * Int(VK_PANEL) * MemoryLayout<Float>.stride,
      takesAnyAddress: !transposesRight
    ) {
      Self.pack($0, transposed: transposesRight, alpha: alpha, in: $1)
    }
    let strides =
      transposesRight ? (output: depth, input: 1, tap: 0) : (output: 1, input: columns, tap: 0)
    split =
      transposesLeft
      ? nil
      : SplitWeights(
        node, weights, outputs: columns, inputs: depth, strides: strides, alpha: alpha,
        form: "product \(transposesRight) \(alpha)")
  }

  private static func pack(
    _ weights: Tensor, transposed: Bool, alpha: Float, in memory: WeightMemory
  ) -> TensorStorage {
    let (columns, depth) = (weights.shape[transposed ? 0 : 1], weights.shape[transposed ? 1 : 0])
    let panels = vk_panel_count(columns)
    let storage = memory.storage(
      byteCount: panels * depth * Int(VK_PANEL) * MemoryLayout<Float>.stride)
    let packed = storage.base.assumingMemoryBound(to: Float.self)
    if transposed {
      vk_pack_right_f32(
        weights.pointer(to: Float.self), 1, depth, depth, columns, alpha, packed, 0, panels)
    } else {
      // Rows may lie anywhere, so that weights at odd addresses of a file need no copy in between.
      vk_pack_rows_f32(weights.rawBytes, depth, columns, alpha, packed)
    }
    return storage
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let left = try context.input(0, of: inputs)
    guard left.elementType == .float32 else {
      throw context.failure("cannot multiply \(left.elementType) by float32")
    }
    guard isMatrix ? left.rank == 2 : left.rank >= 1,
      left.shape[transposesLeft ? 0 : left.rank - 1] == depth
    else {
      throw context.failure(
        "cannot multiply shape \(left.shape)\(transposesLeft ? " transposed" : "") by "
          + "\([depth, columns])")
    }
    var shape = transposesLeft ? [left.shape[1]] : Array(left.shape.dropLast())
    let rows = shape.reduce(1, *)
    shape.append(columns)
    let output = try context.allocate(.float32, shape)
    let residual = context.optionalInput(3, of: inputs)
    if let residual, residual.elementType != .float32 {
      throw context.failure("cannot add \(residual.elementType) to float32")
    }
    // A residual that is not of the product's shape is added afterwards, as it broadcasts.
    let isAddedLater = residual.map { $0.shape != shape } ?? false
    let product = vk_product(
      columns: columns, depth: depth, a_row: transposesLeft ? 1 : depth,
      a_column: transposesLeft ? rows : 1, c_row: columns, residual_row: columns,
      finish: isAddedLater && finish.residual_first != 0
        ? vk_finish(
          activation: vk_activation(kind: VK_IDENTITY, alpha: 0, beta: 0), residual_first: 0)
        : finish)
    let bias = context.optionalInput(2, of: inputs)
    let addend = isAddedLater ? nil : residual
    if let split, rows >= SplitWeights.leastPixels {
      try split.multiply(
        product, rows: rows, left, bias: bias, residual: addend, into: output, context)
    } else {
      multiply(product, rows: rows, left, bias: bias, residual: addend, into: output, context)
    }
    guard let residual, isAddedLater else { return [output] }
    let sum = try context.combined(output, residual, RK_ADD)
    if finish.residual_first != 0 {
      let values = sum.mutablePointer(to: Float.self)
      rk_activate_f32(values, values, sum.count, finish.activation)
    }
    return [sum]
  }

  private func multiply(
    _ product: vk_product, rows: Int, _ left: Tensor, bias: Tensor?, residual: Tensor?,
    into output: Tensor, _ context: KernelContext
  ) {
    guard output.count > 0 else { return }
    let packed = weights.floats
    let from = left.pointer(to: Float.self)
    let addend = bias?.pointer(to: Float.self)
    let more = residual?.pointer(to: Float.self)
    let to = output.mutablePointer(to: Float.self)
    let panels = vk_panel_count(columns)
    let (rowPieces, panelPieces) = pieces(rows, panels, context.threads.threadCount)
    func firstRow(_ piece: Int) -> Int {
      piece == rowPieces ? rows : tiles(rows) * piece / rowPieces * Self.rowsOfTile
    }
    // Pairs of panels are multiplied together.
    func firstPanel(_ piece: Int) -> Int {
      let panel = panels * piece / panelPieces
      return piece < panelPieces && panels >= 2 * panelPieces ? panel & ~1 : panel
    }
    // The same sums whatever the pieces, so these may depend on the number of threads.
    withUnsafePointer(to: product) { product in
      context.parallel(rowPieces * panelPieces) { items in
        for item in items {
          let (rowPiece, panelPiece) = (item / panelPieces, item % panelPieces)
          let row = firstRow(rowPiece)
          let panel = firstPanel(panelPiece)
          vk_packed_gemm_f32(
            product, from, packed, addend, more, to, row, firstRow(rowPiece + 1) - row, panel,
            firstPanel(panelPiece + 1) - panel)
        }
      }
    }
  }

  /// The number of tiles into which a number of rows is divided.
  private func tiles(_ rows: Int) -> Int { (rows - 1) / Self.rowsOfTile + 1 }

  private func pieces(_ rows: Int, _ panels: Int, _ threads: Int) -> (rows: Int, panels: Int) {
    let (work, overflow) = (rows * columns).multipliedReportingOverflow(by: depth)
    guard threads > 1, overflow || work > Self.leastWork else { return (1, 1) }
    if tiles(rows) >= 4 * threads {
      // Two pieces a thread at least, in case one of the threads is late. Rows rather than columns:
      // what a thread computes of one product is what it reads for the next.
      return (max((rows - 1) / Self.rowsAtOnce + 1, 2 * threads), 1)
    }
    return (1, min(panels, 2 * threads))
  }
}
