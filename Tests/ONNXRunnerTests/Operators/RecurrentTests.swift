import Foundation
import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// A recurrent layer of one or two directions, step by step and in double precision.
private struct PlainLayer {
  var operation: String
  var steps = 5
  var batch = 1
  var width = 7
  var hidden = 6
  var direction = "forward"
  var lengths: [Int]?
  var hasBias = true
  var hasStart = true
  var hasPeepholes = false
  var resetsAfterProduct = false
  var couplesGates = false
  var clip: Float?
  var activations: [String]?
  /// How large weights are; with large ones a long sequence is chaotic.
  var weights: Float = 2

  var gates: Int { operation == "LSTM" ? 4 : operation == "GRU" ? 3 : 1 }
  var directions: Int { direction == "bidirectional" ? 2 : 1 }

  var attributes: [String: AttributeValue] {
    var result: [String: AttributeValue] = [
      "hidden_size": .int(hidden), "direction": .string(direction),
    ]
    if operation == "GRU" { result["linear_before_reset"] = .int(resetsAfterProduct ? 1 : 0) }
    if operation == "LSTM" { result["input_forget"] = .int(couplesGates ? 1 : 0) }
    if let clip { result["clip"] = .float(clip) }
    if let activations { result["activations"] = .strings(activations) }
    return result
  }

  var inputs: [Tensor?] {
    let rows = gates * hidden
    var all: [Tensor?] = [
      noise([steps, batch, width], seed: 1), weights([directions, rows, width], seed: 2),
      weights([directions, rows, hidden], seed: 3),
      hasBias ? noise([directions, 2 * rows], seed: 4) : nil,
      lengths.map { tensor([batch], $0.map { Int32($0) }) },
      hasStart ? noise([directions, batch, hidden], seed: 5) : nil,
    ]
    if operation == "LSTM" {
      all.append(hasStart ? noise([directions, batch, hidden], seed: 6) : nil)
      all.append(hasPeepholes ? noise([directions, 3 * hidden], seed: 7) : nil)
    }
    return all
  }

  private func weights(_ shape: [Int], seed: UInt64) -> Tensor {
    tensor(shape, noise(shape.reduce(1, *), seed: seed, in: -weights...weights))
  }

  private func function(_ index: Int, _ x: Double) -> Double {
    // An LSTM's cell is not limited.
    let bound = index < 2 ? clip.map(Double.init) ?? .infinity : .infinity
    let x = min(max(x, -bound), bound)
    let usual = operation == "RNN" ? ["Tanh"] : ["Sigmoid", "Tanh", "Tanh"]
    switch (activations ?? usual)[index] {
    case "Sigmoid": return 1 / (1 + exp(-x))
    case "Relu": return max(x, 0)
    case "Softsign": return x / (1 + abs(x))
    case "HardSigmoid": return min(max(0.2 * x + 0.5, 0), 1)
    default: return tanh(x)
    }
  }

  /// The states at all steps, the last ones and the last cells.
  func outputs() throws -> [[Double]] {
    let given = try inputs.map { tensor -> [Double]? in
      try tensor.map { try $0.floats().map(Double.init) }
    }
    let values = given + [[Double]?](repeating: nil, count: 8 - given.count)
    let rows = gates * hidden
    var all = [Double](repeating: 0, count: steps * directions * batch * hidden)
    var last = [Double](repeating: 0, count: directions * batch * hidden)
    var lastCell = last
    for way in 0..<directions {
      for sequence in 0..<batch {
        let place = (way * batch + sequence) * hidden
        var state = (0..<hidden).map { values[5]?[place + $0] ?? 0 }
        var cell = (0..<hidden).map { values[6]?[place + $0] ?? 0 }
        let length = lengths?[sequence] ?? steps
        for step in 0..<length {
          let isBackward = direction == "reverse" || way == 1
          let time = isBackward ? length - 1 - step : step
          func input(_ row: Int) -> Double {
            let start = (way * rows + row) * width
            return (0..<width).reduce(values[3]?[2 * way * rows + row] ?? 0) {
              let x = values[0]?[(time * batch + sequence) * width + $1] ?? 0
              return $0 + (values[1]?[start + $1] ?? 0) * x
            }
          }
          func past(_ row: Int, _ state: [Double]) -> Double {
            let start = (way * rows + row) * hidden
            return (0..<hidden).reduce(values[3]?[(2 * way + 1) * rows + row] ?? 0) {
              $0 + (values[2]?[start + $1] ?? 0) * state[$1]
            }
          }
          func peephole(_ gate: Int, _ index: Int) -> Double {
            values[7]?[(way * 3 + gate) * hidden + index] ?? 0
          }
          let old = state
          switch operation {
          case "RNN": state = (0..<hidden).map { function(0, input($0) + past($0, old)) }
          case "GRU":
            let reset = (0..<hidden).map {
              function(0, input(hidden + $0) + past(hidden + $0, old))
            }
            let damped = (0..<hidden).map { reset[$0] * old[$0] }
            for index in 0..<hidden {
              let update = function(0, input(index) + past(index, old))
              let row = 2 * hidden + index
              let memory = resetsAfterProduct ? reset[index] * past(row, old) : past(row, damped)
              let candidate = function(1, input(row) + memory)
              state[index] = (1 - update) * candidate + update * old[index]
            }
          default:
            for index in 0..<hidden {
              func gate(_ number: Int) -> Double {
                input(number * hidden + index) + past(number * hidden + index, old)
              }
              let before = cell[index]
              let open = function(0, gate(0) + peephole(0, index) * before)
              let forget =
                couplesGates ? 1 - open : function(0, gate(2) + peephole(2, index) * before)
              cell[index] = forget * before + open * function(1, gate(3))
              let shown = function(0, gate(1) + peephole(1, index) * cell[index])
              state[index] = shown * function(2, cell[index])
            }
          }
          for index in 0..<hidden {
            all[((time * directions + way) * batch + sequence) * hidden + index] = state[index]
          }
        }
        for index in 0..<hidden {
          last[place + index] = state[index]
          lastCell[place + index] = cell[index]
        }
      }
    }
    return [all, last] + (operation == "LSTM" ? [lastCell] : [])
  }
}

@Suite("Recurrent layers")
struct RecurrentTests {
  private static let layers = [
    PlainLayer(operation: "RNN"),
    PlainLayer(operation: "RNN", batch: 3, direction: "bidirectional", lengths: [5, 0, 3]),
    PlainLayer(operation: "RNN", hidden: 40, hasBias: false, clip: 0.7, activations: ["Relu"]),
    PlainLayer(operation: "GRU"),
    PlainLayer(operation: "GRU", hasStart: false, resetsAfterProduct: true),
    PlainLayer(operation: "GRU", steps: 9, batch: 5, hidden: 33, direction: "bidirectional"),
    PlainLayer(
      operation: "GRU", batch: 9, hidden: 17, direction: "reverse", resetsAfterProduct: true),
    PlainLayer(
      operation: "GRU", batch: 4, direction: "bidirectional", lengths: [2, 5, 5, 1],
      hasBias: false, resetsAfterProduct: true, clip: 0.5,
      activations: ["HardSigmoid", "Softsign", "HardSigmoid", "Softsign"]),
    PlainLayer(operation: "LSTM"),
    PlainLayer(operation: "LSTM", steps: 1, batch: 2, hasBias: false, hasStart: false),
    PlainLayer(operation: "LSTM", batch: 11, hidden: 35, direction: "bidirectional"),
    PlainLayer(operation: "LSTM", direction: "reverse", hasPeepholes: true, clip: 0.9),
    PlainLayer(
      operation: "LSTM", batch: 3, direction: "bidirectional", lengths: [1, 4, 5],
      hasPeepholes: true, couplesGates: true),
    // So many steps that their gates are worked out in several turns.
    PlainLayer(
      operation: "LSTM", steps: 150, width: 3, hidden: 130, direction: "bidirectional", weights: 0.1
    ),
    // So wide that several threads share each step's products.
    PlainLayer(operation: "LSTM", steps: 3, hidden: 270, weights: 0.1),
    PlainLayer(
      operation: "GRU", steps: 3, hidden: 530, direction: "reverse", resetsAfterProduct: true,
      weights: 0.1),
    PlainLayer(operation: "RNN", steps: 3, hidden: 600, weights: 0.1),
  ]

  @Test("Every kind is what its equations say, on any number of threads", arguments: layers.indices)
  func equations(index: Int) throws {
    let layer = Self.layers[index]
    let expected = try layer.outputs()
    var known: [[UInt32]]?
    for (threads, constants) in [(1, []), (2, []), (5, []), (1, [1, 2]), (3, [1, 2])] {
      let results = try run(
        layer.operation, attributes: layer.attributes, outputs: expected.count, threads: threads,
        constants: Set(constants), layer.inputs)
      let values = try results.map { try $0.array(of: Float.self) }
      for (got, expected) in zip(values, expected) {
        #expect(firstDifference(got, expected, relative: 1e-4, absolute: 2e-5) == nil)
      }
      let bits = values.map { $0.map(\.bitPattern) }
      if let known { #expect(bits == known) } else { known = bits }
    }
  }

  @Test("The batch may come first")
  func batchFirst() throws {
    let layer = PlainLayer(operation: "LSTM", batch: 3, hasStart: false)
    let usual = try run("LSTM", attributes: layer.attributes, outputs: 3, layer.inputs)
    var inputs = layer.inputs
    inputs[0] = try run(
      "Transpose", attributes: ["perm": .ints([1, 0, 2])], [inputs[0]])[0]
    let attributes = layer.attributes.merging(["layout": .int(1)]) { $1 }
    let other = try run("LSTM", attributes: attributes, outputs: 3, inputs)
    #expect(other[0].shape == [3, 5, 1, 6] && other[1].shape == [3, 1, 6])
    #expect(try other[1].floats() == usual[1].floats())
    let back = try run("Transpose", attributes: ["perm": .ints([1, 2, 0, 3])], [other[0]])[0]
    #expect(try back.floats() == usual[0].floats())
  }

  @Test("Without steps, states stay as they began")
  func noSteps() throws {
    let layer = PlainLayer(operation: "GRU", steps: 0)
    let results = try run("GRU", attributes: layer.attributes, outputs: 2, layer.inputs)
    #expect(results[0].shape == [0, 1, 1, 6])
    #expect(try results[1].floats() == layer.inputs[5]?.floats())
  }

  @Test("Weights that do not fit are an error, known at load or not")
  func wrongShapes() throws {
    let layer = PlainLayer(operation: "LSTM")
    for index in [1, 2] {
      for constants in [Set<Int>(), [1, 2]] {
        var inputs = layer.inputs
        inputs[index] = noise([1, 24, 5], seed: 1)
        #expect(throws: ModelError.self) {
          try run(
            "LSTM", attributes: layer.attributes, outputs: 3, constants: constants, inputs)
        }
      }
    }
  }
}
