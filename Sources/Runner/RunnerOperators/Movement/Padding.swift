import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Operators that add or cut margins.
  package static let padding: [Operator] = [
    Operator(
      "Pad", versions: [2, 11, 13, 18, 19, 21, 23, 24], inputs: 1...4, types: .numeric + .bool,
      attributes: ["mode": .string, "pads": .ints, "value": .float], shape: .pad, traits: [.widens]
    ) { node in
      try Pad(node)
    },
    Operator(
      "CenterCropPad", versions: [18], inputs: 2...2, types: .numeric + .bool,
      attributes: ["axes": .ints], shape: .centerCropPad
    ) { node in
      CenterCropPad(axes: try node.ints("axes"))
    },
  ]
}

extension ShapeRule {
  package static let pad = ShapeRule { query in
    let input = try query.input(0)
    let (shape, _) = try query.padded(
      input.shape, query.integers(1, or: "pads"), axes: query.integers(3))
    return [ValueFact(input.type, shape)]
  }
}

extension ShapeContext {
  /// The shape with margins, and how wide they are before each dimension.
  fileprivate func padded(
    _ shape: [Int], _ pads: [Int]?, axes: [Int]?
  ) throws -> (shape: [Int], before: [Int]) {
    guard let pads else { throw failure("pads are missing") }
    let axes = axes ?? Array(shape.indices)
    guard pads.count == 2 * axes.count else {
      throw failure("\(pads.count) pads for \(axes.count) axes")
    }
    var result = shape
    var before = [Int](repeating: 0, count: shape.count)
    for (index, axis) in axes.enumerated() {
      let axis = try normalizedAxis(axis, rank: shape.count)
      before[axis] = pads[index]
      let (sum, first) = shape[axis].addingReportingOverflow(pads[index])
      let (total, second) = sum.addingReportingOverflow(pads[index + axes.count])
      guard !first, !second, total >= 0 else { throw failure("pads \(pads) for shape \(shape)") }
      result[axis] = total
    }
    return (result, before)
  }

  /// The shape with some extents as they are wanted.
  fileprivate func resized(_ shape: [Int], to wanted: [Int], axes: [Int]?) throws -> [Int] {
    let axes = axes ?? Array(shape.indices)
    guard wanted.count == axes.count, wanted.allSatisfy({ $0 >= 0 }) else {
      throw failure("shape \(wanted) for \(axes.count) axes")
    }
    var result = shape
    for (axis, extent) in zip(axes, wanted) {
      result[try normalizedAxis(axis, rank: shape.count)] = extent
    }
    return result
  }
}

/// What a margin is made of.
package enum PaddingMode: String, Sendable {
  case constant, reflect, edge, wrap

  package init(_ node: NodeInfo) throws {
    let name = try node.string("mode", default: "constant")
    guard let mode = PaddingMode(rawValue: name) else {
      throw node.failure("attribute 'mode' is '\(name)'")
    }
    self = mode
  }

  /// The place within `extent` that stands for one that may be outside of it; -1 for the constant.
  package func place(_ place: Int, in extent: Int) -> Int {
    switch self {
    case .constant: return place >= 0 && place < extent ? place : -1
    case .edge: return min(max(place, 0), extent - 1)
    case .wrap:
      guard extent > 0 else { return 0 }
      let rest = place % extent
      return rest < 0 ? rest + extent : rest
    case .reflect:
      guard extent > 1 else { return 0 }
      let period = 2 * (extent - 1)
      var rest = place % period
      if rest < 0 { rest += period }
      return min(rest, period - rest)
    }
  }
}

/// Margins of a constant, or of the tensor's own elements.
private struct Pad: Kernel {
  private let mode: PaddingMode
  private let pads: [Int]?
  private let value: Float?

  init(_ node: NodeInfo) throws {
    mode = try PaddingMode(node)
    // Attributes before opset 11.
    pads = try node.ints("pads")
    value = try node.float("value")
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let given = try context.optionalInput(1, of: inputs).map { try context.integers($0) } ?? pads
    guard input.elementType != .string else { throw context.unsupported("elements of type string") }
    let (shape, before) = try context.padded(
      input.shape, given,
      axes: context.optionalInput(3, of: inputs).map { try context.integers($0) })
    let output = try context.allocate(input.elementType, shape)
    let filler = mode == .constant ? try filler(of: input, inputs, in: context) : nil
    guard output.count > 0 else { return [output] }
    guard filler != nil || input.count > 0 else {
      throw context.failure("an empty dimension has nothing to repeat")
    }
    let margins = Margins(
      input: input.shape, output: shape, before: before, place: mode.place(_:in:))
    withExtendedLifetime(filler) {
      margins.fill(output, from: input, filler: filler?.bytes, in: context)
    }
    return [output]
  }

  /// The constant of the margins.
  private func filler(
    of input: Tensor, _ inputs: [Tensor?], in context: KernelContext
  ) throws -> Tensor {
    guard let given = context.optionalInput(2, of: inputs) else {
      return try context.converted(Tensor(scalar: value ?? 0), to: input.elementType)
    }
    guard given.count == 1 else { throw context.failure("the value must be one number") }
    try context.requireSameType([input, given])
    return given
  }
}

extension ShapeRule {
  fileprivate static let centerCropPad = ShapeRule { query in
    let input = try query.input(0)
    guard let wanted = try query.integers(1) else { throw ShapeQuery.Unknown() }
    let shape = try query.resized(input.shape, to: wanted, axes: query.info.ints("axes"))
    return [ValueFact(input.type, shape)]
  }
}

/// Cut or padded with zeros to a size, around the center.
private struct CenterCropPad: Kernel {
  let axes: [Int]?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let wanted = try context.integers(context.input(1, of: inputs))
    guard input.elementType != .string else { throw context.unsupported("elements of type string") }
    let shape = try context.resized(input.shape, to: wanted, axes: axes)
    let output = try context.allocate(input.elementType, shape)
    output.mutableBytes.initializeMemory(as: UInt8.self, repeating: 0, count: output.byteCount)
    let strides = Shapes.strides(of: shape)
    let sourceStrides = Shapes.strides(of: input.shape)
    var from = 0
    var to = 0
    for axis in shape.indices {
      let room = input.shape[axis] - shape[axis]
      if room > 0 { from += room / 2 * sourceStrides[axis] }
      if room < 0 { to += -room / 2 * strides[axis] }
    }
    let kept = zip(shape, input.shape).map { min($0, $1) }
    guard !kept.contains(0) else { return [output] }
    let each = input.elementType.byteCount
    context.copy(
      StridedLayout(shape: kept, strides: [strides, sourceStrides]), bytesEach: each,
      from: input.bytes + from * each, to: output.mutableBytes + to * each)
    return [output]
  }
}
