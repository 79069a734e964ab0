import Foundation

/// Finds out how many more threads the system allows, by starting them.
///
/// The limits are those of a user, of a container and of the addresses, and only the system knows
/// the least of them.
enum ThreadProbe {
  /// The number of threads that can be alive at once besides this one, at most `most`.
  ///
  /// Takes some 20 microseconds per thread. They have ended when it returns.
  static func possible(atMost most: Int) -> Int {
    #if canImport(Glibc)
      // All wait for the lock, so that they are alive at the same time.
      let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      defer { lock.deallocate() }
      pthread_mutex_init(lock, nil)
      defer { pthread_mutex_destroy(lock) }
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      pthread_attr_setstacksize(&attributes, stackSize)

      pthread_mutex_lock(lock)
      var threads: [pthread_t] = []
      while threads.count < most {
        var thread = pthread_t()
        let result = pthread_create(
          &thread, &attributes,
          { argument in
            if let lock = argument?.assumingMemoryBound(to: pthread_mutex_t.self) {
              pthread_mutex_lock(lock)
              pthread_mutex_unlock(lock)
            }
            return nil
          }, lock)
        guard result == 0 else { break }
        threads.append(thread)
      }
      pthread_mutex_unlock(lock)
      for thread in threads { pthread_join(thread, nil) }
      return threads.count
    #else
      return most
    #endif
  }

  #if canImport(Glibc)
    private static let stackSize = 256 << 10
  #endif
}
