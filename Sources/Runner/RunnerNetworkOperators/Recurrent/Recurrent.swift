import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Recurrent layers.
  package static let recurrent: [Operator] = [
    Operator(
      "RNN", versions: [7, 14, 22], inputs: 3...6, outputs: 0...2, types: .real,
      attributes: .recurrent, shape: .recurrent
    ) { node in
      try RecurrentLayer(node, .simple, gates: 1, defaults: ["Tanh"])
    },
    Operator(
      "GRU", versions: [7, 14, 22], inputs: 3...6, outputs: 0...2, types: .real,
      attributes: .recurrent, shape: .recurrent
    ) { node in
      try RecurrentLayer(node, .gru, gates: 3, defaults: ["Sigmoid", "Tanh"])
    },
    Operator(
      "LSTM", versions: [7, 14, 22], inputs: 3...8, outputs: 0...3, types: .real,
      attributes: .recurrent, shape: .recurrent
    ) { node in
      try RecurrentLayer(node, .lstm, gates: 4, defaults: ["Sigmoid", "Tanh", "Tanh"])
    },
  ]
}

extension AttributeKinds {
  fileprivate static let recurrent: Self = [
    "activation_alpha": .floats, "activation_beta": .floats, "activations": .strings,
    "clip": .float, "direction": .string, "hidden_size": .int, "input_forget": .int, "layout": .int,
    "linear_before_reset": .int,
  ]
}

extension ShapeRule {
  /// The states at all steps, and the last ones.
  fileprivate static let recurrent = ShapeRule { query in
    let input = try query.input(0)
    guard input.shape.count == 3, let hidden = try query.info.int("hidden_size") else {
      throw ShapeQuery.Unknown()
    }
    let (first, second) = (input.shape[0], input.shape[1])
    let directions = try query.info.string("direction") == "bidirectional" ? 2 : 1
    let shapes =
      try query.info.flag("layout")
      ? [[first, second, directions, hidden], [first, directions, hidden]]
      : [[first, directions, second, hidden], [directions, second, hidden]]
    return (shapes + shapes[1...]).map { ValueFact(input.type, $0) }
  }
}

/// RNN, GRU (Cho et al., 2014) and LSTM (Hochreiter and Schmidhuber, 1997), in one or both directions.
///
/// Weights lie in panels, from when they are known. The inputs' part of the gates is one product for many
/// steps; the state's part is one for each step.
struct RecurrentLayer: Kernel {
  enum Cell {
    case simple, gru, lstm
  }

  let cell: Cell
  let gates: Int
  let hidden: Int
  let directions: Int
  let isReversed: Bool
  let isBatchFirst: Bool
  let resetsAfterProduct: Bool
  let couplesGates: Bool
  let clip: Float?
  /// Those of the forward direction, then those of the backward one.
  let functions: [RecurrentFunction]
  /// The weights for the input and those for the state, if they are known at load.
  private let packedInput: PackedWeights?
  private let packedState: PackedWeights?

  init(_ node: NodeInfo, _ cell: Cell, gates: Int, defaults: [String]) throws {
    self.cell = cell
    self.gates = gates
    guard let size = try node.int("hidden_size"), size > 0, size < 1 << 24 else {
      throw node.failure("attribute 'hidden_size' is missing or out of range")
    }
    hidden = size
    let direction = try node.string("direction", default: "forward")
    guard ["forward", "reverse", "bidirectional"].contains(direction) else {
      throw node.failure("attribute 'direction' is '\(direction)'")
    }
    directions = direction == "bidirectional" ? 2 : 1
    isReversed = direction == "reverse"
    isBatchFirst = try node.flag("layout")
    resetsAfterProduct = try node.flag("linear_before_reset")
    couplesGates = try node.flag("input_forget")
    clip = try node.float("clip")
    let names = try node.strings("activations") ?? (0..<directions).flatMap { _ in defaults }
    guard names.count == defaults.count * directions else {
      throw node.failure("\(names.count) activations, expected \(defaults.count * directions)")
    }
    var alphas = (try node.floats("activation_alpha") ?? []).makeIterator()
    var betas = (try node.floats("activation_beta") ?? []).makeIterator()
    functions = try names.map { try RecurrentFunction($0, &alphas, &betas, node) }
    let rows = gates * hidden
    let stateParts = Self.stateParts(cell, hidden)
    func packed(_ index: Int, _ parts: [Int], _ use: String) -> PackedWeights? {
      guard let tensor = node.constant(index), tensor.elementType == .float32, tensor.rank == 3,
        tensor.shape[0] == (direction == "bidirectional" ? 2 : 1), tensor.shape[1] == rows
      else { return nil }
      let panels = GatePanels(directions: tensor.shape[0], depth: tensor.shape[2], parts: parts)
      return node.packed(
        tensor, as: "gates \(use) \(parts)", mostBytes: panels.count * MemoryLayout<Float>.stride
      ) { tensor, memory in
        let storage = memory.storage(byteCount: panels.count * MemoryLayout<Float>.stride)
        panels.pack(
          tensor.pointer(to: Float.self), into: storage.base.assumingMemoryBound(to: Float.self))
        return storage
      }
    }
    packedInput = packed(1, [rows], "of input")
    packedState = packed(2, stateParts, "of state")
  }

  /// Columns of the products with the state: a GRU's candidate has one of its own.
  private static func stateParts(_ cell: Cell, _ hidden: Int) -> [Int] {
    switch cell {
    case .simple: return [hidden]
    case .gru: return [2 * hidden, hidden]
    case .lstm: return [4 * hidden]
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    var input = try context.input(0, of: inputs)
    let type = input.elementType
    guard input.rank == 3, type.isFloatingPoint else {
      throw context.failure("input \(type)\(input.shape), expected rank 3")
    }
    if isBatchFirst { input = try context.transposed(input, [1, 0, 2]) }
    let (steps, batch, width) = (input.shape[0], input.shape[1], input.shape[2])
    let rows = gates * hidden
    func parameter(_ index: Int, _ shape: [Int]) throws -> Tensor? {
      guard var tensor = context.optionalInput(index, of: inputs) else { return nil }
      if isBatchFirst, index == 5 || index == 6, tensor.rank == 3 {
        tensor = try context.transposed(tensor, [1, 0, 2])
      }
      guard tensor.shape == shape else {
        throw context.failure("input \(index) has shape \(tensor.shape), expected \(shape)")
      }
      return try context.converted(tensor, to: .float32)
    }
    guard let weights = try parameter(1, [directions, rows, width]),
      let recurrence = try parameter(2, [directions, rows, hidden])
    else { throw context.failure("weights are missing") }
    let biases = try parameter(3, [directions, 2 * rows])
    let lengths = try context.optionalInput(4, of: inputs).map { try context.integers($0) }
    if let lengths, lengths.count != batch || !lengths.allSatisfy({ $0 >= 0 && $0 <= steps }) {
      throw context.failure("lengths \(lengths) for \(batch) sequences of \(steps) steps")
    }
    let startHidden = try parameter(5, [directions, batch, hidden])
    let startCell = cell == .lstm ? try parameter(6, [directions, batch, hidden]) : nil
    let peepholes = cell == .lstm ? try parameter(7, [directions, 3 * hidden]) : nil
    let value = try context.converted(input, to: .float32)

    let all = try context.allocate(.float32, [steps, directions, batch, hidden])
    let last = try context.allocate(.float32, [directions, batch, hidden])
    let lastCell = try context.allocate(.float32, [directions, batch, hidden])
    if lengths?.contains(where: { $0 < steps }) ?? false {
      all.mutableBytes.initializeMemory(as: UInt8.self, repeating: 0, count: all.byteCount)
    }
    for (tensor, start) in [(last, startHidden), (lastCell, startCell)] {
      let values = tensor.mutablePointer(to: Float.self)
      if let start {
        values.update(from: start.pointer(to: Float.self), count: tensor.count)
      } else {
        values.update(repeating: 0, count: tensor.count)
      }
    }
    let forInput = GatePanels(directions: directions, depth: width, parts: [rows])
    let forState = GatePanels(
      directions: directions, depth: hidden, parts: Self.stateParts(cell, hidden))
    let run = RecurrentRun(
      layer: self, steps: steps, batch: batch, width: width, lengths: lengths,
      input: value.pointer(to: Float.self),
      inputWeights: try panels(forInput, packedInput, weights, in: context),
      stateWeights: try panels(forState, packedState, recurrence, in: context),
      biases: biases, peepholes: peepholes, all: all.mutablePointer(to: Float.self),
      last: last.mutablePointer(to: Float.self), lastCell: lastCell.mutablePointer(to: Float.self))
    try withExtendedLifetime((value, biases, peepholes)) {
      try run.compute(in: context)
    }
    var outputs = [all, last] + (cell == .lstm ? [lastCell] : [])
    if isBatchFirst {
      outputs[0] = try context.transposed(all, [2, 0, 1, 3])
      for index in 1..<outputs.count {
        outputs[index] = try context.transposed(outputs[index], [1, 0, 2])
      }
    }
    return try outputs.map { try context.converted($0, to: type) }
  }

  /// Weights in panels: those of the load, or made now.
  private func panels(
    _ form: GatePanels, _ known: PackedWeights?, _ weights: Tensor, in context: KernelContext
  ) throws -> RecurrentRun.Weights {
    if let known { return .init(form: form, values: known.floats, owner: nil) }
    let tensor = try context.allocate(.float32, [form.count])
    let values = tensor.mutablePointer(to: Float.self)
    form.pack(weights.pointer(to: Float.self), into: values)
    return .init(form: form, values: UnsafePointer(values), owner: tensor)
  }
}

/// Weights of gates as the products read them: for each direction, and each product in it, panels.
struct GatePanels: Sendable {
  let directions: Int
  let depth: Int
  /// How many columns each of the products has, one after the other.
  let parts: [Int]

  private func size(_ columns: Int) -> Int { vk_panel_count(columns) * depth * Int(VK_PANEL) }

  /// Floats of all panels.
  var count: Int { directions * parts.reduce(0) { $0 + size($1) } }

  /// The offset at which the panels of one product begin.
  func offset(direction: Int, part: Int) -> Int {
    direction * count / directions + parts[..<part].reduce(0) { $0 + size($1) }
  }

  /// Packs weights of [directions, all columns, depth].
  func pack(_ weights: UnsafePointer<Float>, into panels: UnsafeMutablePointer<Float>) {
    guard depth > 0 else { return }
    var source = weights
    for direction in 0..<directions {
      for (part, columns) in parts.enumerated() {
        vk_pack_right_f32(
          source, 1, depth, depth, columns, 1,
          panels + offset(direction: direction, part: part), 0, vk_panel_count(columns))
        source += columns * depth
      }
    }
  }
}
