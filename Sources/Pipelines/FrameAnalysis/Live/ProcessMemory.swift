#if canImport(Darwin)
  // The port of the own task is a variable in C that never changes.
  @preconcurrency import Darwin
#else
  import _CLibrary
#endif

/// The memory of this process.
enum ProcessMemory {
  /// The bytes that are in the machine's memory now; nil if the system does not say.
  static var resident: Int? {
    #if canImport(Darwin)
      var info = mach_task_basic_info()
      let words = MemoryLayout<mach_task_basic_info>.size / MemoryLayout<integer_t>.size
      var count = mach_msg_type_number_t(words)
      let status = withUnsafeMutablePointer(to: &info) { pointer in
        pointer.withMemoryRebound(to: integer_t.self, capacity: words) {
          task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
        }
      }
      return status == KERN_SUCCESS ? Int(exactly: info.resident_size) : nil
    #else
      let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = read(file, &bytes, bytes.count)
      guard count > 0 else { return nil }
      return resident(
        ofStatus: String(decoding: bytes[..<count], as: UTF8.self), pageSize: Int(getpagesize()))
    #endif
  }

  /// The resident bytes of Linux's account of a process, which is in pages (man 5 proc, `statm`).
  static func resident(ofStatus status: String, pageSize: Int) -> Int? {
    let fields = status.split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    let (result, isTooLarge) = pages.multipliedReportingOverflow(by: pageSize)
    return isTooLarge ? nil : result
  }
}
