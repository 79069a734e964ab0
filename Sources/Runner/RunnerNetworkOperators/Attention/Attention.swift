import Foundation
import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Attention, and the positions that go with it.
  package static let attention: [Operator] = [
    Operator(
      "Attention", versions: [23, 24], inputs: 3...7, outputs: 1...4, types: .real,
      attributes: [
        "is_causal": .int, "kv_num_heads": .int, "q_num_heads": .int, "qk_matmul_output_mode": .int,
        "scale": .float, "softcap": .float,
      ],
      shape: .attention
    ) { node in
      try Attention(node)
    },
    Operator(
      "RotaryEmbedding", versions: [23], inputs: 3...4, types: .real,
      attributes: ["interleaved": .int, "num_heads": .int, "rotary_embedding_dim": .int],
      shape: .likeFirst
    ) {
      node in
      RotaryEmbedding(
        heads: try node.int("num_heads", default: 0),
        rotated: try node.int("rotary_embedding_dim", default: 0),
        isInterleaved: try node.flag("interleaved"))
    },
  ]
}

extension ShapeRule {
  /// The result, the keys and values with those before them, and the scores.
  fileprivate static let attention = ShapeRule { query in
    func heads(_ index: Int, _ attribute: String) throws -> [Int] {
      let shape = try query.shape(index)
      if shape.count == 4 { return shape }
      guard shape.count == 3, let heads = try query.info.int(attribute), heads > 0 else {
        throw ShapeQuery.Unknown()
      }
      return [shape[0], heads, shape[1], shape[2] / heads]
    }
    let (q, k) = (try heads(0, "q_num_heads"), try heads(1, "kv_num_heads"))
    let v = try heads(2, "kv_num_heads")
    var total = k[2]
    if query.isGiven(4), query.isGiven(5) {
      guard let past = try query.shape(4).dropFirst(2).first else { throw ShapeQuery.Unknown() }
      total += past
    }
    let isSplit = try query.shape(0).count == 4
    let result =
      isSplit ? [q[0], q[1], q[2], v[3]] : [q[0], q[2], try query.product([q[1], v[3]])]
    let type = try query.input(0).type
    return [
      result, [k[0], k[1], total, k[3]], [v[0], v[1], total, v[3]], [q[0], q[1], q[2], total],
    ]
    .map { ValueFact(type, $0) }
  }
}

extension KernelContext {
  /// [batch, sequence, heads * size] as [batch, heads, sequence, size]; rank 4 is that already.
  fileprivate func splitIntoHeads(_ tensor: Tensor, _ heads: Int) throws -> Tensor {
    if tensor.rank == 4 { return tensor }
    guard tensor.rank == 3, heads > 0, tensor.shape[2] % heads == 0 else {
      throw failure("shape \(tensor.shape) for \(heads) heads")
    }
    let view = tensor.viewed(as: [
      tensor.shape[0], tensor.shape[1], heads, tensor.shape[2] / heads,
    ])
    return try transposed(view, [0, 2, 1, 3])
  }

  /// The way back.
  fileprivate func joinHeads(_ tensor: Tensor) throws -> Tensor {
    let joined = try transposed(tensor, [0, 2, 1, 3])
    return joined.viewed(as: [
      joined.shape[0], joined.shape[1], joined.shape[2] * joined.shape[3],
    ])
  }
}

/// Scaled dot-product attention (Vaswani et al., "Attention is all you need", 2017).
///
/// If there are fewer key and value heads, query heads share them (Ainslie et al., 2023).
private struct Attention: Kernel {
  private let queryHeads: Int
  private let keyHeads: Int
  private let scale: Float?
  private let cap: Float
  private let isCausal: Bool
  private let scoresStage: Int

  init(_ node: NodeInfo) throws {
    queryHeads = try node.int("q_num_heads", default: 0)
    keyHeads = try node.int("kv_num_heads", default: 0)
    scale = try node.float("scale")
    cap = try node.float("softcap", default: 0)
    isCausal = try node.flag("is_causal")
    scoresStage = try node.int("qk_matmul_output_mode", default: 0)
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try (0..<3).map { try context.input($0, of: inputs) }
    let type = given[0].elementType
    guard given.allSatisfy({ $0.elementType.isFloatingPoint && $0.rank == given[0].rank }) else {
      throw context.failure("shapes \(given.map(\.shape))")
    }
    let query = try heads(given[0], queryHeads, in: context)
    var key = try heads(given[1], keyHeads, in: context)
    var value = try heads(given[2], keyHeads, in: context)
    var past = 0
    if let pastKey = context.optionalInput(4, of: inputs),
      let pastValue = context.optionalInput(5, of: inputs)
    {
      guard pastKey.rank == 4 else { throw context.failure("past key \(pastKey.shape)") }
      past = pastKey.shape[2]
      let axis = ["axis": AttributeValue.int(2)]
      key = try context.perform(
        "Concat", attributes: axis, [context.converted(pastKey, to: .float32), key])
      value = try context.perform(
        "Concat", attributes: axis, [context.converted(pastValue, to: .float32), value])
    }
    let (batch, length, total) = (query.shape[0], query.shape[2], key.shape[2])
    guard key.shape[0] == batch, value.shape[0] == batch, value.shape[2] == total,
      key.shape[3] == query.shape[3], value.shape[1] == key.shape[1]
    else { throw context.failure("shapes \(given.map(\.shape))") }

    let factor = scale ?? 1 / Float(max(query.shape[3], 1)).squareRoot()
    let scaled = try context.combined(query, Tensor(scalar: factor), RK_MUL)
    let turned = try context.transposed(
      repeated(key, heads: query.shape[1], in: context), [0, 1, 3, 2])
    var scores = try context.perform(
      "MatMul", of: OperatorFamilies.matrixProduct, [scaled, turned])
    var stages = [scores]
    for bias in try biases(inputs, length: length, total: total, past: past, in: context) {
      let shape = scores.shape
      scores = try context.combined(scores, bias, RK_ADD)
      guard scores.shape == shape else {
        throw context.failure("a mask of shape \(bias.shape) for scores of shape \(shape)")
      }
    }
    stages.append(scores)
    if cap > 0 {
      let cap = cap
      scores = try context.mapped(scores) { (x: Float) in cap * tanh(x / cap) }
    }
    stages.append(scores)
    let weights = try context.perform("Softmax", attributes: ["axis": .int(-1)], [scores])
    stages.append(weights)
    var output = try context.perform(
      "MatMul", of: OperatorFamilies.matrixProduct,
      [weights, repeated(value, heads: query.shape[1], in: context)])
    if given[0].rank == 3 { output = try context.joinHeads(output) }
    let stage = stages.indices.contains(scoresStage) ? scoresStage : 0
    return try [output, key, value, stages[stage]].map { try context.converted($0, to: type) }
  }

  private func heads(_ tensor: Tensor, _ count: Int, in context: KernelContext) throws -> Tensor {
    try context.splitIntoHeads(context.converted(tensor, to: .float32), count)
  }

  /// Each head as often as it takes to get `heads` of them.
  private func repeated(_ tensor: Tensor, heads: Int, in context: KernelContext) throws -> Tensor {
    let (batch, own) = (tensor.shape[0], tensor.shape[1])
    if own == heads { return tensor }
    guard own > 0, heads % own == 0 else {
      throw context.failure("\(heads) query heads for \(own) key heads")
    }
    let strides = Shapes.strides(of: tensor.shape)
    let shape = [batch, own, heads / own, tensor.shape[2], tensor.shape[3]]
    return try context.gathered(
      tensor, shape: shape, strides: [strides[0], strides[1], 0, strides[2], strides[3]]
    ).viewed(as: [batch, heads, tensor.shape[2], tensor.shape[3]])
  }

  /// What is added to the scores: the mask, what lies ahead, and what is only padding.
  private func biases(
    _ inputs: [Tensor?], length: Int, total: Int, past: Int, in context: KernelContext
  ) throws -> [Tensor] {
    var biases: [Tensor] = []
    if let mask = context.optionalInput(3, of: inputs) {
      var bias: Tensor
      if mask.elementType == .bool {
        bias = try context.mapped(context.truths(mask)) { (x: UInt8) -> Float in
          x != 0 ? 0 : -.infinity
        }
      } else {
        bias = try context.converted(mask, to: .float32)
      }
      if let last = bias.shape.last, last != 1, last < total {
        var pads = [Int](repeating: 0, count: 2 * bias.rank)
        pads[pads.count - 1] = total - last
        bias = try context.perform(
          "Pad", [bias, context.axes(pads), Tensor(scalar: -Float.infinity)])
      }
      biases.append(bias)
    }
    if isCausal {
      let bias = try context.allocate(.float32, [length, total])
      let to = bias.mutablePointer(to: Float.self)
      for index in 0..<bias.count {
        to[index] = index % total > index / total + past ? -.infinity : 0
      }
      biases.append(bias)
    }
    if let lengths = context.optionalInput(6, of: inputs) {
      let counts = try context.integers(lengths)
      let bias = try context.allocate(.float32, [counts.count, 1, 1, total])
      let to = bias.mutablePointer(to: Float.self)
      for index in 0..<bias.count {
        to[index] = index % total >= counts[index / total] ? -.infinity : 0
      }
      biases.append(bias)
    }
    return biases
  }
}

/// Pairs of features turned by an angle that grows with the position (Su et al., "RoFormer", 2021).
struct RotaryEmbedding: Kernel {
  let heads: Int
  let rotated: Int
  let isInterleaved: Bool

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    guard given.elementType.isFloatingPoint else {
      throw context.failure("elements are \(given.elementType)")
    }
    let input = try context.splitIntoHeads(context.converted(given, to: .float32), heads)
    let (batch, length, size) = (input.shape[0], input.shape[2], input.shape[3])
    let count = rotated == 0 ? size : rotated
    guard count > 0, count <= size, count % 2 == 0 else {
      throw context.failure("\(count) of \(size) features cannot be rotated")
    }
    let half = count / 2
    let angles = try (1...2).map { index -> Tensor in
      var cache = try context.converted(context.input(index, of: inputs), to: .float32)
      if let positions = context.optionalInput(3, of: inputs) {
        cache = try Gather(axis: 0).run([cache, positions], in: context)[0]
      }
      guard cache.shape == [batch, length, half] else {
        throw context.failure(
          "angles of shape \(cache.shape), expected \([batch, length, half])")
      }
      return cache
    }
    let output = try context.allocate(.float32, input.shape)
    let (from, to) = (input.pointer(to: Float.self), output.mutablePointer(to: Float.self))
    let cosines = angles[0].pointer(to: Float.self)
    let sines = angles[1].pointer(to: Float.self)
    let perImage = input.shape[1] * length
    context.parallel(batch * perImage, grain: 64) { range in
      for row in range {
        let angle = (row / perImage * length + row % length) * half
        for index in 0..<size { to[row * size + index] = from[row * size + index] }
        for index in 0..<half {
          let first = row * size + (isInterleaved ? 2 * index : index)
          let second = isInterleaved ? first + 1 : first + half
          let (cosine, sine) = (cosines[angle + index], sines[angle + index])
          to[first] = cosine * from[first] - sine * from[second]
          to[second] = sine * from[first] + cosine * from[second]
        }
      }
    }
    let result = given.rank == 3 ? try context.joinHeads(output) : output
    return [try context.converted(result, to: given.elementType)]
  }
}
