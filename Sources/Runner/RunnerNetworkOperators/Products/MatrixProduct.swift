import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Products of matrices.
  package static let matrixProduct: [Operator] = [
    Operator(
      "MatMul", versions: [1, 9, 13], inputs: 2...2,
      types: .real + ElementTypes([.int32, .int64, .uint32, .uint64]), shape: .matrixProduct,
      cost: .matrixProduct, traits: [.product]
    ) { _ in MatMul() },
    Operator(
      "Gemm", versions: [6, 7, 9, 11, 13], inputs: 2...3,
      types: .real + ElementTypes([.int32, .int64, .uint32, .uint64]),
      attributes: ["alpha": .float, "beta": .float, "transA": .int, "transB": .int], shape: .gemm,
      cost: .gemm, traits: [.product]
    ) { try Gemm($0) },
  ]
}

extension ShapeRule {
  package static let matrixProduct = ShapeRule { query in
    [ValueFact(try query.input(0).type, try product(query.shape(0), query.shape(1), query))]
  }

  package static let gemm = ShapeRule {
    [ValueFact(try $0.input(0).type, try gemm($0, right: 1))]
  }

  package static func gemm(_ query: ShapeQuery, right: Int) throws -> [Int] {
    let (a, b) = (try query.shape(0), try query.shape(right))
    guard a.count == 2, b.count == 2 else { throw ShapeQuery.Unknown() }
    return [a[try query.info.flag("transA") ? 1 : 0], b[try query.info.flag("transB") ? 0 : 1]]
  }

  /// NumPy's rules for `matmul`.
  package static func product(_ a: [Int], _ b: [Int], _ query: ShapeQuery) throws -> [Int] {
    guard let aLast = a.last, !b.isEmpty else { throw ShapeQuery.Unknown() }
    let bDepth = b.count == 1 ? b[0] : b[b.count - 2]
    guard aLast == bDepth else { throw ShapeQuery.Unknown() }
    let outer = try query.broadcast([Array(a.dropLast(2)), Array(b.dropLast(2))])
    let rows = a.count == 1 ? [] : [a[a.count - 2]]
    let columns = b.count == 1 ? [] : [b[b.count - 1]]
    return outer + rows + columns
  }
}

extension OperationCount {
  package static let matrixProduct = OperationCount { query in
    query.shape(0)?.last.flatMap { product([2, $0] + query.result) }
  }

  package static let gemm = OperationCount { query in
    guard let a = query.shape(0), a.count == 2 else { return nil }
    let isTransposed = query.node.attributes["transA"]?.int ?? 0 != 0
    return product([2, a[isTransposed ? 0 : 1]] + query.result)
  }
}

/// How large a piece of a product is that one thread takes on.
private enum Piece {
  static let rows = 128
  static let columns = 512
}

/// The product of the last two dimensions, the others broadcast as NumPy does.
private struct MatMul: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let a = try context.input(0, of: inputs)
    let b = try context.input(1, of: inputs)
    guard a.elementType == b.elementType else {
      throw context.failure("cannot multiply \(a.elementType) by \(b.elementType)")
    }
    let shape = try ProductShape(a.shape, b.shape, context)
    switch a.elementType {
    case .float32:
      let output = try context.allocate(.float32, shape.output)
      multiply(a, b, into: output, shape, Float.self, context)
      return [output]
    case .float64:
      let output = try context.allocate(.float64, shape.output)
      multiply(a, b, into: output, shape, Double.self, context)
      return [output]
    case .float16, .bfloat16:
      let result = try run(
        [a.converted(to: .float32), b.converted(to: .float32)], in: context)
      return [try result[0].converted(to: a.elementType)]
    case .int32: return [try integers(a, b, shape, Int32.self, context)]
    case .int64: return [try integers(a, b, shape, Int64.self, context)]
    case .uint32: return [try integers(a, b, shape, UInt32.self, context)]
    case .uint64: return [try integers(a, b, shape, UInt64.self, context)]
    default: throw context.failure("cannot multiply \(a.elementType)")
    }
  }

  private func multiply<Scalar: ProductScalar>(
    _ a: Tensor, _ b: Tensor, into output: Tensor, _ shape: ProductShape, _: Scalar.Type,
    _ context: KernelContext
  ) {
    guard output.count > 0 else { return }
    let left = a.pointer(to: Scalar.self)
    let right = b.pointer(to: Scalar.self)
    let target = output.mutablePointer(to: Scalar.self)
    let (rows, columns, depth) = (shape.rows, shape.columns, shape.depth)
    let pieces = (rows - 1) / Piece.rows + 1
    context.parallel(shape.offsets.count * pieces) { items in
      for item in items {
        let offset = shape.offsets[item / pieces]
        let first = item % pieces * Piece.rows
        GEMM.multiply(
          rows: min(Piece.rows, rows - first), columns: columns, depth: depth,
          .init(pointer: left + offset.a + first * depth, stride: max(depth, 1)),
          .init(pointer: right + offset.b, stride: columns),
          into: target + item / pieces * rows * columns + first * columns, stride: columns)
      }
    }
  }

  private func integers<Scalar: TensorScalar & FixedWidthInteger>(
    _ a: Tensor, _ b: Tensor, _ shape: ProductShape, _: Scalar.Type, _ context: KernelContext
  ) throws -> Tensor {
    let output = try context.allocate(a.elementType, shape.output)
    let left = a.pointer(to: Scalar.self)
    let right = b.pointer(to: Scalar.self)
    let target = output.mutablePointer(to: Scalar.self)
    context.parallel(shape.offsets.count) { items in
      for item in items {
        let offset = shape.offsets[item]
        for row in 0..<shape.rows {
          for column in 0..<shape.columns {
            var sum: Scalar = 0
            for index in 0..<shape.depth {
              sum &+=
                left[offset.a + row * shape.depth + index]
                &* right[offset.b + index * shape.columns + column]
            }
            target[(item * shape.rows + row) * shape.columns + column] = sum
          }
        }
      }
    }
    return output
  }
}

/// Which matrices a product multiplies, by NumPy's rules for `matmul`.
package struct ProductShape {
  package let output: [Int]
  package let rows: Int
  package let columns: Int
  package let depth: Int
  /// Where each product's operands start.
  package let offsets: [(a: Int, b: Int)]

  package init(_ a: [Int], _ b: [Int], _ context: KernelContext) throws {
    guard !a.isEmpty, !b.isEmpty else {
      throw context.failure("cannot multiply shapes \(a) and \(b): scalars are not allowed")
    }
    let left = a.count == 1 ? [1] + a : a
    let right = b.count == 1 ? b + [1] : b
    depth = left[left.count - 1]
    guard right[right.count - 2] == depth else {
      throw context.failure("cannot multiply shapes \(a) and \(b): inner dimensions differ")
    }
    columns = right[right.count - 1]
    let leftBatch = Array(left.dropLast(2))
    let rightBatch = Array(right.dropLast(2))
    let rank = max(leftBatch.count, rightBatch.count)
    let padded = [leftBatch, rightBatch].map {
      [Int](repeating: 1, count: rank - $0.count) + $0
    }
    let batch = try zip(padded[0], padded[1]).map { first, second in
      guard first == second || first == 1 || second == 1 else {
        throw context.failure("cannot multiply shapes \(a) and \(b): they do not broadcast")
      }
      return first == 1 ? second : first
    }
    var output = batch
    if a.count > 1 { output.append(left[left.count - 2]) }
    if b.count > 1 { output.append(columns) }
    self.output = output
    _ = try Tensor.elementCount(of: output)
    let extents = [left[left.count - 2], columns, depth]
    guard extents.allSatisfy({ $0 <= GEMM.maximumExtent }) else {
      throw context.failure("shapes \(a) and \(b) are too large to multiply")
    }
    if rightBatch.allSatisfy({ $0 == 1 }),
      let allRows = try? Tensor.elementCount(of: Array(left.dropLast())),
      allRows <= GEMM.maximumExtent
    {
      // One matrix on the right: all on the left are rows of one.
      rows = allRows
      offsets = allRows > 0 && columns > 0 ? [(0, 0)] : []
      return
    }
    rows = extents[0]
    offsets = ProductShape.offsets(
      batch, padded[0], padded[1], rows * depth, depth * columns)
  }

  private static func offsets(
    _ batch: [Int], _ left: [Int], _ right: [Int], _ leftSize: Int, _ rightSize: Int
  ) -> [(a: Int, b: Int)] {
    var offsets = [(a: 0, b: 0)]
    var leftStride = leftSize
    var rightStride = rightSize
    for axis in batch.indices.reversed() {
      var next: [(a: Int, b: Int)] = []
      for index in 0..<batch[axis] {
        let a = left[axis] == 1 ? 0 : index * leftStride
        let b = right[axis] == 1 ? 0 : index * rightStride
        for offset in offsets { next.append((offset.a + a, offset.b + b)) }
      }
      leftStride *= left[axis]
      rightStride *= right[axis]
      offsets = next
    }
    return offsets
  }
}

/// `alpha a b + beta c`, each of the first two perhaps transposed.
private struct Gemm: Kernel {
  let alpha: Float
  let beta: Float
  let transposesA: Bool
  let transposesB: Bool

  init(_ node: NodeInfo) throws {
    alpha = try node.float("alpha", default: 1)
    beta = try node.float("beta", default: 1)
    transposesA = try node.flag("transA")
    transposesB = try node.flag("transB")
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let a = try context.input(0, of: inputs)
    let b = try context.input(1, of: inputs)
    let c = context.optionalInput(2, of: inputs)
    guard a.elementType == b.elementType, c.map({ $0.elementType == a.elementType }) ?? true
    else { throw context.failure("the inputs' types differ") }
    guard a.rank == 2, b.rank == 2 else {
      throw context.failure("a and b must be matrices, got \(a.shape) and \(b.shape)")
    }
    if a.elementType != .float32 {
      // By way of float32 or float64, whichever holds the values.
      let isNarrow = a.elementType == .float16 || a.elementType == .bfloat16
      guard !isNarrow else {
        let result = try run(
          [a, b, c].map { try $0?.converted(to: .float32) }, in: context)
        return [try result[0].converted(to: a.elementType)]
      }
      guard a.elementType == .float64 || a.elementType.isInteger else {
        throw context.failure("cannot multiply \(a.elementType)")
      }
      let wide = try [a, b, c].map { try $0?.converted(to: .float64) }
      let result = try product(wide[0] ?? a, wide[1] ?? b, wide[2], Double.self, context)
      return [try result.converted(to: a.elementType)]
    }
    return [try product(a, b, c, Float.self, context)]
  }

  private func product<Scalar: ProductScalar>(
    _ a: Tensor, _ b: Tensor, _ c: Tensor?, _: Scalar.Type, _ context: KernelContext
  ) throws -> Tensor {
    let rows = a.shape[transposesA ? 1 : 0]
    let depth = a.shape[transposesA ? 0 : 1]
    let columns = b.shape[transposesB ? 0 : 1]
    guard b.shape[transposesB ? 1 : 0] == depth else {
      throw context.failure(
        "cannot multiply \(a.shape)\(transposesA ? " transposed" : "") by "
          + "\(b.shape)\(transposesB ? " transposed" : "")")
    }
    guard max(rows, columns, depth) <= GEMM.maximumExtent else {
      throw context.failure("the matrices are too large")
    }
    let output = try context.allocate(Scalar.elementType, [rows, columns])
    guard output.count > 0 else { return output }
    let target = output.mutablePointer(to: Scalar.self)
    let hasAddend = c != nil && beta != 0
    if let c, hasAddend {
      try fill(target, rows, columns, from: c, Scalar.self, context)
    }
    let left = a.pointer(to: Scalar.self)
    let right = b.pointer(to: Scalar.self)
    context.parallel(columns, grain: Piece.columns) { range in
      let first = range.lowerBound * (transposesB ? depth : 1)
      GEMM.multiply(
        rows: rows, columns: range.count, depth: depth, alpha: Scalar(alpha),
        .init(pointer: left, stride: max(a.shape[1], 1), isTransposed: transposesA),
        .init(pointer: right + first, stride: max(b.shape[1], 1), isTransposed: transposesB),
        beta: hasAddend ? Scalar(beta) : 0, into: target + range.lowerBound, stride: columns)
    }
    return output
  }

  /// Spreads `c` over the result; it is a scalar, a row, a column or a matrix.
  private func fill<Scalar: TensorScalar>(
    _ target: UnsafeMutablePointer<Scalar>, _ rows: Int, _ columns: Int, from c: Tensor,
    _: Scalar.Type, _ context: KernelContext
  ) throws {
    let shape = [Int](repeating: 1, count: max(0, 2 - c.rank)) + c.shape
    guard shape.count == 2, shape[0] == 1 || shape[0] == rows,
      shape[1] == 1 || shape[1] == columns
    else {
      throw context.failure(
        "c has shape \(c.shape), which does not broadcast to "
          + "[\(rows), \(columns)]")
    }
    let source = c.pointer(to: Scalar.self)
    for row in 0..<rows {
      let start = shape[0] == 1 ? 0 : row * shape[1]
      let line = target + row * columns
      if shape[1] == 1 {
        line.update(repeating: source[start], count: columns)
      } else {
        line.update(from: source + start, count: columns)
      }
    }
  }
}
