#if canImport(Accelerate)
  import Accelerate

  /// Calls a LAPACK driver twice: to get the sizes of its work areas, and then to compute.
  ///
  /// - Parameter integers: the least size of the integer area, for drivers that do not return it.
  private func withWorkspace<Scalar: MatrixScalar>(
    _ type: Scalar.Type, integers: Int,
    _ driver: (UnsafeMutablePointer<Scalar>, inout Int32, UnsafeMutablePointer<Int32>, inout Int32)
      -> Int32
  ) -> Int32 {
    var work: [Scalar] = [0]
    var integerWork = [Int32](repeating: 0, count: max(integers, 1))
    var (workCount, integerCount) = (Int32(-1), Int32(-1))
    let info = driver(&work, &workCount, &integerWork, &integerCount)
    guard info == 0 else { return info }
    // Single precision rounds large sizes, possibly down.
    workCount = Int32(clamping: Int(Double(work[0]) * 1.000001) + 1)
    integerCount = Int32(clamping: max(integers, Int(integerWork[0])))
    work = [Scalar](repeating: 0, count: Int(workCount))
    integerWork = [Int32](repeating: 0, count: Int(integerCount))
    return driver(&work, &workCount, &integerWork, &integerCount)
  }

  extension Float {
    /// Do not call it from outside this module.
    public static func _syevd(
      _ n: Int32, _ a: UnsafeMutablePointer<Float>, _ values: UnsafeMutablePointer<Float>
    ) -> Int32 {
      withWorkspace(Float.self, integers: 1) { work, workCount, integers, integerCount in
        var (job, triangle): (CChar, CChar) = (86, 85)  // V, U
        var (n, info) = (n, Int32(0))
        var stride = n
        ssyevd_(
          &job, &triangle, &n, a, &stride, values, work, &workCount, integers, &integerCount, &info)
        return info
      }
    }

    /// Do not call it from outside this module.
    public static func _gesdd(
      rows: Int32, columns: Int32, _ a: UnsafeMutablePointer<Float>,
      _ values: UnsafeMutablePointer<Float>, u: UnsafeMutablePointer<Float>,
      vTransposed: UnsafeMutablePointer<Float>
    ) -> Int32 {
      withWorkspace(Float.self, integers: 8 * Int(min(rows, columns))) {
        work, workCount, integers, _ in
        var job: CChar = 83  // S
        var (m, n, info) = (rows, columns, Int32(0))
        var (aStride, uStride, vStride) = (rows, rows, min(rows, columns))
        sgesdd_(
          &job, &m, &n, a, &aStride, values, u, &uStride, vTransposed, &vStride, work, &workCount,
          integers, &info)
        return info
      }
    }

    /// Do not call it from outside this module.
    public static func _gesv(
      _ n: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Float>,
      _ b: UnsafeMutablePointer<Float>
    ) -> Int32 {
      var pivots = [Int32](repeating: 0, count: Int(n))
      var (n, rightSides, info) = (n, rightSides, Int32(0))
      var (aStride, bStride) = (n, n)
      sgesv_(&n, &rightSides, a, &aStride, &pivots, b, &bStride, &info)
      return info
    }

    /// Do not call it from outside this module.
    public static func _gelsd(
      rows: Int32, columns: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Float>,
      _ b: UnsafeMutablePointer<Float>, tolerance: Float, rank: inout Int32
    ) -> Int32 {
      var values = [Float](repeating: 0, count: Int(min(rows, columns)))
      var found = Int32(0)
      let info = withWorkspace(Float.self, integers: 1) { work, workCount, integers, _ in
        var (m, n, sides, info) = (rows, columns, rightSides, Int32(0))
        var (aStride, bStride, tolerance) = (rows, max(rows, columns), tolerance)
        sgelsd_(
          &m, &n, &sides, a, &aStride, b, &bStride, &values, &tolerance, &found, work, &workCount,
          integers, &info)
        return info
      }
      rank = found
      return info
    }
  }

  extension Double {
    /// Do not call it from outside this module.
    public static func _syevd(
      _ n: Int32, _ a: UnsafeMutablePointer<Double>, _ values: UnsafeMutablePointer<Double>
    ) -> Int32 {
      withWorkspace(Double.self, integers: 1) { work, workCount, integers, integerCount in
        var (job, triangle): (CChar, CChar) = (86, 85)  // V, U
        var (n, info) = (n, Int32(0))
        var stride = n
        dsyevd_(
          &job, &triangle, &n, a, &stride, values, work, &workCount, integers, &integerCount, &info)
        return info
      }
    }

    /// Do not call it from outside this module.
    public static func _gesdd(
      rows: Int32, columns: Int32, _ a: UnsafeMutablePointer<Double>,
      _ values: UnsafeMutablePointer<Double>, u: UnsafeMutablePointer<Double>,
      vTransposed: UnsafeMutablePointer<Double>
    ) -> Int32 {
      withWorkspace(Double.self, integers: 8 * Int(min(rows, columns))) {
        work, workCount, integers, _ in
        var job: CChar = 83  // S
        var (m, n, info) = (rows, columns, Int32(0))
        var (aStride, uStride, vStride) = (rows, rows, min(rows, columns))
        dgesdd_(
          &job, &m, &n, a, &aStride, values, u, &uStride, vTransposed, &vStride, work, &workCount,
          integers, &info)
        return info
      }
    }

    /// Do not call it from outside this module.
    public static func _gesv(
      _ n: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Double>,
      _ b: UnsafeMutablePointer<Double>
    ) -> Int32 {
      var pivots = [Int32](repeating: 0, count: Int(n))
      var (n, rightSides, info) = (n, rightSides, Int32(0))
      var (aStride, bStride) = (n, n)
      dgesv_(&n, &rightSides, a, &aStride, &pivots, b, &bStride, &info)
      return info
    }

    /// Do not call it from outside this module.
    public static func _gelsd(
      rows: Int32, columns: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Double>,
      _ b: UnsafeMutablePointer<Double>, tolerance: Double, rank: inout Int32
    ) -> Int32 {
      var values = [Double](repeating: 0, count: Int(min(rows, columns)))
      var found = Int32(0)
      let info = withWorkspace(Double.self, integers: 1) { work, workCount, integers, _ in
        var (m, n, sides, info) = (rows, columns, rightSides, Int32(0))
        var (aStride, bStride, tolerance) = (rows, max(rows, columns), tolerance)
        dgelsd_(
          &m, &n, &sides, a, &aStride, b, &bStride, &values, &tolerance, &found, work, &workCount,
          integers, &info)
        return info
      }
      rank = found
      return info
    }
  }
#endif
