/// A norm of a vector.
public enum VectorNorm: Hashable, Sendable, CaseIterable {
  /// The sum of the magnitudes.
  case l1
  /// The root of the sum of the squares.
  case l2
  /// The largest magnitude.
  case infinity
}

extension Collection where Element: MatrixScalar {
  /// The dot product with `other`; 0 of empty vectors.
  ///
  /// - Complexity: O(n).
  /// - Throws: ``LinearAlgebraError/shapeMismatch(operation:left:right:)`` if the lengths differ,
  ///   ``LinearAlgebraError/tooLarge(operation:dimension:)``.
  @inlinable public func dot(
    _ other: some Collection<Element>
  ) throws(LinearAlgebraError) -> Element {
    guard count == other.count else {
      throw .shapeMismatch(operation: "dot", left: [count], right: [other.count])
    }
    let length = try int32(count, "dot")
    guard length > 0 else { return 0 }
    try requireBLAS()
    return contiguous { x in
      other.contiguous { y in Element._dot(length, x.baseAddress!, y.baseAddress!) }
    }
  }

  /// The norm; 0 of an empty vector, NaN if a value is NaN.
  ///
  /// Squares are summed in double precision after an exact scaling by a power of two, so neither
  /// large nor small values overflow or underflow.
  ///
  /// - Complexity: O(n).
  @inlinable public func norm(_ kind: VectorNorm = .l2) -> Element {
    switch kind {
    case .l1:
      return Element(reduce(0.0) { $0 + Double($1.magnitude) })
    case .l2:
      guard let (scale, root) = scaledNorm else { return norm(.infinity) }
      return Element(root * scale)
    case .infinity:
      var largest: Element = 0
      for value in self {
        if value.isNaN { return .nan }
        largest = Swift.max(largest, value.magnitude)
      }
      return largest
    }
  }

  /// A power of two, and the L2 norm divided by it; nil if the norm is zero or not finite.
  @inlinable var scaledNorm: (scale: Double, root: Double)? {
    let largest = Double(norm(.infinity))
    guard largest > 0, largest.isFinite else { return nil }
    let scale = largest.binade
    let sum = reduce(0.0) { sum, value in
      let scaled = Double(value) / scale
      return sum + scaled * scaled
    }
    return (scale, sum.squareRoot())
  }

  /// Calls `body` with the elements in memory, or with a copy.
  @inlinable func contiguous<Result>(
    _ body: (UnsafeBufferPointer<Element>) -> Result
  ) -> Result {
    withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
  }
}

extension Matrix {
  /// The matrix with every row divided by its L2 norm.
  ///
  /// Norms are computed in double precision, and each quotient is rounded once.
  ///
  /// - Complexity: O(rows * columns).
  /// - Throws: ``LinearAlgebraError/zeroRow(index:)`` of the first row that is all zeros (any row,
  ///   in a matrix without columns); ``LinearAlgebraError/nonFiniteRow(index:)`` of the first row
  ///   with a value that is NaN or infinite.
  @inlinable public func normalizedRows() throws(LinearAlgebraError) -> Matrix {
    try normalizedRows { index, isZero in
      isZero ? LinearAlgebraError.zeroRow(index: index) : .nonFiniteRow(index: index)
    }
  }

  /// The same with the caller's errors, made from a row's index and whether it is all zeros.
  @inlinable package func normalizedRows<Failure: Error>(
    orThrow failure: (_ index: Int, _ isZero: Bool) -> Failure
  ) throws(Failure) -> Matrix {
    var result: [Scalar] = []
    result.reserveCapacity(storage.count)
    for index in 0..<rowCount {
      let row = self[row: index]
      guard let (scale, root) = row.scaledNorm else {
        throw failure(index, row.allSatisfy { $0 == 0 })
      }
      for value in row { result.append(Scalar(Double(value) / scale / root)) }
    }
    return Matrix(unchecked: result, rowCount: rowCount, columnCount: columnCount)
  }
}
