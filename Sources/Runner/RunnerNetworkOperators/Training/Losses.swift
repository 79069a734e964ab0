import Foundation
import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Losses, as far as a model computes them outside of training.
  package static let losses: [Operator] = [
    Operator(
      "NegativeLogLikelihoodLoss", versions: [12, 13, 22], inputs: 2...3, types: .real,
      attributes: ["ignore_index": .int, "reduction": .string], shape: .loss
    ) { node in
      try NegativeLogLikelihood(node, fromScores: false)
    },
    Operator(
      "SoftmaxCrossEntropyLoss", versions: [12, 13], inputs: 2...3, outputs: 1...2, types: .real,
      attributes: ["ignore_index": .int, "reduction": .string], shape: .loss
    ) { node in
      try NegativeLogLikelihood(node, fromScores: true)
    },
  ]
}

extension ShapeRule {
  /// The loss, and the logarithms it is made of.
  fileprivate static let loss = ShapeRule { query in
    let input = try query.input(0)
    let isKept = try query.info.string("reduction") == "none"
    return [ValueFact(input.type, isKept ? try query.shape(1) : []), input]
  }
}

/// Minus the logarithm of the probability of the right class, weighted by class.
///
/// The input is [n, classes, pixels], of logarithms of probabilities or of scores.
private struct NegativeLogLikelihood: Kernel {
  private enum Reduction: String {
    case none, sum, mean
  }

  private let reduction: Reduction
  private let ignored: Int?
  private let fromScores: Bool

  init(_ node: NodeInfo, fromScores: Bool) throws {
    let name = try node.string("reduction", default: "mean")
    guard let reduction = Reduction(rawValue: name) else {
      throw node.failure("attribute 'reduction' is '\(name)'")
    }
    self.reduction = reduction
    ignored = try node.int("ignore_index")
    self.fromScores = fromScores
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let target = try context.input(1, of: inputs)
    guard input.rank >= 2, input.elementType.isFloatingPoint,
      target.shape == [input.shape[0]] + input.shape[2...]
    else { throw context.failure("input \(input.shape) and target \(target.shape)") }
    let classes = input.shape[1]
    let pixels = input.shape[2...].reduce(1, *)
    let weights = try context.optionalInput(2, of: inputs).map { tensor -> [Float] in
      guard tensor.count == classes else {
        throw context.failure("\(tensor.count) weights for \(classes) classes")
      }
      return try context.converted(tensor, to: .float32).array(of: Float.self)
    }
    var logarithms = try context.converted(input, to: .float32)
    if fromScores {
      logarithms = try context.perform("LogSoftmax", attributes: ["axis": .int(1)], [logarithms])
    }
    let losses = try context.allocate(.float32, target.shape)
    let to = losses.mutablePointer(to: Float.self)
    let from = logarithms.pointer(to: Float.self)
    var sum = 0.0
    var weightSum = 0.0
    for (item, label) in try context.integers(target).enumerated() {
      if label == ignored {
        to[item] = 0
        continue
      }
      let label = try context.index(label, below: classes)
      let weight = weights?[label] ?? 1
      let (image, pixel) = item.quotientAndRemainder(dividingBy: pixels)
      to[item] = -from[(image * classes + label) * pixels + pixel] * weight
      sum += Double(to[item])
      weightSum += Double(weight)
    }
    let result: Tensor
    switch reduction {
    case .none: result = losses
    case .sum: result = Tensor(scalar: Float(sum))
    case .mean: result = Tensor(scalar: Float(sum / weightSum))
    }
    let outputs = [result] + (fromScores ? [logarithms] : [])
    return try outputs.map { try context.converted($0, to: input.elementType) }
  }
}
