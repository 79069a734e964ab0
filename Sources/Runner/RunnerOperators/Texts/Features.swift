import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Operators of `ai.onnx.ml` that move and map values.
  package static let features: [Operator] = [
    Operator(
      "ArrayFeatureExtractor", domain: OperatorDomain.learning, versions: [1], inputs: 2...2,
      types: .numeric + ElementTypes([.string]), shape: .extractedFeatures
    ) { _ in ArrayFeatureExtractor() },
    Operator(
      "Binarizer", domain: OperatorDomain.learning, versions: [1], inputs: 1...1,
      types: ElementTypes([.float32, .float64, .int32, .int64]),
      attributes: ["threshold": .float], shape: .likeFirst
    ) { Binarizer(threshold: Double(try $0.float("threshold", default: 0))) },
    Operator(
      "LabelEncoder", domain: OperatorDomain.learning, versions: [2, 4], inputs: 1...1,
      types: ElementTypes([.float32, .float64, .int16, .int32, .int64, .string]),
      attributes: [
        "default_float": .float, "default_int64": .int, "default_string": .string,
        "default_tensor": .tensor, "keys_floats": .floats, "keys_int64s": .ints,
        "keys_strings": .strings, "keys_tensor": .tensor, "values_floats": .floats,
        "values_int64s": .ints, "values_strings": .strings, "values_tensor": .tensor,
      ],
      shape: .labels
    ) { try LabelEncoder($0) },
  ]
}

extension ShapeRule {
  fileprivate static let extractedFeatures = ShapeRule { query in
    let (input, count) = (try query.input(0), try query.product(query.shape(1)))
    guard !input.shape.isEmpty else { throw ShapeQuery.Unknown() }
    let outer = input.shape.count == 1 ? [1] : Array(input.shape.dropLast())
    return [ValueFact(input.type, outer + [count])]
  }

  fileprivate static let labels = ShapeRule { query in
    [ValueFact(try LabelEncoder(query.info).type, try query.shape(0))]
  }
}

/// Some of the elements along the last axis.
private struct ArrayFeatureExtractor: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let places = try context.input(1, of: inputs)
    guard input.rank >= 1, places.elementType == .int64, places.count > 0 else {
      throw context.failure("places \(places.elementType)\(places.shape) in \(input.shape)")
    }
    let matrix = input.rank == 1 ? input.viewed(as: [1, input.count]) : input
    return [
      try context.perform(
        "Gather", attributes: ["axis": .int(-1)], [matrix, places.viewed(as: [places.count])])
    ]
  }
}

/// 1 for what is above a threshold, or else 0.
private struct Binarizer: Kernel {
  let threshold: Double

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let threshold = threshold
    let wide = try context.converted(input, to: .float64)
    let result = try context.mapped(wide) { (x: Double) -> Int64 in x > threshold ? 1 : 0 }
    return [try context.converted(result, to: input.elementType)]
  }
}

/// A value for each key.
private struct LabelEncoder: Kernel {
  /// The type of the values.
  let type: ElementType
  private let keyType: ElementType
  private let places: [Key: Int]
  /// The values; the last one is for anything that is not a key.
  private let values: Values

  private enum Key: Hashable {
    case text(String)
    case number(Double)
    case integer(Int64)
  }

  private enum Values {
    case text([String])
    case numbers(Tensor)
  }

  init(_ node: NodeInfo) throws {
    let keys = try Self.list(node, "keys")
    let values = try Self.list(node, "values")
    let fallbacks: [Tensor?] = [
      try node.tensor("default_tensor"),
      try node.string("default_string").map { try Tensor(shape: [1], strings: [$0]) },
      try node.int("default_int64").map { Tensor(scalar: Int64($0)) },
      try node.float("default_float").map { Tensor(scalar: $0) },
    ]
    guard let keys, let values, keys.count == values.count else {
      throw node.failure("keys and values must be given, as many of one as of the other")
    }
    type = values.elementType
    keyType = keys.elementType
    // If there are several defaults, the one of the values' type counts.
    let given = fallbacks.compactMap { $0 }.first { $0.elementType == values.elementType }
    if values.elementType == .string {
      self.values = .text(try values.strings() + [try given?.strings().first ?? "_Unused"])
    } else {
      let other = given ?? Tensor(scalar: values.elementType.isFloatingPoint ? -0.0 : -1.0)
      guard other.count == 1, other.elementType != .string, ComputeType(type) != nil else {
        throw node.failure("the default is \(other.elementType)\(other.shape)")
      }
      let last = try other.converted(to: type)
      let all = Tensor(
        elementType: type, shape: [values.count + 1], count: values.count + 1,
        storage: TensorStorage(allocating: (values.count + 1) * type.byteCount))
      all.mutableBytes.copyMemory(from: values.bytes, byteCount: values.byteCount)
      (all.mutableBytes + values.byteCount).copyMemory(
        from: last.bytes, byteCount: type.byteCount)
      self.values = .numbers(all)
    }
    var places: [Key: Int] = [:]
    for (place, key) in try Self.keys(of: keys).enumerated() where places[key] == nil {
      places[key] = place
    }
    self.places = places
  }

  /// The list in one of the attributes that may hold it.
  private static func list(_ node: NodeInfo, _ name: String) throws -> Tensor? {
    let lists: [Tensor?] = [
      try node.tensor("\(name)_tensor"),
      try node.strings("\(name)_strings").map { try Tensor(shape: [$0.count], strings: $0) },
      try node.ints("\(name)_int64s").map { list in
        try Tensor(shape: [list.count], list.map { Int64($0) })
      },
      try node.floats("\(name)_floats").map { try Tensor(shape: [$0.count], $0) },
    ]
    let given = lists.compactMap { $0 }
    guard given.count <= 1 else { throw node.failure("\(name) are given in several forms") }
    return given.first
  }

  private static func keys(of tensor: Tensor) throws -> [Key] {
    switch tensor.elementType {
    case .string: return try tensor.strings().map { .text($0) }
    case let type where type.isFloatingPoint:
      // Not a number is a key like any other here.
      return try tensor.converted(to: .float64).array(of: Double.self).map {
        $0.isNaN ? .text("NaN") : .number($0)
      }
    default: return try tensor.converted(to: .int64).array(of: Int64.self).map { .integer($0) }
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType == keyType else {
      throw context.failure("elements are \(input.elementType), keys \(keyType)")
    }
    let found = try Self.keys(of: input).map { places[$0] ?? nil }
    switch values {
    case .text(let texts):
      return [
        try Tensor(shape: input.shape, strings: found.map { texts[$0 ?? texts.count - 1] })
      ]
    case .numbers(let numbers):
      let output = try context.allocate(type, input.shape)
      let each = type.byteCount
      for (index, place) in found.enumerated() {
        (output.mutableBytes + index * each).copyMemory(
          from: numbers.bytes + (place ?? numbers.count - 1) * each, byteCount: each)
      }
      return [output]
    }
  }
}
