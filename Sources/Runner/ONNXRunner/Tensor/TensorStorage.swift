import Foundation

/// The bytes behind one or more tensors.
///
/// Written only by the kernel that allocated it, before any other code can see it; from then on it
/// is read only. When the last tensor over it goes, the bytes go back where they came from: to a
/// session's pool, to the allocator, or with the mapped file.
final class TensorStorage: @unchecked Sendable {
  // Unchecked because of the raw pointer: see above, nobody writes once it is shared. Only an arena
  // lends the same bytes again, to the step that reads them last. The copy is made under its lock.

  /// The first byte as it was given, which may be aligned to nothing; for those who copy.
  let raw: UnsafeMutableRawPointer

  /// The first byte; aligned to 64 where it was allocated here, and to the elements' size elsewhere.
  var base: UnsafeMutableRawPointer { copy?.base(of: raw, byteCount) ?? raw }

  private let copy: AlignedCopy?

  /// Whether the bytes lie as their elements must, so that nobody needs a copy.
  var isAligned: Bool { copy == nil }

  /// How many bytes there are at `base`.
  let byteCount: Int

  /// The elements where they are text; empty otherwise.
  let strings: [String]

  private let owner: Owner

  private enum Owner {
    case allocator
    case pool(BufferPool)
    case arena(Arena, loan: Int)
    case other(AnyObject)
  }

  static let alignment = 64

  /// New bytes, not cleared.
  init(allocating byteCount: Int) {
    self.raw = .allocate(byteCount: max(byteCount, 1), alignment: Self.alignment)
    self.copy = nil
    self.byteCount = byteCount
    self.strings = []
    self.owner = .allocator
  }

  /// Bytes that go back to `pool` when nobody needs them; `byteCount` is what the pool lent.
  init(pooled base: UnsafeMutableRawPointer, byteCount: Int, pool: BufferPool) {
    self.raw = base
    self.copy = nil
    self.byteCount = byteCount
    self.strings = []
    self.owner = .pool(pool)
  }

  /// Bytes lent by an arena.
  init(at base: UnsafeMutableRawPointer, byteCount: Int, in arena: Arena, loan: Int) {
    self.raw = base
    self.copy = nil
    self.byteCount = byteCount
    self.strings = []
    self.owner = .arena(arena, loan: loan)
  }

  /// Bytes inside something that lives as long as `owner`, such as a mapped file.
  ///
  /// Where they do not lie as elements of `elementSize` bytes must, a copy that does is made when
  /// somebody asks for it.
  init(
    borrowing base: UnsafeRawPointer, byteCount: Int, elementSize: Int = 1, from owner: AnyObject
  ) {
    // Never written: only a kernel's own allocation is.
    self.raw = UnsafeMutableRawPointer(mutating: base)
    self.copy = UInt(bitPattern: base) % UInt(max(elementSize, 1)) == 0 ? nil : AlignedCopy()
    self.byteCount = byteCount
    self.strings = []
    self.owner = .other(owner)
  }

  /// Text.
  init(strings: [String]) {
    self.raw = .allocate(byteCount: 1, alignment: Self.alignment)
    self.copy = nil
    self.byteCount = 0
    self.strings = strings
    self.owner = .allocator
  }

  /// Tells the arena, if it is one's memory, that a tensor holds it of which its layout knows nothing.
  func protectInArena() {
    if case .arena(let arena, let loan) = owner { arena.protect(loan) }
  }

  /// Gives the system back the memory of what lies in a mapped file.
  ///
  /// It is read again when somebody looks at it. Does nothing to memory of any other kind.
  func releasePages(at offset: Int, byteCount: Int) {
    if case .other(let owner) = owner, let file = owner as? ModelFile {
      file.releasePages(at: UnsafeRawPointer(raw) + offset, byteCount: byteCount)
    }
  }

  deinit {
    switch owner {
    case .allocator: raw.deallocate()
    case .arena(let arena, let loan): arena.takeBack(loan)
    case .pool(let pool): pool.take(back: raw, byteCount: byteCount)
    case .other: break
    }
  }
}

/// A copy of bytes that do not lie as their elements must, made when it is needed.
private final class AlignedCopy: @unchecked Sendable {
  // Unchecked: `made` is only touched under `lock`, and the bytes behind it are never written again.
  private let lock = NSLock()
  private var made: UnsafeMutableRawPointer?

  func base(of source: UnsafeMutableRawPointer, _ byteCount: Int) -> UnsafeMutableRawPointer {
    lock.lock()
    defer { lock.unlock() }
    if let made { return made }
    let copy = UnsafeMutableRawPointer.allocate(
      byteCount: max(byteCount, 1), alignment: TensorStorage.alignment)
    copy.copyMemory(from: source, byteCount: byteCount)
    made = copy
    return copy
  }

  deinit { made?.deallocate() }
}
