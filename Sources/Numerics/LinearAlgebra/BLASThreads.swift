import Dispatch

#if !canImport(Accelerate)
  import Synchronization
  import _OpenBLAS
#endif

/// How many threads BLAS and LAPACK take for one operation.
///
/// OpenBLAS has one setting for the whole process, which is what these functions change: whoever
/// runs matrix products inside threads of its own sets it to 1 first, because threads that each
/// call a multi-threaded BLAS wait for one another. At first it is what `OPENBLAS_NUM_THREADS` or
/// `OMP_NUM_THREADS` asks for, else the number of processors. The threads start with the first
/// operation, not with the program, and with a setting of 1 none does.
///
/// Each thread takes 128 MB of addresses. In a process whose addresses or data are limited
/// (`ulimit -v`, `ulimit -d`) there is one, whatever is set. Accelerate decides for itself; there
/// the functions do nothing and ``count`` is 1.
package enum BLASThreads {
  /// The number of threads now.
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

    /// One change at a time: OpenBLAS looks at how many threads it has before it locks, and two
    /// changes at once can leave it with two threads for one place, of which one is never woken,
    /// not even to end.
    private static let changes = DispatchQueue(label: "BLASThreads")

    /// Gives OpenBLAS, which has just been loaded, the number that was set before.
    static func begin(_ routines: tally_openblas) {
      changes.sync {
        apply(count, to: routines)
        OpenBLAS.isReady.store(true, ordering: .relaxed)
      }
    }

    private static func apply(_ count: Int, to routines: tally_openblas) {
      if count != Int(routines.get_num_threads()) { routines.set_num_threads(Int32(count)) }
      // OpenBLAS takes no more than it was built for.
      number.store(Int(routines.get_num_threads()), ordering: .relaxed)
    }
  #endif

  /// Sets the number of threads, of the whole process; values are clamped to 1...1024.
  ///
  /// OpenBLAS in its turn takes no more threads than it was built for.
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

  /// Runs `body` with `count` threads, and then sets the number that there was before.
  ///
  /// The setting is the whole process's: work on other threads sees it too, and two overlapping
  /// calls may leave either's number behind. Use it where one thread is in charge; otherwise call
  /// ``set(_:)`` once at the start.
  package static func with<Result>(_ count: Int, _ body: () throws -> Result) rethrows -> Result {
    let before = self.count
    set(count)
    defer { set(before) }
    return try body()
  }
}
