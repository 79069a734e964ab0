import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Derivatives.
  package static let training: [Operator] = [
    // Written out before kernels are chosen; this entry is for the documentation and for errors.
    Operator(
      "Gradient", domain: OperatorDomain.training, versions: [1],
      inputs: 1...Operator.many, outputs: 1...Operator.many, types: ElementTypes([.float32]),
      attributes: ["xs": .strings, "y": .string, "zs": .strings], shape: .derivatives,
      limits:
        "Of Add, Sub, Mul, Div, Neg, Exp, Log, Sqrt, Sigmoid, Tanh and Identity; not inside of another "
        + "node's graph."
    ) { throw $0.unsupported("inside of another node's graph") }
  ]

  /// What ``GradientExpansion`` makes.
  package static let derivatives: [Operator] = [
    Operator(
      "SumLike", domain: OperatorDomain.derivatives, versions: [1], inputs: 2...2,
      types: .real, shape: .likeSecond
    ) { _ in SumLike() }
  ]
}

extension ShapeRule {
  /// A derivative by each of the first inputs.
  fileprivate static let derivatives = ShapeRule { $0.inputs }

  fileprivate static let likeSecond = ShapeRule {
    [ValueFact(try $0.input(0).type, try $0.shape(1))]
  }
}

/// The first tensor, summed to the shape of the second, which broadcasts to its own.
private struct SumLike: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let tensor = try context.input(0, of: inputs)
    let shape = try context.input(1, of: inputs).shape
    guard tensor.shape != shape else { return [tensor] }
    let missing = tensor.rank - shape.count
    guard missing >= 0, Shapes.broadcast([tensor.shape, shape]) == tensor.shape else {
      throw context.failure("a derivative of shape \(tensor.shape) for a value of \(shape)")
    }
    let axes = tensor.shape.indices.filter {
      $0 < missing || shape[$0 - missing] != tensor.shape[$0]
    }
    let sum = try context.perform("ReduceSum", [tensor, context.axes(axes)])
    return [try sum.reshaped(to: shape)]
  }
}
