extension ShapeRules {
  /// Operators that move elements or see them in another shape.
  static let movement: [String: Rule] = [
    "Reshape": { try reshaped($0) },
    "Flatten": { query in
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
    },
    "Squeeze": { query in
      let input = try query.input(0)
      guard let axes = try query.integers(1, or: "axes") else {
        return [ValueFact(input.type, input.shape.filter { $0 != 1 })]
      }
      let dropped = Set(try axes.map { try query.axis($0, rank: input.shape.count) })
      return [
        ValueFact(
          input.type, input.shape.indices.filter { !dropped.contains($0) }.map { input.shape[$0] })
      ]
    },
    "Unsqueeze": { query in
      let input = try query.input(0)
      guard let axes = try query.integers(1, or: "axes") else { throw ShapeQuery.Unknown() }
      let rank = input.shape.count + axes.count
      let added = Set(try axes.map { try query.axis($0, rank: rank) })
      guard added.count == axes.count else { throw ShapeQuery.Unknown() }
      var rest = input.shape.makeIterator()
      return [
        ValueFact(input.type, (0..<rank).map { added.contains($0) ? 1 : rest.next() ?? 1 })
      ]
    },
    "Expand": { query in
      let input = try query.input(0)
      guard let wanted = try query.integers(1), wanted.allSatisfy({ $0 >= 0 }) else {
        throw ShapeQuery.Unknown()
      }
      return [ValueFact(input.type, try query.broadcast([input.shape, wanted]))]
    },
    "Transpose": { query in
      let input = try query.input(0)
      let order = try query.info.ints("perm") ?? Array(input.shape.indices.reversed())
      guard order.sorted() == Array(input.shape.indices) else { throw ShapeQuery.Unknown() }
      return [ValueFact(input.type, order.map { input.shape[$0] })]
    },
    "Concat": { query in
      let first = try query.input(0)
      guard let given = try query.info.int("axis") else { throw ShapeQuery.Unknown() }
      let axis = try query.axis(given, rank: first.shape.count)
      var shape = first.shape
      for index in 1..<max(query.inputs.count, 1) {
        let other = try query.shape(index)
        guard other.count == shape.count,
          other.indices.allSatisfy({ $0 == axis || other[$0] == shape[$0] })
        else { throw ShapeQuery.Unknown() }
        shape[axis] += other[axis]
      }
      return [ValueFact(first.type, shape)]
    },
    "Split": { try split($0) },
    "Slice": { try sliced($0) },
    "Tile": { query in
      let input = try query.input(0)
      guard let repeats = try query.integers(1), repeats.count == input.shape.count,
        repeats.allSatisfy({ $0 >= 0 })
      else { throw ShapeQuery.Unknown() }
      return [
        ValueFact(
          input.type, try zip(input.shape, repeats).map { try query.product([$0, $1]) })
      ]
    },
    "Pad": { query in
      let input = try query.input(0)
      let rank = input.shape.count
      guard let pads = try query.integers(1, or: "pads") else { throw ShapeQuery.Unknown() }
      let axes = try query.integers(3) ?? Array(0..<rank)
      guard pads.count == 2 * axes.count else { throw ShapeQuery.Unknown() }
      var shape = input.shape
      for (index, axis) in axes.enumerated() {
        let axis = try query.axis(axis, rank: rank)
        let (sum, first) = input.shape[axis].addingReportingOverflow(pads[index])
        let (total, second) = sum.addingReportingOverflow(pads[index + axes.count])
        guard !first, !second, total >= 0 else { throw ShapeQuery.Unknown() }
        shape[axis] = total
      }
      return [ValueFact(input.type, shape)]
    },
    "DepthToSpace": { query in
      let input = try query.input(0)
      guard let size = try query.info.int("blocksize"), (1...4096).contains(size),
        input.shape.count == 4, input.shape[1] % (size * size) == 0
      else { throw ShapeQuery.Unknown() }
      let shape = input.shape
      return [
        ValueFact(
          input.type, [shape[0], shape[1] / (size * size), shape[2] * size, shape[3] * size])
      ]
    },
    "SpaceToDepth": { query in
      let input = try query.input(0)
      guard let size = try query.info.int("blocksize"), (1...4096).contains(size),
        input.shape.count == 4, input.shape[2] % size == 0, input.shape[3] % size == 0
      else { throw ShapeQuery.Unknown() }
      let shape = input.shape
      return [
        ValueFact(
          input.type, [shape[0], shape[1] * size * size, shape[2] / size, shape[3] / size])
      ]
    },
  ]

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

  private static func split(_ query: ShapeQuery) throws -> [ValueFact?] {
    let input = try query.input(0)
    let axis = try query.axis(query.info.int("axis", default: 0), rank: input.shape.count)
    let extent = input.shape[axis]
    let outputs = query.info.outputCount
    let sizes: [Int]
    if let given = try query.integers(1, or: "split") {
      guard given.allSatisfy({ $0 >= 0 && $0 <= extent }), given.reduce(0, +) == extent,
        given.count >= outputs
      else { throw ShapeQuery.Unknown() }
      sizes = given
    } else {
      let count = max(try query.info.int("num_outputs") ?? outputs, 1)
      guard count >= outputs, count <= max(extent, outputs) else { throw ShapeQuery.Unknown() }
      let size = (extent + count - 1) / count
      sizes = (0..<count).map { max(0, min(size, extent - $0 * size)) }
    }
    return sizes.map { size in
      var shape = input.shape
      shape[axis] = size
      return ValueFact(input.type, shape)
    }
  }

  private static func sliced(_ query: ShapeQuery) throws -> [ValueFact?] {
    let input = try query.input(0)
    guard let starts = try query.integers(1, or: "starts"),
      let ends = try query.integers(2, or: "ends")
    else { throw ShapeQuery.Unknown() }
    let axes = try query.integers(3, or: "axes") ?? Array(starts.indices)
    let steps = try query.integers(4) ?? [Int](repeating: 1, count: starts.count)
    guard ends.count == starts.count, axes.count == starts.count, steps.count == starts.count
    else { throw ShapeQuery.Unknown() }
    var shape = input.shape
    for index in starts.indices {
      let axis = try query.axis(axes[index], rank: shape.count)
      let step = steps[index]
      guard step != 0, step != .min else { throw ShapeQuery.Unknown() }
      let extent = input.shape[axis]
      let range = step > 0 ? 0...extent : -1...(extent - 1)
      func clamped(_ position: Int) -> Int {
        let counted = position < 0 ? position &+ extent : position
        return min(max(counted, range.lowerBound), range.upperBound)
      }
      let start = clamped(starts[index])
      let end = clamped(ends[index])
      let distance = step > 0 ? end - start : start - end
      shape[axis] = distance <= 0 ? 0 : (distance - 1) / Int(step.magnitude) + 1
    }
    return [ValueFact(input.type, shape)]
  }

  /// Operators that look elements up.
  static let gathering: [String: Rule] = [
    "Gather": { query in
      let input = try query.input(0)
      let indices = try query.shape(1)
      let axis = try query.axis(query.info.int("axis", default: 0), rank: input.shape.count)
      return [
        ValueFact(input.type, input.shape[..<axis] + indices + input.shape[(axis + 1)...])
      ]
    },
    "GatherElements": { [ValueFact(try $0.input(0).type, try $0.shape(1))] },
    "GatherND": { query in
      let input = try query.input(0)
      let indices = try query.shape(1)
      let batch = try query.info.int("batch_dims", default: 0)
      guard let depth = indices.last, batch >= 0, depth >= 0, batch + depth <= input.shape.count
      else { throw ShapeQuery.Unknown() }
      return [ValueFact(input.type, indices.dropLast() + input.shape[(batch + depth)...])]
    },
    "TopK": { query in
      let input = try query.input(0)
      guard let count = try query.integers(1)?.first ?? query.info.int("k"), count >= 0 else {
        throw ShapeQuery.Unknown()
      }
      var shape = input.shape
      let axis = try query.axis(query.info.int("axis", default: -1), rank: shape.count)
      guard count <= shape[axis] else { throw ShapeQuery.Unknown() }
      shape[axis] = count
      return [ValueFact(input.type, shape), ValueFact(.int64, shape)]
    },
    "OneHot": { query in
      guard let depth = try query.integers(1)?.first, depth >= 0 else {
        throw ShapeQuery.Unknown()
      }
      var shape = try query.shape(0)
      let axis = try query.axis(query.info.int("axis", default: -1), rank: shape.count + 1)
      shape.insert(depth, at: axis)
      return [ValueFact(try query.input(2).type, shape)]
    },
  ]

  /// Reductions, by attributes or by an input of axes.
  static let reductions: [String: Rule] = {
    var rules: [String: Rule] = [:]
    let names = [
      "Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "SumSquare", "LogSum", "LogSumExp",
    ]
    for name in names {
      rules["Reduce" + name] = { query in
        let input = try query.input(0)
        let axes = try query.integers(1, or: "axes") ?? []
        if axes.isEmpty, try query.info.flag("noop_with_empty_axes") { return [input] }
        let reduced = Set(try axes.map { try query.axis($0, rank: input.shape.count) })
        return [
          try collapsed(
            input, { reduced.contains($0) || axes.isEmpty },
            keeps: query.info.flag("keepdims", default: true))
        ]
      }
    }
    for name in ["ArgMax", "ArgMin"] {
      rules[name] = { query in
        let input = try query.input(0)
        let axis = try query.axis(query.info.int("axis", default: 0), rank: input.shape.count)
        return [
          try collapsed(
            ValueFact(.int64, input.shape), { $0 == axis },
            keeps: query.info.flag("keepdims", default: true))
        ]
      }
    }
    return rules
  }()

  private static func collapsed(
    _ input: ValueFact, _ isReduced: (Int) -> Bool, keeps: Bool
  ) throws -> ValueFact {
    var shape: [Int] = []
    for (axis, extent) in input.shape.enumerated() {
      if !isReduced(axis) { shape.append(extent) } else if keeps { shape.append(1) }
    }
    return ValueFact(input.type, shape)
  }
}
