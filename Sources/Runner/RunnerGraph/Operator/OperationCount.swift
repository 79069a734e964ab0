import RunnerTensors

/// The number of floating-point operations of a node by the textbook method.
///
/// A multiplication and an addition are two operations. The number does not depend on the method of
/// the computation.
package struct OperationCount: Sendable {
  /// A node with the known shapes of its inputs and its first output.
  package struct Query {
    package let node: Graph.Node
    package let inputs: [[Int]?]
    package let result: [Int]

    /// The shape of the input at `index`; nil if it is not known.
    package func shape(_ index: Int) -> [Int]? {
      index < inputs.count ? inputs[index] : nil
    }
  }

  private let count: @Sendable (Query) -> Int?

  /// Makes a count; `count` returns nil if it needs to know more, or if an integer overflows.
  package init(_ count: @escaping @Sendable (Query) -> Int?) {
    self.count = count
  }

  /// The operations of `node`; nil if too little is known of it.
  package func callAsFunction(_ node: Graph.Node, facts: [ValueFact?]) -> Int? {
    guard let output = node.outputs.first, let output, let result = facts[output]?.shape else {
      return nil
    }
    let inputs = node.inputs.map { value in value.flatMap { facts[$0]?.shape } }
    return count(Query(node: node, inputs: inputs, result: result))
  }

  /// The product of `factors`; nil if an integer overflows.
  package static func product(_ factors: [Int]) -> Int? {
    factors.reduce(1) { product, factor in
      product.flatMap {
        let (next, overflow) = $0.multipliedReportingOverflow(by: factor)
        return overflow ? nil : next
      }
    }
  }
}
