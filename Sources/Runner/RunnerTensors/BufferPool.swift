import Foundation

/// Memory for activations that nodes reuse, within a run and between runs.
///
/// A request gets the smallest free buffer that is sufficient and at most twice as large. If there
/// is none, other free buffers are returned to the system first, so that the pool never grows
/// beyond the most that was in use at once. You can use it from several threads.
package final class BufferPool: @unchecked Sendable {
  // Unchecked: every access to the mutable state is under `lock`.

  private struct Buffer {
    let base: UnsafeMutableRawPointer
    let byteCount: Int
  }

  private let lock = NSLock()
  private var free: [Buffer] = []  // ascending by size
  private var bytesInUse = 0
  private var bytesFree = 0
  private var peak = 0

  /// The most bytes that may be in use at once.
  package let limit: Int

  package init(limit: Int) {
    self.limit = limit
  }

  deinit {
    for buffer in free { buffer.base.deallocate() }
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
    let index = firstIndex(holding: size)
    if index < free.count, free[index].byteCount <= max(size * 2, 4096),
      bytesInUse + free[index].byteCount <= limit
    {
      let buffer = free.remove(at: index)
      bytesFree -= buffer.byteCount
      return lend(buffer)
    }
    guard bytesInUse + size <= limit else { return nil }
    makeRoom(for: size, below: index)
    let base = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: TensorStorage.alignment)
    base.adviseLargePages(byteCount: size)
    return lend(Buffer(base: base, byteCount: size))
  }

  /// Called when the last tensor over a lent buffer is released.
  func take(back base: UnsafeMutableRawPointer, byteCount: Int) {
    lock.lock()
    defer { lock.unlock() }
    bytesInUse -= byteCount
    free.insert(Buffer(base: base, byteCount: byteCount), at: firstIndex(holding: byteCount))
    bytesFree += byteCount
  }

  /// Returns free buffers to the system.
  package func trim() {
    lock.lock()
    defer { lock.unlock() }
    for buffer in free { buffer.base.deallocate() }
    free.removeAll()
    bytesFree = 0
  }

  /// Returns free buffers to the system until there is room for a new one of `size` bytes.
  ///
  /// The whole pool then stays within the most that was ever in use at once. Buffers that are just
  /// too small go first, then the largest.
  private func makeRoom(for size: Int, below index: Int) {
    let ceiling = max(peak, bytesInUse + size)
    var candidate = index - 1
    while !free.isEmpty, bytesInUse + bytesFree + size > ceiling {
      let buffer = free.remove(at: candidate >= 0 ? candidate : free.count - 1)
      candidate -= 1
      bytesFree -= buffer.byteCount
      buffer.base.deallocate()
    }
  }

  private func lend(_ buffer: Buffer) -> TensorStorage {
    bytesInUse += buffer.byteCount
    peak = max(peak, bytesInUse)
    return TensorStorage(pooled: buffer.base, byteCount: buffer.byteCount, pool: self)
  }

  /// The first free buffer of at least `size` bytes, by binary search.
  private func firstIndex(holding size: Int) -> Int {
    var low = 0
    var high = free.count
    while low < high {
      let middle = (low + high) / 2
      if free[middle].byteCount < size { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
