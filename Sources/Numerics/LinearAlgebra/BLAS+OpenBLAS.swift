#if !canImport(Accelerate)
  import _OpenBLAS

  private let rowMajor = Int32(TALLY_BLAS_ROW_MAJOR)

  private func transpose(_ transposes: Bool) -> Int32 {
    Int32(transposes ? TALLY_BLAS_TRANS : TALLY_BLAS_NO_TRANS)
  }

  extension Float: MatrixScalar {
    /// Do not call it from outside this module.
    public static func _gemm(
      _ shape: GEMMShape, alpha: Float, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>,
      beta: Float, _ c: UnsafeMutablePointer<Float>
    ) {
      guard let sgemm = OpenBLAS.products?.table.sgemm else {
        return PlainProducts.gemm(shape, alpha: alpha, a, b, beta: beta, c)
      }
      OpenBLAS.withBuffer {
        sgemm(
          rowMajor, transpose(shape.transposesA), transpose(shape.transposesB), shape.m, shape.n,
          shape.k, alpha, a, shape.aStride, b, shape.bStride, beta, c, shape.cStride)
      }
    }

    /// Do not call it from outside this module.
    public static func _gemv(
      transposed: Bool, rows: Int32, columns: Int32, alpha: Float, _ a: UnsafePointer<Float>,
      _ x: UnsafePointer<Float>, beta: Float, _ y: UnsafeMutablePointer<Float>
    ) {
      guard let sgemv = OpenBLAS.products?.table.sgemv else {
        return PlainProducts.gemm(
          GEMMShape(
            m: transposed ? columns : rows, n: 1, k: transposed ? rows : columns,
            transposesA: transposed, aStride: columns),
          alpha: alpha, a, x, beta: beta, y)
      }
      OpenBLAS.withBuffer {
        sgemv(
          rowMajor, transpose(transposed), rows, columns, alpha, a, columns, x, 1, beta, y, 1)
      }
    }

    /// Do not call it from outside this module.
    public static func _syrk(
      transposed: Bool, size: Int32, depth: Int32, alpha: Float, _ a: UnsafePointer<Float>,
      rowStride: Int32, beta: Float, _ c: UnsafeMutablePointer<Float>
    ) throws(LinearAlgebraError) {
      let ssyrk = try OpenBLAS.blas.get().table.ssyrk!
      OpenBLAS.withBuffer {
        ssyrk(
          rowMajor, Int32(TALLY_BLAS_UPPER), transpose(transposed), size, depth, alpha, a,
          rowStride, beta, c, size)
      }
    }

    /// Do not call it from outside this module.
    public static func _dot(
      _ count: Int32, _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>
    ) -> Float {
      // This one takes no buffer.
      guard let sdot = OpenBLAS.products?.table.sdot else {
        return PlainProducts.dot(count, x, y)
      }
      return sdot(count, x, 1, y, 1)
    }
  }

  extension Double: MatrixScalar {
    /// Do not call it from outside this module.
    public static func _gemm(
      _ shape: GEMMShape, alpha: Double, _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>,
      beta: Double, _ c: UnsafeMutablePointer<Double>
    ) {
      guard let dgemm = OpenBLAS.products?.table.dgemm else {
        return PlainProducts.gemm(shape, alpha: alpha, a, b, beta: beta, c)
      }
      OpenBLAS.withBuffer {
        dgemm(
          rowMajor, transpose(shape.transposesA), transpose(shape.transposesB), shape.m, shape.n,
          shape.k, alpha, a, shape.aStride, b, shape.bStride, beta, c, shape.cStride)
      }
    }

    /// Do not call it from outside this module.
    public static func _gemv(
      transposed: Bool, rows: Int32, columns: Int32, alpha: Double, _ a: UnsafePointer<Double>,
      _ x: UnsafePointer<Double>, beta: Double, _ y: UnsafeMutablePointer<Double>
    ) {
      guard let dgemv = OpenBLAS.products?.table.dgemv else {
        return PlainProducts.gemm(
          GEMMShape(
            m: transposed ? columns : rows, n: 1, k: transposed ? rows : columns,
            transposesA: transposed, aStride: columns),
          alpha: alpha, a, x, beta: beta, y)
      }
      OpenBLAS.withBuffer {
        dgemv(
          rowMajor, transpose(transposed), rows, columns, alpha, a, columns, x, 1, beta, y, 1)
      }
    }

    /// Do not call it from outside this module.
    public static func _syrk(
      transposed: Bool, size: Int32, depth: Int32, alpha: Double, _ a: UnsafePointer<Double>,
      rowStride: Int32, beta: Double, _ c: UnsafeMutablePointer<Double>
    ) throws(LinearAlgebraError) {
      let dsyrk = try OpenBLAS.blas.get().table.dsyrk!
      OpenBLAS.withBuffer {
        dsyrk(
          rowMajor, Int32(TALLY_BLAS_UPPER), transpose(transposed), size, depth, alpha, a,
          rowStride, beta, c, size)
      }
    }

    /// Do not call it from outside this module.
    public static func _dot(
      _ count: Int32, _ x: UnsafePointer<Double>, _ y: UnsafePointer<Double>
    ) -> Double {
      // This one takes no buffer.
      guard let ddot = OpenBLAS.products?.table.ddot else {
        return PlainProducts.dot(count, x, y)
      }
      return ddot(count, x, 1, y, 1)
    }
  }
#endif
