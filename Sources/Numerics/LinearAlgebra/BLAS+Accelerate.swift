#if canImport(Accelerate)
  import Accelerate

  extension Float: MatrixScalar {
    /// Do not call it from outside this module.
    public static func _gemm(
      _ shape: GEMMShape, alpha: Float, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>,
      beta: Float, _ c: UnsafeMutablePointer<Float>
    ) {
      cblas_sgemm(
        CblasRowMajor, shape.transposesA ? CblasTrans : CblasNoTrans,
        shape.transposesB ? CblasTrans : CblasNoTrans, shape.m, shape.n, shape.k,
        alpha, a, shape.aStride, b, shape.bStride, beta, c, shape.cStride)
    }

    /// Do not call it from outside this module.
    public static func _gemv(
      transposed: Bool, rows: Int32, columns: Int32, alpha: Float, _ a: UnsafePointer<Float>,
      _ x: UnsafePointer<Float>, beta: Float, _ y: UnsafeMutablePointer<Float>
    ) {
      cblas_sgemv(
        CblasRowMajor, transposed ? CblasTrans : CblasNoTrans, rows, columns, alpha, a, columns, x,
        1, beta, y, 1)
    }

    /// Do not call it from outside this module.
    public static func _syrk(
      transposed: Bool, size: Int32, depth: Int32, alpha: Float, _ a: UnsafePointer<Float>,
      rowStride: Int32, beta: Float, _ c: UnsafeMutablePointer<Float>
    ) {
      cblas_ssyrk(
        CblasRowMajor, CblasUpper, transposed ? CblasTrans : CblasNoTrans, size, depth, alpha, a,
        rowStride, beta, c, size)
    }

    /// Do not call it from outside this module.
    public static func _dot(
      _ count: Int32, _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>
    ) -> Float {
      cblas_sdot(count, x, 1, y, 1)
    }
  }

  extension Double: MatrixScalar {
    /// Do not call it from outside this module.
    public static func _gemm(
      _ shape: GEMMShape, alpha: Double, _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>,
      beta: Double, _ c: UnsafeMutablePointer<Double>
    ) {
      cblas_dgemm(
        CblasRowMajor, shape.transposesA ? CblasTrans : CblasNoTrans,
        shape.transposesB ? CblasTrans : CblasNoTrans, shape.m, shape.n, shape.k,
        alpha, a, shape.aStride, b, shape.bStride, beta, c, shape.cStride)
    }

    /// Do not call it from outside this module.
    public static func _gemv(
      transposed: Bool, rows: Int32, columns: Int32, alpha: Double, _ a: UnsafePointer<Double>,
      _ x: UnsafePointer<Double>, beta: Double, _ y: UnsafeMutablePointer<Double>
    ) {
      cblas_dgemv(
        CblasRowMajor, transposed ? CblasTrans : CblasNoTrans, rows, columns, alpha, a, columns, x,
        1, beta, y, 1)
    }

    /// Do not call it from outside this module.
    public static func _syrk(
      transposed: Bool, size: Int32, depth: Int32, alpha: Double, _ a: UnsafePointer<Double>,
      rowStride: Int32, beta: Double, _ c: UnsafeMutablePointer<Double>
    ) {
      cblas_dsyrk(
        CblasRowMajor, CblasUpper, transposed ? CblasTrans : CblasNoTrans, size, depth, alpha, a,
        rowStride, beta, c, size)
    }

    /// Do not call it from outside this module.
    public static func _dot(
      _ count: Int32, _ x: UnsafePointer<Double>, _ y: UnsafePointer<Double>
    ) -> Double {
      cblas_ddot(count, x, 1, y, 1)
    }
  }
#endif
