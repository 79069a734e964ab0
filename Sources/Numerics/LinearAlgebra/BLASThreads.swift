import Dispatch

#if !canImport(Accelerate)
  import Synchronization
  import _OpenBLAS
#endif

/// The number of threads of BLAS and LAPACK for one operation.
///
/// OpenBLAS has one setting for the whole process, which these functions change. If you run matrix
/// products inside your own threads, set it to 1 first, because threads that each call a
/// multi-threaded BLAS wait for one another. The initial number is that of `OPENBLAS_NUM_THREADS`
/// or `OMP_NUM_THREADS`, else the number of processors. The threads start with the first operation,
/// not with the program, and with a setting of 1 none starts.
///
/// Each thread takes 128 MB of addresses. In a process whose addresses or data are limited
/// (`ulimit -v`, `ulimit -d`) there is one thread for any setting. Accelerate decides by itself;
/// there the functions do nothing and ``count`` is 1.
package enum BLASThreads {
  /// The present number of threads.
  package static var count: Int {
    #if canImport(Accelerate)
      1
    #else
      number.load(ordering: .relaxed)
    #endif
  }

  #if !canImport(Accelerate)
    private static let number = Atomic(
      OpenBLAS.isConfined ? 1 : max(1, Int(tally_openblas_default_threads())))

    /// Allows one change at a time.
    ///
    /// OpenBLAS reads its number of threads before it locks. Two changes at once can leave it with
    /// two threads for one place. One of these is then never woken, not even to end.
    private static let changes = DispatchQueue(label: "BLASThreads")

    /// Applies the number that was set before OpenBLAS was loaded.
    static func begin(_ routines: tally_openblas) {
      changes.sync {
        apply(count, to: routines)
        OpenBLAS.isReady.store(true, ordering: .relaxed)
      }
    }

    private static func apply(_ count: Int, to routines: tally_openblas) {
      if count != Int(routines.get_num_threads()) { routines.set_num_threads(Int32(count)) }
      // OpenBLAS uses at most the number of threads that it was built for.
      number.store(Int(routines.get_num_threads()), ordering: .relaxed)
    }
  #endif

  /// Sets the number of threads of the whole process; values are clamped to 1...1024.
  ///
  /// OpenBLAS also uses at most the number of threads that it was built for.
  package static func set(_ count: Int) {
    #if !canImport(Accelerate)
      guard !OpenBLAS.isConfined else { return }
      let count = min(max(count, 1), 1024)
      changes.sync {
        if OpenBLAS.isReady.load(ordering: .relaxed), let products = OpenBLAS.products {
          apply(count, to: products.table)
        } else {
          number.store(count, ordering: .relaxed)
        }
      }
    #endif
  }

  /// Calls `body` with `count` threads, and then restores the previous number.
  ///
  /// The setting is for the whole process: work on other threads uses it too, and two overlapping
  /// calls may leave either number set. Use it if one thread is in charge; otherwise call
  /// ``set(_:)`` once at the start.
  package static func with<Result>(_ count: Int, _ body: () throws -> Result) rethrows -> Result {
    let before = self.count
    set(count)
    defer { set(before) }
    return try body()
  }
}
