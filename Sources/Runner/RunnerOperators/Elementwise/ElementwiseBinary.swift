import Foundation
import RunnerGraph
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Arithmetic on two numbers or more, with broadcasting.
  package static let binary: [Operator] = [
    arithmetic("Add", [6, 7, 13, 14], .add),
    arithmetic("Sub", [6, 7, 13, 14], .subtract),
    arithmetic("Mul", [6, 7, 13, 14], .multiply),
    arithmetic("Div", [6, 7, 13, 14], .divide),
    Operator(
      "Mod", versions: [10, 13], inputs: 2...2, types: .numeric, attributes: ["fmod": .int],
      shape: .broadcast
    ) { node in
      Arithmetic(function: try node.flag("fmod") ? .remainder : .modulo, isMean: false)
    },
    Operator(
      "Pow", versions: [1, 7, 12, 13, 15], inputs: 2...2,
      types: .real + ElementTypes([.int32, .int64]), attributes: .earlyBroadcast, shape: .broadcast,
      traits: [.widens]
    ) { node in
      try LegacyBroadcast.applied(to: Power(), of: node)
    },
    Operator(
      "PRelu", versions: [6, 7, 9, 16], inputs: 2...2,
      types: .real + ElementTypes([.int32, .int64, .uint32, .uint64]), shape: .slopes,
      traits: [.widens]
    ) { node in
      let kernel = Arithmetic(function: .parametricRelu, isMean: false)
      return node.opset < 7 ? ChannelSlopes(kernel: kernel) : kernel
    },
    variadic("Sum", [6, 8, 13], .add, types: .real, traits: [.widens]),
    variadic("Min", [6, 8, 12, 13], .minimum, traits: [.elementwise, .widens]),
    variadic("Max", [6, 8, 12, 13], .maximum, traits: [.elementwise, .widens]),
    Operator(
      "Mean", versions: [6, 8, 13], inputs: 1...Operator.many, types: .real, shape: .broadcast
    ) { _ in
      Arithmetic(function: .add, isMean: true)
    },
  ]

  private static func arithmetic(
    _ name: String, _ versions: [Int], _ function: BinaryFunction
  ) -> Operator {
    Operator(
      name, versions: versions, inputs: 2...2, types: .numeric, attributes: .earlyBroadcast,
      shape: .broadcast, memory: .inPlace, traits: [.elementwise, .widens]
    ) { node in
      try LegacyBroadcast.applied(to: Arithmetic(function: function, isMean: false), of: node)
    }
  }

  private static func variadic(
    _ name: String, _ versions: [Int], _ function: BinaryFunction,
    types: ElementTypes = .numeric, traits: OperatorTraits
  ) -> Operator {
    Operator(
      name, versions: versions, inputs: 1...Operator.many, types: types, shape: .broadcast,
      traits: traits
    ) { _ in
      Arithmetic(function: function, isMean: false)
    }
  }
}

extension ShapeRule {
  /// Before opset 7 a slope was for a channel.
  fileprivate static let slopes = ShapeRule { query in
    if query.info.opset < 7 { throw ShapeQuery.Unknown() }
    return [
      ValueFact(try query.input(0).type, try query.broadcast([query.shape(0), query.shape(1)]))
    ]
  }
}

/// A function of two numbers in each of the types it is computed in.
///
/// Integers wrap; dividing one by zero gives 0, as ONNX leaves it open.
package struct BinaryFunction: Sendable {
  /// The C kernel for `float32`, if there is one.
  var kernel: rk_binary_op?
  let float32: @Sendable (Float, Float) -> Float
  let float64: @Sendable (Double, Double) -> Double
  let int64: @Sendable (Int64, Int64) -> Int64
  let uint64: @Sendable (UInt64, UInt64) -> UInt64

  /// Whether `int32` and `int64` have loops of their own; see
  /// ``KernelContext/wholeNumbersCombined(_:_:_:of:)``.
  var hasWholeLoops: Bool {
    switch kernel {
    case RK_ADD, RK_SUB, RK_MUL, RK_MIN, RK_MAX: true
    default: false
    }
  }

  package static let add = BinaryFunction(
    kernel: RK_ADD, float32: { $0 + $1 }, float64: { $0 + $1 }, int64: { $0 &+ $1 },
    uint64: { $0 &+ $1 })

  package static let subtract = BinaryFunction(
    kernel: RK_SUB, float32: { $0 - $1 }, float64: { $0 - $1 }, int64: { $0 &- $1 },
    uint64: { $0 &- $1 })

  package static let multiply = BinaryFunction(
    kernel: RK_MUL, float32: { $0 * $1 }, float64: { $0 * $1 }, int64: { $0 &* $1 },
    uint64: { $0 &* $1 })

  package static let divide = BinaryFunction(
    kernel: RK_DIV, float32: { $0 / $1 }, float64: { $0 / $1 },
    int64: { $1 == 0 ? 0 : $0.dividedReportingOverflow(by: $1).partialValue },
    uint64: { $1 == 0 ? 0 : $0 / $1 })

  static let minimum = BinaryFunction(
    kernel: RK_MIN, float32: least, float64: least, int64: { min($0, $1) },
    uint64: { min($0, $1) })

  static let maximum = BinaryFunction(
    kernel: RK_MAX, float32: greatest, float64: greatest, int64: { max($0, $1) },
    uint64: { max($0, $1) })

  static let parametricRelu = BinaryFunction(
    float32: { $0 < 0 ? $0 * $1 : $0 }, float64: { $0 < 0 ? $0 * $1 : $0 },
    int64: { $0 < 0 ? $0 &* $1 : $0 }, uint64: { value, _ in value })

  /// The remainder with the sign of the divisor.
  static let modulo = BinaryFunction(
    float32: floored, float64: floored,
    int64: {
      let rest = remainder($0, $1)
      return rest != 0 && (rest < 0) != ($1 < 0) ? rest &+ $1 : rest
    }, uint64: { $1 == 0 ? 0 : $0 % $1 })

  /// The remainder with the sign of the dividend.
  static let remainder = BinaryFunction(
    float32: { $0.truncatingRemainder(dividingBy: $1) },
    float64: { $0.truncatingRemainder(dividingBy: $1) },
    int64: { remainder($0, $1) }, uint64: { $1 == 0 ? 0 : $0 % $1 })

  private static func remainder(_ a: Int64, _ b: Int64) -> Int64 {
    b == 0 ? 0 : a.remainderReportingOverflow(dividingBy: b).partialValue
  }

  @Sendable private static func floored<Real: BinaryFloatingPoint>(_ a: Real, _ b: Real) -> Real {
    let rest = a.truncatingRemainder(dividingBy: b)
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest
  }

  @Sendable private static func least<Real: BinaryFloatingPoint>(_ a: Real, _ b: Real) -> Real {
    a.isNaN || a < b ? a : b
  }

  @Sendable private static func greatest<Real: BinaryFloatingPoint>(_ a: Real, _ b: Real) -> Real {
    a.isNaN || a > b ? a : b
  }
}

/// A function over two inputs, or over any number from left to right; for the mean, divided by how
/// many there are.
private struct Arithmetic: Kernel {
  let function: BinaryFunction
  let isMean: Bool

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let tensors = try inputs.indices.map { try context.input($0, of: inputs) }
    try context.requireSameType(tensors)
    let type = tensors[0].elementType
    guard type != .bool else { throw context.failure("elements are truth values") }
    // Checked before any work, so that the error names all shapes. Those of two are checked below.
    if tensors.count > 2 { _ = try context.broadcastShape(tensors) }
    // int32 is full of shapes, indices and sums of int8: it need not become int64 and back.
    let isNarrow = type == .int32 && function.hasWholeLoops
    let computed = isNarrow ? type : try context.computeType(of: tensors[0]).elementType
    var result = try context.converted(tensors[0], to: computed)
    for tensor in tensors.dropFirst() {
      result = try context.combined(result, context.converted(tensor, to: computed), function)
    }
    if isMean, tensors.count > 1 {
      let count = try context.converted(
        Tensor(scalar: Float(tensors.count)), to: result.elementType)
      result = try context.combined(result, count, .divide)
    }
    return [try context.converted(result, to: type)]
  }
}

/// x to the y, which may be of another type; the result is of x's.
private struct Power: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let base = try context.input(0, of: inputs)
    let exponent = try context.input(1, of: inputs)
    let type = base.elementType
    guard type != .bool, exponent.elementType != .bool else {
      throw context.failure("elements are truth values")
    }
    let value = try context.widened(base)
    let result: Tensor
    switch try context.computeType(of: base) {
    case .float32:
      let power = try context.converted(exponent, to: .float32)
      if power.count == 1, power.rank <= value.rank,
        let short = try shortcut(value, power.pointer(to: Float.self)[0], in: context)
      {
        result = short
      } else {
        result = try context.combined(value, power) { (x: Float, y: Float) in pow(x, y) }
      }
    case .float64:
      result = try context.combined(value, context.converted(exponent, to: .float64)) {
        (x: Double, y: Double) in pow(x, y)
      }
    case .int64, .uint64:
      if exponent.elementType.isFloatingPoint {
        let real = try context.combined(
          context.converted(base, to: .float64), context.converted(exponent, to: .float64)
        ) { (x: Double, y: Double) in pow(x, y) }
        return [try context.converted(real, to: type)]
      }
      // Wrapping products are the same for signed and unsigned numbers.
      result = try context.combined(
        context.converted(base, to: .int64), context.converted(exponent, to: .int64), wrappingPower)
    }
    return [try context.converted(result, to: type)]
  }

  /// The exponents that graphs are full of, without `pow`.
  private func shortcut(
    _ value: Tensor, _ exponent: Float, in context: KernelContext
  ) throws -> Tensor? {
    switch exponent {
    case 1: return value
    case 2: return try context.combined(value, value, .multiply)
    case 0.5: return try context.mapped(value) { (x: Float) in x.squareRoot() }
    case -1: return try context.mapped(value) { (x: Float) in 1 / x }
    default: return nil
    }
  }
}

/// PRelu before opset 7: a slope for each channel, the second dimension, or one for all.
private struct ChannelSlopes: Kernel {
  let kernel: Arithmetic

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let slopes = try context.input(1, of: inputs)
    var shape = slopes.shape
    if slopes.count == 1 {
      shape = []
    } else if slopes.rank == 1, input.rank > 1 {
      shape += [Int](repeating: 1, count: input.rank - 2)
    }
    return try kernel.run([input, slopes.reshaped(to: shape)], in: context)
  }
}

/// Integer power by squaring; a negative exponent truncates to 0 unless the base is 1 or -1.
@Sendable private func wrappingPower(_ base: Int64, _ exponent: Int64) -> Int64 {
  if exponent < 0 {
    return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0
  }
  var result: Int64 = 1
  var square = base
  var rest = exponent
  while rest > 0 {
    if rest & 1 == 1 { result = result &* square }
    square = square &* square
    rest >>= 1
  }
  return result
}

extension KernelContext {
  /// `function` of two tensors of the same compute type, broadcast.
  ///
  /// They may be `int32` too, if the function has loops for it.
  package func combined(_ a: Tensor, _ b: Tensor, _ function: BinaryFunction) throws -> Tensor {
    if function.hasWholeLoops, let kernel = function.kernel {
      switch a.elementType {
      case .int32: return try wholeNumbersCombined(a, b, kernel, of: Int32.self)
      case .int64: return try wholeNumbersCombined(a, b, kernel, of: Int64.self)
      default: break
      }
    }
    switch try computeType(of: a) {
    case .float32:
      guard let kernel = function.kernel else { return try combined(a, b, function.float32) }
      return try combined(a, b, kernel)
    case .float64: return try combined(a, b, function.float64)
    case .int64: return try combined(a, b, function.int64)
    case .uint64: return try combined(a, b, function.uint64)
    }
  }

  /// Two tensors of integers, broadcast: a loop for each function, which the compiler knows.
  private func wholeNumbersCombined<Element: TensorScalar & FixedWidthInteger>(
    _ a: Tensor, _ b: Tensor, _ function: rk_binary_op, of _: Element.Type
  ) throws -> Tensor {
    switch function {
    case RK_ADD: try combined(a, b) { (x: Element, y: Element) in x &+ y }
    case RK_SUB: try combined(a, b) { (x: Element, y: Element) in x &- y }
    case RK_MUL: try combined(a, b) { (x: Element, y: Element) in x &* y }
    case RK_MIN: try combined(a, b) { (x: Element, y: Element) in min(x, y) }
    case RK_MAX: try combined(a, b) { (x: Element, y: Element) in max(x, y) }
    default: throw failure("integers have no such function")
    }
  }

  /// Two `float32` tensors, broadcast, through a C kernel.
  package func combined(_ a: Tensor, _ b: Tensor, _ kernel: rk_binary_op) throws -> Tensor {
    try combinedByRows(a, b) {
      (
        first: UnsafePointer<Float>, firstStep, second: UnsafePointer<Float>, secondStep,
        to: UnsafeMutablePointer<Float>, length
      ) in
      rk_binary_f32(kernel, first, firstStep, second, secondStep, to, length)
    } rows: { output, layout in
      fill(output, a, b, layout, kernel)
    }
  }

  /// Two dimensions a call: short rows would otherwise drown in calls.
  private func fill(
    _ output: Tensor, _ a: Tensor, _ b: Tensor, _ layout: StridedLayout, _ kernel: rk_binary_op
  ) {
    let (first, second) = (a.pointer(to: Float.self), b.pointer(to: Float.self))
    let to = output.mutablePointer(to: Float.self)
    let (step, length) = (layout.rowStep, layout.rowLength)
    let rank = layout.extents.count
    let height = layout.extents[rank - 2]
    let rowStep = layout.steps[rank - 2]
    let slabs = StridedLayout(
      shape: Array(layout.extents.dropLast(2)),
      strides: (0..<3).map { tensor in layout.steps.dropLast(2).map { $0[tensor] } })
    let inner = slabs.rowLength
    let piece = max(1, min(height, 16_384 / max(length, 1)))
    let pieces = (height - 1) / piece + 1
    let grain = max(1, 16_384 / max(length * piece, 1))
    parallel(slabs.rowCount * inner * pieces, grain: grain) { range in
      for item in range {
        let slab = item / pieces
        let row = item % pieces * piece
        slabs.forEachRow(in: slab / inner..<slab / inner + 1) { _, starts in
          let place = starts &+ slabs.rowStep &* (slab % inner) &+ rowStep &* row
          rk_binary_rows_f32(
            kernel, first + place[1], rowStep[1], step[1], second + place[2], rowStep[2], step[2],
            to + place[0], min(piece, height - row), length)
        }
      }
    }
  }
}
