/// A model's graph between the file and the plan: values by number, nodes in an order in which each
/// value is defined before it is used.
struct Graph: Sendable {
  /// A value's number: its place in ``Graph/names``.
  typealias Value = Int

  /// One computation.
  struct Node: Sendable {
    var name: String
    var operation: String
    var domain: String
    /// The declared inputs; nil where an optional one is left out.
    var inputs: [Value?]
    /// The declared outputs; nil where an optional one is left out.
    var outputs: [Value?]
    var attributes: [String: AttributeValue] = [:]
    /// What the graphs among the attributes take from around them, in the order of the attributes'
    /// names.
    var captures: [Value] = []
    /// What passes made of it; empty for a node as the file has it.
    var fused = FusedOperation()
  }

  var name = ""
  /// Every value's name.
  var names: [String] = []
  /// What the file says about values, inputs and outputs among them.
  var declared: [Value: ValueDescription] = [:]
  var inputs: [Value] = []
  var outputs: [Value] = []
  /// Inside a subgraph: values of the surrounding graph that it uses, passed in after the inputs.
  var captures: [Value] = []
  /// Values known at load.
  var constants: [Value: Tensor] = [:]
  var nodes: [Node] = []
  /// The operator sets in use, by domain.
  var opsets: [String: Int] = [:]
  /// Types and shapes by value, which ``ShapeFolding`` sets where the inputs' are known.
  ///
  /// Values that later passes add are missing at the end.
  var facts: [ValueFact?] = []

  /// A new value, for a pass that needs one.
  mutating func addValue(named name: String) -> Value {
    names.append(name)
    return names.count - 1
  }

  /// The known tensor behind a node's input.
  func constant(_ index: Int, of node: Node) -> Tensor? {
    guard index < node.inputs.count, let input = node.inputs[index] else { return nil }
    return constants[input]
  }

  /// How often each value is used: by nodes, by their subgraphs, as an output.
  func useCounts() -> [Int] {
    var counts = [Int](repeating: 0, count: names.count)
    for node in nodes {
      for input in node.inputs { if let input { counts[input] += 1 } }
      for capture in node.captures { counts[capture] += 1 }
    }
    for output in outputs { counts[output] += 1 }
    return counts
  }

  /// The node that defines each value, by its place; -1 where none does.
  func producers() -> [Int] {
    var producers = [Int](repeating: -1, count: names.count)
    for (index, node) in nodes.enumerated() {
      for output in node.outputs { if let output { producers[output] = index } }
    }
    return producers
  }

  /// Makes every use of `old` a use of `new`.
  mutating func replaceUses(of old: Value, with new: Value) {
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
