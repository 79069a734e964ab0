#if !canImport(Accelerate)
  import CLAPACKE

  /// A letter that chooses what a LAPACK driver does.
  private func job(_ letter: Unicode.Scalar) -> CChar {
    CChar(letter.value)
  }

  extension Float {
    /// Not to be called from outside this module.
    public static func _syevd(
      _ n: Int32, _ a: UnsafeMutablePointer<Float>, _ values: UnsafeMutablePointer<Float>
    ) -> Int32 {
      LAPACKE_ssyevd(LAPACK_COL_MAJOR, job("V"), job("U"), n, a, n, values)
    }

    /// Not to be called from outside this module.
    public static func _gesdd(
      rows: Int32, columns: Int32, _ a: UnsafeMutablePointer<Float>,
      _ values: UnsafeMutablePointer<Float>, u: UnsafeMutablePointer<Float>,
      vTransposed: UnsafeMutablePointer<Float>
    ) -> Int32 {
      LAPACKE_sgesdd(
        LAPACK_COL_MAJOR, job("S"), rows, columns, a, rows, values, u, rows, vTransposed,
        min(rows, columns))
    }

    /// Not to be called from outside this module.
    public static func _gesv(
      _ n: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Float>,
      _ b: UnsafeMutablePointer<Float>
    ) -> Int32 {
      var pivots = [Int32](repeating: 0, count: Int(n))
      return LAPACKE_sgesv(LAPACK_COL_MAJOR, n, rightSides, a, n, &pivots, b, n)
    }

    /// Not to be called from outside this module.
    public static func _gelsd(
      rows: Int32, columns: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Float>,
      _ b: UnsafeMutablePointer<Float>, tolerance: Float, rank: inout Int32
    ) -> Int32 {
      var values = [Float](repeating: 0, count: Int(min(rows, columns)))
      return LAPACKE_sgelsd(
        LAPACK_COL_MAJOR, rows, columns, rightSides, a, rows, b, max(rows, columns), &values,
        tolerance, &rank)
    }
  }

  extension Double {
    /// Not to be called from outside this module.
    public static func _syevd(
      _ n: Int32, _ a: UnsafeMutablePointer<Double>, _ values: UnsafeMutablePointer<Double>
    ) -> Int32 {
      LAPACKE_dsyevd(LAPACK_COL_MAJOR, job("V"), job("U"), n, a, n, values)
    }

    /// Not to be called from outside this module.
    public static func _gesdd(
      rows: Int32, columns: Int32, _ a: UnsafeMutablePointer<Double>,
      _ values: UnsafeMutablePointer<Double>, u: UnsafeMutablePointer<Double>,
      vTransposed: UnsafeMutablePointer<Double>
    ) -> Int32 {
      LAPACKE_dgesdd(
        LAPACK_COL_MAJOR, job("S"), rows, columns, a, rows, values, u, rows, vTransposed,
        min(rows, columns))
    }

    /// Not to be called from outside this module.
    public static func _gesv(
      _ n: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Double>,
      _ b: UnsafeMutablePointer<Double>
    ) -> Int32 {
      var pivots = [Int32](repeating: 0, count: Int(n))
      return LAPACKE_dgesv(LAPACK_COL_MAJOR, n, rightSides, a, n, &pivots, b, n)
    }

    /// Not to be called from outside this module.
    public static func _gelsd(
      rows: Int32, columns: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Double>,
      _ b: UnsafeMutablePointer<Double>, tolerance: Double, rank: inout Int32
    ) -> Int32 {
      var values = [Double](repeating: 0, count: Int(min(rows, columns)))
      return LAPACKE_dgelsd(
        LAPACK_COL_MAJOR, rows, columns, rightSides, a, rows, b, max(rows, columns), &values,
        tolerance, &rank)
    }
  }
#endif
