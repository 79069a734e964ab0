import _CLibrary

/// Memory for results of hundreds of megabytes.
package enum LargeMemory {
  /// Requests large pages for memory that was not written yet.
  ///
  /// On Linux the first access to every 4 KiB otherwise takes as long as computing a kilobyte of
  /// results. This is only a hint: if the system cannot follow it, nothing happens.
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
