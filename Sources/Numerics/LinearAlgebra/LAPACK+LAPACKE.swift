#if !canImport(Accelerate)
  import _OpenBLAS

  private let columnMajor = Int32(TALLY_LAPACK_COLUMN_MAJOR)

  /// A letter that selects the task of a LAPACK driver.
  private func job(_ letter: Unicode.Scalar) -> CChar {
    CChar(letter.value)
  }

  extension Float {
    /// Do not call it from outside this module.
    public static func _syevd(
      _ n: Int32, _ a: UnsafeMutablePointer<Float>, _ values: UnsafeMutablePointer<Float>
    ) throws(LinearAlgebraError) -> Int32 {
      let ssyevd = try OpenBLAS.lapack.get().table.ssyevd!
      return OpenBLAS.withBuffer {
        ssyevd(
          columnMajor, job("V"), job("U"), n, a, n, values)
      }
    }

    /// Do not call it from outside this module.
    public static func _gesdd(
      rows: Int32, columns: Int32, _ a: UnsafeMutablePointer<Float>,
      _ values: UnsafeMutablePointer<Float>, u: UnsafeMutablePointer<Float>,
      vTransposed: UnsafeMutablePointer<Float>
    ) throws(LinearAlgebraError) -> Int32 {
      let sgesdd = try OpenBLAS.lapack.get().table.sgesdd!
      return OpenBLAS.withBuffer {
        sgesdd(
          columnMajor, job("S"), rows, columns, a, rows, values, u, rows, vTransposed,
          min(rows, columns))
      }
    }

    /// Do not call it from outside this module.
    public static func _gesv(
      _ n: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Float>,
      _ b: UnsafeMutablePointer<Float>
    ) throws(LinearAlgebraError) -> Int32 {
      var pivots = [Int32](repeating: 0, count: Int(n))
      let sgesv = try OpenBLAS.lapack.get().table.sgesv!
      return OpenBLAS.withBuffer {
        sgesv(
          columnMajor, n, rightSides, a, n, &pivots, b, n)
      }
    }

    /// Do not call it from outside this module.
    public static func _gelsd(
      rows: Int32, columns: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Float>,
      _ b: UnsafeMutablePointer<Float>, tolerance: Float, rank: inout Int32
    ) throws(LinearAlgebraError) -> Int32 {
      var values = [Float](repeating: 0, count: Int(min(rows, columns)))
      let sgelsd = try OpenBLAS.lapack.get().table.sgelsd!
      return OpenBLAS.withBuffer {
        sgelsd(
          columnMajor, rows, columns, rightSides, a, rows, b, max(rows, columns), &values,
          tolerance, &rank)
      }
    }
  }

  extension Double {
    /// Do not call it from outside this module.
    public static func _syevd(
      _ n: Int32, _ a: UnsafeMutablePointer<Double>, _ values: UnsafeMutablePointer<Double>
    ) throws(LinearAlgebraError) -> Int32 {
      let dsyevd = try OpenBLAS.lapack.get().table.dsyevd!
      return OpenBLAS.withBuffer {
        dsyevd(
          columnMajor, job("V"), job("U"), n, a, n, values)
      }
    }

    /// Do not call it from outside this module.
    public static func _gesdd(
      rows: Int32, columns: Int32, _ a: UnsafeMutablePointer<Double>,
      _ values: UnsafeMutablePointer<Double>, u: UnsafeMutablePointer<Double>,
      vTransposed: UnsafeMutablePointer<Double>
    ) throws(LinearAlgebraError) -> Int32 {
      let dgesdd = try OpenBLAS.lapack.get().table.dgesdd!
      return OpenBLAS.withBuffer {
        dgesdd(
          columnMajor, job("S"), rows, columns, a, rows, values, u, rows, vTransposed,
          min(rows, columns))
      }
    }

    /// Do not call it from outside this module.
    public static func _gesv(
      _ n: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Double>,
      _ b: UnsafeMutablePointer<Double>
    ) throws(LinearAlgebraError) -> Int32 {
      var pivots = [Int32](repeating: 0, count: Int(n))
      let dgesv = try OpenBLAS.lapack.get().table.dgesv!
      return OpenBLAS.withBuffer {
        dgesv(
          columnMajor, n, rightSides, a, n, &pivots, b, n)
      }
    }

    /// Do not call it from outside this module.
    public static func _gelsd(
      rows: Int32, columns: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Double>,
      _ b: UnsafeMutablePointer<Double>, tolerance: Double, rank: inout Int32
    ) throws(LinearAlgebraError) -> Int32 {
      var values = [Double](repeating: 0, count: Int(min(rows, columns)))
      let dgelsd = try OpenBLAS.lapack.get().table.dgelsd!
      return OpenBLAS.withBuffer {
        dgelsd(
          columnMajor, rows, columns, rightSides, a, rows, b, max(rows, columns), &values,
          tolerance, &rank)
      }
    }
  }
#endif
