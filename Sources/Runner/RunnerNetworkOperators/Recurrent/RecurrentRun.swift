import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

/// One run of a recurrent layer; its pointers live as long as the kernel's call.
struct RecurrentRun {
  /// Weights in panels.
  struct Weights {
    let form: GatePanels
    let values: UnsafePointer<Float>
    /// What keeps them, if they were made for this run.
    let owner: Tensor?
  }

  let layer: RecurrentLayer
  let steps: Int
  let batch: Int
  let width: Int
  let lengths: [Int]?
  /// Of shape [steps, batch, width].
  let input: UnsafePointer<Float>
  let inputWeights: Weights
  let stateWeights: Weights
  let biases: Tensor?
  let peepholes: Tensor?
  /// Of shape [steps, directions, batch, hidden].
  let all: UnsafeMutablePointer<Float>
  /// Of shape [directions, batch, hidden], at first the states to begin with.
  let last: UnsafeMutablePointer<Float>
  let lastCell: UnsafeMutablePointer<Float>

  /// Floats of the inputs' part that are worked out at a time.
  private static let ahead = 1 << 16
  /// Products of one step that are worth several threads: about 20 microseconds.
  fileprivate static let sharedProducts = 1 << 18

  private var hidden: Int { layer.hidden }
  private var rows: Int { layer.gates * hidden }

  /// Computes all states.
  ///
  /// Values do not depend on which sequences are computed together, so that these may depend on the
  /// number of threads.
  func compute(in context: KernelContext) throws {
    guard batch > 0 else { return }
    let pieces: Int
    if lengths?.contains(where: { $0 != steps }) ?? false {
      pieces = batch
    } else {
      let threads = context.threads.threadCount
      pieces = min((threads + layer.directions - 1) / layer.directions, (batch + 3) / 4)
    }
    let sums = try sumsOfBiases(in: context)
    let most = (batch + pieces - 1) / pieces
    let atOnce = max(1, min(steps, Self.ahead / (most * rows)))
    // The inputs' part of some steps, all gates of one, and a state's worth.
    let scratch = most * ((atOnce + 1) * rows + 2 * hidden)
    // If one thread has it all, the others help with each step's products.
    let helped = layer.directions * pieces == 1 ? context : nil
    try context.parallel(layer.directions * pieces, scratch: scratch) { item, memory in
      let (direction, piece) = item.quotientAndRemainder(dividingBy: pieces)
      let sequences = piece * batch / pieces..<(piece + 1) * batch / pieces
      RecurrentPiece(
        run: self, context: helped, direction: direction, sequences: sequences, stepsAtOnce: atOnce,
        bias: sums.map { $0.pointer(to: Float.self) + direction * rows },
        projected: memory, gates: memory + most * atOnce * rows,
        spare: memory + most * (atOnce + 1) * rows
      ).compute()
    }
    withExtendedLifetime((sums, inputWeights, stateWeights)) {}
  }

  /// What is added to each gate before any step: both biases, except a GRU's candidate that is reset
  /// after the product only the input's.
  private func sumsOfBiases(in context: KernelContext) throws -> Tensor? {
    guard let biases else { return nil }
    let sums = try context.allocate(.float32, [layer.directions, rows])
    let to = sums.mutablePointer(to: Float.self)
    let from = biases.pointer(to: Float.self)
    let apart = layer.cell == .gru && layer.resetsAfterProduct ? 2 * hidden : rows
    for direction in 0..<layer.directions {
      for row in 0..<rows {
        let base = 2 * direction * rows + row
        to[direction * rows + row] = row < apart ? from[base] + from[base + rows] : from[base]
      }
    }
    return sums
  }
}

/// Some sequences in one direction.
private struct RecurrentPiece {
  let run: RecurrentRun
  /// Nil if other pieces run at the same time.
  let context: KernelContext?
  let direction: Int
  /// Sequences that all have the same length.
  let sequences: Range<Int>
  let stepsAtOnce: Int
  let bias: UnsafePointer<Float>?
  /// The inputs' part of the gates, of shape [steps, sequences, rows].
  let projected: UnsafeMutablePointer<Float>
  /// Of shape [sequences, rows].
  let gates: UnsafeMutablePointer<Float>
  /// Twice of shape [sequences, hidden].
  let spare: UnsafeMutablePointer<Float>

  private var layer: RecurrentLayer { run.layer }
  private var hidden: Int { layer.hidden }
  private var rows: Int { layer.gates * hidden }
  private var count: Int { sequences.count }

  private func apply(_ index: Int, _ values: UnsafeMutablePointer<Float>, _ count: Int) {
    let each = layer.functions.count / layer.directions
    // ONNX Runtime does not limit the cell of an LSTM, which its last function gets.
    layer.functions[direction * each + index].apply(
      values, count, bound: index < 2 ? layer.clip : nil)
  }

  func compute() {
    let length = run.lengths?[sequences.lowerBound] ?? run.steps
    let isBackward = layer.isReversed || direction == 1
    let place = (direction * run.batch + sequences.lowerBound) * hidden
    let cells = run.lastCell + place
    var state = UnsafePointer(run.last + place)
    for start in stride(from: 0, to: length, by: stepsAtOnce) {
      let number = min(stepsAtOnce, length - start)
      let first = isBackward ? length - start - number : start
      project(first..<first + number)
      for step in 0..<number {
        let at = isBackward ? number - 1 - step : step
        let target =
          run.all
          + (((first + at) * layer.directions + direction) * run.batch + sequences.lowerBound)
          * hidden
        advance(state, cells, UnsafePointer(projected + at * count * rows), into: target)
        state = UnsafePointer(target)
      }
    }
    if length > 0 { (run.last + place).update(from: state, count: count * hidden) }
  }

  /// The inputs' part of the gates at some steps, with the biases.
  private func project(_ steps: Range<Int>) {
    let source = run.input + (steps.lowerBound * run.batch + sequences.lowerBound) * run.width
    let values = steps.count * count
    guard run.width > 0 else {
      for row in 0..<values {
        for column in 0..<rows { projected[row * rows + column] = bias?[column] ?? 0 }
      }
      return
    }
    if count == 1 || count == run.batch {
      product(
        run.inputWeights, part: 0, source, values, count == 1 ? run.batch * run.width : run.width,
        bias: bias, residual: nil, into: projected, stride: rows)
      return
    }
    for step in 0..<steps.count {
      product(
        run.inputWeights, part: 0, source + step * run.batch * run.width, count, run.width,
        bias: bias, residual: nil, into: projected + step * count * rows, stride: rows)
    }
  }

  /// `left`, `number` rows of it, times a part of the weights.
  private func product(
    _ weights: RecurrentRun.Weights, part: Int, _ left: UnsafePointer<Float>, _ number: Int,
    _ leftStride: Int, bias: UnsafePointer<Float>?, residual: UnsafePointer<Float>?,
    into target: UnsafeMutablePointer<Float>, stride: Int
  ) {
    let columns = weights.form.parts[part]
    let product = vk_product(
      columns: columns, depth: weights.form.depth, a_row: leftStride, a_column: 1, c_row: stride,
      residual_row: rows,
      finish: vk_finish(activation: Activation?.none.kernelFormOrIdentity, residual_first: 0))
    let panels = vk_panel_count(columns)
    let values = weights.values + weights.form.offset(direction: direction, part: part)
    func multiply(_ range: Range<Int>) {
      withUnsafePointer(to: product) {
        vk_packed_gemm_f32(
          $0, left, values, bias, residual, target, 0, number, range.lowerBound, range.count)
      }
    }
    guard let context, number * columns * weights.form.depth >= RecurrentRun.sharedProducts else {
      multiply(0..<panels)
      return
    }
    // Each thread reads the same weights at every step, which then may stay in its own cache.
    let shares = min(context.threads.threadCount, panels)
    context.parallel(shares) { items in
      for item in items { multiply(item * panels / shares..<(item + 1) * panels / shares) }
    }
  }

  /// One step of all sequences.
  private func advance(
    _ state: UnsafePointer<Float>, _ cells: UnsafeMutablePointer<Float>,
    _ fromInput: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>
  ) {
    switch layer.cell {
    case .simple:
      product(
        run.stateWeights, part: 0, state, count, hidden, bias: nil, residual: fromInput,
        into: target, stride: hidden)
      apply(0, target, count * hidden)
    case .gru: advanceGated(state, fromInput, into: target)
    case .lstm:
      product(
        run.stateWeights, part: 0, state, count, hidden, bias: nil, residual: fromInput,
        into: gates, stride: rows)
      for sequence in 0..<count {
        remember(
          gates + sequence * rows, cells + sequence * hidden, into: target + sequence * hidden)
      }
    }
  }

  /// An LSTM's new cell and state, from gates in the order input, output, forget, cell.
  private func remember(
    _ gates: UnsafeMutablePointer<Float>, _ cell: UnsafeMutablePointer<Float>,
    into target: UnsafeMutablePointer<Float>
  ) {
    let (shown, forget, fresh) = (gates + hidden, gates + 2 * hidden, gates + 3 * hidden)
    let peephole = run.peepholes.map { $0.pointer(to: Float.self) + direction * 3 * hidden }
    if let peephole {
      // In the order input, output, forget.
      for index in 0..<hidden {
        gates[index] += peephole[index] * cell[index]
        forget[index] += peephole[2 * hidden + index] * cell[index]
      }
      apply(0, gates, hidden)
      apply(0, forget, hidden)
    } else {
      apply(0, gates, 3 * hidden)
    }
    if layer.couplesGates {
      for index in 0..<hidden { forget[index] = 1 - gates[index] }
    }
    apply(1, fresh, hidden)
    for index in 0..<hidden {
      cell[index] = forget[index] * cell[index] + gates[index] * fresh[index]
      target[index] = cell[index]
    }
    if let peephole {
      for index in 0..<hidden { shown[index] += peephole[hidden + index] * cell[index] }
      apply(0, shown, hidden)
    }
    apply(2, target, hidden)
    rk_binary_f32(RK_MUL, target, 1, shown, 1, target, hidden)
  }

  /// A GRU's new state, from gates in the order update, reset, candidate.
  private func advanceGated(
    _ state: UnsafePointer<Float>, _ fromInput: UnsafePointer<Float>,
    into target: UnsafeMutablePointer<Float>
  ) {
    product(
      run.stateWeights, part: 0, state, count, hidden, bias: nil, residual: fromInput, into: gates,
      stride: rows)
    let (candidates, damped) = (spare, spare + count * hidden)
    if layer.resetsAfterProduct {
      let bias = run.biases.map {
        $0.pointer(to: Float.self) + (2 * direction + 1) * rows + 2 * hidden
      }
      product(
        run.stateWeights, part: 1, state, count, hidden, bias: bias, residual: nil,
        into: candidates, stride: hidden)
    }
    for sequence in 0..<count {
      let gate = gates + sequence * rows
      let reset = gate + hidden
      apply(0, gate, 2 * hidden)
      let old = state + sequence * hidden
      if layer.resetsAfterProduct {
        let candidate = candidates + sequence * hidden
        let part = fromInput + sequence * rows + 2 * hidden
        for index in 0..<hidden { candidate[index] = part[index] + reset[index] * candidate[index] }
      } else {
        let damped = damped + sequence * hidden
        for index in 0..<hidden { damped[index] = reset[index] * old[index] }
      }
    }
    if !layer.resetsAfterProduct {
      product(
        run.stateWeights, part: 1, UnsafePointer(damped), count, hidden, bias: nil,
        residual: fromInput + 2 * hidden, into: candidates, stride: hidden)
    }
    apply(1, candidates, count * hidden)
    for sequence in 0..<count {
      let update = gates + sequence * rows
      for index in 0..<hidden {
        let place = sequence * hidden + index
        target[place] = candidates[place] + update[index] * (state[place] - candidates[place])
      }
    }
  }
}
