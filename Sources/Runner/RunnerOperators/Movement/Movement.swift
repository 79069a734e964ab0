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
    guard let axis = try query.info.int("axis") else { throw ShapeQuery.Unknown() }
    let (_, shape) = try query.joined(parts.map { try query.shape($0) }, along: axis)
    return [ValueFact(try query.input(parts[0]).type, shape)]
  }

  package static let split = ShapeRule { query in
    let input = try query.input(0)
    let axis = try query.normalizedAxis(query.info.int("axis", default: 0), rank: input.shape.count)
    let sizes = try query.parts(
      of: input.shape[axis], sizes: query.integers(1, or: "split"),
      count: query.info.int("num_outputs"), outputs: query.info.outputCount)
    return sizes.map { size in
      var shape = input.shape
      shape[axis] = size
      return ValueFact(input.type, shape)
    }
  }

  package static let slice = ShapeRule { query in
    let input = try query.input(0)
    let cuts = try query.cuts(
      of: input.shape, starts: query.integers(1, or: "starts"), ends: query.integers(2, or: "ends"),
      axes: query.integers(3, or: "axes"), steps: query.integers(4))
    var shape = input.shape
    for cut in cuts { shape[cut.axis] = cut.count }
    return [ValueFact(input.type, shape)]
  }

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

  static let depthToSpace = ShapeRule { try rearranged($0, toSpace: true) }

  static let spaceToDepth = ShapeRule { try rearranged($0, toSpace: false) }

  private static func rearranged(_ query: ShapeQuery, toSpace: Bool) throws -> [ValueFact?] {
    let input = try query.input(0)
    let block = try BlockRearrangement.block(query.info)
    return [
      ValueFact(input.type, try query.rearranged(input.shape, block: block, toSpace: toSpace))
    ]
  }
}

extension ShapeContext {
  /// Which axis parts of these shapes are joined along, and the shape they make.
  fileprivate func joined(_ shapes: [[Int]], along axis: Int) throws -> (axis: Int, shape: [Int]) {
    guard let first = shapes.first else { throw failure("input 0 is missing") }
    let axis = try normalizedAxis(axis, rank: first.count)
    var shape = first
    for other in shapes.dropFirst() {
      guard other.count == first.count,
        other.indices.allSatisfy({ $0 == axis || other[$0] == first[$0] })
      else { throw failure("shapes \(first) and \(other) differ outside of axis \(axis)") }
      let (sum, overflow) = shape[axis].addingReportingOverflow(other[axis])
      guard !overflow else { throw failure("the result is too large") }
      shape[axis] = sum
    }
    return (axis, shape)
  }

  /// The parts that an extent is split into.
  fileprivate func parts(of extent: Int, sizes: [Int]?, count: Int?, outputs: Int) throws -> [Int] {
    if let sizes {
      var rest = extent
      for size in sizes where rest >= 0 { rest = size < 0 ? -1 : rest - size }
      guard rest == 0 else { throw failure("parts \(sizes) do not make up \(extent)") }
      guard sizes.count >= outputs else {
        throw failure("\(sizes.count) parts for \(outputs) outputs")
      }
      return sizes
    }
    let count = max(count ?? outputs, 1)
    guard count >= outputs, count <= max(extent, outputs) else {
      throw failure("\(extent) cannot be split into \(count) parts")
    }
    // All parts but the last are equal, rounded up.
    let size = (extent + count - 1) / count
    return (0..<count).map { max(0, min(size, extent - $0 * size)) }
  }

  /// What is taken of each axis that is cut: where it starts, in which steps, and how many.
  fileprivate func cuts(
    of shape: [Int], starts: [Int]?, ends: [Int]?, axes: [Int]?, steps: [Int]?
  ) throws -> [(axis: Int, start: Int, step: Int, count: Int)] {
    guard let starts, let ends else { throw failure("starts or ends are missing") }
    let axes = axes ?? Array(starts.indices)
    let steps = steps ?? [Int](repeating: 1, count: starts.count)
    guard ends.count == starts.count, axes.count == starts.count, steps.count == starts.count else {
      throw failure(
        "\(starts.count) starts, \(ends.count) ends, \(axes.count) axes, \(steps.count) steps")
    }
    var seen = Set<Int>()
    return try starts.indices.map { index in
      let axis = try normalizedAxis(axes[index], rank: shape.count)
      guard seen.insert(axis).inserted else { throw failure("axis \(axis) comes twice") }
      let step = steps[index]
      guard step != 0, step != .min else { throw failure("step \(step)") }
      let extent = shape[axis]
      // Positions past the ends are brought to them; going backwards, one before the start is an end.
      let last = step > 0 ? extent : extent - 1
      func clamped(_ position: Int, from first: Int) -> Int {
        let counted = position < 0 ? position &+ extent : position
        return min(max(counted, first), last)
      }
      let start = clamped(starts[index], from: 0)
      let first = step > 0 ? 0 : -1
      // Backwards as well, the greatest number means all that there is, as ONNX Runtime has it.
      let isWhole = step < 0 && (ends[index] == .max || ends[index] == Int(Int32.max))
      let end = isWhole ? first : clamped(ends[index], from: first)
      let distance = step > 0 ? end - start : start - end
      return (axis, start, step, distance <= 0 ? 0 : (distance - 1) / Int(step.magnitude) + 1)
    }
  }

  /// Blocks of pixels as channels, or channels as blocks of pixels.
  fileprivate func rearranged(_ shape: [Int], block: Int, toSpace: Bool) throws -> [Int] {
    guard shape.count == 4 else { throw failure("shape \(shape), expected rank 4") }
    let (n, c, h, w) = (shape[0], shape[1], shape[2], shape[3])
    if toSpace {
      guard c % (block * block) == 0 else {
        throw failure("\(c) channels do not divide into blocks of \(block)")
      }
      return [n, c / (block * block), try product([h, block]), try product([w, block])]
    }
    guard h % block == 0, w % block == 0 else {
      throw failure("\(h) x \(w) pixels do not divide into blocks of \(block)")
    }
    return [n, try product([c, block, block]), h / block, w / block]
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
    let (axis, shape) = try context.joined(tensors.map(\.shape), along: axis)
    if tensors.count == 1 { return tensors }
    if tensors[0].elementType == .string {
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
    let given = try context.optionalInput(1, of: inputs).map { try context.integers($0) } ?? sizes
    let sizes = try context.parts(
      of: input.shape[axis], sizes: given, count: parts, outputs: outputCount)
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
    let cuts = try context.cuts(
      of: input.shape, starts: list(1, starts), ends: list(2, ends), axes: list(3, axes),
      steps: list(4, nil))
    var shape = input.shape
    var strides = Shapes.strides(of: input.shape)
    var first = 0
    for cut in cuts {
      shape[cut.axis] = cut.count
      first += cut.start * strides[cut.axis]
      // A dimension of one element is never stepped along, and its step might overflow.
      strides[cut.axis] = cut.count > 1 ? strides[cut.axis] * cut.step : 0
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
    block = try Self.block(node)
    self.toSpace = toSpace
    depthFirst = try !toSpace || node.string("mode", default: "DCR") == "DCR"
  }

  static func block(_ node: NodeInfo) throws -> Int {
    let block = try node.int("blocksize", default: 0)
    guard block > 0, block < 1 << 15 else {
      throw node.failure("attribute 'blocksize' is \(block), expected at least 1")
    }
    return block
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType != .string else { throw context.unsupported("elements of type string") }
    let shape = try context.rearranged(input.shape, block: block, toSpace: toSpace)
    let (n, c) = (input.shape[0], input.shape[1])
    let view: [Int]
    let order: [Int]
    if toSpace {
      let pixels = Array(input.shape[2...])
      view = (depthFirst ? [n, block, block, shape[1]] : [n, shape[1], block, block]) + pixels
      order = depthFirst ? [0, 3, 4, 1, 5, 2] : [0, 1, 4, 2, 5, 3]
    } else {
      view = [n, c, shape[2], block, shape[3], block]
      order = [0, 3, 5, 1, 2, 4]
    }
    return [try context.transposed(input.viewed(as: view), order).viewed(as: shape)]
  }
}
