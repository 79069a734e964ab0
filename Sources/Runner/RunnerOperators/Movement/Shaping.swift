import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Operators that give the same elements another shape, or speak of shapes.
  package static let shaping: [Operator] = [
    Operator(
      "Reshape", versions: [5, 13, 14, 19, 21, 23, 24], inputs: 2...2, types: .any,
      attributes: ["allowzero": .int], shape: .reshape, memory: .view, traits: [.widens]
    ) { node in
      Reshape(allowsZero: try node.flag("allowzero"))
    },
    Operator(
      "Flatten", versions: [1, 9, 11, 13, 21, 23, 24], inputs: 1...1, types: .any,
      attributes: ["axis": .int], shape: .flatten, memory: .view, traits: [.widens]
    ) { node in
      Flatten(axis: try node.int("axis", default: 1))
    },
    Operator(
      "Squeeze", versions: [1, 11, 13, 21, 23, 24], inputs: 1...2, types: .any,
      attributes: ["axes": .ints], shape: .squeeze, memory: .view, traits: [.widens]
    ) { node in
      Squeeze(axes: try node.ints("axes"))
    },
    Operator(
      "Unsqueeze", versions: [1, 11, 13, 21, 23, 24], inputs: 1...2, types: .any,
      attributes: ["axes": .ints], shape: .unsqueeze, memory: .view, traits: [.widens]
    ) { node in
      Unsqueeze(axes: try node.ints("axes"))
    },
    Operator(
      "Shape", versions: [1, 13, 15, 19, 21, 23, 24], inputs: 1...1, types: .any,
      attributes: ["end": .int, "start": .int], shape: .shape
    ) { node in
      ShapeOf(start: try node.int("start", default: 0), end: try node.int("end"))
    },
    Operator("Size", versions: [1, 13, 19, 21, 23, 24], inputs: 1...1, types: .any, shape: .size) {
      _ in
      SizeOf()
    },
    Operator(
      "Expand", versions: [8, 13], inputs: 2...2, types: .any, shape: .expand, traits: [.widens]
    ) { _ in Expand() },
  ]
}

extension ShapeRule {
  package static let reshape = ShapeRule { query in
    let input = try query.input(0)
    guard let wanted = try query.integers(1) else { throw ShapeQuery.Unknown() }
    return [
      ValueFact(
        input.type,
        try query.reshaped(
          input.shape, to: wanted, allowsZero: query.info.flag("allowzero")))
    ]
  }

  static let flatten = ShapeRule { query in
    let input = try query.input(0)
    let axis = try query.info.int("axis", default: 1)
    return [ValueFact(input.type, try query.flattened(input.shape, at: axis))]
  }

  package static let squeeze = ShapeRule { query in
    let input = try query.input(0)
    let axes = try query.integers(1, or: "axes")
    return [ValueFact(input.type, try query.squeezed(input.shape, axes))]
  }

  static let unsqueeze = ShapeRule { query in
    let input = try query.input(0)
    let axes = try query.integers(1, or: "axes")
    return [ValueFact(input.type, try query.unsqueezed(input.shape, axes))]
  }

  package static let expand = ShapeRule { query in
    let input = try query.input(0)
    guard let wanted = try query.integers(1), wanted.allSatisfy({ $0 >= 0 }) else {
      throw ShapeQuery.Unknown()
    }
    return [ValueFact(input.type, try query.broadcast([input.shape, wanted]))]
  }

  package static let shape = ShapeRule { query in
    // Its value is known with it: see ``ShapeFolding``.
    let rank = try query.shape(0).count
    func clamped(_ index: Int) -> Int {
      min(max(index < 0 ? index + rank : index, 0), rank)
    }
    let first = clamped(try query.info.int("start", default: 0))
    return [ValueFact(.int64, [max(clamped(try query.info.int("end") ?? rank) - first, 0)])]
  }

  package static let size = ShapeRule { query in
    _ = try query.input(0)
    return [ValueFact(.int64, [])]
  }
}

extension ShapeContext {
  fileprivate func reshaped(_ shape: [Int], to wanted: [Int], allowsZero: Bool) throws -> [Int] {
    var result = wanted
    var unknown: Int?
    for (index, extent) in wanted.enumerated() {
      if extent == 0, !allowsZero {
        guard index < shape.count else {
          throw failure("shape \(wanted) copies dimension \(index) of \(shape)")
        }
        result[index] = shape[index]
      } else if extent == -1 {
        guard unknown == nil else { throw failure("shape \(wanted) has two unknowns") }
        unknown = index
        result[index] = 1
      } else if extent < 0 {
        throw failure("shape \(wanted) has a negative dimension")
      }
    }
    let count = try product(shape)
    guard let known = try? Tensor.elementCount(of: result) else {
      throw failure("shape \(wanted) is too large")
    }
    if let unknown, known > 0, count % known == 0 {
      result[unknown] = count / known
    } else if unknown != nil || known != count {
      throw failure("\(shape) does not fit shape \(wanted)")
    }
    return result
  }

  /// Two dimensions, the first made of those before `axis`.
  fileprivate func flattened(_ shape: [Int], at axis: Int) throws -> [Int] {
    guard axis >= -shape.count, axis <= shape.count else {
      throw failure("axis \(axis) is out of range for rank \(shape.count)")
    }
    let split = axis < 0 ? axis + shape.count : axis
    return [try product(shape[..<split]), try product(shape[split...])]
  }

  /// Without some dimensions of 1, or without all of them.
  fileprivate func squeezed(_ shape: [Int], _ axes: [Int]?) throws -> [Int] {
    guard let axes else { return shape.filter { $0 != 1 } }
    let dropped = try axes.map { try normalizedAxis($0, rank: shape.count) }
    if let axis = dropped.first(where: { shape[$0] != 1 }) {
      throw failure("dimension \(axis) of \(shape) is not 1")
    }
    return shape.indices.filter { !dropped.contains($0) }.map { shape[$0] }
  }

  /// With dimensions of 1 at `axes` of the result.
  fileprivate func unsqueezed(_ shape: [Int], _ axes: [Int]?) throws -> [Int] {
    guard let axes else { throw failure("axes are missing") }
    let rank = shape.count + axes.count
    // Marked by an extent of -1. A set of the axes would take longer than all else here.
    var result = [Int](repeating: 0, count: rank)
    for axis in axes {
      let axis = try normalizedAxis(axis, rank: rank)
      guard result[axis] == 0 else { throw failure("axis \(axis) comes twice") }
      result[axis] = -1
    }
    var rest = shape.makeIterator()
    for place in 0..<rank { result[place] = result[place] < 0 ? 1 : rest.next() ?? 1 }
    return result
  }
}

private struct Reshape: Kernel {
  let allowsZero: Bool

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let wanted = try context.integers(context.input(1, of: inputs))
    return [
      input.viewed(as: try context.reshaped(input.shape, to: wanted, allowsZero: allowsZero))
    ]
  }
}

private struct Flatten: Kernel {
  let axis: Int

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    return [input.viewed(as: try context.flattened(input.shape, at: axis))]
  }
}

private struct Squeeze: Kernel {
  let axes: [Int]?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let given = try context.optionalInput(1, of: inputs).map { try context.integers($0) } ?? axes
    return [input.viewed(as: try context.squeezed(input.shape, given))]
  }
}

private struct Unsqueeze: Kernel {
  let axes: [Int]?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let given = try context.optionalInput(1, of: inputs).map { try context.integers($0) } ?? axes
    return [input.viewed(as: try context.unsqueezed(input.shape, given))]
  }
}

private struct ShapeOf: Kernel {
  let start: Int
  let end: Int?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let shape = try context.input(0, of: inputs).shape
    func clamped(_ index: Int) -> Int {
      min(max(index < 0 ? index + shape.count : index, 0), shape.count)
    }
    let first = clamped(start)
    let last = max(clamped(end ?? shape.count), first)
    let extents = shape[first..<last].map { Int64($0) }
    return [try Tensor(shape: [extents.count], extents)]
  }
}

private struct SizeOf: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    [Tensor(scalar: Int64(try context.input(0, of: inputs).count))]
  }
}

private struct Expand: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let wanted = try context.integers(context.input(1, of: inputs))
    guard let shape = Shapes.broadcast([input.shape, wanted]), shape.allSatisfy({ $0 >= 0 }) else {
      throw context.failure("\(input.shape) does not expand to \(wanted)")
    }
    if shape == input.shape { return [input] }
    let strides = Shapes.strides(of: input.shape, broadcastTo: shape)
    if input.elementType == .string {
      return try context.movingText([input]) { positions, context in
        try context.gathered(positions[0], shape: shape, strides: strides)
      }
    }
    return [try context.gathered(input, shape: shape, strides: strides)]
  }
}
