extension EmbeddingMatrix {
  /// Rows scaled to length 1, which is how an ``ImageEmbedder`` answers.
  ///
  /// Lengths are computed in double precision, in which the square of no finite `Float` overflows
  /// or vanishes.
  ///
  /// Complexity: O(count * dimension).
  ///
  /// - Throws: ``EmbeddingMatrixError/zeroRow(index:)`` or
  ///   ``EmbeddingMatrixError/nonFiniteRow(index:)`` for the first row without a direction.
  public func normalized() throws(EmbeddingMatrixError) -> EmbeddingMatrix {
    var scaled = values
    for row in 0..<count {
      let range = row * dimension..<(row + 1) * dimension
      var squares = 0.0
      for value in values[range] { squares += Double(value) * Double(value) }
      guard squares.isFinite else { throw .nonFiniteRow(index: row) }
      guard squares > 0 else { throw .zeroRow(index: row) }
      let scale = 1 / squares.squareRoot()
      for index in range { scaled[index] = Float(Double(values[index]) * scale) }
    }
    return EmbeddingMatrix(checked: scaled, count: count, dimension: dimension)
  }

  /// Refuses rows whose cosine to another is not defined.
  ///
  /// - Throws: as ``normalized()`` does.
  public func requireDirections() throws(EmbeddingMatrixError) {
    for row in 0..<count {
      var isZero = true
      for value in self[row: row] {
        guard value.isFinite else { throw .nonFiniteRow(index: row) }
        if value != 0 { isZero = false }
      }
      if isZero { throw .zeroRow(index: row) }
    }
  }
}
