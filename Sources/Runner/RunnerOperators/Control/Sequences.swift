import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Lists of tensors, and options.
  package static let sequences: [Operator] = [
    Operator("SequenceEmpty", versions: [11], inputs: 0...0, types: .any, shape: .dependsOnData) {
      _ in
      SequenceOperator { _, _ in .sequence([]) }
    },
    Operator(
      "SequenceConstruct", versions: [11], inputs: 1...Operator.many, types: .any,
      shape: .dependsOnData
    ) { _ in
      SequenceOperator { values, context in
        let tensors = try values.indices.map { try context.tensor($0, of: values) }
        try context.requireSameType(tensors)
        return .sequence(tensors)
      }
    },
    Operator("SequenceInsert", versions: [11], inputs: 2...3, types: .any, shape: .dependsOnData) {
      _ in
      SequenceOperator { values, context in
        var tensors = try context.sequence(0, of: values)
        try context.checkRoom(forCount: tensors.count)
        let place = try context.place(2, of: values, count: tensors.count, orAt: tensors.count)
        tensors.insert(try context.tensor(1, of: values), at: place)
        try context.requireSameType(tensors)
        return .sequence(tensors)
      }
    },
    Operator("SequenceErase", versions: [11], inputs: 1...2, types: .any, shape: .dependsOnData) {
      _ in
      SequenceOperator { values, context in
        var tensors = try context.sequence(0, of: values)
        tensors.remove(at: try context.place(1, of: values, count: tensors.count))
        return .sequence(tensors)
      }
    },
    Operator("SequenceAt", versions: [11], inputs: 2...2, types: .any, shape: .dependsOnData) { _ in
      SequenceOperator { values, context in
        let tensors = try context.sequence(0, of: values)
        return .tensor(tensors[try context.place(1, of: values, count: tensors.count)])
      }
    },
    Operator("SequenceLength", versions: [11], inputs: 1...1, types: .any, shape: .dependsOnData) {
      _ in
      SequenceOperator { values, context in
        .tensor(Tensor(scalar: Int64(try context.sequence(0, of: values).count)))
      }
    },
    Operator(
      "SplitToSequence", versions: [11, 24], inputs: 1...2, types: .any,
      attributes: ["axis": .int, "keepdims": .int], shape: .dependsOnData
    ) {
      try SplitToSequence($0)
    },
    Operator(
      "ConcatFromSequence", versions: [11], inputs: 1...1, types: .any,
      attributes: ["axis": .int, "new_axis": .int], shape: .dependsOnData
    ) { node in
      guard let axis = try node.int("axis") else { throw node.failure("axis must be given") }
      let joinsAnew = try node.flag("new_axis")
      return SequenceOperator { values, context in
        let tensors = try context.sequence(0, of: values)
        return .tensor(try context.joined(tensors, axis: axis, isNew: joinsAnew))
      }
    },
    Operator(
      "SequenceMap", versions: [17], inputs: 1...Operator.many, outputs: 1...Operator.many,
      types: .any, attributes: ["body": .graph], shape: .dependsOnData
    ) { try SequenceMap($0) },
    Operator("Optional", versions: [15], inputs: 0...1, types: .any, shape: .dependsOnData) { _ in
      SequenceOperator { values, _ in (values.first ?? nil) ?? .absent }
    },
    Operator(
      "OptionalHasElement", versions: [15, 18], inputs: 0...1, types: .any, shape: .dependsOnData
    ) { _ in
      SequenceOperator { values, _ in
        if case .absent = (values.first ?? nil) ?? .absent { return .tensor(Tensor(scalar: false)) }
        return .tensor(Tensor(scalar: true))
      }
    },
    Operator(
      "OptionalGetElement", versions: [15, 18], inputs: 1...1, types: .any, shape: .dependsOnData
    ) { _ in
      SequenceOperator { values, context in
        let value = try context.value(0, of: values)
        if case .absent = value { throw context.failure("the option is empty") }
        return value
      }
    },
  ]
}

/// An operator with one result.
private struct SequenceOperator: ValueKernel {
  let function: @Sendable ([ModelValue?], KernelContext) throws -> ModelValue

  func run(values: [ModelValue?], in context: KernelContext) throws -> [ModelValue] {
    [try function(values, context)]
  }
}

extension KernelContext {
  /// Throws if a list of more than `count` tensors, however small these are, passes the limit on
  /// memory.
  func checkRoom(forCount count: Int) throws {
    let bytesEach = 64
    guard count < pool.limit / bytesEach else {
      throw ModelError.memoryLimit(
        node: "node '\(nodeName)' (\(operation))", requested: (count + 1) * bytesEach,
        limit: pool.limit)
    }
  }

  /// A place among `count` tensors, counted from the back where negative; the last one if it is not
  /// given, or `end` for a place to insert at.
  fileprivate func place(
    _ index: Int, of values: [ModelValue?], count: Int, orAt end: Int? = nil
  ) throws -> Int {
    let places = end.map { $0 + 1 } ?? count
    guard places > 0 else { throw failure("the sequence is empty") }
    guard let given = try optionalTensor(index, of: values) else { return places - 1 }
    let place = try integer(given)
    guard place >= -count, place < places else {
      throw failure("there is no place \(place) in a sequence of \(count)")
    }
    return place < 0 ? place + count : place
  }

  /// All of `tensors` along an axis, which is there or new.
  fileprivate func joined(_ tensors: [Tensor], axis: Int, isNew: Bool) throws -> Tensor {
    guard !tensors.isEmpty else { throw failure("the sequence is empty") }
    if isNew { return try stacked(tensors, axis: axis) }
    return try perform("Concat", attributes: ["axis": .int(axis)], tensors)
  }

  /// One tensor of all of `tensors`, at least one and all of the same shape, along a new axis.
  package func stacked(_ tensors: [Tensor], axis: Int) throws -> Tensor {
    guard let first = tensors.first else { throw failure("there is nothing to stack") }
    guard tensors.allSatisfy({ $0.shape == first.shape && $0.elementType == first.elementType })
    else { throw failure("values to be stacked differ in shape or type") }
    let place = try normalizedAxis(axis, rank: first.rank + 1)
    var shape = first.shape
    shape.insert(1, at: place)
    return try perform(
      "Concat", attributes: ["axis": .int(place)], tensors.map { $0.viewed(as: shape) })
  }

  /// What `tensor` holds at `place` along an axis, that axis gone.
  package func slice(_ tensor: Tensor, _ place: Int, axis: Int) throws -> Tensor {
    try perform(
      "Gather", attributes: ["axis": .int(axis)], [tensor, Tensor(scalar: Int64(place))])
  }
}

/// A tensor in parts along an axis.
private struct SplitToSequence: ValueKernel {
  let axis: Int
  let keepsDimension: Bool

  init(_ node: NodeInfo) throws {
    axis = try node.int("axis", default: 0)
    keepsDimension = try node.flag("keepdims", default: true)
  }

  func run(values: [ModelValue?], in context: KernelContext) throws -> [ModelValue] {
    let input = try context.tensor(0, of: values)
    let axis = try context.normalizedAxis(axis, rank: input.rank)
    let extent = input.shape[axis]
    let split = try context.optionalTensor(1, of: values)
    let sizes: [Int]
    if let split {
      let given = try context.integers(split)
      sizes = try split.rank == 0 ? equal(given[0], extent, context) : given
    } else {
      sizes = [Int](repeating: 1, count: extent)
    }
    var parts: [Tensor] = []
    var rest = extent
    try context.checkRoom(forCount: sizes.count)
    for size in sizes {
      try context.checkCancellation()
      guard size >= 0, size <= rest else {
        throw context.failure("parts of \(size) do not make up \(extent)")
      }
      let start = extent - rest
      let part = try context.perform(
        "Slice",
        [
          input, Tensor(shape: [1], [Int64(start)]), Tensor(shape: [1], [Int64(start + size)]),
          Tensor(shape: [1], [Int64(axis)]),
        ])
      rest -= size
      if split == nil, !keepsDimension {
        var shape = part.shape
        shape.remove(at: axis)
        parts.append(part.viewed(as: shape))
      } else {
        parts.append(part)
      }
    }
    guard rest == 0 else { throw context.failure("parts \(sizes) do not make up \(extent)") }
    return [.sequence(parts)]
  }

  /// As many parts of `size` as there are, the last one smaller.
  private func equal(_ size: Int, _ extent: Int, _ context: KernelContext) throws -> [Int] {
    guard size > 0 else { throw context.failure("parts of \(size) do not make up \(extent)") }
    return stride(from: 0, to: extent, by: size).map { min(size, extent - $0) }
  }
}

/// A graph, for each tensor of a sequence; what else it is given is a sequence of as many, or the same
/// tensor each time.
private struct SequenceMap: ValueKernel {
  let body: Subgraph
  let inputCount: Int

  init(_ node: NodeInfo) throws {
    body = try node.subgraph("body")
    inputCount = node.inputCount
    guard body.inputCount == inputCount, body.outputCount == node.outputCount else {
      throw node.failure(
        "its body takes \(body.inputCount) inputs and has \(body.outputCount) outputs, the node "
          + "has \(inputCount) and \(node.outputCount)")
    }
  }

  func run(values: [ModelValue?], in context: KernelContext) throws -> [ModelValue] {
    let count = try context.sequence(0, of: values).count
    let given = try (0..<inputCount).map { try context.value($0, of: values) }
    for case .sequence(let tensors) in given where tensors.count != count {
      throw context.failure("sequences of \(count) and \(tensors.count) tensors")
    }
    var results = [[Tensor]](repeating: [], count: body.outputCount)
    let turns = try body.turns(capturingFrom: values, in: context)
    for turn in 0..<count {
      try context.checkCancellation()
      let arguments = given.map { value -> ModelValue in
        if case .sequence(let tensors) = value { return .tensor(tensors[turn]) }
        return value
      }
      let outputs = try turns.run(arguments)
      for (index, output) in outputs.enumerated() {
        guard case .tensor(let tensor) = output else {
          throw context.failure("output \(index) of its body is \(output.kind)")
        }
        results[index].append(tensor)
      }
    }
    return results.map { .sequence($0) }
  }
}
