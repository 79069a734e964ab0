import Foundation

/// Memory for activations that nodes reuse, within a run and between runs.
///
/// A request gets the smallest free buffer that is sufficient and at most twice as large. If there
/// is none, other free buffers are returned to the system first, so that the pool never grows
/// beyond the most that was in use at once. Buffers of a megabyte and more are shared by all pools
/// of the process. You can use it from several threads.
package final class BufferPool: @unchecked Sendable {
  // Unchecked: every access to the mutable state is under `lock`.

  private let lock = NSLock()
  /// The small ones.
  private var free = FreeBuffers()
  private var bytesInUse = 0
  private var peak = 0
  private var hasLarge = false

  /// The most bytes that may be in use at once.
  package let limit: Int

  package init(limit: Int) {
    self.limit = limit
  }

  deinit {
    free.removeAll()
    if hasLarge { LargeBuffers.ofProcess.trim() }
  }

  /// The most bytes that were in use at once so far.
  package var peakBytesInUse: Int {
    lock.lock()
    defer { lock.unlock() }
    return peak
  }

  /// A buffer of at least `byteCount` bytes, not cleared, or nil if that would pass the limit.
  package func storage(byteCount: Int) -> TensorStorage? {
    guard byteCount <= limit else { return nil }
    // Sizes are whole cache lines; tiny requests share one class, so that shape arithmetic is
    // cheap.
    let size = max((byteCount + 63) & ~63, 256)
    lock.lock()
    defer { lock.unlock() }
    let room = limit - bytesInUse
    guard size < LargeBuffers.leastBytes else {
      guard size <= room else { return nil }
      hasLarge = true
      return lend(LargeBuffers.ofProcess.take(size), size)
    }
    if let buffer = free.take(size, most: min(max(size * 2, 4096), room)) {
      return lend(buffer.base, buffer.byteCount)
    }
    guard size <= room else { return nil }
    free.shrink(to: max(peak - bytesInUse - size, 0), makingRoomFor: size)
    return lend(Buffer(byteCount: size).base, size)
  }

  /// Called when the last tensor over a lent buffer is released.
  func take(back base: UnsafeMutableRawPointer, byteCount: Int) {
    lock.lock()
    defer { lock.unlock() }
    bytesInUse -= byteCount
    if byteCount < LargeBuffers.leastBytes {
      free.insert(Buffer(base: base, byteCount: byteCount))
    } else {
      LargeBuffers.ofProcess.take(back: base)
    }
  }

  /// Returns free buffers to the system.
  package func trim() {
    lock.lock()
    defer { lock.unlock() }
    free.removeAll()
    if hasLarge { LargeBuffers.ofProcess.trim() }
  }

  private func lend(_ base: UnsafeMutableRawPointer, _ byteCount: Int) -> TensorStorage {
    bytesInUse += byteCount
    peak = max(peak, bytesInUse)
    return TensorStorage(pooled: base, byteCount: byteCount, pool: self)
  }
}
