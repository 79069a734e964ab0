import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

/// Heads of one tensor: how far apart, in elements, its batches, heads and positions are.
struct HeadLayout {
  var batch: Int
  var heads: Int
  var positions: Int
  var features: Int
  var offset = 0
  var batchStride: Int
  var headStride: Int
  var positionStride: Int

  /// A tensor of [batch, head, position, feature] or, where not `isHeadsFirst`, of
  /// [batch, position, head, feature].
  init?(_ shape: [Int], isHeadsFirst: Bool) {
    guard shape.count == 4 else { return nil }
    batch = shape[0]
    heads = shape[isHeadsFirst ? 1 : 2]
    positions = shape[isHeadsFirst ? 2 : 1]
    features = shape[3]
    batchStride = shape[1] * shape[2] * shape[3]
    headStride = isHeadsFirst ? shape[2] * shape[3] : shape[3]
    positionStride = isHeadsFirst ? shape[3] : shape[2] * shape[3]
  }

  /// One part of a tensor of [batch, position, part, head, feature].
  init?(_ shape: [Int], part: Int) {
    guard shape.count == 5, part < shape[2] else { return nil }
    batch = shape[0]
    heads = shape[3]
    positions = shape[1]
    features = shape[4]
    offset = part * shape[3] * shape[4]
    positionStride = shape[2] * shape[3] * shape[4]
    batchStride = shape[1] * positionStride
    headStride = shape[4]
  }

  /// The same with a batch or head that is there once repeated.
  func repeated(batch wanted: Int, heads wantedHeads: Int) -> HeadLayout? {
    var result = self
    if batch != wanted {
      guard batch == 1 else { return nil }
      result.batchStride = 0
    }
    if heads != wantedHeads {
      guard heads == 1 else { return nil }
      result.headStride = 0
    }
    return result
  }
}

extension KernelContext {
  /// What one head at a time is computed from.
  struct AttentionOperand {
    package var tensor: Tensor
    package var layout: HeadLayout
    /// Consecutive query heads that share a head.
    var sharing = 1

    package func pointer(batch: Int, head: Int) -> UnsafePointer<Float> {
      tensor.pointer(to: Float.self) + layout.offset + batch * layout.batchStride
        + head / sharing * layout.headStride
    }
  }

  /// Computes softmax(scale query key^T + mask) value for each batch and head of `output`.
  ///
  /// The mask's strides are those of [batch, head, query, key].
  func attend(
    _ query: AttentionOperand, _ key: AttentionOperand, _ value: AttentionOperand,
    mask: (tensor: Tensor, strides: [Int])?, scale: Float, into output: AttentionOperand
  ) throws {
    let to = output.tensor.mutablePointer(to: Float.self)
    let layout = output.layout
    let queries = layout.positions
    guard output.tensor.count > 0 else { return }
    guard key.layout.positions > 0 else {
      to.update(repeating: 0, count: output.tensor.count)
      return
    }
    let attention = rk_attention(
      keys: key.layout.positions, size: query.layout.features, value_size: layout.features,
      scale: scale, query_row: query.layout.positionStride, key_row: key.layout.positionStride,
      value_row: value.layout.positionStride, output_row: layout.positionStride,
      mask_row: mask?.strides[2] ?? 0, mask_column: mask?.strides[3] ?? 0)
    // Queries of one piece share packed keys and values. The same values whatever the pieces.
    let heads = layout.batch * layout.heads
    let wanted = (2 * threads.threadCount - 1) / heads + 1
    let pieces = max(1, min(wanted, queries / 64, 256))
    try withUnsafePointer(to: attention) { attention in
      try parallel(heads * pieces, scratch: rk_attention_scratch(attention)) { item, scratch in
        let (batch, head) = (item / pieces / layout.heads, item / pieces % layout.heads)
        let first = queries * (item % pieces) / pieces
        rk_attention_f32(
          attention, query.pointer(batch: batch, head: head), key.pointer(batch: batch, head: head),
          value.pointer(batch: batch, head: head),
          mask.map {
            $0.tensor.pointer(to: Float.self) + batch * $0.strides[0] + head * $0.strides[1]
          },
          to + batch * layout.batchStride + head * layout.headStride, first,
          queries * (item % pieces + 1) / pieces - first, scratch)
      }
    }
  }

  /// Strides that read `tensor` as if it had `shape`; nil if it does not broadcast to that.
  func maskStrides(_ tensor: Tensor, as shape: [Int]) -> [Int]? {
    guard tensor.rank <= shape.count else { return nil }
    let missing = shape.count - tensor.rank
    var strides = [Int](repeating: 0, count: shape.count)
    var stride = 1
    for axis in shape.indices.reversed() where axis >= missing {
      let extent = tensor.shape[axis - missing]
      guard extent == shape[axis] || extent == 1 else { return nil }
      strides[axis] = extent == 1 ? 0 : stride
      stride *= extent
    }
    return strides
  }
}

/// The attention that ``AttentionFusion`` finds.
package struct FusedAttention: Kernel {
  /// What a node that it computes is called.
  package static let operation = "Attention"

  /// How a tensor of four dimensions lies.
  package enum Layout: Int {
    /// [batch, position, head, feature]
    case positionsFirst = 0
    /// [batch, head, position, feature]
    case headsFirst = 1
    /// One of the parts of [batch, position, part, head, feature]; its number is added.
    case part = 2
  }

  let layouts: [Int]
  package let scale: Float
  package let isHeadsFirst: Bool

  package init(_ node: NodeInfo) throws {
    layouts = try node.ints("layouts") ?? []
    guard layouts.count == 3 else { throw node.failure("no layouts are given") }
    scale = try node.float("scale", default: 1)
    isHeadsFirst = try node.flag("heads_first")
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let tensors = try (0..<3).map { try context.input($0, of: inputs) }
    let mask = context.optionalInput(3, of: inputs)
    guard (tensors + [mask].compactMap { $0 }).allSatisfy({ $0.elementType == .float32 }) else {
      throw context.failure("cannot attend with \(tensors.map(\.elementType))")
    }
    func mismatch() -> ModelError {
      context.failure("shapes \(tensors.map(\.shape)) do not fit each other")
    }
    let given = try zip(tensors, layouts).map { tensor, layout -> HeadLayout in
      let found =
        layout >= FusedAttention.Layout.part.rawValue
        ? HeadLayout(tensor.shape, part: layout - FusedAttention.Layout.part.rawValue)
        : HeadLayout(
          tensor.shape, isHeadsFirst: layout == FusedAttention.Layout.headsFirst.rawValue)
      guard let found else { throw mismatch() }
      return found
    }
    // Batches and heads broadcast as those of products do.
    let masked = mask.map { [Int](repeating: 1, count: max(0, 4 - $0.rank)) + $0.shape }
    func extent(_ values: [Int]) -> Int { values.first { $0 != 1 } ?? 1 }
    let batch = extent(given.map(\.batch) + [masked?[0] ?? 1])
    let heads = extent(given.map(\.heads) + [masked?[1] ?? 1])
    let (queries, keys) = (given[0].positions, given[1].positions)
    guard given[1].features == given[0].features, given[2].positions == keys else {
      throw mismatch()
    }
    let operands = try zip(tensors, given).map { tensor, layout in
      guard let layout = layout.repeated(batch: batch, heads: heads) else { throw mismatch() }
      return KernelContext.AttentionOperand(tensor: tensor, layout: layout)
    }
    var strides: (tensor: Tensor, strides: [Int])?
    if let mask {
      guard let found = context.maskStrides(mask, as: [batch, heads, queries, keys]) else {
        throw context.failure(
          "a mask of shape \(mask.shape) for scores of shape \([batch, heads, queries, keys])")
      }
      strides = (mask, found)
    }
    let shape =
      isHeadsFirst
      ? [batch, heads, queries, given[2].features] : [batch, queries, heads, given[2].features]
    let output = try context.allocate(.float32, shape)
    guard let layout = HeadLayout(shape, isHeadsFirst: isHeadsFirst) else { throw mismatch() }
    try context.attend(
      operands[0], operands[1], operands[2], mask: strides, scale: scale,
      into: .init(tensor: output, layout: layout))
    return [output]
  }
}

extension OperationCount {
  /// The scores, and the sums of values that they weigh.
  package static let attention = OperationCount { query in
    let result = query.result
    guard let layouts = query.node.attributes["layouts"]?.ints, layouts.count > 1,
      let keys = query.shape(1), keys.count >= 4, result.count == 4
    else { return nil }
    let isHeadsFirst = layouts[1] == FusedAttention.Layout.headsFirst.rawValue
    let weighed = [2, keys[isHeadsFirst ? 2 : 1]] + result.dropLast()
    guard let scores = product(weighed + keys.suffix(1)),
      let sums = product(weighed + result.suffix(1)), scores <= .max - sums
    else { return nil }
    return scores + sums
  }
}
