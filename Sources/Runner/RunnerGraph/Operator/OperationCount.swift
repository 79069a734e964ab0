import RunnerTensors

/// How many floating-point operations a node takes by the textbook, a multiplication and an
/// addition being two, whatever method computes it.
package struct OperationCount: Sendable {
  /// A node with the shapes that are known of its inputs, and its first output's.
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

  /// `count` gives nil if it needs to know more, or if there are more than an integer holds.
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

  /// The product of `factors`; nil if it is more than an integer holds.
  package static func product(_ factors: [Int]) -> Int? {
    factors.reduce(1) { product, factor in
      product.flatMap {
        let (next, overflow) = $0.multipliedReportingOverflow(by: factor)
        return overflow ? nil : next
      }
    }
  }
}
