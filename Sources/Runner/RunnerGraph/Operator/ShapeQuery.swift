import RunnerTensors

/// The node of a shape rule.
package struct ShapeQuery {
  /// Thrown if a rule needs an unknown fact.
  package struct Unknown: Error {
    package init() {}
  }

  package let info: NodeInfo
  package let inputs: [ValueFact?]

  package init(
    info: NodeInfo, inputs: [ValueFact?]
  ) {
    self.info = info
    self.inputs = inputs
  }

  /// Inputs whose values are known, by index.
  package var constants: [Int: Tensor] { info.constants }

  /// The input at `index`; throws if nothing is known about it.
  package func input(_ index: Int) throws -> ValueFact {
    guard index < inputs.count, let fact = inputs[index] else { throw Unknown() }
    return fact
  }

  package func shape(_ index: Int) throws -> [Int] {
    try input(index).shape
  }

  /// Whether the input is given, known or not.
  package func isGiven(_ index: Int) -> Bool {
    index < info.hasInput.count && info.hasInput[index]
  }

  /// The numbers of an integer input, nil if it is not given; throws if they are not known.
  package func integers(_ index: Int) throws -> [Int]? {
    guard isGiven(index) else { return nil }
    guard let tensor = constants[index] else { throw Unknown() }
    switch tensor.elementType {
    case .int64: return try tensor.withElements(of: Int64.self) { $0.map { Int($0) } }
    case .int32: return try tensor.withElements(of: Int32.self) { $0.map { Int($0) } }
    default: throw Unknown()
    }
  }

  /// The numbers of an input, or of the attribute that held them in earlier opsets.
  package func integers(_ index: Int, or attribute: String) throws -> [Int]? {
    try integers(index) ?? info.ints(attribute)
  }

  package func broadcast(_ shapes: [[Int]]) throws -> [Int] {
    guard let shape = Shapes.broadcast(shapes) else { throw Unknown() }
    return shape
  }
}
