#if !canImport(Accelerate)
  import Dispatch
  import Synchronization
  import _OpenBLAS

  /// OpenBLAS and LAPACKE, each loaded when its first routine is needed.
  enum OpenBLAS {
    /// The routines of BLAS, or the reason why they are missing.
    static let blas = Result { () throws(LinearAlgebraError) in
      try load("libopenblas.so.0")
    }

    /// The routines of BLAS; nil if they are missing.
    ///
    /// This is a separate value, because products are computed in loops.
    static let products: Routines<tally_openblas>? = try? blas.get()

    /// The routines of LAPACK, or the reason why they are missing.
    static let lapack = Result { () throws(LinearAlgebraError) in
      _ = try blas.get()
      return try loadLAPACKE("liblapacke.so.3")
    }

    /// Whether the routines of BLAS were found and their number of threads is set.
    static let isReady = Atomic(false)

    /// Whether memory is limited: then OpenBLAS has one thread and one buffer.
    static let isConfined = tally_memory_is_limited() != 0

    /// Function pointers, which do not change.
    struct Routines<Table>: @unchecked Sendable {
      let table: Table
    }

    static func load(_ file: String) throws(LinearAlgebraError) -> Routines<tally_openblas> {
      var table = tally_openblas()
      var message = [CChar](repeating: 0, count: Int(TALLY_OPENBLAS_MESSAGE_SIZE))
      guard tally_openblas_load(file, &table, &message) != 0 else {
        throw unavailable("OpenBLAS", message)
      }
      BLASThreads.begin(table)
      return Routines(table: table)
    }

    static func loadLAPACKE(_ file: String) throws(LinearAlgebraError) -> Routines<tally_lapacke> {
      var table = tally_lapacke()
      var message = [CChar](repeating: 0, count: Int(TALLY_OPENBLAS_MESSAGE_SIZE))
      guard tally_lapacke_load(file, &table, &message) != 0 else {
        throw unavailable("LAPACKE", message)
      }
      return Routines(table: table)
    }

    private static func unavailable(_ library: String, _ message: [CChar]) -> LinearAlgebraError {
      let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return .unavailable(library: library, reason: String(decoding: text, as: UTF8.self))
    }

    private static let turns = DispatchQueue(label: "OpenBLAS")

    /// Calls a routine that takes one of OpenBLAS's buffers.
    ///
    /// If memory is limited, only one routine runs at a time, because OpenBLAS would retry forever
    /// for a second buffer.
    @inline(__always)
    static func withBuffer<Value>(_ routine: () -> Value) -> Value {
      isConfined ? turns.sync(execute: routine) : routine()
    }
  }

  /// Throws if there are no routines for products.
  @usableFromInline func requireBLAS() throws(LinearAlgebraError) {
    if OpenBLAS.products == nil { _ = try OpenBLAS.blas.get() }
  }
#else
  /// Accelerate is always available.
  @usableFromInline func requireBLAS() throws(LinearAlgebraError) {}
#endif
