#if !canImport(Accelerate)
  /// The products of BLAS as plain loops, for callers that cannot handle a missing BLAS.
  ///
  /// They are correct to rounding, and many times slower.
  enum PlainProducts {
    static func gemm<Scalar: MatrixScalar>(
      _ shape: GEMMShape, alpha: Scalar, _ a: UnsafePointer<Scalar>, _ b: UnsafePointer<Scalar>,
      beta: Scalar, _ c: UnsafeMutablePointer<Scalar>
    ) {
      let (aStride, bStride) = (Int(shape.aStride), Int(shape.bStride))
      // The distances between the values of a sum.
      let (aStep, bStep) = (shape.transposesA ? aStride : 1, shape.transposesB ? 1 : bStride)
      for row in 0..<Int(shape.m) {
        for column in 0..<Int(shape.n) {
          let x = a + (shape.transposesA ? row : row * aStride)
          let y = b + (shape.transposesB ? column * bStride : column)
          var sum: Scalar = 0
          for index in 0..<Int(shape.k) { sum += x[index * aStep] * y[index * bStep] }
          let place = row * Int(shape.cStride) + column
          c[place] = beta == 0 ? alpha * sum : alpha * sum + beta * c[place]
        }
      }
    }

    static func dot<Scalar: MatrixScalar>(
      _ count: Int32, _ x: UnsafePointer<Scalar>, _ y: UnsafePointer<Scalar>
    ) -> Scalar {
      var sum: Scalar = 0
      for index in 0..<Int(count) { sum += x[index] * y[index] }
      return sum
    }
  }
#endif
