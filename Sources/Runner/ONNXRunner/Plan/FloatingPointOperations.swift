/// How many floating-point operations a node takes by the textbook, a multiplication and an addition
/// being two, whatever method computes it.
enum FloatingPointOperations {
  /// For the operators whose products make up the time of a model; nil for others.
  static func count(_ node: Graph.Node, facts: [ValueFact?]) -> Int? {
    func shape(_ index: Int) -> [Int]? {
      guard index < node.inputs.count, let value = node.inputs[index] else { return nil }
      return facts[value]?.shape
    }
    guard let output = node.outputs.first, let output, let result = facts[output]?.shape else {
      return nil
    }
    let results = result.reduce(1, *)
    switch node.operation {
    case "Conv", "ConvInteger":
      return shape(1).map { 2 * results * $0.dropFirst().reduce(1, *) }
    case "QLinearConv": return shape(3).map { 2 * results * $0.dropFirst().reduce(1, *) }
    case "ConvTranspose":
      guard let input = shape(0), let weights = shape(1) else { return nil }
      return 2 * input.reduce(1, *) * weights.dropFirst().reduce(1, *)
    case "MatMul", "MatMulInteger", "QLinearMatMul":
      return shape(0)?.last.map { 2 * results * $0 }
    case "Gemm":
      guard let a = shape(0), a.count == 2 else { return nil }
      var isTransposed = false
      if case .int(let flag)? = node.attributes["transA"] { isTransposed = flag != 0 }
      return 2 * results * a[isTransposed ? 0 : 1]
    default: return nil
    }
  }
}
