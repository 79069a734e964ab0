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
  package static let reshape = ShapeRule { try reshaped($0) }

  static let flatten = ShapeRule { query in
    let input = try query.input(0)
    let rank = input.shape.count
    let axis = try query.info.int("axis", default: 1)
    guard axis >= -rank, axis <= rank else { throw ShapeQuery.Unknown() }
    let split = axis < 0 ? axis + rank : axis
    return [
      ValueFact(
        input.type,
        [try query.product(input.shape[..<split]), try query.product(input.shape[split...])])
    ]
  }

  package static let squeeze = ShapeRule { query in
    let input = try query.input(0)
    guard let axes = try query.integers(1, or: "axes") else {
      return [ValueFact(input.type, input.shape.filter { $0 != 1 })]
    }
    let dropped = Set(try axes.map { try query.axis($0, rank: input.shape.count) })
    return [
      ValueFact(
        input.type, input.shape.indices.filter { !dropped.contains($0) }.map { input.shape[$0] })
    ]
  }

  static let unsqueeze = ShapeRule { query in
    let input = try query.input(0)
    guard let axes = try query.integers(1, or: "axes") else { throw ShapeQuery.Unknown() }
    let rank = input.shape.count + axes.count
    let added = Set(try axes.map { try query.axis($0, rank: rank) })
    guard added.count == axes.count else { throw ShapeQuery.Unknown() }
    var rest = input.shape.makeIterator()
    return [
      ValueFact(input.type, (0..<rank).map { added.contains($0) ? 1 : rest.next() ?? 1 })
    ]
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

  private static func reshaped(_ query: ShapeQuery) throws -> [ValueFact?] {
    let input = try query.input(0)
    guard let wanted = try query.integers(1) else { throw ShapeQuery.Unknown() }
    let allowsZero = try query.info.flag("allowzero")
    var shape = wanted
    var unknown: Int?
    for (index, extent) in wanted.enumerated() {
      if extent == 0, !allowsZero {
        guard index < input.shape.count else { throw ShapeQuery.Unknown() }
        shape[index] = input.shape[index]
      } else if extent == -1, unknown == nil {
        unknown = index
        shape[index] = 1
      } else if extent < 0 {
        throw ShapeQuery.Unknown()
      }
    }
    let count = try query.product(input.shape)
    let known = try query.product(shape)
    if let unknown {
      guard known > 0, count % known == 0 else { throw ShapeQuery.Unknown() }
      shape[unknown] = count / known
    } else if known != count {
      throw ShapeQuery.Unknown()
    }
    return [ValueFact(input.type, shape)]
  }
}

private struct Reshape: Kernel {
  let allowsZero: Bool

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let wanted = try context.integers(context.input(1, of: inputs))
    var shape = wanted
    var unknown: Int?
    for (index, extent) in wanted.enumerated() {
      if extent == 0, !allowsZero {
        guard index < input.rank else {
          throw context.failure("shape \(wanted) copies dimension \(index) of \(input.shape)")
        }
        shape[index] = input.shape[index]
      } else if extent == -1 {
        guard unknown == nil else { throw context.failure("shape \(wanted) has two unknowns") }
        unknown = index
        shape[index] = 1
      } else if extent < 0 {
        throw context.failure("shape \(wanted) has a negative dimension")
      }
    }
    let known: Int
    do {
      known = try Tensor.elementCount(of: shape)
    } catch {
      throw context.failure("shape \(wanted) is too large")
    }
    if let unknown {
      guard known > 0, input.count % known == 0 else {
        throw context.failure("\(input.shape) does not fit shape \(wanted)")
      }
      shape[unknown] = input.count / known
    } else if known != input.count {
      throw context.failure("\(input.shape) does not fit shape \(wanted)")
    }
    return [input.viewed(as: shape)]
  }
}

/// Two dimensions, the first made of those before `axis`.
private struct Flatten: Kernel {
  let axis: Int

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard axis >= -input.rank, axis <= input.rank else {
      throw context.failure("axis \(axis) is out of range for rank \(input.rank)")
    }
    let split = axis < 0 ? axis + input.rank : axis
    return [
      input.viewed(as: [
        input.shape[..<split].reduce(1, *), input.shape[split...].reduce(1, *),
      ])
    ]
  }
}

private struct Squeeze: Kernel {
  let axes: [Int]?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let given = try context.optionalInput(1, of: inputs).map { try context.integers($0) } ?? axes
    guard let given else { return [input.viewed(as: input.shape.filter { $0 != 1 })] }
    var dropped = Set<Int>()
    for axis in given {
      let axis = try context.normalizedAxis(axis, rank: input.rank)
      guard input.shape[axis] == 1 else {
        throw context.failure("dimension \(axis) of \(input.shape) is not 1")
      }
      dropped.insert(axis)
    }
    return [
      input.viewed(as: input.shape.indices.filter { !dropped.contains($0) }.map { input.shape[$0] })
    ]
  }
}

private struct Unsqueeze: Kernel {
  let axes: [Int]?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let given = try context.optionalInput(1, of: inputs).map { try context.integers($0) } ?? axes
    guard let given else { throw context.failure("axes are missing") }
    let rank = input.rank + given.count
    var added = Set<Int>()
    for axis in given {
      let axis = try context.normalizedAxis(axis, rank: rank)
      guard added.insert(axis).inserted else { throw context.failure("axis \(axis) comes twice") }
    }
    var rest = input.shape.makeIterator()
    return [input.viewed(as: (0..<rank).map { added.contains($0) ? 1 : rest.next() ?? 1 })]
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
