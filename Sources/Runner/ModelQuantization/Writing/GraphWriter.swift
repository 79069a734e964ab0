import ONNXFormat
import RunnerGraph
import RunnerTensors

/// Writes a graph as a `GraphProto`, with names that no two values share.
struct GraphWriter {
  /// What of the graph in the file stays as it lies there.
  struct Original {
    /// Fields of the graph: notes, inputs, outputs and what is said of values.
    var graph: [RawField] = []
    /// Notes on nodes, by the names of their first outputs.
    var notes: [ExactName: [RawField]] = [:]
  }

  /// Stores weights that `float16` holds exactly as such, with a Cast.
  private let storesHalves: Bool
  private let original: Original
  private var taken: Set<ExactName> = []
  private var takenByNodes: Set<ExactName> = []

  /// Smaller tensors are not worth a Cast.
  private static let leastHalves = 256

  init(like original: Original = Original(), storesHalves: Bool = false) {
    self.original = original
    self.storesHalves = storesHalves
  }

  /// The bytes that a graph's known tensors take in a file, about.
  static func byteCount(of graph: Graph) -> Int {
    graph.constants.values.reduce(0) { $0 + $1.byteCount + 64 } + 256 * graph.nodes.count
  }

  /// Writes a model's graph as field 7, with further values as outputs.
  ///
  /// - Parameter inputs: what is said of inputs besides what the file says.
  mutating func write(
    _ graph: Graph, outputs: [Graph.Value], inputs described: [ValueDescription] = [],
    to writer: inout WireWriter
  ) throws {
    let names = ownNames(of: graph)
    try writer.message(7) { writer in
      writer.string(2, graph.name)
      try body(of: graph, names, to: &writer)
      for field in original.graph where field.number == 10 || field.number == 16 {
        writer.raw(field)
      }
      let inputs = Set(graph.inputs.map { ExactName(names[$0]) })
      try copy(11, from: original.graph, to: &writer) { inputs.contains(ExactName($0.name)) }
      for input in described { writer.value(11, input) }
      try copy(12, from: original.graph, to: &writer) { _ in true }
      for output in outputs {
        writer.value(
          12, ValueDescription(name: names[output], elementType: .float32, shape: nil))
      }
      // What is said of a value that has become float32, or of the outputs, would be wrong or
      // twice.
      let shown = inputs.union((graph.outputs + outputs).map { ExactName(names[$0]) })
      let made = Set(
        graph.nodes.flatMap(\.outputs).compactMap { $0.map { ExactName(names[$0]) } })
      try copy(13, from: original.graph, to: &writer) { value in
        let name = ExactName(value.name)
        return made.contains(name) && !shown.contains(name)
          && value.elementType != ElementType.float16.rawValue
      }
    }
  }

  /// Copies what the file says of values that are wanted.
  private func copy(
    _ number: Int, from fields: [RawField], to writer: inout WireWriter,
    where isWanted: (ValueMessage) -> Bool
  ) throws {
    for field in fields where field.number == number {
      if isWanted(try ValueMessage(field.message)) { writer.raw(field) }
    }
  }

  // MARK: Names

  /// A name for each value of the model's graph; those of inputs and outputs stay whatever else
  /// there is.
  private mutating func ownNames(of graph: Graph) -> [String] {
    var kept: [Graph.Value: String] = [:]
    for value in graph.inputs + graph.outputs {
      kept[value] = graph.names[value]
      taken.insert(ExactName(graph.names[value]))
    }
    return names(of: graph, kept: kept)
  }

  /// A name for each value, its own where that is free.
  private mutating func names(
    of graph: Graph, kept: [Graph.Value: String]
  ) -> [String] {
    graph.names.indices.map { value in
      if let name = kept[value] { return name }
      let name = free(graph.names[value])
      taken.insert(ExactName(name))
      return name
    }
  }

  private func free(_ name: String) -> String { Self.free(name, taken) }

  private static func free(_ name: String, _ taken: Set<ExactName>) -> String {
    if !name.isEmpty, !taken.contains(ExactName(name)) { return name }
    var number = 2
    while taken.contains(ExactName("\(name)_\(number)")) { number += 1 }
    return "\(name)_\(number)"
  }

  // MARK: Nodes and weights

  private mutating func body(
    of graph: Graph, _ names: [String], to writer: inout WireWriter
  ) throws {
    var isUsed = [Bool](repeating: false, count: names.count)
    for node in graph.nodes {
      for value in node.inputs { if let value { isUsed[value] = true } }
      for value in node.captures { isUsed[value] = true }
    }
    for value in graph.outputs { isUsed[value] = true }
    // In the values' order, so that the same model gives the same bytes.
    for (value, tensor) in graph.constants.sorted(by: { $0.key < $1.key }) where isUsed[value] {
      guard storesHalves, let halves = try Self.halves(tensor) else {
        try writer.tensor(5, named: names[value], tensor)
        continue
      }
      let stored = free(names[value] + "/float16")
      taken.insert(ExactName(stored))
      try writer.tensor(5, named: stored, halves)
      writer.message(1) { node in
        node.string(1, stored)
        node.string(2, names[value])
        node.string(3, stored + "/Cast")
        node.string(4, "Cast")
        node.message(5) { attribute in
          attribute.string(1, "to")
          attribute.integer(3, ElementType.float32.rawValue)
          attribute.integer(20, 2)
        }
      }
    }
    for node in graph.nodes { try write(node, names, to: &writer) }
  }

  /// The same numbers in half the bytes; nil if they would not be the same.
  private static func halves(_ tensor: Tensor) throws -> Tensor? {
    guard tensor.elementType == .float32, tensor.count >= leastHalves else { return nil }
    let isExact = try tensor.withElements(of: Float.self) { values in
      values.allSatisfy { Half($0).float.bitPattern == $0.bitPattern }
    }
    return isExact ? try tensor.converted(to: .float16) : nil
  }

  private mutating func write(
    _ node: Graph.Node, _ names: [String], to writer: inout WireWriter
  ) throws {
    try writer.message(1) { writer in
      for value in node.inputs { writer.string(1, value.map { names[$0] } ?? "") }
      for value in node.outputs { writer.string(2, value.map { names[$0] } ?? "") }
      // Some runtimes refuse a name that two nodes have; none at all is fine.
      if !node.name.isEmpty {
        let name = Self.free(node.name, takenByNodes)
        takenByNodes.insert(ExactName(name))
        writer.string(3, name)
      }
      writer.string(4, node.operation)
      var captures = node.captures[...]
      for (name, value) in node.attributes.sorted(by: { $0.key < $1.key }) {
        try write(name, value, names, &captures, to: &writer)
      }
      if !node.domain.isEmpty { writer.string(7, node.domain) }
      if let first = node.outputs.first, let first {
        for note in original.notes[ExactName(names[first])] ?? [] { writer.raw(note) }
      }
    }
  }

  private mutating func write(
    _ name: String, _ value: AttributeValue, _ names: [String],
    _ captures: inout ArraySlice<Graph.Value>, to writer: inout WireWriter
  ) throws {
    try writer.message(5) { writer in
      writer.string(1, name)
      switch value {
      case .float(let number): writer.float(2, number)
      case .int(let number): writer.integer(3, number)
      case .string(let text): writer.string(4, text)
      case .tensor(let tensor): try writer.tensor(5, named: "", tensor)
      case .graph(let graph): try write(graph, 6, names, &captures, to: &writer)
      case .floats(let numbers): for number in numbers { writer.float(7, number) }
      case .ints(let numbers): for number in numbers { writer.integer(8, number) }
      case .strings(let texts): for text in texts { writer.string(9, text) }
      case .tensors(let tensors):
        for tensor in tensors { try writer.tensor(10, named: "", tensor) }
      case .graphs(let graphs):
        for graph in graphs { try write(graph, 11, names, &captures, to: &writer) }
      }
      writer.integer(20, value.kind.number)
    }
  }

  /// A graph in a node, which takes the next of what its node captures.
  private mutating func write(
    _ graph: Graph, _ field: Int, _ outer: [String],
    _ captures: inout ArraySlice<Graph.Value>, to writer: inout WireWriter
  ) throws {
    var captured: [Graph.Value: String] = [:]
    for value in graph.captures {
      if let source = captures.popFirst() { captured[value] = outer[source] }
    }
    let names = names(of: graph, kept: captured)
    try writer.message(field) { writer in
      writer.string(2, graph.name)
      try body(of: graph, names, to: &writer)
      for input in graph.inputs { writer.value(11, Self.described(input, names, in: graph)) }
      for output in graph.outputs { writer.value(12, Self.described(output, names, in: graph)) }
    }
  }

  private static func described(
    _ value: Graph.Value, _ names: [String], in graph: Graph
  ) -> ValueDescription {
    let known = graph.declared[value]
    return ValueDescription(
      name: names[value], elementType: known?.elementType ?? .float32, shape: known?.shape,
      kind: known == nil ? .sequence : known?.kind ?? .tensor)
  }
}
