/// A node as its rule sees it.
struct ShapeQuery {
  /// Thrown where something a rule needs is not known.
  struct Unknown: Error {}

  let info: NodeInfo
  let inputs: [ValueFact?]

  /// Inputs whose values are known, by index.
  var constants: [Int: Tensor] { info.constants }

  /// The input at `index`; throws where nothing is known of it.
  func input(_ index: Int) throws -> ValueFact {
    guard index < inputs.count, let fact = inputs[index] else { throw Unknown() }
    return fact
  }

  func shape(_ index: Int) throws -> [Int] {
    try input(index).shape
  }

  /// Whether the input is given at all, known or not.
  func isGiven(_ index: Int) -> Bool {
    index < info.hasInput.count && info.hasInput[index]
  }

  /// The numbers of an integer input, nil where it is not given; throws where they are not known.
  func integers(_ index: Int) throws -> [Int]? {
    guard isGiven(index) else { return nil }
    guard let tensor = constants[index] else { throw Unknown() }
    switch tensor.elementType {
    case .int64: return try tensor.withElements(of: Int64.self) { $0.map { Int($0) } }
    case .int32: return try tensor.withElements(of: Int32.self) { $0.map { Int($0) } }
    default: throw Unknown()
    }
  }

  /// The numbers of an input, or of the attribute that held them in earlier opsets.
  func integers(_ index: Int, or attribute: String) throws -> [Int]? {
    try integers(index) ?? info.ints(attribute)
  }

  func axis(_ axis: Int, rank: Int) throws -> Int {
    guard axis >= -rank, axis < rank else { throw Unknown() }
    return axis < 0 ? axis + rank : axis
  }

  func broadcast(_ shapes: [[Int]]) throws -> [Int] {
    guard let shape = Shapes.broadcast(shapes) else { throw Unknown() }
    return shape
  }

  func product(_ extents: some Sequence<Int>) throws -> Int {
    try extents.reduce(1) {
      let (result, overflow) = $0.multipliedReportingOverflow(by: $1)
      guard !overflow else { throw Unknown() }
      return result
    }
  }
}
