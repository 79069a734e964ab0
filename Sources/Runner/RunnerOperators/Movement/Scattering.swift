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
      let each = data.elementType.byteCount
      let bytes = length * each
      let (to, from) = (output.mutableBytes, updates.bytes)
      for (item, place) in places.enumerated() {
        (to + place * each).copyMemory(from: from + item * bytes, byteCount: bytes)
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

/// Each update goes to its own place except one axis, where an index says.
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
    if let result = try slicesScattered(data, positions, updates, axis: axis, in: context) {
      return [result]
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

extension ScatterElements {
  /// The result if all elements of a slice go to one slice, as where an index for each slice was expanded;
  /// otherwise nil.
  private func slicesScattered(
    _ data: Tensor, _ positions: Tensor, _ updates: Tensor, axis: Int, in context: KernelContext
  ) throws -> Tensor? {
    let length = data.shape[(axis + 1)...].reduce(1, *)
    guard length > 1, data.elementType == updates.elementType, positions.count > 0,
      positions.shape[..<axis] == data.shape[..<axis],
      positions.shape[(axis + 1)...] == data.shape[(axis + 1)...]
    else { return nil }
    let count = positions.count / length
    let slices: [Int]?
    switch positions.elementType {
    case .int64: slices = Self.slices(positions.pointer(to: Int64.self), count, length)
    case .int32: slices = Self.slices(positions.pointer(to: Int32.self), count, length)
    default: slices = nil
    }
    guard let slices else { return nil }
    let (rows, extent) = (positions.shape[axis], data.shape[axis])
    let places = try slices.enumerated().map { item, index in
      (item / rows * extent + (try context.index(index, below: extent))) * length
    }
    return try context.scattered(data, updates, to: places, length: length, combination)
  }

  /// The one index of each slice; nil if a slice has several.
  private static func slices<Index: FixedWidthInteger>(
    _ positions: UnsafePointer<Index>, _ count: Int, _ length: Int
  ) -> [Int]? {
    var result: [Int] = []
    result.reserveCapacity(count)
    for slice in 0..<count {
      let first = positions[slice * length]
      var differs: Index = 0
      for item in slice * length..<(slice + 1) * length { differs |= positions[item] ^ first }
      guard differs == 0 else { return nil }
      result.append(Int(first))
    }
    return result
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
