import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// What runs graphs that are attributes.
  package static let subgraphs: [Operator] = [
    Operator(
      "If", versions: [1, 11, 13, 16, 19, 21, 23, 24], inputs: 1...1, outputs: 1...Operator.many,
      types: .any, attributes: ["else_branch": .graph, "then_branch": .graph], shape: .dependsOnData
    ) { try If($0) },
    Operator(
      "Loop", versions: [1, 11, 13, 16, 19, 21, 23, 24], inputs: 0...Operator.many,
      outputs: 1...Operator.many, types: .any, attributes: ["body": .graph], shape: .dependsOnData,
      limits: "Values collected over no turns are refused: their shape is not known."
    ) { try Loop($0) },
    Operator(
      "Scan", versions: [8, 9, 11, 16, 19, 21, 23, 24], inputs: 0...Operator.many,
      outputs: 1...Operator.many, types: .numeric + .bool,
      attributes: [
        "body": .graph, "directions": .ints, "num_scan_inputs": .int, "scan_input_axes": .ints,
        "scan_input_directions": .ints, "scan_output_axes": .ints, "scan_output_directions": .ints,
      ],
      shape: .dependsOnData,
      limits: "Values collected over no turns are refused. At opset 8 without lengths of sequences."
    ) { try Scan($0) },
  ]
}

/// One of two graphs.
private struct If: ValueKernel {
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

  func run(values: [ModelValue?], in context: KernelContext) throws -> [ModelValue] {
    let condition = try context.isTrue(context.tensor(0, of: values))
    return try (condition ? accepted : rejected).run([], capturingFrom: values, in: context)
  }
}

/// A graph, again and again, for a number of times or as long as a condition holds.
private struct Loop: ValueKernel {
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

  func run(values: [ModelValue?], in context: KernelContext) throws -> [ModelValue] {
    let limit = try context.optionalTensor(0, of: values).map { try context.integer($0) }
    var goesOn = try context.optionalTensor(1, of: values).map { try context.isTrue($0) } ?? true
    // An option that is empty may be handed on like any value.
    var state = (0..<carried).map { values[2 + $0] ?? .absent }
    var scans = [[Tensor]](repeating: [], count: collected)
    let turns = try body.turns(capturingFrom: values, in: context)
    var turn = 0
    while goesOn, turn < limit ?? .max {
      try context.checkCancellation()
      let results = try turns.run(
        [.tensor(Tensor(scalar: Int64(turn))), .tensor(Tensor(scalar: true))] + state)
      goesOn = try context.isTrue(context.tensor(0, of: results))
      state = Array(results[1..<1 + carried])
      for index in 0..<collected {
        try context.checkRoom(forCount: turn)
        scans[index].append(try context.tensor(1 + carried + index, of: results))
      }
      turn += 1
    }
    return try state
      + scans.map { tensors in
        guard !tensors.isEmpty else {
          throw context.unsupported("collecting values over no turns")
        }
        return .tensor(try context.stacked(tensors, axis: 0))
      }
  }
}

/// A graph for each slice of some tensors, its state handed on from one to the next, its results
/// stacked.
private struct Scan: ValueKernel {
  let body: Subgraph
  let states: Int
  let scans: Int
  let inputAxes: [Int]
  let outputAxes: [Int]
  let inputReversed: [Bool]
  let outputReversed: [Bool]
  /// Opset 8 has lengths as the first input, and a batch as the first dimension of everything.
  let isBatched: Bool

  init(_ node: NodeInfo) throws {
    body = try node.subgraph("body")
    isBatched = node.opset < 9
    guard let scans = try node.int("num_scan_inputs") else {
      throw node.failure("num_scan_inputs must be given")
    }
    let inputs = node.inputCount - (isBatched ? 1 : 0)
    guard scans > 0, scans <= inputs, body.inputCount == inputs,
      body.outputCount == node.outputCount, node.outputCount >= inputs - scans
    else {
      throw node.failure(
        "its body takes \(body.inputCount) inputs and has \(body.outputCount) outputs, which does "
          + "not fit a node of \(node.inputCount) and \(node.outputCount) with \(scans) scans")
    }
    self.scans = scans
    states = inputs - scans
    let results = node.outputCount - states
    func list(_ name: String, _ count: Int) throws -> [Int] {
      let values = try node.ints(name) ?? [Int](repeating: 0, count: count)
      guard values.count == count else {
        throw node.failure("\(name) must have \(count) entries, got \(values.count)")
      }
      return values
    }
    inputAxes = try list("scan_input_axes", scans)
    outputAxes = try list("scan_output_axes", results)
    inputReversed = try list(isBatched ? "directions" : "scan_input_directions", scans)
      .map { $0 != 0 }
    outputReversed = try list("scan_output_directions", results).map { $0 != 0 }
  }

  func run(values: [ModelValue?], in context: KernelContext) throws -> [ModelValue] {
    guard isBatched else { return try scan(Array(values.prefix(states + scans)), values, context) }
    guard try context.optionalTensor(0, of: values) == nil else {
      throw context.unsupported("sequences of different lengths")
    }
    let given = try (1...states + scans).map { try context.tensor($0, of: values) }
    guard let batch = given[0].shape.first,
      given.allSatisfy({ $0.rank > 0 && $0.shape[0] == batch }), batch > 0
    else { throw context.failure("its inputs differ in their first dimension, the batch") }
    var results = [[Tensor]](repeating: [], count: body.outputCount)
    for item in 0..<batch {
      let slices = try given.map {
        ModelValue.tensor(try context.slice($0, item, axis: 0))
      }
      for (index, value) in try scan(slices, values, context).enumerated() {
        results[index].append(try context.tensor(0, of: [value]))
      }
    }
    return try results.map { .tensor(try context.stacked($0, axis: 0)) }
  }

  private func scan(
    _ arguments: [ModelValue?], _ captured: [ModelValue?], _ context: KernelContext
  ) throws -> [ModelValue] {
    var state = try (0..<states).map { try context.value($0, of: arguments) }
    let inputs = try (0..<scans).map { try context.tensor(states + $0, of: arguments) }
    let axes = try zip(inputs, inputAxes).map { input, axis in
      try context.normalizedAxis(axis, rank: input.rank)
    }
    let lengths = zip(inputs, axes).map { $0.shape[$1] }
    guard let length = lengths.first, lengths.allSatisfy({ $0 == length }) else {
      throw context.failure("it scans over lengths \(lengths)")
    }
    var results = [[Tensor]](repeating: [], count: body.outputCount - states)
    let turns = try body.turns(capturingFrom: captured, in: context)
    for turn in 0..<length {
      try context.checkCancellation()
      let slices = try inputs.indices.map { index in
        ModelValue.tensor(
          try context.slice(
            inputs[index], inputReversed[index] ? length - 1 - turn : turn, axis: axes[index]))
      }
      let outputs = try turns.run(state + slices)
      state = Array(outputs.prefix(states))
      for index in results.indices {
        results[index].append(try context.tensor(states + index, of: outputs))
      }
    }
    return try state
      + results.indices.map { index in
        guard !results[index].isEmpty else {
          throw context.unsupported("collecting values over no turns")
        }
        let tensors = outputReversed[index] ? results[index].reversed() : results[index]
        return .tensor(try context.stacked(tensors, axis: outputAxes[index]))
      }
  }
}
