#if !canImport(Accelerate)
  import Dispatch
  import Synchronization
  import _OpenBLAS

  /// OpenBLAS and LAPACKE, each loaded when the first of its routines is needed.
  enum OpenBLAS {
    /// The routines of BLAS, or why there are none.
    static let blas = Result { () throws(LinearAlgebraError) in
      try load("libopenblas.so.0")
    }

    /// The routines of BLAS; nil if they cannot be had.
    ///
    /// By itself, because products are taken in loops.
    static let products: Routines<tally_openblas>? = try? blas.get()

    /// The routines of LAPACK, or why there are none.
    static let lapack = Result { () throws(LinearAlgebraError) in
      _ = try blas.get()
      return try loadLAPACKE("liblapacke.so.3")
    }

    /// Whether the routines of BLAS were found and told how many threads to take.
    static let isReady = Atomic(false)

    /// Whether memory is limited: then OpenBLAS has one thread and one buffer.
    static let isConfined = tally_memory_is_limited() != 0

    /// Function pointers, which nobody changes.
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

    /// Runs a routine that takes a buffer of OpenBLAS's: where memory is limited one at a time, for
    /// a second buffer would be asked for without end.
    @inline(__always)
    static func withBuffer<Value>(_ routine: () -> Value) -> Value {
      isConfined ? turns.sync(execute: routine) : routine()
    }
  }

  /// Throws if there are no routines to multiply with.
  @usableFromInline func requireBLAS() throws(LinearAlgebraError) {
    if OpenBLAS.products == nil { _ = try OpenBLAS.blas.get() }
  }
#else
  /// Accelerate is always there.
  @usableFromInline func requireBLAS() throws(LinearAlgebraError) {}
#endif
