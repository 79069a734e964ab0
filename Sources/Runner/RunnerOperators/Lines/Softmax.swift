import RunnerGraph
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Softmax and its relations.
  package static let softmax: [Operator] = [
    Operator(
      "Softmax", versions: [1, 11, 13], inputs: 1...1, types: .real, attributes: ["axis": .int],
      shape: .likeFirst, traits: [.widens]
    ) {
      try Softmax($0, kind: .softmax)
    },
    Operator(
      "LogSoftmax", versions: [1, 11, 13], inputs: 1...1, types: .real, attributes: ["axis": .int],
      shape: .likeFirst, traits: [.widens]
    ) {
      try Softmax($0, kind: .logarithm)
    },
    Operator(
      "Hardmax", versions: [1, 11, 13], inputs: 1...1, types: .real, attributes: ["axis": .int],
      shape: .likeFirst
    ) {
      try Softmax($0, kind: .greatest)
    },
  ]
}

/// Shares along an axis that add up to 1; before opset 13, along all dimensions from the axis on.
private struct Softmax: Kernel {
  enum Kind { case softmax, logarithm, greatest }

  let kind: Kind
  let axis: Int
  let takesRest: Bool

  init(_ node: NodeInfo, kind: Kind) throws {
    self.kind = kind
    takesRest = node.opset < 13
    axis = try node.int("axis", default: takesRest ? 1 : -1)
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    guard given.elementType.isFloatingPoint else {
      throw context.failure("expected floating point, got \(given.elementType)")
    }
    let input = try given.converted(to: .float32)
    // A scalar is a row of one; a flattened row may start after the last dimension.
    let rank = max(input.rank, 1)
    let axis =
      takesRest && self.axis == rank ? rank : try context.normalizedAxis(self.axis, rank: rank)
    let shape = input.shape.isEmpty ? [1] : input.shape
    let outer = shape[..<axis].reduce(1, *)
    let length = takesRest ? shape[axis...].reduce(1, *) : shape[axis]
    let inner = takesRest ? 1 : shape[(axis + 1)...].reduce(1, *)
    let output = try context.allocate(.float32, input.shape)
    guard output.count > 0 else { return [try output.converted(to: given.elementType)] }
    let source = input.pointer(to: Float.self)
    let target = output.mutablePointer(to: Float.self)
    if inner == 1 {
      context.parallel(outer, grain: max(1, 8192 / length)) { rows in
        let offset = rows.lowerBound * length
        apply(source + offset, target + offset, rows.count, length)
      }
    } else {
      try context.parallel(outer, scratch: 2 * length * inner) { item, scratch in
        let offset = item * length * inner
        vk_transpose_f32(source + offset, scratch, length, inner, inner, length)
        apply(scratch, scratch + length * inner, inner, length)
        vk_transpose_f32(
          scratch + length * inner, target + offset, inner, length, length, inner)
      }
    }
    return [
      try withExtendedLifetime(input) { try output.converted(to: given.elementType) }
    ]
  }

  private func apply(
    _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ rows: Int,
    _ columns: Int
  ) {
    switch kind {
    case .softmax: rk_softmax_f32(source, target, rows, columns)
    case .logarithm: rk_log_softmax_f32(source, target, rows, columns)
    case .greatest:
      for row in 0..<rows {
        var best = 0
        for column in 0..<columns {
          target[row * columns + column] = 0
          if source[row * columns + column] > source[row * columns + best] { best = column }
        }
        target[row * columns + best] = 1
      }
    }
  }
}
