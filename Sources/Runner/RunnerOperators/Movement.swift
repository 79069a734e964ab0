import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Operators that move elements without looking at them.
  package static let movement: [Operator] = [
    Operator(
      "Transpose", versions: [1, 13, 21, 23, 24], inputs: 1...1, types: .any,
      attributes: ["perm": .ints], shape: .transpose, traits: [.widens]
    ) { node in
      TextMover(Transpose(order: try node.ints("perm")))
    },
    Operator(
      "Concat", versions: [4, 11, 13], inputs: 1...Operator.many, types: .any,
      attributes: ["axis": .int], shape: .concat, memory: .join, traits: [.widens]
    ) { node in
      guard let axis = try node.int("axis") else {
        throw node.failure("attribute 'axis' is missing")
      }
      return Concat(axis: axis)
    },
    Operator(
      "Split", versions: [2, 11, 13, 18], inputs: 1...2, outputs: 1...Operator.many, types: .any,
      attributes: ["axis": .int, "num_outputs": .int, "split": .ints], shape: .split,
      traits: [.widensAllOutputs]
    ) { node in
      Split(
        axis: try node.int("axis", default: 0), sizes: try node.ints("split"),
        parts: try node.int("num_outputs"), outputCount: node.outputCount)
    },
    Operator(
      "Slice", versions: [1, 10, 11, 13], inputs: 1...5, types: .any,
      attributes: ["axes": .ints, "ends": .ints, "starts": .ints], shape: .slice, traits: [.widens]
    ) { node in
      TextMover(
        Slice(
          starts: try node.ints("starts"), ends: try node.ints("ends"), axes: try node.ints("axes"))
      )
    },
    Operator(
      "Tile", versions: [6, 13], inputs: 2...2, types: .any, shape: .tile, traits: [.widens]
    ) { _ in TextMover(Tile()) },
    Operator(
      "DepthToSpace", versions: [1, 11, 13], inputs: 1...1, types: .numeric + .bool,
      attributes: ["blocksize": .int, "mode": .string], shape: .depthToSpace, traits: [.widens]
    ) { node in
      try BlockRearrangement(node: node, toSpace: true)
    },
    Operator(
      "SpaceToDepth", versions: [1, 13], inputs: 1...1, types: .numeric + .bool,
      attributes: ["blocksize": .int], shape: .spaceToDepth, traits: [.widens]
    ) { node in
      try BlockRearrangement(node: node, toSpace: false)
    },
  ]
}

extension ShapeRule {
  static let transpose = ShapeRule { query in
    let input = try query.input(0)
    let order = try query.info.ints("perm") ?? Array(input.shape.indices.reversed())
    guard order.sorted() == Array(input.shape.indices) else { throw ShapeQuery.Unknown() }
    return [ValueFact(input.type, order.map { input.shape[$0] })]
  }

  package static let concat = ShapeRule { try concat($0, Array($0.inputs.indices)) }

  package static func concat(_ query: ShapeQuery, _ parts: [Int]) throws -> [ValueFact?] {
    let first = try query.input(parts.first ?? 0)
    guard let given = try query.info.int("axis") else { throw ShapeQuery.Unknown() }
    let axis = try query.axis(given, rank: first.shape.count)
    var shape = first.shape
    for index in parts.dropFirst() {
      let other = try query.shape(index)
      guard other.count == shape.count,
        other.indices.allSatisfy({ $0 == axis || other[$0] == shape[$0] })
      else { throw ShapeQuery.Unknown() }
      shape[axis] += other[axis]
    }
    return [ValueFact(first.type, shape)]
  }

  package static let split = ShapeRule { try split($0) }

  package static let slice = ShapeRule { try sliced($0) }

  static let tile = ShapeRule { query in
    let input = try query.input(0)
    guard let repeats = try query.integers(1), repeats.count == input.shape.count,
      repeats.allSatisfy({ $0 >= 0 })
    else { throw ShapeQuery.Unknown() }
    return [
      ValueFact(
        input.type, try zip(input.shape, repeats).map { try query.product([$0, $1]) })
    ]
  }

  static let depthToSpace = ShapeRule { query in
    let input = try query.input(0)
    guard let size = try query.info.int("blocksize"), (1...4096).contains(size),
      input.shape.count == 4, input.shape[1] % (size * size) == 0
    else { throw ShapeQuery.Unknown() }
    let shape = input.shape
    return [
      ValueFact(
        input.type, [shape[0], shape[1] / (size * size), shape[2] * size, shape[3] * size])
    ]
  }

  static let spaceToDepth = ShapeRule { query in
    let input = try query.input(0)
    guard let size = try query.info.int("blocksize"), (1...4096).contains(size),
      input.shape.count == 4, input.shape[2] % size == 0, input.shape[3] % size == 0
    else { throw ShapeQuery.Unknown() }
    let shape = input.shape
    return [
      ValueFact(
        input.type, [shape[0], shape[1] * size * size, shape[2] / size, shape[3] / size])
    ]
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
}

/// Runs a kernel that only moves its first input's elements, on the positions of texts where they are
/// text.
struct TextMover: Kernel {
  let mover: any Kernel

  init(_ mover: any Kernel) {
    self.mover = mover
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType == .string else { return try mover.run(inputs, in: context) }
    return try context.movingText([input]) { positions, context in
      var inputs = inputs
      inputs[0] = positions[0]
      return try mover.run(inputs, in: context)[0]
    }
  }
}

private struct Transpose: Kernel {
  let order: [Int]?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let order = order ?? Array((0..<input.rank).reversed())
    guard order.sorted() == Array(0..<input.rank) else {
      throw context.failure("perm \(order) does not order \(input.rank) dimensions")
    }
    // Moving dimensions of one element leaves everything in place.
    let shape = order.map { input.shape[$0] }
    let moving = order.filter { input.shape[$0] != 1 }
    if moving == moving.sorted() { return [input.viewed(as: shape)] }
    return [try context.transposed(input, order)]
  }
}

private struct Concat: Kernel {
  let axis: Int

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let tensors = try inputs.indices.map { try context.input($0, of: inputs) }
    try context.requireSameType(tensors)
    let first = tensors[0]
    let axis = try context.normalizedAxis(axis, rank: first.rank)
    var shape = first.shape
    for tensor in tensors.dropFirst() {
      guard tensor.rank == first.rank,
        tensor.shape.indices.allSatisfy({ $0 == axis || tensor.shape[$0] == first.shape[$0] })
      else {
        throw context.failure(
          "shapes \(first.shape) and \(tensor.shape) differ outside of axis \(axis)")
      }
      let (sum, overflow) = shape[axis].addingReportingOverflow(tensor.shape[axis])
      guard !overflow else { throw context.failure("the result is too large") }
      shape[axis] = sum
    }
    if tensors.count == 1 { return [first] }
    if first.elementType == .string {
      return try context.movingText(tensors) { positions, context in
        try concatenate(positions, axis, shape, in: context)
      }
    }
    return [try concatenate(tensors, axis, shape, in: context)]
  }

  private func concatenate(
    _ tensors: [Tensor], _ axis: Int, _ shape: [Int], in context: KernelContext
  ) throws -> Tensor {
    let output = try context.allocate(tensors[0].elementType, shape)
    let strides = Shapes.strides(of: shape)
    let bytesEach = output.elementType.byteCount
    var start = 0
    for tensor in tensors where tensor.count > 0 {
      let target = output.mutableBytes + start * bytesEach
      // A part that was computed in its place is there already.
      if tensor.bytes != UnsafeRawPointer(target) {
        context.copy(
          StridedLayout(
            shape: tensor.shape, strides: [strides, Shapes.strides(of: tensor.shape)]),
          bytesEach: bytesEach, from: tensor.bytes, to: target)
      }
      start += tensor.shape[axis] * strides[axis]
    }
    return output
  }
}

private struct Split: Kernel {
  let axis: Int
  let sizes: [Int]?
  let parts: Int?
  let outputCount: Int

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let axis = try context.normalizedAxis(axis, rank: input.rank)
    let extent = input.shape[axis]
    let sizes = try sizes(of: extent, inputs, in: context)
    var outputs: [Tensor] = []
    var start = 0
    for size in sizes {
      var shape = input.shape
      shape[axis] = size
      let strides = Shapes.strides(of: input.shape)
      let first = start * strides[axis]
      if input.elementType == .string {
        outputs += try context.movingText([input]) { positions, context in
          try context.gathered(positions[0], shape: shape, strides: strides, start: first)
        }
      } else {
        outputs.append(try context.gathered(input, shape: shape, strides: strides, start: first))
      }
      start += size
    }
    return outputs
  }

  private func sizes(
    of extent: Int, _ inputs: [Tensor?], in context: KernelContext
  ) throws -> [Int] {
    let given = try context.optionalInput(1, of: inputs).map { try context.integers($0) } ?? sizes
    if let given {
      var rest = extent
      for size in given {
        guard size >= 0, size <= rest else {
          throw context.failure("parts \(given) do not make up \(extent)")
        }
        rest -= size
      }
      guard rest == 0 else { throw context.failure("parts \(given) do not make up \(extent)") }
      guard given.count >= outputCount else {
        throw context.failure("\(given.count) parts for \(outputCount) outputs")
      }
      return given
    }
    let count = max(parts ?? outputCount, 1)
    guard count >= outputCount, count <= max(extent, outputCount) else {
      throw context.failure("\(extent) cannot be split into \(count) parts")
    }
    // All parts but the last are equal, rounded up.
    let size = (extent + count - 1) / count
    return (0..<count).map { max(0, min(size, extent - $0 * size)) }
  }
}

private struct Slice: Kernel {
  let starts: [Int]?
  let ends: [Int]?
  let axes: [Int]?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    func list(_ index: Int, _ attribute: [Int]?) throws -> [Int]? {
      try context.optionalInput(index, of: inputs).map { try context.integers($0) } ?? attribute
    }
    guard let starts = try list(1, starts), let ends = try list(2, ends) else {
      throw context.failure("starts or ends are missing")
    }
    let axes = try list(3, axes) ?? Array(starts.indices)
    let steps = try list(4, nil) ?? [Int](repeating: 1, count: starts.count)
    guard ends.count == starts.count, axes.count == starts.count, steps.count == starts.count else {
      throw context.failure(
        "\(starts.count) starts, \(ends.count) ends, \(axes.count) axes, \(steps.count) steps")
    }
    var shape = input.shape
    var strides = Shapes.strides(of: input.shape)
    var first = 0
    var seen = Set<Int>()
    for index in starts.indices {
      let axis = try context.normalizedAxis(axes[index], rank: input.rank)
      guard seen.insert(axis).inserted else { throw context.failure("axis \(axis) comes twice") }
      let step = steps[index]
      guard step != 0, step != .min else { throw context.failure("step \(step)") }
      let extent = shape[axis]
      // Positions past the ends are brought to them; going backwards, one before the start is an end.
      let range = step > 0 ? 0...extent : -1...(extent - 1)
      func clamped(_ position: Int) -> Int {
        let counted = position < 0 ? position &+ extent : position
        return min(max(counted, range.lowerBound), range.upperBound)
      }
      let start = clamped(starts[index])
      let end = clamped(ends[index])
      let distance = step > 0 ? end - start : start - end
      shape[axis] = distance <= 0 ? 0 : (distance - 1) / Int(step.magnitude) + 1
      first += start * strides[axis]
      // A dimension of one element is never stepped along, and its step might overflow.
      strides[axis] = shape[axis] > 1 ? strides[axis] * step : 0
    }
    if shape == input.shape, strides == Shapes.strides(of: input.shape) { return [input] }
    return [try context.gathered(input, shape: shape, strides: strides, start: first)]
  }
}

private struct Tile: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let repeats = try context.integers(context.input(1, of: inputs))
    guard repeats.count == input.rank, repeats.allSatisfy({ $0 >= 0 }) else {
      throw context.failure("repeats \(repeats) for shape \(input.shape)")
    }
    // Each dimension becomes two: which tile, and where in it.
    var tiled: [Int] = []
    var split: [Int] = []
    var steps: [Int] = []
    for (dimension, stride) in Shapes.strides(of: input.shape).enumerated() {
      let (extent, overflow) = input.shape[dimension].multipliedReportingOverflow(
        by: repeats[dimension])
      guard !overflow else { throw context.failure("the result is too large") }
      tiled.append(extent)
      split += [repeats[dimension], input.shape[dimension]]
      steps += [0, stride]
    }
    // Checks the size before the copy is laid out.
    let output = try context.allocate(input.elementType, tiled)
    guard output.count > 0 else { return [output] }
    context.copy(
      StridedLayout(shape: split, strides: [Shapes.strides(of: split), steps]),
      bytesEach: input.elementType.byteCount, from: input.bytes, to: output.mutableBytes)
    return [output]
  }
}

/// Blocks of pixels to channels and back.
private struct BlockRearrangement: Kernel {
  let block: Int
  let toSpace: Bool
  let depthFirst: Bool

  init(node: NodeInfo, toSpace: Bool) throws {
    block = try node.int("blocksize", default: 0)
    guard block > 0, block < 1 << 15 else {
      throw node.failure("attribute 'blocksize' is \(block), expected at least 1")
    }
    self.toSpace = toSpace
    depthFirst = try !toSpace || node.string("mode", default: "DCR") == "DCR"
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType != .string else { throw context.unsupported("elements of type string") }
    guard input.rank == 4 else { throw context.failure("shape \(input.shape), expected rank 4") }
    let (n, c, h, w) = (input.shape[0], input.shape[1], input.shape[2], input.shape[3])
    let area = block * block
    let view: [Int]
    let order: [Int]
    let shape: [Int]
    if toSpace {
      guard c % area == 0 else {
        throw context.failure("\(c) channels do not divide into blocks of \(block)")
      }
      view =
        depthFirst
        ? [n, block, block, c / area, h, w] : [n, c / area, block, block, h, w]
      order = depthFirst ? [0, 3, 4, 1, 5, 2] : [0, 1, 4, 2, 5, 3]
      shape = [n, c / area, h * block, w * block]
    } else {
      guard h % block == 0, w % block == 0 else {
        throw context.failure("\(h) x \(w) pixels do not divide into blocks of \(block)")
      }
      view = [n, c, h / block, block, w / block, block]
      order = [0, 3, 5, 1, 2, 4]
      shape = [n, c * area, h / block, w / block]
    }
    return [try context.transposed(input.viewed(as: view), order).viewed(as: shape)]
  }
}
