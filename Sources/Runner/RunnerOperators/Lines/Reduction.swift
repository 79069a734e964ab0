import Foundation
import RunnerGraph
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Operators that reduce dimensions to one value.
  package static let reduction: [Operator] = [
    reduce("ReduceSum", [1, 11, 13], .sum, traits: [.widens]),
    reduce("ReduceMean", [1, 11, 13, 18], .mean, traits: [.widens]),
    reduce(
      "ReduceMax", [1, 11, 12, 13, 18, 20], .maximum,
      types: .real + .bool + ElementTypes([.int8, .int32, .int64, .uint8, .uint32, .uint64]),
      traits: [.widens]),
    reduce(
      "ReduceMin", [1, 11, 12, 13, 18, 20], .minimum,
      types: .real + .bool + ElementTypes([.int8, .int32, .int64, .uint8, .uint32, .uint64]),
      traits: [.widens]),
    reduce("ReduceProd", [1, 11, 13, 18], .product), reduce("ReduceL1", [1, 11, 13, 18], .l1),
    reduce("ReduceL2", [1, 11, 13, 18], .l2),
    reduce("ReduceSumSquare", [1, 11, 13, 18], .sumOfSquares),
    reduce("ReduceLogSum", [1, 11, 13, 18], .logSum),
    reduce("ReduceLogSumExp", [1, 11, 13, 18], .logSumExp),
  ]

  private static func reduce(
    _ name: String, _ versions: [Int], _ function: ReductionFunction,
    types: ElementTypes = .real + ElementTypes([.int32, .int64, .uint32, .uint64]),
    traits: OperatorTraits = []
  ) -> Operator {
    Operator(
      name, versions: versions, inputs: 1...2, types: types, attributes: .reduction,
      shape: .reduction, traits: traits
    ) { node in
      Reduction(
        function: function, axes: try node.ints("axes"),
        keepsDimensions: try node.flag("keepdims", default: true),
        doesNothingWithoutAxes: try node.flag("noop_with_empty_axes"))
    }
  }
}

extension AttributeKinds {
  package static let reduction: Self = [
    "axes": .ints, "keepdims": .int, "noop_with_empty_axes": .int,
  ]
}

extension ShapeRule {
  package static let reduction = ShapeRule { query in
    let input = try query.input(0)
    let axes = try query.integers(1, or: "axes") ?? []
    if axes.isEmpty, try query.info.flag("noop_with_empty_axes") { return [input] }
    let reduced = Set(try axes.map { try query.normalizedAxis($0, rank: input.shape.count) })
    return [
      try collapsed(
        input, { reduced.contains($0) || axes.isEmpty },
        keeps: query.info.flag("keepdims", default: true))
    ]
  }

  /// `input` without the dimensions that are reduced, or with these as 1.
  static func collapsed(
    _ input: ValueFact, _ isReduced: (Int) -> Bool, keeps: Bool
  ) throws -> ValueFact {
    var shape: [Int] = []
    for (axis, extent) in input.shape.enumerated() {
      if !isReduced(axis) { shape.append(extent) } else if keeps { shape.append(1) }
    }
    return ValueFact(input.type, shape)
  }
}

/// What becomes of the values.
private enum ReductionFunction: Sendable {
  case sum, mean, maximum, minimum, product, l1, l2, sumOfSquares, logSum, logSumExp
}

private struct Reduction: Kernel {
  let function: ReductionFunction
  let axes: [Int]?
  let keepsDimensions: Bool
  let doesNothingWithoutAxes: Bool

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let given = try context.optionalInput(1, of: inputs).map { try context.integers($0) } ?? axes
    let chosen = given.flatMap { $0.isEmpty ? nil : $0 }
    if chosen == nil, doesNothingWithoutAxes {
      // Without axes each value is reduced by itself.
      return [try reduced(input, Array(repeating: false, count: input.rank), in: context)]
    }
    var isReduced = [Bool](repeating: chosen == nil, count: input.rank)
    for axis in chosen ?? [] {
      isReduced[try context.normalizedAxis(axis, rank: input.rank)] = true
    }
    return [try reduced(input, isReduced, in: context)]
  }

  private func reduced(
    _ input: Tensor, _ isReduced: [Bool], in context: KernelContext
  ) throws -> Tensor {
    var shape: [Int] = []
    for (extent, isReduced) in zip(input.shape, isReduced) {
      if !isReduced { shape.append(extent) } else if keepsDimensions { shape.append(1) }
    }
    guard input.elementType != .bool || function == .maximum || function == .minimum else {
      throw context.failure("elements are truth values")
    }
    let block = try context.reductionBlock(context.widened(input), isReduced)
    let result: Tensor
    switch try context.computeType(of: input) {
    case .float32:
      result = try reducedFloats(block, in: context)
    case .float64:
      result = try reduce(block, in: context) { (x: Double) in
        x
      } store: { (x: Double) in
        x
      }
    case .int64, .uint64:
      result = try reducedIntegers(block, input.elementType, in: context)
    }
    return try context.converted(result, to: input.elementType).viewed(as: shape)
  }

  // MARK: Floating point

  private func reducedFloats(_ block: ReductionBlock, in context: KernelContext) throws -> Tensor {
    guard [.sum, .mean, .maximum, .minimum, .sumOfSquares, .l2].contains(function) else {
      return try reduce(block, in: context) { (x: Float) in
        Double(x)
      } store: {
        Float($0)
      }
    }
    let output = try context.allocate(.float32, [block.outer * block.inner])
    guard output.count > 0 else { return output }
    let from = block.tensor.pointer(to: Float.self)
    let to = output.mutablePointer(to: Float.self)
    let (count, inner) = (block.count, block.inner)
    context.parallel(block.outer, grain: max(1, 16_384 / max(count * inner, 1))) { range in
      for outer in range {
        let row = from + outer * count * inner
        if inner > 1 {
          combineRows(row, count: count, inner: inner, into: to + outer * inner)
          continue
        }
        switch function {
        case .sum: to[outer] = rk_sum_f32(row, count)
        case .mean: to[outer] = rk_sum_f32(row, count) / Float(count)
        case .maximum: to[outer] = rk_max_f32(row, count)
        case .minimum: to[outer] = rk_min_f32(row, count)
        case .sumOfSquares: to[outer] = rk_sum_of_squares_f32(row, count)
        default: to[outer] = rk_sum_of_squares_f32(row, count).squareRoot()
        }
      }
    }
    return output
  }

  /// Adds or compares whole rows, or adds their squares, so that memory is read in order.
  private func combineRows(
    _ rows: UnsafePointer<Float>, count: Int, inner: Int, into sums: UnsafeMutablePointer<Float>
  ) {
    let operation: rk_binary_op
    switch function {
    case .maximum:
      sums.update(repeating: -.infinity, count: inner)
      operation = RK_MAX
    case .minimum:
      sums.update(repeating: .infinity, count: inner)
      operation = RK_MIN
    default:
      sums.update(repeating: 0, count: inner)
      operation = RK_ADD
    }
    for row in 0..<count {
      if function == .sumOfSquares || function == .l2 {
        let values = rows + row * inner
        for item in 0..<inner { sums[item] += values[item] * values[item] }
      } else {
        rk_binary_f32(operation, sums, 1, rows + row * inner, 1, sums, inner)
      }
    }
    if function == .mean {
      var divisor = Float(count)
      rk_binary_f32(RK_DIV, sums, 1, &divisor, 0, sums, inner)
    } else if function == .l2 {
      for item in 0..<inner { sums[item].formSquareRoot() }
    }
  }

  /// Any function in double precision.
  private func reduce<Element: TensorScalar>(
    _ block: ReductionBlock, in context: KernelContext, load: (Element) -> Double,
    store: (Double) -> Element
  ) throws -> Tensor {
    let output = try context.allocate(Element.elementType, [block.outer * block.inner])
    let from = block.tensor.pointer(to: Element.self)
    let to = output.mutablePointer(to: Element.self)
    let (count, inner) = (block.count, block.inner)
    context.parallel(output.count, grain: max(1, 16_384 / max(count, 1))) { range in
      for item in range {
        let start = item / inner * count * inner + item % inner
        to[item] = store(reduce(count) { load(from[start + $0 * inner]) })
      }
    }
    return output
  }

  /// The function of `count` values.
  private func reduce(_ count: Int, _ value: (Int) -> Double) -> Double {
    func folded(_ start: Double, _ next: (Double, Double) -> Double) -> Double {
      var result = start
      for index in 0..<count { result = next(result, value(index)) }
      return result
    }
    switch function {
    case .sum: return folded(0) { $0 + $1 }
    case .mean: return folded(0) { $0 + $1 } / Double(count)
    case .maximum: return folded(-.infinity) { $1 > $0 || $1.isNaN ? $1 : $0 }
    case .minimum: return folded(.infinity) { $1 < $0 || $1.isNaN ? $1 : $0 }
    case .product: return folded(1) { $0 * $1 }
    case .l1: return folded(0) { $0 + abs($1) }
    case .l2: return folded(0) { $0 + $1 * $1 }.squareRoot()
    case .sumOfSquares: return folded(0) { $0 + $1 * $1 }
    case .logSum: return log(folded(0) { $0 + $1 })
    case .logSumExp:
      let most = folded(-.infinity) { max($0, $1) }
      guard most.isFinite else { return most }
      return most + log(folded(0) { $0 + exp($1 - most) })
    }
  }

  // MARK: Integers

  private func reducedIntegers(
    _ block: ReductionBlock, _ type: ElementType, in context: KernelContext
  ) throws -> Tensor {
    switch function {
    case .l2, .logSum, .logSumExp:
      let real = ReductionBlock(
        tensor: try context.converted(block.tensor, to: .float64), outer: block.outer,
        count: block.count, inner: block.inner)
      let result = try reduce(real, in: context) { (x: Double) in
        x
      } store: {
        $0
      }
      return try context.converted(result, to: block.tensor.elementType)
    default: break
    }
    if block.tensor.elementType == .uint64 {
      return try reduceIntegers(block, UInt64.self, least: 0, most: .max, in: context)
    }
    // With nothing to compare, the result is the end of the narrow type's range.
    let range = Self.range(of: type)
    return try reduceIntegers(
      block, Int64.self, least: range.lowerBound, most: range.upperBound, in: context)
  }

  private static func range(of type: ElementType) -> ClosedRange<Int64> {
    switch type {
    case .int8: return -128...127
    case .uint8: return 0...255
    case .int16: return -32_768...32_767
    case .uint16: return 0...65_535
    case .int32: return Int64(Int32.min)...Int64(Int32.max)
    case .uint32: return 0...Int64(UInt32.max)
    case .bool: return 0...1
    default: return .min ... .max
    }
  }

  private func reduceIntegers<Element: TensorScalar & FixedWidthInteger>(
    _ block: ReductionBlock, _: Element.Type, least: Element, most: Element,
    in context: KernelContext
  ) throws -> Tensor {
    let output = try context.allocate(Element.elementType, [block.outer * block.inner])
    let from = block.tensor.pointer(to: Element.self)
    let to = output.mutablePointer(to: Element.self)
    let (count, inner) = (block.count, block.inner)
    for item in 0..<output.count {
      let start = item / inner * count * inner + item % inner
      var result: Element = function == .product ? 1 : 0
      if function == .maximum { result = least }
      if function == .minimum { result = most }
      for index in 0..<count {
        let value = from[start + index * inner]
        switch function {
        case .maximum: result = max(result, value)
        case .minimum: result = min(result, value)
        case .product: result = result &* value
        case .l1: result = result &+ (value < 0 ? 0 &- value : value)
        case .sumOfSquares: result = result &+ value &* value
        default: result = result &+ value
        }
      }
      if function == .mean, count > 0 { result /= Element(count) }
      to[item] = result
    }
    return output
  }
}

/// A tensor seen as [outer, count, inner], of which the middle is reduced.
struct ReductionBlock {
  let tensor: Tensor
  let outer: Int
  let count: Int
  let inner: Int
}

extension KernelContext {
  /// Brings the reduced dimensions together, with a copy only where others lie between them.
  func reductionBlock(_ tensor: Tensor, _ isReduced: [Bool]) throws -> ReductionBlock {
    let reduced = isReduced.indices.filter { isReduced[$0] && tensor.shape[$0] != 1 }
    let kept = isReduced.indices.filter { !(isReduced[$0] && tensor.shape[$0] != 1) }
    func product(_ dimensions: [Int]) -> Int { dimensions.reduce(1) { $0 * tensor.shape[$1] } }
    guard let first = reduced.first, let last = reduced.last else {
      return ReductionBlock(tensor: tensor, outer: tensor.count, count: 1, inner: 1)
    }
    let between = kept.contains { $0 > first && $0 < last && tensor.shape[$0] != 1 }
    if between {
      return ReductionBlock(
        tensor: try transposed(tensor, kept + reduced), outer: product(kept),
        count: product(reduced), inner: 1)
    }
    return ReductionBlock(
      tensor: tensor, outer: product(kept.filter { $0 < first }), count: product(reduced),
      inner: product(kept.filter { $0 > first }))
  }
}
