import Foundation
import RunnerGraph
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
private struct RecurrentLayer: Kernel {
  enum Cell {
    case simple, gru, lstm
  }

  typealias Function = @Sendable (Float) -> Float

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
  let functions: [Function]

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
    functions = try names.map { try Self.function($0, &alphas, &betas, node) }
  }

  private static func function(
    _ name: String, _ alphas: inout IndexingIterator<[Float]>,
    _ betas: inout IndexingIterator<[Float]>, _ node: NodeInfo
  ) throws -> Function {
    switch name.lowercased() {
    case "relu": return { max($0, 0) }
    case "tanh": return { tanh($0) }
    case "sigmoid": return { 1 / (1 + exp(-$0)) }
    case "softsign": return { $0 / (1 + abs($0)) }
    case "softplus": return { max($0, 0) + log1p(exp(-abs($0))) }
    case "affine":
      let (alpha, beta) = (alphas.next() ?? 1, betas.next() ?? 0)
      return { alpha * $0 + beta }
    case "leakyrelu":
      let alpha = alphas.next() ?? 0.01
      return { $0 < 0 ? alpha * $0 : $0 }
    case "thresholdedrelu":
      let alpha = alphas.next() ?? 1
      return { $0 >= alpha ? $0 : 0 }
    case "scaledtanh":
      let (alpha, beta) = (alphas.next() ?? 1, betas.next() ?? 1)
      return { alpha * tanh(beta * $0) }
    case "hardsigmoid":
      let (alpha, beta) = (alphas.next() ?? 0.2, betas.next() ?? 0.5)
      return { min(max(alpha * $0 + beta, 0), 1) }
    case "elu":
      let alpha = alphas.next() ?? 1
      return { $0 >= 0 ? $0 : alpha * expm1($0) }
    default: throw node.unsupported("activation '\(name)'")
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
    all.mutableBytes.initializeMemory(as: UInt8.self, repeating: 0, count: all.byteCount)
    let last = try context.allocate(.float32, [directions, batch, hidden])
    let lastCell = try context.allocate(.float32, [directions, batch, hidden])
    let from = value.pointer(to: Float.self)
    let to = all.mutablePointer(to: Float.self)
    for direction in 0..<directions {
      let layer = Layer(
        kernel: self, direction: direction, width: width,
        weights: weights.pointer(to: Float.self) + direction * rows * width,
        recurrence: recurrence.pointer(to: Float.self) + direction * rows * hidden,
        bias: biases.map { $0.pointer(to: Float.self) + direction * 2 * rows },
        peephole: peepholes.map { $0.pointer(to: Float.self) + direction * 3 * hidden })
      context.parallel(batch) { range in
        for sequence in range {
          let place = (direction * batch + sequence) * hidden
          func start(_ tensor: Tensor?) -> [Float] {
            guard let tensor else { return [Float](repeating: 0, count: hidden) }
            return (0..<hidden).map { tensor.pointer(to: Float.self)[place + $0] }
          }
          var state = (hidden: start(startHidden), cell: start(startCell))
          let length = lengths?[sequence] ?? steps
          for step in 0..<length {
            let time = isReversed || direction == 1 ? length - 1 - step : step
            layer.advance(&state, from + (time * batch + sequence) * width)
            let target = to + ((time * directions + direction) * batch + sequence) * hidden
            for index in 0..<hidden { target[index] = state.hidden[index] }
          }
          for index in 0..<hidden {
            last.mutablePointer(to: Float.self)[place + index] = state.hidden[index]
            lastCell.mutablePointer(to: Float.self)[place + index] = state.cell[index]
          }
        }
      }
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
}

/// One direction of a layer; its pointers live as long as the kernel's call.
private struct Layer {
  let kernel: RecurrentLayer
  let direction: Int
  let width: Int
  let weights: UnsafePointer<Float>
  let recurrence: UnsafePointer<Float>
  let bias: UnsafePointer<Float>?
  let peephole: UnsafePointer<Float>?

  private var hidden: Int { kernel.hidden }

  private func function(_ index: Int, _ value: Float) -> Float {
    let bound = kernel.clip ?? .infinity
    let count = kernel.functions.count / kernel.directions
    return kernel.functions[direction * count + index](min(max(value, -bound), bound))
  }

  /// The input's part of a gate, with its bias.
  private func fromInput(_ row: Int, _ input: UnsafePointer<Float>) -> Float {
    rk_dot_f32(weights + row * width, input, width) + (bias?[row] ?? 0)
  }

  /// The state's part of a gate, with its bias.
  private func fromState(_ row: Int, _ state: [Float]) -> Float {
    rk_dot_f32(recurrence + row * hidden, state, hidden)
      + (bias?[kernel.gates * hidden + row] ?? 0)
  }

  /// One time step.
  func advance(
    _ state: inout (hidden: [Float], cell: [Float]), _ input: UnsafePointer<Float>
  ) {
    let old = state.hidden
    switch kernel.cell {
    case .simple:
      for index in 0..<hidden {
        state.hidden[index] = function(0, fromInput(index, input) + fromState(index, old))
      }
    case .gru: advanceGated(&state.hidden, old, input)
    case .lstm:
      for index in 0..<hidden {
        func gate(_ number: Int) -> Float {
          let row = number * hidden + index
          return fromInput(row, input) + fromState(row, old)
        }
        // The gates lie in the order input, output, forget, cell; peepholes input, output, forget.
        let before = state.cell[index]
        let forget = function(0, gate(2) + (peephole?[2 * hidden + index] ?? 0) * before)
        let open =
          kernel.couplesGates
          ? 1 - forget : function(0, gate(0) + (peephole?[index] ?? 0) * before)
        let now = forget * before + open * function(1, gate(3))
        let shown = function(0, gate(1) + (peephole?[hidden + index] ?? 0) * now)
        state.cell[index] = now
        state.hidden[index] = shown * function(2, now)
      }
    }
  }

  private func advanceGated(
    _ state: inout [Float], _ old: [Float], _ input: UnsafePointer<Float>
  ) {
    let reset = (0..<hidden).map { index in
      let row = hidden + index
      return function(0, fromInput(row, input) + fromState(row, old))
    }
    let damped = (0..<hidden).map { reset[$0] * old[$0] }
    for index in 0..<hidden {
      let update = function(0, fromInput(index, input) + fromState(index, old))
      let row = 2 * hidden + index
      let memory =
        kernel.resetsAfterProduct ? reset[index] * fromState(row, old) : fromState(row, damped)
      let candidate = function(1, fromInput(row, input) + memory)
      state[index] = (1 - update) * candidate + update * old[index]
    }
  }
}
