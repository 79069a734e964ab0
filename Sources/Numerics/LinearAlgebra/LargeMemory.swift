import _CLibrary

/// Memory for results of hundreds of megabytes.
package enum LargeMemory {
  /// Asks for large pages where memory was not written yet: on Linux the first touch of every 4 KiB
  /// otherwise takes as long as a kilobyte of results takes to compute.
  ///
  /// Only advice: where it cannot be followed, nothing happens.
  package static func preferLargePages<Element>(_ memory: UnsafeMutableBufferPointer<Element>) {
    #if os(Linux)
      let page = 2 << 20
      guard let base = memory.baseAddress else { return }
      let start = (Int(bitPattern: base) + page - 1) / page * page
      let end = (Int(bitPattern: base) + memory.count * MemoryLayout<Element>.stride) / page * page
      if end > start {
        madvise(UnsafeMutableRawPointer(bitPattern: start), end - start, MADV_HUGEPAGE)
      }
    #endif
  }
}
