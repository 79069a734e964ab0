import RunnerGraph
import RunnerTensors

extension AttributeKinds {
  /// What ``LegacyBroadcast`` reads.
  static let earlyBroadcast: Self = ["axis": .int, "broadcast": .int]
}

/// The broadcasting of operators with two inputs before opset 7.
///
/// The shapes are equal unless the attribute `broadcast` is set. Then the second tensor is
/// repeated. Its dimensions are those of the first from `axis` on, or the last ones without `axis`.
struct LegacyBroadcast: Kernel {
  private let kernel: any Kernel
  private let repeats: Bool
  private let axis: Int?

  /// `kernel`, which broadcasts as NumPy does, or what stands for it in the opset of `node`.
  static func applied(to kernel: any Kernel, of node: NodeInfo) throws -> any Kernel {
    guard node.opset < 7 else { return kernel }
    return LegacyBroadcast(
      kernel: kernel, repeats: try node.flag("broadcast"), axis: try node.int("axis"))
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let first = try context.input(0, of: inputs)
    let second = try context.input(1, of: inputs)
    guard repeats else {
      guard first.shape == second.shape else {
        throw context.failure(
          "shapes \(first.shape) and \(second.shape) differ, and broadcast is not set")
      }
      return try kernel.run(inputs, in: context)
    }
    // A lone element goes with anything, whatever its rank.
    guard second.count != 1 else {
      return try kernel.run([first, second.reshaped(to: [])], in: context)
    }
    guard second.rank <= first.rank else {
      throw context.failure("shape \(second.shape) is not a part of \(first.shape)")
    }
    let start = try axis.map { try context.normalizedAxis($0, rank: first.rank) }
    let following = first.rank - second.rank - (start ?? first.rank - second.rank)
    guard following >= 0 else {
      throw context.failure(
        "shape \(second.shape) from axis \(start ?? 0) on is not a part of \(first.shape)")
    }
    let shape = second.shape + [Int](repeating: 1, count: following)
    return try kernel.run([first, second.reshaped(to: shape)], in: context)
  }
}
