import Foundation

/// The buffers of a megabyte and more of all pools.
///
/// The networks of a pipeline run one after the other. If each kept the memory of its largest run
/// for itself, all of them together would hold the sum. So they share it, and the process holds the
/// most that was in use at once. You can use it from several threads.
final class LargeBuffers: @unchecked Sendable {
  // Unchecked: every access to the mutable state is under `lock`.

  static let ofProcess = LargeBuffers()

  /// The size from which on a buffer is shared.
  static let leastBytes = 1 << 20

  private let lock = NSLock()
  private var free = FreeBuffers()
  private var lent: [UnsafeMutableRawPointer: Int] = [:]
  private var bytesInUse = 0
  private var peak = 0

  /// How many bytes are lent, and how many are kept for the next request.
  var bytes: (inUse: Int, free: Int) {
    lock.lock()
    defer { lock.unlock() }
    return (bytesInUse, free.byteCount)
  }

  /// A buffer of at least `size` bytes, not cleared; as of a ``BufferPool`` without a limit.
  func take(_ size: Int) -> UnsafeMutableRawPointer {
    lock.lock()
    defer { lock.unlock() }
    let buffer = free.take(size, most: size * 2) ?? new(size)
    lent[buffer.base] = buffer.byteCount
    bytesInUse += buffer.byteCount
    peak = max(peak, bytesInUse)
    return buffer.base
  }

  private func new(_ size: Int) -> Buffer {
    free.shrink(to: max(peak - bytesInUse - size, 0), makingRoomFor: size)
    return Buffer(byteCount: size)
  }

  /// Called when the last tensor over a buffer is released.
  func take(back base: UnsafeMutableRawPointer) {
    lock.lock()
    defer { lock.unlock() }
    guard let byteCount = lent.removeValue(forKey: base) else { return }
    bytesInUse -= byteCount
    free.insert(Buffer(base: base, byteCount: byteCount))
  }

  /// Returns free buffers to the system, and forgets how many bytes were in use.
  ///
  /// Called when a session has ended or needs less from now on, and may have been the largest.
  func trim() {
    lock.lock()
    defer { lock.unlock() }
    free.removeAll()
    peak = bytesInUse
  }
}
