import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Operators that write elements where an index tensor says.
  package static let scattering: [Operator] = [
    Operator(
      "ScatterElements", versions: [11, 13, 16, 18], inputs: 3...3, types: .numeric + .bool,
      attributes: ["axis": .int, "reduction": .string], shape: .likeFirst
    ) { node in
      ScatterElements(
        axis: try node.int("axis", default: 0), combination: try ScatterCombination(node))
    },
    Operator(
      "Scatter", versions: [9, 11], lastOpset: 24, inputs: 3...3, types: .numeric + .bool,
      attributes: ["axis": .int], shape: .likeFirst
    ) { node in
      ScatterElements(axis: try node.int("axis", default: 0), combination: .replace)
    },
    Operator(
      "ScatterND", versions: [11, 13, 16, 18], inputs: 3...3, types: .numeric + .bool,
      attributes: ["reduction": .string], shape: .likeFirst
    ) { node in
      ScatterND(combination: try ScatterCombination(node))
    },
  ]
}

/// What becomes of the element that is already there.
private enum ScatterCombination: String, Sendable {
  case replace = "none"
  case add
  case multiply = "mul"
  case minimum = "min"
  case maximum = "max"

  init(_ node: NodeInfo) throws {
    let name = try node.string("reduction", default: "none")
    guard let value = ScatterCombination(rawValue: name) else {
      throw node.failure("attribute 'reduction' is '\(name)'")
    }
    self = value
  }

  /// The function for all but ``replace``.
  var function: BinaryFunction? {
    switch self {
    case .replace: return nil
    case .add: return .add
    case .multiply: return .multiply
    case .minimum: return .minimum
    case .maximum: return .maximum
    }
  }
}

extension KernelContext {
  /// A copy of `tensor` that may be changed.
  fileprivate func copied(_ tensor: Tensor) throws -> Tensor {
    let copy = try allocate(tensor.elementType, tensor.shape)
    copy.mutableBytes.copyMemory(from: tensor.bytes, byteCount: tensor.byteCount)
    return copy
  }

  /// Puts `updates`, whose elements go to `places` in runs of `length`, into a copy of `data`.
  fileprivate func scattered(
    _ data: Tensor, _ updates: Tensor, to places: [Int], length: Int,
    _ combination: ScatterCombination
  ) throws -> Tensor {
    try requireSameType([data, updates])
    guard data.elementType != .string else { throw unsupported("elements of type string") }
    guard let function = combination.function else {
      let output = try copied(data)
      let bytes = length * data.elementType.byteCount
      for (item, place) in places.enumerated() {
        (output.mutableBytes + place * data.elementType.byteCount).copyMemory(
          from: updates.bytes + item * bytes, byteCount: bytes)
      }
      return output
    }
    guard data.elementType != .bool else { throw unsupported("reductions of truth values") }
    let output = try copied(widened(data))
    let values = try widened(updates)
    func combine<Element: TensorScalar>(_ next: (Element, Element) -> Element) {
      let to = output.mutablePointer(to: Element.self)
      let from = values.pointer(to: Element.self)
      for (item, place) in places.enumerated() {
        for index in 0..<length {
          to[place + index] = next(to[place + index], from[item * length + index])
        }
      }
    }
    switch try computeType(of: data) {
    case .float32: combine(function.float32)
    case .float64: combine(function.float64)
    case .int64: combine(function.int64)
    case .uint64: combine(function.uint64)
    }
    return try converted(output, to: data.elementType)
  }
}

/// Each update goes to its own place but for one axis, where an index says.
private struct ScatterElements: Kernel {
  let axis: Int
  let combination: ScatterCombination

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let data = try context.input(0, of: inputs)
    let positions = try context.input(1, of: inputs)
    let updates = try context.input(2, of: inputs)
    let axis = try context.normalizedAxis(axis, rank: data.rank)
    try context.requireWithin(positions, data, except: axis)
    guard updates.shape == positions.shape else {
      throw context.failure(
        "updates of shape \(updates.shape) for indices of shape \(positions.shape)")
    }
    let indices = try context.indices(positions, below: data.shape[axis])
    var places = [Int](repeating: 0, count: indices.count)
    if !places.isEmpty {
      context.forEachElementPlace(of: positions.shape, in: data.shape, except: axis) {
        item, start, stride in places[item] = start + indices[item] * stride
      }
    }
    return [try context.scattered(data, updates, to: places, length: 1, combination)]
  }
}

/// Slices of updates go where the last dimension of the indices says.
private struct ScatterND: Kernel {
  let combination: ScatterCombination

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let data = try context.input(0, of: inputs)
    let positions = try context.input(1, of: inputs)
    let updates = try context.input(2, of: inputs)
    guard let depth = positions.shape.last, depth <= data.rank,
      updates.shape == positions.shape.dropLast() + data.shape[depth...]
    else {
      throw context.failure(
        "updates of shape \(updates.shape), indices of shape \(positions.shape), data of shape "
          + "\(data.shape)")
    }
    let places = try context.sliceStarts(positions, in: data.shape)
    let length = data.shape[depth...].reduce(1, *)
    return [
      try context.scattered(
        data, updates, to: length == 0 ? [] : places, length: length, combination)
    ]
  }
}
