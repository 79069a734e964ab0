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
    switch node.operation {
    case "Conv", "ConvInteger": return shape(1).flatMap { product([2] + result + $0.dropFirst()) }
    case "QLinearConv": return shape(3).flatMap { product([2] + result + $0.dropFirst()) }
    case "ConvTranspose":
      guard let input = shape(0), let weights = shape(1) else { return nil }
      return product([2] + input + weights.dropFirst())
    case "MatMul", "MatMulInteger", "QLinearMatMul":
      return shape(0)?.last.flatMap { product([2, $0] + result) }
    case "Gemm":
      guard let a = shape(0), a.count == 2 else { return nil }
      let isTransposed = node.attributes["transA"]?.int ?? 0 != 0
      return product([2, a[isTransposed ? 0 : 1]] + result)
    case ProductFusion.operation where node.domain == FusedOperators.domain:
      // The weights and, but for the columns, the result.
      return shape(1).flatMap { product([2] + result.dropLast() + $0) }
    case AttentionFusion.operation where node.domain == FusedOperators.domain:
      guard let layouts = node.attributes["layouts"]?.ints, layouts.count > 1, let keys = shape(1),
        keys.count >= 4, result.count == 4
      else { return nil }
      let isHeadsFirst = layouts[1] == AttentionFusion.Layout.headsFirst.rawValue
      let weighed = [2, keys[isHeadsFirst ? 2 : 1]] + result.dropLast()
      // The scores, and the sums of values that they weigh.
      guard let scores = product(weighed + keys.suffix(1)),
        let sums = product(weighed + result.suffix(1)), scores <= .max - sums
      else { return nil }
      return scores + sums
    default: return nil
    }
  }

  /// Nil where it is more than an integer holds.
  private static func product(_ factors: [Int]) -> Int? {
    factors.reduce(1) { product, factor in
      product.flatMap {
        let (next, overflow) = $0.multipliedReportingOverflow(by: factor)
        return overflow ? nil : next
      }
    }
  }
}
