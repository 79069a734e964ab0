import RunnerTensors

/// A model's graph between the file and the plan.
///
/// Values are numbers, and nodes are in an order in which each value is defined before it is used.
package struct Graph: Sendable {
  /// A value's number: its index in ``Graph/names``.
  package typealias Value = Int

  /// One computation.
  package struct Node: Sendable {
    package var name: String
    package var operation: String
    package var domain: String
    /// The declared inputs; nil if an optional one is left out.
    package var inputs: [Value?]
    /// The declared outputs; nil if an optional one is left out.
    package var outputs: [Value?]
    package var attributes: [String: AttributeValue] = [:]
    /// The outer values that the subgraphs among the attributes read, in the order of the
    /// attributes' names.
    package var captures: [Value] = []
    /// The changes that passes made; empty for a node as in the file.
    package var fused = FusedOperation()

    package init(
      name: String, operation: String, domain: String, inputs: [Value?], outputs: [Value?],
      attributes: [String: AttributeValue] = [:], captures: [Value] = [],
      fused: FusedOperation = FusedOperation()
    ) {
      self.name = name
      self.operation = operation
      self.domain = domain
      self.inputs = inputs
      self.outputs = outputs
      self.attributes = attributes
      self.captures = captures
      self.fused = fused
    }
  }

  package var name = ""
  /// Every value's name.
  package var names: [String] = []
  /// The file's declarations of values, including inputs and outputs.
  package var declared: [Value: ValueDescription] = [:]
  package var inputs: [Value] = []
  package var outputs: [Value] = []
  /// Inside a subgraph: values of the surrounding graph that it uses, passed in after the inputs.
  package var captures: [Value] = []
  /// Inside a loop: the inputs that are the same in every turn; nil for any other graph.
  package var invariantInputs: [Value]?
  /// Values known at load.
  package var constants: [Value: Tensor] = [:]
  package var nodes: [Node] = []
  /// The operator sets in use, by domain.
  package var opsets: [String: Int] = [:]
  /// Types and shapes by value, which ``ShapeFolding`` sets if those of the inputs are known.
  ///
  /// Values that later passes add are missing at the end.
  package var facts: [ValueFact?] = []

  package init() {}

  /// A new value, for a pass that needs one.
  package mutating func addValue(named name: String) -> Value {
    names.append(name)
    return names.count - 1
  }

  /// The known tensor of a node's input.
  package func constant(_ index: Int, of node: Node) -> Tensor? {
    guard index < node.inputs.count, let input = node.inputs[index] else { return nil }
    return constants[input]
  }

  /// The number of uses of each value: by nodes, by their subgraphs, as an output.
  package func useCounts() -> [Int] {
    var counts = [Int](repeating: 0, count: names.count)
    for node in nodes {
      for input in node.inputs { if let input { counts[input] += 1 } }
      for capture in node.captures { counts[capture] += 1 }
    }
    for output in outputs { counts[output] += 1 }
    return counts
  }

  /// The index of the node that defines each value; -1 if none does.
  package func producers() -> [Int] {
    var producers = [Int](repeating: -1, count: names.count)
    for (index, node) in nodes.enumerated() {
      for output in node.outputs { if let output { producers[output] = index } }
    }
    return producers
  }

  /// Replaces every use of `old` by `new`.
  package mutating func replaceUses(of old: Value, with new: Value) {
    for index in nodes.indices {
      for input in nodes[index].inputs.indices where nodes[index].inputs[input] == old {
        nodes[index].inputs[input] = new
      }
      for capture in nodes[index].captures.indices where nodes[index].captures[capture] == old {
        nodes[index].captures[capture] = new
      }
    }
    for output in outputs.indices where outputs[output] == old { outputs[output] = new }
  }
}
