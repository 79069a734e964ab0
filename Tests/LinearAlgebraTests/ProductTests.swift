import LinearAlgebra
import TestSupport
import Testing

/// Products against their definition: of small whole numbers, equal to the bit in both precisions.
@Suite struct ProductTests {
  static let sizes = [0, 1, 2, 3, 7, 16, 33]

  @Test func productsOfEveryShapeAndTranspose() throws {
    try check(Float.self)
    try check(Double.self)
  }

  private func check<Scalar: MatrixScalar>(_ type: Scalar.Type) throws {
    var generator = SeededGenerator(seed: 11)
    for m in Self.sizes {
      for n in Self.sizes {
        for k in Self.sizes {
          let a = try Matrix<Scalar>.integers(m, k, using: &generator)
          let b = try Matrix<Scalar>.integers(k, n, using: &generator)
          let c = try Matrix<Scalar>.integers(m, n, using: &generator)
          let product = try a.naiveProduct(b)
          #expect(try a.multiplied(by: b) == product)
          for (left, right) in [(false, true), (true, false), (true, true)] {
            let result = try (left ? a.transposed : a).multiplied(
              by: right ? b.transposed : b, transposingSelf: left, transposingOther: right)
            #expect(result == product, "\(m) \(n) \(k) \(left) \(right)")
          }
          var sum = c
          try Matrix.gemm(alpha: 2, a, b, beta: -3, into: &sum)
          let expected = zip(product.elements, c.elements).map { 2 * $0 - 3 * $1 }
          #expect(sum.elements == expected)
        }
      }
    }
  }

  @Test func vectorProducts() throws {
    var generator = SeededGenerator(seed: 12)
    for m in Self.sizes {
      for n in Self.sizes {
        let a = try Matrix<Float>.integers(m, n, using: &generator)
        let x = try Matrix<Float>.integers(n, 1, using: &generator)
        let product = try a.naiveProduct(x).elements
        #expect(try a.multiplied(by: x.elements) == product)
        var y = [Float](repeating: 5, count: m)
        try Matrix.gemv(alpha: -1, a.transposed, transposingA: true, x.elements, beta: 2, into: &y)
        #expect(y == product.map { 10 - $0 })
        let doubles = try a.converted(to: Double.self).multiplied(
          by: x.elements.map { Double($0) })
        #expect(doubles == product.map { Double($0) })
      }
    }
  }

  @Test func symmetricProducts() throws {
    var generator = SeededGenerator(seed: 13)
    for n in Self.sizes {
      for k in Self.sizes {
        let a = try Matrix<Double>.integers(n, k, using: &generator)
        let product = try a.naiveProduct(a.transposed)
        #expect(try a.gramMatrix() == product)
        #expect(try a.converted(to: Float.self).gramMatrix().converted() == product)
        var sum = try Matrix<Double>(repeating: 1, rowCount: n, columnCount: n)
        try Matrix.syrk(alpha: 3, a.transposed, transposingA: true, beta: 4, into: &sum)
        #expect(sum.elements == product.elements.map { 3 * $0 + 4 })
      }
    }
  }

  @Test func aBetaOfZeroForgetsNaN() throws {
    let a = try Matrix<Float>(rows: [[1, 2], [3, 4]])
    var c = try Matrix<Float>(repeating: .nan, rowCount: 2, columnCount: 2)
    try Matrix.gemm(a, a, into: &c)
    #expect(c.elements == [7, 10, 15, 22])
    c = try Matrix<Float>(repeating: .nan, rowCount: 2, columnCount: 2)
    try Matrix.syrk(a, into: &c)
    #expect(c.elements == [5, 11, 11, 25])
    var y = [Float](repeating: .nan, count: 2)
    try Matrix.gemv(a, [1, 1], into: &y)
    #expect(y == [3, 7])
    let nan = try a.multiplied(by: Matrix(rows: [[.nan, 0], [0, 1]]))
    #expect(nan[0, 0].isNaN && nan[1, 1] == 4)
  }

  @Test func shapesThatDoNotFitAreErrors() throws {
    let a = try Matrix<Float>(repeating: 1, rowCount: 2, columnCount: 3)
    var c = try Matrix<Float>(repeating: 1, rowCount: 2, columnCount: 2)
    #expect(
      throws: LinearAlgebraError.shapeMismatch(operation: "gemm", left: [2, 3], right: [2, 3])
    ) {
      try a.multiplied(by: a)
    }
    #expect(
      throws: LinearAlgebraError.shapeMismatch(operation: "gemm", left: [3, 3], right: [2, 2])
    ) {
      try Matrix.gemm(a, transposingA: true, a, into: &c)
    }
    #expect(throws: LinearAlgebraError.shapeMismatch(operation: "gemv", left: [2, 3], right: [2])) {
      try a.multiplied(by: [1, 2])
    }
    var y: [Float] = [1]
    #expect(throws: LinearAlgebraError.shapeMismatch(operation: "gemv", left: [2], right: [1])) {
      try Matrix.gemv(a, [1, 2, 3], into: &y)
    }
    #expect(
      throws: LinearAlgebraError.shapeMismatch(operation: "syrk", left: [3, 3], right: [2, 2])
    ) {
      try Matrix.syrk(a, transposingA: true, into: &c)
    }
    #expect(throws: LinearAlgebraError.shapeMismatch(operation: "dot", left: [2], right: [1])) {
      try [Float(1), 2].dot([Float(3)])
    }
    #expect(c.elements == [1, 1, 1, 1] && y == [1])
  }

  @Test func dimensionsBeyondBLASAreErrors() throws {
    let huge = Int(Int32.max) + 1
    let tall = try Matrix<Float>(repeating: 0, rowCount: huge, columnCount: 0)
    #expect(throws: LinearAlgebraError.tooLarge(operation: "gemm", dimension: huge)) {
      try Matrix<Float>(rows: []).multiplied(by: tall, transposingOther: true)
    }
    #expect(throws: LinearAlgebraError.tooLarge(operation: "gemm", dimension: huge)) {
      try tall.multiplied(by: tall, transposingOther: true)
    }
    #expect(throws: LinearAlgebraError.tooLarge(operation: "syrk", dimension: huge)) {
      try tall.gramMatrix()
    }
    #expect(throws: LinearAlgebraError.invalidShape(rows: huge, columns: huge)) {
      try Matrix<Float>(repeating: 0, rowCount: huge, columnCount: huge)
    }
    #expect(
      throws: LinearAlgebraError.tooLarge(
        operation: "singular value decomposition", dimension: huge)
    ) { try tall.singularValueDecomposition() }
  }

  @Test func theUncheckedProductWorksOnPartsOfMatrices() throws {
    var generator = SeededGenerator(seed: 14)
    let a = try Matrix<Float>.integers(6, 8, using: &generator)
    let b = try Matrix<Float>.integers(5, 8, using: &generator)
    var c = [Float](repeating: 7, count: 6 * 10)
    // Rows 1 to 3 of A by rows 2 to 4 of B, columns 2 to 6 of both, into columns 4 to 6 of C.
    a.elements.withUnsafeBufferPointer { a in
      b.elements.withUnsafeBufferPointer { b in
        c.withUnsafeMutableBufferPointer { c in
          BLAS.uncheckedGEMM(
            GEMMShape(m: 3, n: 3, k: 5, transposesB: true, aStride: 8, bStride: 8, cStride: 10),
            a: a.baseAddress! + 10, b: b.baseAddress! + 18, c: c.baseAddress! + 4)
        }
      }
    }
    for row in 0..<6 {
      for column in 0..<10 {
        let expected: Float =
          row < 3 && (4...6).contains(column)
          ? (2...6).reduce(0) { $0 + a[row + 1, $1] * b[column - 2, $1] } : 7
        #expect(c[row * 10 + column] == expected)
      }
    }
  }
}

/// The thread setting is the whole process's, so these tests run one after the other.
@Suite(.serialized) struct BLASThreadsTests {
  @Test func theNumberOfThreadsIsSetAndRestored() {
    let before = BLASThreads.count
    defer { BLASThreads.set(before) }
    #expect(before >= 1)
    BLASThreads.set(1)
    #expect(BLASThreads.count == 1)
    #if !canImport(Accelerate)
      let inside = BLASThreads.with(2) { BLASThreads.count }
      #expect(inside == 2)
    #endif
    #expect(BLASThreads.count == 1)
    for count in [0, -1, Int.min] {
      BLASThreads.set(count)
      #expect(BLASThreads.count == 1)
    }
    BLASThreads.set(.max)
    #expect(BLASThreads.count >= 1)
  }

  @Test func theScopeRestoresAfterAnError() {
    let before = BLASThreads.count
    #expect(throws: CancellationError.self) {
      try BLASThreads.with(1) { throw CancellationError() }
    }
    #expect(BLASThreads.count == before)
  }

  @Test func productsDoNotDependOnTheNumberOfThreads() throws {
    var generator = SeededGenerator(seed: 15)
    let a = try Matrix<Float>(
      rowCount: 150, columnCount: 170,
      elements: (0..<150 * 170).map { _ in Float.random(in: -1...1, using: &generator) })
    let one = try BLASThreads.with(1) { try a.gramMatrix() }
    let two = try BLASThreads.with(2) { try a.gramMatrix() }
    #expect(one.distance(to: two) < 1e-4)
  }
}
