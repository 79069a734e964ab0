extension OperatorTable {
  /// What passes values on, holds them, or decides what runs.
  static let control: [OperatorDefinition] = [
    OperatorDefinition("Identity", versions: [1, 13, 14, 16, 19, 21, 23, 24], inputs: 1...1) { _ in
      Identity()
    },
    // A constant becomes a value of the graph when it is built; this entry is for the documentation
    // and for errors.
    OperatorDefinition("Constant", versions: [1, 9, 11, 12, 13, 19, 21, 23, 24], inputs: 0...0) {
      throw $0.failure("it has no output")
    },
    OperatorDefinition("ConstantOfShape", versions: [9, 20, 21, 23, 24], inputs: 1...1) {
      try ConstantOfShape($0)
    },
    OperatorDefinition("Dropout", versions: [6, 7, 10, 12, 13, 22], inputs: 1...3, outputs: 1...2) {
      try Dropout($0)
    },
    OperatorDefinition(
      "If", versions: [1, 11, 13, 16, 19, 21, 23, 24], inputs: 1...1,
      outputs: 1...OperatorDefinition.many
    ) { try If($0) },
    OperatorDefinition(
      "Loop", versions: [1, 11, 13, 16, 19, 21, 23, 24], inputs: 0...OperatorDefinition.many,
      outputs: 1...OperatorDefinition.many
    ) { try Loop($0) },
  ]
}

/// The input, as it is.
private struct Identity: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    [try context.input(0, of: inputs)]
  }
}

/// One value, as often as a shape says.
private struct ConstantOfShape: Kernel {
  let value: Tensor

  init(_ node: NodeInfo) throws {
    value = try node.tensor("value") ?? Tensor(scalar: Float(0))
    guard value.count == 1, value.elementType != .string else {
      throw node.failure("value must be one number, got \(value.elementType)\(value.shape)")
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let shape = try context.integers(try context.input(0, of: inputs))
    let output = try context.allocate(value.elementType, shape)
    let size = value.elementType.byteCount
    let target = output.mutableBytes
    for index in 0..<output.count {
      (target + index * size).copyMemory(from: value.bytes, byteCount: size)
    }
    return [output]
  }
}

/// The input, as it is: nothing is dropped outside training.
private struct Dropout: Kernel {
  let givesMask: Bool

  init(_ node: NodeInfo) throws {
    givesMask = node.outputCount > 1 && node.hasOutput[1]
    if node.opset < 7, try !node.flag("is_test") { throw node.unsupported("training mode") }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    if let training = context.optionalInput(2, of: inputs),
      try training.array(of: Bool.self).first == true
    {
      throw context.unsupported("training mode")
    }
    guard givesMask else { return [input] }
    let mask = try context.allocate(.bool, input.shape)
    mask.mutablePointer(to: Bool.self).update(repeating: true, count: mask.count)
    return [input, mask]
  }
}

/// One of two graphs.
private struct If: Kernel {
  let accepted: Subgraph
  let rejected: Subgraph

  init(_ node: NodeInfo) throws {
    accepted = try node.subgraph("then_branch")
    rejected = try node.subgraph("else_branch")
    for branch in [accepted, rejected] {
      guard branch.inputCount == 0, branch.outputCount == node.outputCount else {
        throw node.failure(
          "its branches must take no inputs and have \(node.outputCount) outputs")
      }
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let condition = try context.input(0, of: inputs)
    guard condition.elementType == .bool, condition.count == 1 else {
      throw context.failure(
        "the condition must be one bool, got \(condition.elementType)\(condition.shape)")
    }
    let branch = condition.pointer(to: Bool.self)[0] ? accepted : rejected
    return try branch.run([], capturingFrom: inputs, in: context)
  }
}

/// A graph, again and again, for a number of times or as long as a condition holds.
private struct Loop: Kernel {
  let body: Subgraph
  /// Values handed from one turn to the next.
  let carried: Int
  /// Values collected over the turns.
  let collected: Int

  init(_ node: NodeInfo) throws {
    body = try node.subgraph("body")
    carried = node.inputCount - 2
    collected = node.outputCount - carried
    guard carried >= 0, collected >= 0, body.inputCount == 2 + carried,
      body.outputCount == 1 + carried + collected
    else {
      throw node.failure(
        "its body takes \(body.inputCount) inputs and has \(body.outputCount) outputs, which does "
          + "not fit a node of \(node.inputCount) and \(node.outputCount)")
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let limit = try context.optionalInput(0, of: inputs).map { trips -> Int in
      guard let first = try context.integers(trips).first else {
        throw context.failure("the number of turns is empty")
      }
      return first
    }
    func isTrue(_ tensor: Tensor) throws -> Bool {
      guard let value = try tensor.array(of: Bool.self).first else {
        throw context.failure("the condition is empty")
      }
      return value
    }
    var goesOn = try context.optionalInput(1, of: inputs).map(isTrue) ?? true
    var values = try (0..<carried).map { try context.input(2 + $0, of: inputs) }
    var scans = [[Tensor]](repeating: [], count: collected)
    var turn = 0
    while goesOn, turn < limit ?? .max {
      try context.checkCancellation()
      let results = try body.run(
        [Tensor(scalar: Int64(turn)), Tensor(scalar: true)] + values, capturingFrom: inputs,
        in: context)
      goesOn = try isTrue(results[0])
      values = Array(results[1..<1 + carried])
      for index in 0..<collected { scans[index].append(results[1 + carried + index]) }
      turn += 1
    }
    return try values + scans.map { try stacked($0, context) }
  }

  /// One tensor of all turns' values, along a new first dimension.
  private func stacked(_ tensors: [Tensor], _ context: KernelContext) throws -> Tensor {
    guard let first = tensors.first else {
      throw context.unsupported("collecting values over no turns")
    }
    guard
      tensors.allSatisfy({ $0.shape == first.shape && $0.elementType == first.elementType })
    else { throw context.failure("values collected over the turns differ in shape") }
    let shape = [tensors.count] + first.shape
    if first.elementType == .string {
      return try Tensor(shape: shape, strings: tensors.flatMap { try $0.strings() })
    }
    let output = try context.allocate(first.elementType, shape)
    for (index, tensor) in tensors.enumerated() {
      (output.mutableBytes + index * first.byteCount).copyMemory(
        from: tensor.bytes, byteCount: first.byteCount)
    }
    return output
  }
}
