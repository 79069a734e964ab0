import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Operators that make tensors from little or nothing.
  package static let generation: [Operator] = [
    Operator(
      "Range", versions: [11], inputs: 3...3,
      types: ElementTypes([.float32, .float64, .int16, .int32, .int64]), shape: .dependsOnData
    ) { _ in RangeKernel() },
    Operator(
      "EyeLike", versions: [9, 22], inputs: 1...1, types: .numeric + .bool,
      attributes: ["dtype": .int, "k": .int], shape: .eyeLike
    ) { node in
      EyeLike(diagonal: try node.int("k", default: 0), type: try node.elementType("dtype"))
    },
    Operator(
      "Trilu", versions: [14], inputs: 1...2, types: .numeric + .bool, attributes: ["upper": .int],
      shape: .likeFirst
    ) {
      node in
      Trilu(isUpper: try node.flag("upper", default: true))
    },
    Operator(
      "OneHot", versions: [9, 11], inputs: 3...3, types: .numeric, attributes: ["axis": .int],
      shape: .oneHot
    ) { node in
      OneHot(axis: try node.int("axis", default: -1))
    },
  ]
}

extension ShapeRule {
  fileprivate static let eyeLike = ShapeRule { query in
    let input = try query.input(0)
    return [ValueFact(try query.info.elementType("dtype") ?? input.type, input.shape)]
  }

  static let oneHot = ShapeRule { query in
    guard let depth = try query.integers(1)?.first, depth >= 0 else {
      throw ShapeQuery.Unknown()
    }
    var shape = try query.shape(0)
    let axis = try query.normalizedAxis(query.info.int("axis", default: -1), rank: shape.count + 1)
    shape.insert(depth, at: axis)
    return [ValueFact(try query.input(2).type, shape)]
  }
}

/// Numbers from a start in steps up to a limit.
private struct RangeKernel: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let bounds = try (0..<3).map { try context.input($0, of: inputs) }
    try context.requireSameType(bounds)
    guard bounds.allSatisfy({ $0.count == 1 }) else {
      throw context.failure("start, limit and delta must be scalars")
    }
    let type = bounds[0].elementType
    if type.isFloatingPoint {
      let values = try bounds.map {
        try context.converted($0, to: .float64).array(of: Double.self)[0]
      }
      let (start, limit, delta) = (values[0], values[1], values[2])
      let steps = ((limit - start) / delta).rounded(.up)
      guard !steps.isNaN, steps < 0x1p48 else {
        throw context.failure("a range from \(start) to \(limit) in steps of \(delta)")
      }
      let output = try context.allocate(.float64, [Int(max(steps, 0))])
      let to = output.mutablePointer(to: Double.self)
      for index in 0..<output.count { to[index] = start + Double(index) * delta }
      return [try context.converted(output, to: type)]
    }
    let values = try bounds.map { try context.integer(context.converted($0, to: .int64)) }
    let (start, limit, delta) = (values[0], values[1], values[2])
    guard delta != 0 else { throw context.failure("a range in steps of 0") }
    let (distance, overflow) =
      delta > 0
      ? limit.subtractingReportingOverflow(start) : start.subtractingReportingOverflow(limit)
    guard !overflow else { throw context.failure("a range from \(start) to \(limit)") }
    let count = distance <= 0 ? 0 : (distance.magnitude - 1) / delta.magnitude + 1
    let output = try context.allocate(.int64, [Int(count)])
    let to = output.mutablePointer(to: Int64.self)
    for index in 0..<output.count { to[index] = Int64(start &+ index &* delta) }
    return [try context.converted(output, to: type)]
  }
}

/// Ones on a diagonal.
private struct EyeLike: Kernel {
  let diagonal: Int
  let type: ElementType?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.rank == 2 else { throw context.failure("shape \(input.shape), expected rank 2") }
    let output = try context.allocate(.int64, input.shape)
    let to = output.mutablePointer(to: Int64.self)
    to.update(repeating: 0, count: output.count)
    for row in 0..<input.shape[0] {
      let (column, overflow) = row.addingReportingOverflow(diagonal)
      if !overflow, column >= 0, column < input.shape[1] { to[row * input.shape[1] + column] = 1 }
    }
    return [try context.converted(output, to: type ?? input.elementType)]
  }
}

/// The upper or lower triangle of matrices; the rest becomes 0.
private struct Trilu: Kernel {
  let isUpper: Bool

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let diagonal = try context.optionalInput(1, of: inputs).map { try context.integers($0) } ?? [0]
    guard input.rank >= 2, let k = diagonal.first, input.elementType != .string else {
      throw context.failure("shape \(input.shape), expected matrices of numbers")
    }
    let output = try context.allocate(input.elementType, input.shape)
    guard output.count > 0 else { return [output] }
    let (rows, columns) = (input.shape[input.rank - 2], input.shape[input.rank - 1])
    let each = input.elementType.byteCount
    for index in 0..<output.count / columns {
      // The column at which the diagonal crosses this row, kept within the row.
      let crossing = index % rows + min(max(k, -rows), columns) + (isUpper ? 0 : 1)
      let split = min(max(crossing, 0), columns)
      let to = output.mutableBytes + index * columns * each
      let from = input.bytes + index * columns * each
      let kept = isUpper ? split..<columns : 0..<split
      to.initializeMemory(as: UInt8.self, repeating: 0, count: columns * each)
      (to + kept.lowerBound * each).copyMemory(
        from: from + kept.lowerBound * each, byteCount: kept.count * each)
    }
    return [output]
  }
}

/// A new axis on which one place is "on".
private struct OneHot: Kernel {
  let axis: Int

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let positions = try context.input(0, of: inputs)
    let depths = try context.converted(context.input(1, of: inputs), to: .int64)
    let values = try context.input(2, of: inputs)
    guard depths.count == 1, values.count == 2, values.elementType != .string else {
      throw context.failure("depth must be one number, and values two")
    }
    let depth = Int(depths.pointer(to: Int64.self)[0])
    let axis = try context.normalizedAxis(axis, rank: positions.rank + 1)
    var shape = positions.shape
    shape.insert(depth, at: axis)
    let hot = try context.allocate(.int64, shape)
    let to = hot.mutablePointer(to: Int64.self)
    to.update(repeating: 0, count: hot.count)
    guard hot.count > 0 else { return [try context.converted(hot, to: values.elementType)] }
    let inner = positions.shape[axis...].reduce(1, *)
    let indices = try context.converted(positions, to: .int64)
    for (item, index) in UnsafeBufferPointer(
      start: indices.pointer(to: Int64.self), count: indices.count
    ).enumerated() {
      // An index that is out of range is "off" everywhere.
      let place = index < 0 ? Int(index) &+ depth : Int(index)
      guard place >= 0, place < depth else { continue }
      to[(item / inner * depth + place) * inner + item % inner] = 1
    }
    let output = try context.allocate(values.elementType, shape)
    let each = values.elementType.byteCount
    for item in 0..<output.count {
      (output.mutableBytes + item * each).copyMemory(
        from: values.bytes + Int(to[item]) * each, byteCount: each)
    }
    return [output]
  }
}
