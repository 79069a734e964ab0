import Foundation
import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Steps of training: new weights from weights, gradients and what is remembered of earlier ones.
  package static let optimizers: [Operator] = [
    optimizer(
      "Adagrad", states: 1,
      ["decay_factor": .float, "epsilon": .float, "norm_coefficient": .float]
    ) { node in
      let decay = Double(try node.float("decay_factor", default: 0))
      let epsilon = Double(try node.float("epsilon", default: 1e-6))
      let norm = Double(try node.float("norm_coefficient", default: 0))
      return { rate, turn, x, gradient, state in
        let g = norm * x + gradient
        let sum = state[0] + g * g
        let step = rate / (1 + turn * decay)
        return (x - step * g / (sum.squareRoot() + epsilon), [sum])
      }
    },
    optimizer(
      "Adam", states: 2,
      [
        "alpha": .float, "beta": .float, "epsilon": .float, "norm_coefficient": .float,
        "norm_coefficient_post": .float,
      ]
    ) { node in
      let alpha = Double(try node.float("alpha", default: 0.9))
      let beta = Double(try node.float("beta", default: 0.999))
      let epsilon = Double(try node.float("epsilon", default: 1e-6))
      let norm = Double(try node.float("norm_coefficient", default: 0))
      let after = Double(try node.float("norm_coefficient_post", default: 0))
      return { rate, turn, x, gradient, state in
        let g = norm * x + gradient
        let mean = alpha * state[0] + (1 - alpha) * g
        let square = beta * state[1] + (1 - beta) * g * g
        let correction = turn > 0 ? (1 - pow(beta, turn)).squareRoot() / (1 - pow(alpha, turn)) : 1
        let new = x - rate * correction * mean / (square.squareRoot() + epsilon)
        return ((1 - after) * new, [mean, square])
      }
    },
    optimizer(
      "Momentum", states: 1,
      ["alpha": .float, "beta": .float, "mode": .string, "norm_coefficient": .float]
    ) { node in
      let alpha = Double(try node.float("alpha", default: 0))
      let beta = Double(try node.float("beta", default: 0))
      let norm = Double(try node.float("norm_coefficient", default: 0))
      let mode = try node.string("mode", default: "standard")
      guard mode == "standard" || mode == "nesterov" else {
        throw node.failure("mode is '\(mode)', expected standard or nesterov")
      }
      let isNesterov = mode == "nesterov"
      return { rate, turn, x, gradient, state in
        let g = norm * x + gradient
        // The first gradient counts in full.
        let velocity = alpha * state[0] + (turn > 0 ? beta : 1) * g
        return (x - rate * (isNesterov ? g + alpha * velocity : velocity), [velocity])
      }
    },
  ]

  private static func optimizer(
    _ name: String, states: Int, _ attributes: AttributeKinds,
    _ rule: @escaping @Sendable (NodeInfo) throws -> Optimizer.Rule
  ) -> Operator {
    Operator(
      name, domain: OperatorDomain.training, versions: [1], inputs: 4 + states...Operator.many,
      outputs: 1...Operator.many, types: ElementTypes([.float32, .float64]),
      attributes: attributes,
      shape: ShapeRule { query in
        let count = (query.inputs.count - 2) / (2 + states)
        // New weights, and after them what is remembered, without the gradients between them.
        let weights = query.inputs.dropFirst(2).prefix(count)
        let remembered = query.inputs.dropFirst(2 + 2 * count).prefix(count * states)
        return Array(weights) + Array(remembered)
      }
    ) { node in
      guard node.inputCount >= 2, (node.inputCount - 2) % (2 + states) == 0 else {
        throw node.failure(
          "\(node.inputCount) inputs are not a rate, a turn and whole sets of tensors")
      }
      return Optimizer(
        count: (node.inputCount - 2) / (2 + states), states: states, rule: try rule(node))
    }
  }
}

/// One step for some tensors.
private struct Optimizer: Kernel {
  /// The new weight and what is to be remembered; from the rate, the number of the turn, the weight, its
  /// gradient and what was remembered.
  typealias Rule = @Sendable (Double, Double, Double, Double, [Double]) -> (Double, [Double])

  let count: Int
  let states: Int
  let rule: Rule

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let (rate, turn) = (try number(0, inputs, in: context), try number(1, inputs, in: context))
    var weights: [Tensor] = []
    var remembered = [[Tensor]](repeating: [], count: states)
    for index in 0..<count {
      let tensors = try (0..<2 + states).map {
        try context.input(2 + $0 * count + index, of: inputs)
      }
      try context.requireSameType(tensors)
      guard let first = tensors.first, tensors.allSatisfy({ $0.shape == first.shape }),
        first.elementType.isFloatingPoint
      else { throw context.failure("tensors of shapes \(tensors.map(\.shape))") }
      let given = try tensors.map { try context.converted($0, to: .float64) }
      let results = try (0..<1 + states).map { _ in try context.allocate(.float64, first.shape) }
      let from = given.map { $0.pointer(to: Double.self) }
      let to = results.map { $0.mutablePointer(to: Double.self) }
      for place in 0..<first.count {
        let (weight, state) = rule(
          rate, turn, from[0][place], from[1][place], from.dropFirst(2).map { $0[place] })
        to[0][place] = weight
        for (number, value) in state.enumerated() { to[1 + number][place] = value }
      }
      try withExtendedLifetime(given) {
        let narrow = try results.map { try context.converted($0, to: first.elementType) }
        weights.append(narrow[0])
        for number in 0..<states { remembered[number].append(narrow[1 + number]) }
      }
    }
    return weights + remembered.joined()
  }

  private func number(_ index: Int, _ inputs: [Tensor?], in context: KernelContext) throws -> Double
  {
    let tensor = try context.input(index, of: inputs)
    guard tensor.count == 1 else { throw context.failure("input \(index) is not one number") }
    return try context.converted(tensor, to: .float64).array(of: Double.self)[0]
  }
}
