/// A buffer that a pool allocated.
struct Buffer {
  let base: UnsafeMutableRawPointer
  let byteCount: Int

  /// Allocates at least one byte, not cleared.
  init(byteCount: Int) {
    base = .allocate(byteCount: byteCount, alignment: TensorStorage.alignment)
    base.adviseLargePages(byteCount: byteCount)
    self.byteCount = byteCount
  }

  init(base: UnsafeMutableRawPointer, byteCount: Int) {
    self.base = base
    self.byteCount = byteCount
  }
}

/// Buffers that nothing uses, ascending by size.
struct FreeBuffers {
  private var buffers: [Buffer] = []
  /// The bytes of all of them.
  private(set) var byteCount = 0

  /// Takes out the smallest buffer of at least `size` and at most `most` bytes.
  mutating func take(_ size: Int, most: Int) -> Buffer? {
    let index = firstIndex(holding: size)
    guard index < buffers.count, buffers[index].byteCount <= most else { return nil }
    let buffer = buffers.remove(at: index)
    byteCount -= buffer.byteCount
    return buffer
  }

  mutating func insert(_ buffer: Buffer) {
    buffers.insert(buffer, at: firstIndex(holding: buffer.byteCount))
    byteCount += buffer.byteCount
  }

  /// Returns buffers to the system until at most `bytes` are left.
  ///
  /// Those that are just too small for a request of `size` bytes go first, then the largest.
  mutating func shrink(to bytes: Int, makingRoomFor size: Int) {
    var candidate = firstIndex(holding: size) - 1
    while !buffers.isEmpty, byteCount > bytes {
      let buffer = buffers.remove(at: candidate >= 0 ? candidate : buffers.count - 1)
      candidate -= 1
      byteCount -= buffer.byteCount
      buffer.base.deallocate()
    }
  }

  /// Returns all to the system.
  mutating func removeAll() {
    for buffer in buffers { buffer.base.deallocate() }
    buffers.removeAll()
    byteCount = 0
  }

  /// The first buffer of at least `size` bytes, by binary search.
  private func firstIndex(holding size: Int) -> Int {
    var low = 0
    var high = buffers.count
    while low < high {
      let middle = (low + high) / 2
      if buffers[middle].byteCount < size { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
