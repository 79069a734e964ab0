import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Attention of ONNX Runtime.
  package static let runtimeAttention: [Operator] = [
    Operator(
      "Attention", domain: OperatorDomain.runtime, inputs: 2...6, outputs: 1...2,
      attributes: packedAttributes + ["do_rotary": .int, "past_present_share_buffer": .int],
      limits: "Without rotary embedding, shared buffers and masks of four dimensions."
    ) { node in
      guard try !node.info.flag("do_rotary"), try !node.info.flag("past_present_share_buffer")
      else { throw node.info.unsupported("rotary embedding or shared buffers") }
      var packed = node.add("MatMul", [try node.required(0), try node.required(1)])
      if let bias = node.input(2) { packed = node.add("Add", [packed, bias]) }
      try node.attendPacked(packed, past: node.input(4), bias: node.input(5), mask: node.input(3))
    },
    Operator(
      "QAttention", domain: OperatorDomain.runtime, inputs: 5...9, outputs: 1...2,
      types: ElementTypes([.int8, .uint8]), attributes: packedAttributes + ["do_rotary": .int],
      limits: "Without rotary embedding and masks of four dimensions."
    ) { node in
      guard try !node.info.flag("do_rotary") else {
        throw node.info.unsupported("rotary embedding")
      }
      let scale = node.add("Mul", [try node.required(3), try node.required(4)])
      var packed = try node.integerProduct(
        try node.required(0), try node.required(1), zeros: (node.input(6), node.input(7)),
        scale: scale, type: node.type(3))
      packed = node.add("Add", [packed, try node.required(2)])
      try node.attendPacked(packed, past: node.input(8), bias: nil, mask: node.input(5))
    },
    Operator(
      "MultiHeadAttention", domain: OperatorDomain.runtime, versions: [1], inputs: 1...8,
      outputs: 1...3, types: .real,
      attributes: [
        "mask_filter_value": .float, "num_heads": .int, "scale": .float, "unidirectional": .int,
      ],
      shape: .multiHeadAttention, traits: [.widensAllOutputs],
      limits: "Without shared buffers for keys and values."
    ) { try MultiHeadAttention($0) },
  ]

  /// What stands for the second part of `Attention`, after its product.
  package static let runtimePackedAttention: [Operator] = [
    Operator(
      "PackedAttention", domain: OperatorDomain.fused, versions: [1], inputs: 1...4,
      outputs: 1...2, types: .real, attributes: packedAttributes, shape: .packedAttention,
      traits: [.widensAllOutputs]
    ) { try PackedAttention($0) }
  ]

  private static let packedAttributes: AttributeKinds = [
    "mask_filter_value": .float, "num_heads": .int, "qkv_hidden_sizes": .ints, "scale": .float,
    "unidirectional": .int,
  ]
}

extension NodeExpansion {
  /// Writes attention whose queries, keys and values lie side by side in one tensor, and gives it.
  fileprivate mutating func attendPacked(
    _ packed: Graph.Value, past: Graph.Value?, bias: Graph.Value?, mask: Graph.Value?
  ) throws {
    let attributes = try info.values(
      of: ["mask_filter_value", "num_heads", "qkv_hidden_sizes", "scale", "unidirectional"])
    let results = add(
      "PackedAttention", [packed, mask, past, bias], attributes, domain: OperatorDomain.fused,
      outputs: isWanted(1) ? 2 : 1)
    for (index, result) in results.enumerated() { give(result, as: index) }
  }
}

/// Heads as they lie in a `float32` tensor.
private struct Heads {
  var tensor: Tensor
  var layout: HeadLayout

  init(_ tensor: Tensor, _ layout: HeadLayout) {
    self.tensor = tensor
    self.layout = layout
  }

  /// A tensor of [batch, position, features], split into heads.
  init?(_ tensor: Tensor, heads: Int) {
    guard tensor.rank == 3, heads > 0, tensor.shape[2] % heads == 0,
      let layout = HeadLayout(
        [tensor.shape[0], tensor.shape[1], heads, tensor.shape[2] / heads], isHeadsFirst: false)
    else { return nil }
    self.init(tensor, layout)
  }

  /// One part of a tensor of [batch, position, head, part, feature].
  init?(_ tensor: Tensor, part: Int, of parts: Int) {
    guard tensor.rank == 5, tensor.shape[3] == parts,
      var layout = HeadLayout(
        [tensor.shape[0], tensor.shape[1], tensor.shape[2], tensor.shape[4]], isHeadsFirst: false)
    else { return nil }
    layout.offset = part * tensor.shape[4]
    layout.headStride *= parts
    layout.positionStride *= parts
    layout.batchStride *= parts
    self.init(tensor, layout)
  }

  /// A tensor of [batch, head, position, feature].
  init?(headsFirst tensor: Tensor) {
    guard let layout = HeadLayout(tensor.shape, isHeadsFirst: true) else { return nil }
    self.init(tensor, layout)
  }
}

/// What is computed from queries, keys and values of heads.
private struct HeadAttention {
  var scale: Float?
  var filter: Float
  var isCausal: Bool
  /// Whether somebody uses keys and values with those before them.
  var givesPresent: Bool

  /// The result, [batch, position, features], and keys and values with those before them.
  ///
  /// Both of `past` are [batch, head, position, feature].
  func run(
    _ query: Heads, _ key: Heads, _ value: Heads, past: (key: Tensor, value: Tensor)?,
    mask: Tensor?, bias: Tensor?, in context: KernelContext
  ) throws -> (Tensor, present: (key: Tensor, value: Tensor)?) {
    let (q, k, v) = (query.layout, key.layout, value.layout)
    guard k.batch == q.batch, v.batch == q.batch, k.heads == q.heads, v.heads == q.heads,
      k.features == q.features, v.positions == k.positions
    else {
      throw context.failure(
        "queries \(q.shape), keys \(k.shape) and values \(v.shape) do not fit each other")
    }
    var (key, value) = (key, value)
    var present: (key: Tensor, value: Tensor)?
    if past != nil || givesPresent {
      let all = (
        key: try Self.joined(past?.key, key, in: context),
        value: try Self.joined(past?.value, value, in: context)
      )
      guard all.key.shape[2] == all.value.shape[2], let keys = Heads(headsFirst: all.key),
        let values = Heads(headsFirst: all.value)
      else {
        throw context.failure("keys of \(all.key.shape) and values of \(all.value.shape)")
      }
      (key, value, present) = (keys, values, all)
    }
    let total = key.layout.positions
    let scores = [q.batch, q.heads, q.positions, total]
    var added: Tensor?
    func add(_ tensor: Tensor) throws {
      added = try added.map { try context.perform("Add", [$0, tensor]) } ?? tensor
    }
    if let mask {
      try add(padding(mask, batch: q.batch, queries: q.positions, total: total, in: context))
    }
    if let bias { try add(context.converted(bias, to: .float32)) }
    if isCausal { try add(ahead(queries: q.positions, total: total, in: context)) }
    var strides: (tensor: Tensor, strides: [Int])?
    if let added {
      guard let found = context.maskStrides(added, as: scores) else {
        throw context.failure("a mask of shape \(added.shape) for scores of shape \(scores)")
      }
      strides = (added, found)
    }
    let shape = [q.batch, q.positions, q.heads, v.features]
    let output = try context.allocate(.float32, shape)
    guard let layout = HeadLayout(shape, isHeadsFirst: false) else {
      throw context.failure("a result of shape \(shape)")
    }
    try context.attend(
      .init(tensor: query.tensor, layout: q), .init(tensor: key.tensor, layout: key.layout),
      .init(tensor: value.tensor, layout: value.layout), mask: strides,
      scale: scale ?? 1 / Float(max(q.features, 1)).squareRoot(),
      into: .init(tensor: output, layout: layout))
    let joined = [q.batch, q.positions, try context.product([q.heads, v.features])]
    return (output.viewed(as: joined), present)
  }

  /// What came before with what is new, [batch, head, position, feature].
  private static func joined(
    _ past: Tensor?, _ new: Heads, in context: KernelContext
  ) throws -> Tensor {
    let layout = new.layout
    let rows = try context.gathered(
      new.tensor, shape: layout.shape,
      strides: [layout.batchStride, layout.headStride, layout.positionStride, 1],
      start: layout.offset)
    guard let past else { return rows }
    guard past.rank == 4, past.shape[0] == layout.batch, past.shape[1] == layout.heads,
      past.shape[3] == layout.features, past.elementType.isFloatingPoint
    else {
      throw context.failure(
        "earlier keys or values of \(past.elementType)\(past.shape) before \(layout.shape)")
    }
    return try context.perform(
      "Concat", attributes: ["axis": .int(2)], [context.converted(past, to: .float32), rows])
  }

  /// What is added to scores of keys that are padding.
  private func padding(
    _ mask: Tensor, batch: Int, queries: Int, total: Int, in context: KernelContext
  ) throws -> Tensor {
    guard mask.elementType.isInteger || mask.elementType == .bool else {
      throw context.failure("a mask of \(mask.elementType)")
    }
    let kept = try context.converted(mask, to: .int64)
    let values = kept.pointer(to: Int64.self)
    func made(_ shape: [Int], _ isKept: (_ batch: Int, _ index: Int) -> Bool) throws -> Tensor {
      let tensor = try context.allocate(.float32, shape)
      let to = tensor.mutablePointer(to: Float.self)
      let each = tensor.count / max(shape[0], 1)
      for index in 0..<tensor.count { to[index] = isKept(index / each, index) ? 0 : filter }
      return tensor
    }
    return try withExtendedLifetime(kept) {
      switch mask.shape {
      case [batch]:
        return try made([batch, 1, 1, total]) { $1 % total < values[$0] }
      case [2 * batch]:
        return try made([batch, 1, 1, total]) {
          $1 % total < values[$0] && $1 % total >= values[batch + $0]
        }
      case [batch, total]: return try made([batch, 1, 1, total]) { values[$1] > 0 }
      case [batch, queries, total]:
        return try made([batch, 1, queries, total]) { values[$1] > 0 }
      default:
        throw context.unsupported(
          "a mask of shape \(mask.shape) for a batch of \(batch), \(queries) queries and \(total) "
            + "keys")
      }
    }
  }

  /// What is added to scores of keys that come after the query.
  private func ahead(queries: Int, total: Int, in context: KernelContext) throws -> Tensor {
    let tensor = try context.allocate(.float32, [queries, total])
    let to = tensor.mutablePointer(to: Float.self)
    let past = total - queries
    for index in 0..<tensor.count {
      to[index] = index % total > index / total + past ? -.greatestFiniteMagnitude : 0
    }
    return tensor
  }
}

extension HeadLayout {
  fileprivate var shape: [Int] { [batch, heads, positions, features] }
}

extension HeadAttention {
  fileprivate init(_ node: NodeInfo) throws {
    let scale = try node.float("scale", default: 0)
    self.init(
      scale: scale == 0 ? nil : scale,
      filter: try node.float("mask_filter_value", default: -10_000),
      isCausal: try node.flag("unidirectional"),
      givesPresent: node.hasOutput.dropFirst().contains(true))
  }
}

extension ShapeRule {
  fileprivate static let packedAttention = ShapeRule { query in
    let input = try query.input(0)
    guard input.shape.count == 3 else { throw ShapeQuery.Unknown() }
    let sizes = try query.info.ints("qkv_hidden_sizes") ?? []
    let last = sizes.count == 3 ? sizes[2] : input.shape[2] / 3
    return [ValueFact(input.type, [input.shape[0], input.shape[1], last])]
  }

  fileprivate static let multiHeadAttention = ShapeRule { query in
    let input = try query.input(0)
    if input.shape.count == 5 {
      let features = try query.product([input.shape[2], input.shape[4]])
      return [ValueFact(input.type, [input.shape[0], input.shape[1], features])]
    }
    guard input.shape.count == 3 else { throw ShapeQuery.Unknown() }
    var features = input.shape[2]
    if query.isGiven(2) {
      let value = try query.shape(2)
      switch value.count {
      case 3: features = value[2]
      case 4: features = try query.product([value[1], value[3]])
      default: throw ShapeQuery.Unknown()
      }
    }
    return [ValueFact(input.type, [input.shape[0], input.shape[1], features])]
  }
}

/// Attention whose queries, keys and values lie side by side.
private struct PackedAttention: Kernel {
  private let attention: HeadAttention
  private let heads: Int
  private let sizes: [Int]?

  init(_ node: NodeInfo) throws {
    attention = try HeadAttention(node)
    heads = try node.int("num_heads", default: 0)
    sizes = try node.ints("qkv_hidden_sizes")
    guard heads > 0, sizes?.count ?? 3 == 3,
      sizes?.allSatisfy({ $0 > 0 && $0 < 1 << 40 && $0 % heads == 0 }) ?? true
    else { throw node.failure("\(heads) heads of qkv_hidden_sizes \(sizes ?? [])") }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    guard given.rank == 3, given.elementType.isFloatingPoint else {
      throw context.failure("the product is \(given.elementType)\(given.shape)")
    }
    let row = given.shape[2]
    let sizes = sizes ?? [Int](repeating: row / 3, count: 3)
    guard sizes.reduce(0, +) == row, sizes.allSatisfy({ $0 % heads == 0 }) else {
      throw context.failure("a product of shape \(given.shape) for \(heads) heads")
    }
    let packed = try context.converted(given, to: .float32)
    var offset = 0
    let parts = try sizes.map { size -> Heads in
      guard
        var layout = HeadLayout(
          [given.shape[0], given.shape[1], heads, size / heads], isHeadsFirst: false)
      else { throw context.failure("a product of shape \(given.shape)") }
      layout.offset = offset
      layout.positionStride = row
      layout.batchStride = given.shape[1] * row
      offset += size
      return Heads(packed, layout)
    }
    let past = try context.optionalInput(2, of: inputs).map { past in
      guard past.rank == 5, past.shape[0] == 2 else {
        throw context.failure("earlier keys and values of shape \(past.shape)")
      }
      let all = try context.converted(past, to: .float32)
      return (key: try context.slice(all, 0, axis: 0), value: try context.slice(all, 1, axis: 0))
    }
    let (result, present) = try attention.run(
      parts[0], parts[1], parts[2], past: past, mask: context.optionalInput(1, of: inputs),
      bias: context.optionalInput(3, of: inputs), in: context)
    var results = [result]
    if let present, attention.givesPresent {
      results.append(try context.stacked([present.key, present.value], axis: 0))
    }
    return try results.map { try context.converted($0, to: given.elementType) }
  }
}

/// Attention of queries, keys and values each in a tensor, or side by side by heads.
private struct MultiHeadAttention: Kernel {
  private let attention: HeadAttention
  private let heads: Int

  init(_ node: NodeInfo) throws {
    attention = try HeadAttention(node)
    heads = try node.int("num_heads", default: 0)
    guard heads > 0 else { throw node.failure("num_heads must be given") }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    let tensors = try (0..<3).map { index -> Tensor? in
      guard let tensor = context.optionalInput(index, of: inputs) else { return nil }
      guard tensor.elementType.isFloatingPoint else {
        throw context.failure("elements are \(tensor.elementType)")
      }
      return try context.converted(tensor, to: .float32)
    }
    func mismatch() -> ModelError {
      let shapes = tensors.map { $0.map { "\($0.shape)" } ?? "none" }
      return context.failure("\(heads) heads of tensors \(shapes.joined(separator: ", "))")
    }
    let bias = try context.optionalInput(3, of: inputs).map {
      try context.converted($0, to: .float32)
    }
    var parts: [Heads] = []
    switch (tensors[0], tensors[1], tensors[2]) {
    case (let packed?, nil, nil):
      parts = (0..<3).compactMap { Heads(packed, part: $0, of: 3) }
      guard bias == nil else { throw context.unsupported("a bias of packed tensors") }
    case (let query?, let packed?, nil):
      guard bias == nil else { throw context.unsupported("a bias of packed tensors") }
      parts = [Heads(query, heads: heads)].compactMap { $0 }
      parts += (0..<2).compactMap { Heads(packed, part: $0, of: 2) }
    case (let query?, let key?, let value?):
      var offset = 0
      for tensor in [query, key, value] {
        var tensor = tensor
        if tensor.rank == 4 {
          // Keys and values of another sequence, as they were computed before.
          parts += [Heads(headsFirst: tensor)].compactMap { $0 }
          continue
        }
        if let bias, let features = tensor.shape.last {
          guard bias.rank == 1, features <= bias.count - offset else { throw mismatch() }
          let slice = Tensor(
            elementType: .float32, shape: [features], count: features, storage: bias.storage,
            byteOffset: bias.byteOffset + offset * 4)
          tensor = try context.perform("Add", [tensor, slice])
          offset += features
        }
        parts += [Heads(tensor, heads: heads)].compactMap { $0 }
      }
    default: throw mismatch()
    }
    guard parts.count == 3, parts.allSatisfy({ $0.layout.heads == heads }) else {
      throw mismatch()
    }
    var past: (key: Tensor, value: Tensor)?
    if let key = context.optionalInput(6, of: inputs),
      let value = context.optionalInput(7, of: inputs)
    {
      past = (key, value)
    }
    let (result, present) = try attention.run(
      parts[0], parts[1], parts[2], past: past, mask: context.optionalInput(4, of: inputs),
      bias: context.optionalInput(5, of: inputs), in: context)
    return try ([result] + (present.map { [$0.key, $0.value] } ?? [])).map {
      try context.converted($0, to: given.elementType)
    }
  }
}
