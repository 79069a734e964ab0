import RunnerGraph
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Comparisons, truth values, and operations on bits.
  package static let logic: [Operator] = [
    comparison("Equal", [1, 7, 11, 13, 19], types: .any) {
      Comparison(relation: .equal)
    },
    comparison("Greater", [1, 7, 9, 13]) { Comparison(relation: .greater) },
    comparison("GreaterOrEqual", [12, 16], [:]) { Comparison(relation: .greaterOrEqual) },
    comparison("Less", [1, 7, 9, 13]) { Comparison(relation: .less) },
    comparison("LessOrEqual", [12, 16], [:]) { Comparison(relation: .lessOrEqual) },
    comparison("And", [1, 7], types: .bool) { Truth { $0 & $1 } },
    comparison("Or", [1, 7], types: .bool) { Truth { $0 | $1 } },
    comparison("Xor", [1, 7], types: .bool) { Truth { $0 ^ $1 } },
    Operator("Not", versions: [1], inputs: 1...1, types: .bool, shape: .likeFirst) { _ in Not() },
    Operator("BitwiseAnd", versions: [18], inputs: 2...2, types: .integer, shape: .broadcast) { _ in
      Bits { a, b, _ in a & b }
    },
    Operator("BitwiseOr", versions: [18], inputs: 2...2, types: .integer, shape: .broadcast) { _ in
      Bits { a, b, _ in a | b }
    },
    Operator("BitwiseXor", versions: [18], inputs: 2...2, types: .integer, shape: .broadcast) { _ in
      Bits { a, b, _ in a ^ b }
    },
    Operator("BitwiseNot", versions: [18], inputs: 1...1, types: .integer, shape: .likeFirst) { _ in
      BitwiseNot()
    },
    Operator(
      "BitShift", versions: [11], inputs: 2...2,
      types: ElementTypes([.uint8, .uint16, .uint32, .uint64]), attributes: ["direction": .string],
      shape: .broadcast
    ) { node in
      switch try node.string("direction") {
      case "LEFT": return Bits { a, b, width in b >= width ? 0 : a << b }
      case "RIGHT": return Bits { a, b, width in b >= width ? 0 : a >> b }
      case let other:
        throw node.failure(
          "attribute 'direction' is '\(other ?? "")', expected 'LEFT' or 'RIGHT'")
      }
    },
    Operator("IsNaN", versions: [9, 13, 20], inputs: 1...1, types: .real, shape: .broadcastTruth) {
      _ in
      NaNTest()
    },
    Operator(
      "IsInf", versions: [10, 20], inputs: 1...1, types: .real,
      attributes: ["detect_positive": .int, "detect_negative": .int], shape: .broadcastTruth
    ) {
      node in
      let positive = try node.flag("detect_positive", default: true)
      let negative = try node.flag("detect_negative", default: true)
      return RealTest { $0 == .infinity && positive || $0 == -.infinity && negative }
    },
  ]

  /// What two values give a truth value by; one that early opsets had broadcasts as they do.
  private static func comparison(
    _ name: String, _ versions: [Int], types: ElementTypes = .numeric,
    _ attributes: AttributeKinds = .earlyBroadcast, _ kernel: @escaping @Sendable () -> any Kernel
  ) -> Operator {
    Operator(
      name, versions: versions, inputs: 2...2, types: types, attributes: attributes,
      shape: .broadcastTruth
    ) { try LegacyBroadcast.applied(to: kernel(), of: $0) }
  }
}

/// Whether a relation holds between two values.
private struct Comparison: Kernel {
  enum Relation {
    case equal, greater, greaterOrEqual, less, lessOrEqual
  }

  let relation: Relation

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let a = try context.input(0, of: inputs)
    let b = try context.input(1, of: inputs)
    try context.requireSameType([a, b])
    guard relation == .equal || a.elementType != .bool else {
      throw context.failure("elements are truth values")
    }
    if a.elementType == .string { return [try compareText(a, b, in: context)] }
    let x = try context.widened(a)
    let y = try context.widened(b)
    switch try context.computeType(of: a) {
    case .float32: return [try compare(x, y, in: context, by: rk_compare_f32)]
    case .float64: return [try compare(x, y, Double.self, in: context)]
    case .int64: return [try compare(x, y, in: context, by: rk_compare_i64)]
    case .uint64: return [try compare(x, y, UInt64.self, in: context)]
    }
  }

  /// A kernel that compares rows.
  private typealias RowKernel<Element> = (
    rk_relation, UnsafePointer<Element>, Int, UnsafePointer<Element>, Int,
    UnsafeMutablePointer<UInt8>, Int
  ) -> Void

  private func compare<Element: TensorScalar>(
    _ a: Tensor, _ b: Tensor, in context: KernelContext, by kernel: RowKernel<Element>
  ) throws -> Tensor {
    // The lesser of two is the greater the other way round.
    let isTurned = relation == .less || relation == .lessOrEqual
    let (a, b) = isTurned ? (b, a) : (a, b)
    let kind: rk_relation
    switch relation {
    case .equal: kind = RK_EQUAL
    case .greater, .less: kind = RK_GREATER
    case .greaterOrEqual, .lessOrEqual: kind = RK_GREATER_OR_EQUAL
    }
    return try context.combinedByRows(a, b) {
      (
        first: UnsafePointer<Element>, firstStep, second: UnsafePointer<Element>, secondStep,
        to: UnsafeMutablePointer<Bool>, length
      ) in
      let truths = UnsafeMutableRawPointer(to).assumingMemoryBound(to: UInt8.self)
      kernel(kind, first, firstStep, second, secondStep, truths, length)
    }
  }

  /// The same for numbers that no kernel compares: a loop for each relation, which the compiler knows.
  private func compare<Element: TensorScalar & Comparable>(
    _ a: Tensor, _ b: Tensor, _: Element.Type, in context: KernelContext
  ) throws -> Tensor {
    switch relation {
    case .equal: return try context.combined(a, b) { (x: Element, y: Element) in x == y }
    case .greater: return try context.combined(a, b) { (x: Element, y: Element) in x > y }
    case .greaterOrEqual: return try context.combined(a, b) { (x: Element, y: Element) in x >= y }
    case .less: return try context.combined(a, b) { (x: Element, y: Element) in x < y }
    case .lessOrEqual: return try context.combined(a, b) { (x: Element, y: Element) in x <= y }
    }
  }

  private func compareText(_ a: Tensor, _ b: Tensor, in context: KernelContext) throws -> Tensor {
    guard relation == .equal else { throw context.unsupported("elements of type string") }
    let first = try a.strings()
    let second = try b.strings()
    // Positions stand for the texts, so that broadcasting is done in one place.
    let positions = try [first, second].enumerated().map { index, strings in
      try Tensor(shape: [a, b][index].shape, strings.indices.map { Int64($0) })
    }
    return try context.combined(positions[0], positions[1]) { (i: Int64, j: Int64) in
      first[Int(i)] == second[Int(j)]
    }
  }
}

/// A function of two truth values.
private struct Truth: Kernel {
  let function: @Sendable (UInt8, UInt8) -> UInt8

  init(_ function: @escaping @Sendable (UInt8, UInt8) -> UInt8) {
    self.function = function
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let a = try context.truths(context.input(0, of: inputs))
    let b = try context.truths(context.input(1, of: inputs))
    return [try context.combined(a, b) { (x: UInt8, y: UInt8) in function(x, y) != 0 }]
  }
}

private struct Not: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let value = try context.truths(context.input(0, of: inputs))
    return [try context.mapped(value) { (x: UInt8) in x == 0 }]
  }
}

/// A function of two integers' bits, which also gets their width.
private struct Bits: Kernel {
  let function: @Sendable (UInt64, UInt64, UInt64) -> UInt64

  init(_ function: @escaping @Sendable (UInt64, UInt64, UInt64) -> UInt64) {
    self.function = function
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let a = try context.input(0, of: inputs)
    let b = try context.input(1, of: inputs)
    try context.requireSameType([a, b])
    let type = a.elementType
    guard type.isInteger else { throw context.failure("elements are \(type), expected integers") }
    let width = UInt64(type.byteCount * 8)
    let result = try context.combined(
      context.converted(a, to: .uint64), context.converted(b, to: .uint64)
    ) { (x: UInt64, y: UInt64) in function(x, y, width) }
    return [try context.converted(result, to: type)]
  }
}

private struct BitwiseNot: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType.isInteger else {
      throw context.failure("elements are \(input.elementType), expected integers")
    }
    let result = try context.mapped(context.converted(input, to: .int64)) { (x: Int64) in ~x }
    return [try context.converted(result, to: input.elementType)]
  }
}

/// Which numbers are none.
private struct NaNTest: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType == .float32 else {
      return try RealTest { $0.isNaN }.run(inputs, in: context)
    }
    let output = try context.allocate(.bool, input.shape)
    let from = input.pointer(to: Float.self)
    let to = output.mutableBytes.assumingMemoryBound(to: UInt8.self)
    context.parallel(input.count, grain: 1 << 16) { range in
      for index in range { to[index] = from[index] != from[index] ? 1 : 0 }
    }
    return [output]
  }
}

/// A property of a real number.
private struct RealTest: Kernel {
  let test: @Sendable (Double) -> Bool

  init(_ test: @escaping @Sendable (Double) -> Bool) {
    self.test = test
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType.isFloatingPoint else {
      throw context.failure("elements are \(input.elementType), expected real numbers")
    }
    return [try context.mapped(context.converted(input, to: .float64), test)]
  }
}

extension KernelContext {
  /// A tensor of truth values as bytes, of which any but 0 is true.
  ///
  /// A file may hold other bytes than 0 and 1, which must not be read as `Bool`.
  package func truths(_ tensor: Tensor) throws -> Tensor {
    guard tensor.elementType == .bool else {
      throw failure("elements are \(tensor.elementType), expected bool")
    }
    let bytes = try allocate(.uint8, tensor.shape)
    tensor.convert(into: bytes)
    let values = bytes.mutablePointer(to: UInt8.self)
    for index in 0..<bytes.count { values[index] = values[index] == 0 ? 0 : 1 }
    return bytes
  }
}
