import Foundation
import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Attention of language models, with a cache of keys and values.
  package static let runtimeCaches: [Operator] = [
    Operator(
      "GroupQueryAttention", domain: OperatorDomain.runtime, versions: [1], inputs: 7...11,
      outputs: 1...3, types: .real,
      attributes: [
        "do_rotary": .int, "kv_num_heads": .int, "local_window_size": .int, "num_heads": .int,
        "rotary_interleaved": .int, "scale": .float, "smooth_softmax": .int, "softcap": .float,
      ],
      shape: .groupQueryAttention, traits: [.widensAllOutputs],
      limits: "Without `softcap` and smooth softmax."
    ) { try GroupQueryAttention($0) },
    Operator(
      "RotaryEmbedding", domain: OperatorDomain.runtime, versions: [1], inputs: 4...4, types: .real,
      attributes: ["interleaved": .int, "num_heads": .int, "rotary_embedding_dim": .int],
      shape: .likeFirst
    ) { node in
      RuntimeRotaryEmbedding(
        heads: try node.int("num_heads", default: 0),
        rotated: try node.int("rotary_embedding_dim", default: 0),
        isInterleaved: try node.flag("interleaved"))
    },
  ]
}

extension ShapeRule {
  fileprivate static let groupQueryAttention = ShapeRule { query in
    let input = try query.input(0)
    guard input.shape.count == 3 else { throw ShapeQuery.Unknown() }
    if query.isGiven(1) { return [input] }
    let heads = try query.info.int("num_heads", default: 0)
    let all = try heads + 2 * query.info.int("kv_num_heads", default: 0)
    guard heads > 0, all > 0, all < 1 << 24 else { throw ShapeQuery.Unknown() }
    let features = try query.product([input.shape[2] / all, heads])
    return [ValueFact(input.type, [input.shape[0], input.shape[1], features])]
  }
}

/// ONNX's rotary embedding with positions that may be one offset for all.
private struct RuntimeRotaryEmbedding: Kernel {
  let heads: Int
  let rotated: Int
  let isInterleaved: Bool

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let given = try context.integers(context.input(1, of: inputs))
    let tables = [try context.input(2, of: inputs), try context.input(3, of: inputs)]
    guard input.rank == 3 || input.rank == 4, let half = tables[0].shape.last, half > 0 else {
      throw context.failure("input \(input.shape), angles \(tables[0].shape)")
    }
    // Without a number of heads the table says how large they are.
    let heads = heads > 0 || input.rank == 4 ? heads : input.shape[2] / (2 * half)
    let (batch, length) = (input.shape[0], input.shape[input.rank == 3 ? 1 : 2])
    let positions: Tensor
    if given.count == 1 {
      let row = try context.allocate(.int64, [batch, length])
      let to = row.mutablePointer(to: Int64.self)
      for index in 0..<row.count { to[index] = Int64(given[0]) &+ Int64(index % length) }
      positions = row
    } else {
      guard given.count == row(batch, length) else {
        throw context.failure("\(given.count) positions for \(batch) sequences of \(length)")
      }
      positions = try Tensor(shape: [batch, length], given.map { Int64($0) })
    }
    let kernel = RotaryEmbedding(heads: heads, rotated: rotated, isInterleaved: isInterleaved)
    return try kernel.run([input, tables[0], tables[1], positions], in: context)
  }

  private func row(_ batch: Int, _ length: Int) -> Int { batch &* length }
}

/// Attention in which several query heads share one of the keys and values, which are kept for later runs
/// (Ainslie et al., "GQA", 2023).
private struct GroupQueryAttention: Kernel {
  private let heads: Int
  private let keyHeads: Int
  private let scale: Float
  private let window: Int?
  private let isRotary: Bool
  private let isInterleaved: Bool

  init(_ node: NodeInfo) throws {
    heads = try node.int("num_heads", default: 0)
    keyHeads = try node.int("kv_num_heads", default: 0)
    scale = try node.float("scale", default: 0)
    let window = try node.int("local_window_size", default: -1)
    self.window = window > 0 ? window : nil
    isRotary = try node.flag("do_rotary")
    isInterleaved = try node.flag("rotary_interleaved")
    guard heads > 0, keyHeads > 0, heads < 1 << 20, heads % keyHeads == 0 else {
      throw node.failure("\(heads) query heads for \(keyHeads) key heads")
    }
    guard try node.float("softcap", default: 0) == 0, try !node.flag("smooth_softmax") else {
      throw node.unsupported("softcap or smooth softmax")
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    guard given.rank == 3, given.elementType.isFloatingPoint else {
      throw context.failure("queries of \(given.elementType)\(given.shape)")
    }
    var (query, key, value) = try parts(inputs, given, in: context)
    let (batch, length) = (given.shape[0], given.shape[1])
    let lengths = try context.integers(context.input(5, of: inputs))
    let all = try context.integers(context.input(6, of: inputs))
    guard lengths.count == batch, all.count == 1, let total = all.first, total >= length,
      lengths.allSatisfy({ $0 >= 0 && $0 < total }), context.optionalInput(10, of: inputs) == nil
    else {
      throw context.failure(
        "\(lengths.count) lengths of a total of \(all) for \(batch) sequences of \(length)")
    }
    // What is new comes after what there was, which for a first run is nothing.
    let starts = lengths.map { total == length ? 0 : max(0, $0 + 1 - length) }
    if isRotary {
      query = try rotated(query, starts, inputs, in: context)
      key = try rotated(key, starts, inputs, in: context)
    }
    let keys = try kept(key, after: 3, starts, total: total, inputs, in: context)
    let values = try kept(value, after: 4, starts, total: total, inputs, in: context)
    guard keys.shape[2] == values.shape[2] else {
      throw context.failure("keys of shape \(keys.shape) and values of \(values.shape)")
    }
    var mask = try self.mask(starts, length: length, total: keys.shape[2], in: context)
    if let bias = context.optionalInput(9, of: inputs) {
      guard bias.rank == 4, bias.shape[3] == keys.shape[2] else {
        throw context.failure("a bias of shape \(bias.shape) for \(keys.shape[2]) keys")
      }
      mask = try context.perform("Add", [mask, context.converted(bias, to: .float32)])
    }
    let shape = [batch, length, heads, values.shape[3]]
    let output = try context.allocate(.float32, shape)
    guard let layout = HeadLayout(shape, isHeadsFirst: false),
      let from = HeadLayout(query.shape, isHeadsFirst: false),
      var keyLayout = HeadLayout(keys.shape, isHeadsFirst: true),
      var valueLayout = HeadLayout(values.shape, isHeadsFirst: true),
      let strides = context.maskStrides(mask, as: [batch, heads, length, keys.shape[2]])
    else { throw context.failure("a mask of shape \(mask.shape)") }
    keyLayout.heads = heads
    valueLayout.heads = heads
    try context.attend(
      .init(tensor: query, layout: from),
      .init(tensor: keys, layout: keyLayout, sharing: heads / keyHeads),
      .init(tensor: values, layout: valueLayout, sharing: heads / keyHeads),
      mask: (mask, strides),
      scale: scale == 0 ? 1 / Float(max(from.features, 1)).squareRoot() : scale,
      into: .init(tensor: output, layout: layout))
    let result = output.viewed(as: [batch, length, try context.product([heads, shape[3]])])
    return try [result, keys, values].map { try context.converted($0, to: given.elementType) }
  }

  /// Queries, keys and values as `float32` tensors of [batch, position, head, feature].
  private func parts(
    _ inputs: [Tensor?], _ given: Tensor, in context: KernelContext
  ) throws -> (Tensor, Tensor, Tensor) {
    func split(_ tensor: Tensor, _ heads: Int) throws -> Tensor {
      guard tensor.rank == 3, tensor.elementType.isFloatingPoint, tensor.shape[2] % heads == 0,
        tensor.shape[0] == given.shape[0], tensor.shape[1] == given.shape[1], tensor.shape[2] > 0
      else { throw context.failure("shape \(tensor.shape) for \(heads) heads") }
      return try context.converted(tensor, to: .float32).viewed(as: [
        tensor.shape[0], tensor.shape[1], heads, tensor.shape[2] / heads,
      ])
    }
    guard let key = context.optionalInput(1, of: inputs),
      let value = context.optionalInput(2, of: inputs)
    else {
      let all = try split(given, heads + 2 * keyHeads)
      func slice(_ first: Int, _ count: Int) throws -> Tensor {
        try context.gathered(
          all, shape: [all.shape[0], all.shape[1], count, all.shape[3]],
          strides: Shapes.strides(of: all.shape), start: first * all.shape[3])
      }
      return (
        try slice(0, heads), try slice(heads, keyHeads), try slice(heads + keyHeads, keyHeads)
      )
    }
    let parts = (try split(given, heads), try split(key, keyHeads), try split(value, keyHeads))
    guard parts.0.shape[3] == parts.1.shape[3] else {
      throw context.failure("queries of \(given.shape) and keys of \(key.shape)")
    }
    return parts
  }

  /// Heads turned by the angles of their positions.
  private func rotated(
    _ tensor: Tensor, _ starts: [Int], _ inputs: [Tensor?], in context: KernelContext
  ) throws -> Tensor {
    let (batch, length, heads) = (tensor.shape[0], tensor.shape[1], tensor.shape[2])
    let tables = [try context.input(7, of: inputs), try context.input(8, of: inputs)]
    guard let half = tables[0].shape.last, half > 0, 2 * half <= tensor.shape[3] else {
      throw context.failure("angles of shape \(tables[0].shape)")
    }
    let positions = try context.allocate(.int64, [batch, length])
    let to = positions.mutablePointer(to: Int64.self)
    for index in 0..<positions.count { to[index] = Int64(starts[index / length] + index % length) }
    let flat = tensor.viewed(as: [batch, length, heads * tensor.shape[3]])
    let kernel = RotaryEmbedding(heads: heads, rotated: 2 * half, isInterleaved: isInterleaved)
    return try kernel.run([flat, tables[0], tables[1], positions], in: context)[0]
      .viewed(as: tensor.shape)
  }

  /// What is kept, with the new rows of each sequence after those it had: [batch, head, position, feature].
  private func kept(
    _ new: Tensor, after index: Int, _ starts: [Int], total: Int, _ inputs: [Tensor?],
    in context: KernelContext
  ) throws -> Tensor {
    let (batch, length, features) = (new.shape[0], new.shape[1], new.shape[3])
    let past = try context.optionalInput(index, of: inputs).map { past in
      guard past.rank == 4, past.shape[0] == batch, past.shape[1] == keyHeads,
        past.shape[3] == features, past.elementType.isFloatingPoint
      else { throw context.failure("earlier keys or values of shape \(past.shape)") }
      return try context.converted(past, to: .float32)
    }
    let before = past?.shape[2] ?? 0
    let positions = max(before, total)
    guard starts.allSatisfy({ $0 <= before && $0 + length <= positions }) else {
      throw context.failure("sequences that begin at \(starts) after \(before) positions")
    }
    let output = try context.allocate(.float32, [batch, keyHeads, positions, features])
    let to = output.mutablePointer(to: Float.self)
    to.update(repeating: 0, count: output.count)
    let from = new.pointer(to: Float.self)
    for row in 0..<batch * keyHeads {
      let (item, head) = (row / keyHeads, row % keyHeads)
      let target = to + row * positions * features
      if let past {
        target.update(
          from: past.pointer(to: Float.self) + row * before * features,
          count: starts[item] * features)
      }
      for position in 0..<length {
        (target + (starts[item] + position) * features).update(
          from: from + ((item * length + position) * keyHeads + head) * features, count: features)
      }
    }
    return output
  }

  /// What is added to scores: a query sees what comes before it, perhaps in a window, and itself.
  private func mask(
    _ starts: [Int], length: Int, total: Int, in context: KernelContext
  ) throws -> Tensor {
    let mask = try context.allocate(.float32, [starts.count, 1, length, total])
    let to = mask.mutablePointer(to: Float.self)
    for row in 0..<starts.count * length {
      let last = starts[row / length] + row % length
      let first = window.map { max(0, last - $0 + 1) } ?? 0
      for key in 0..<total {
        to[row * total + key] = key > last || key < first ? -.greatestFiniteMagnitude : 0
      }
    }
    return mask
  }
}
