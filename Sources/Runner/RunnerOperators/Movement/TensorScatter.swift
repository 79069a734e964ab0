import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// What writes into caches of keys and values.
  package static let caches: [Operator] = [
    Operator(
      "TensorScatter", versions: [24], inputs: 2...3, types: .numeric + .bool,
      attributes: ["axis": .int, "mode": .string], shape: .likeFirst
    ) { try TensorScatter($0) }
  ]
}

/// A cache with rows replaced, from a place on that each item of the batch has for itself.
private struct TensorScatter: Kernel {
  let axis: Int
  let isCircular: Bool

  init(_ node: NodeInfo) throws {
    axis = try node.int("axis", default: -2)
    let mode = try node.string("mode", default: "linear")
    guard mode == "linear" || mode == "circular" else {
      throw node.failure("mode is '\(mode)', expected linear or circular")
    }
    isCircular = mode == "circular"
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let cache = try context.input(0, of: inputs)
    let update = try context.input(1, of: inputs)
    try context.requireSameType([cache, update])
    let axis = try context.normalizedAxis(axis, rank: cache.rank)
    guard axis > 0, update.rank == cache.rank, update.shape[axis] <= cache.shape[axis],
      cache.shape.indices.allSatisfy({ $0 == axis || cache.shape[$0] == update.shape[$0] })
    else {
      throw context.failure(
        "shape \(update.shape) for a cache of \(cache.shape) along axis \(axis)")
    }
    let batch = cache.shape[0]
    let starts =
      try context.optionalInput(2, of: inputs).map { try context.integers($0) }
      ?? [Int](repeating: 0, count: batch)
    let rows = cache.shape[axis]
    let count = update.shape[axis]
    guard starts.count == batch,
      starts.allSatisfy({ $0 >= 0 && (isCircular ? $0 < max(rows, 1) : $0 <= rows - count) })
    else { throw context.failure("\(count) rows at \(starts) of \(rows)") }
    let output = try context.allocate(cache.elementType, cache.shape)
    output.mutableBytes.copyMemory(from: cache.bytes, byteCount: cache.byteCount)
    guard update.count > 0 else { return [output] }
    let rowBytes = cache.shape[(axis + 1)...].reduce(cache.elementType.byteCount, *)
    let prefixes = cache.shape[1..<axis].reduce(1, *)
    for prefix in 0..<batch * prefixes {
      for row in 0..<count {
        let place = (starts[prefix / prefixes] + row) % rows
        (output.mutableBytes + (prefix * rows + place) * rowBytes).copyMemory(
          from: update.bytes + (prefix * count + row) * rowBytes, byteCount: rowBytes)
      }
    }
    return [output]
  }
}
