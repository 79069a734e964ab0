/// The bytes behind one or more tensors.
///
/// Written only by the kernel that allocated it, before any other code can see it; from then on it
/// is read only. When the last tensor over it goes, the bytes go back where they came from: to a
/// session's pool, to the allocator, or with the mapped file.
final class TensorStorage: @unchecked Sendable {
  // Unchecked because of the raw pointer: see above, nobody writes once it is shared.

  /// The first byte; aligned to 64 where it was allocated here.
  let base: UnsafeMutableRawPointer

  /// How many bytes there are at `base`.
  let byteCount: Int

  /// The elements where they are text; empty otherwise.
  let strings: [String]

  private let owner: Owner

  private enum Owner {
    case allocator
    case pool(BufferPool)
    case other(AnyObject)
  }

  static let alignment = 64

  /// New bytes, not cleared.
  init(allocating byteCount: Int) {
    self.base = .allocate(byteCount: max(byteCount, 1), alignment: Self.alignment)
    self.byteCount = byteCount
    self.strings = []
    self.owner = .allocator
  }

  /// Bytes that go back to `pool` when nobody needs them; `byteCount` is what the pool lent.
  init(pooled base: UnsafeMutableRawPointer, byteCount: Int, pool: BufferPool) {
    self.base = base
    self.byteCount = byteCount
    self.strings = []
    self.owner = .pool(pool)
  }

  /// Bytes inside something that lives as long as `owner`, such as a mapped file.
  init(borrowing base: UnsafeRawPointer, byteCount: Int, from owner: AnyObject) {
    // Never written: only a kernel's own allocation is.
    self.base = UnsafeMutableRawPointer(mutating: base)
    self.byteCount = byteCount
    self.strings = []
    self.owner = .other(owner)
  }

  /// Text.
  init(strings: [String]) {
    self.base = .allocate(byteCount: 1, alignment: Self.alignment)
    self.byteCount = 0
    self.strings = strings
    self.owner = .allocator
  }

  /// Gives the system back the memory of what lies in a mapped file; it is read again when somebody
  /// looks at it. Does nothing to memory of any other kind.
  func releasePages(at offset: Int, byteCount: Int) {
    if case .other(let owner) = owner, let file = owner as? ModelFile {
      file.releasePages(at: UnsafeRawPointer(base) + offset, byteCount: byteCount)
    }
  }

  deinit {
    switch owner {
    case .allocator: base.deallocate()
    case .pool(let pool): pool.take(back: base, byteCount: byteCount)
    case .other: break
    }
  }
}
