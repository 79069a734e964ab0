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
  var raw: UnsafeMutableRawPointer { given ?? base }

  /// The first byte; aligned to 64 where it was allocated here, and to the elements' size elsewhere.
  var base: UnsafeMutableRawPointer {
    if let bytesOnDemand { return bytesOnDemand.base }
    return given.unsafelyUnwrapped
  }

  /// Nil where the bytes are only made when somebody asks for them.
  private let given: UnsafeMutableRawPointer?

  /// Nil where the bytes are there, and lie as their elements must.
  private let bytesOnDemand: BytesOnDemand?

  /// Whether the bytes are there and lie as their elements must, so that nobody has to make them.
  var isReady: Bool { bytesOnDemand == nil }

  /// How many bytes there are at `base`.
  let byteCount: Int

  /// The elements where they are text; empty otherwise.
  let strings: [String]

  private let owner: Owner

  private enum Owner {
    case allocator
    case system
    case pool(BufferPool)
    case arena(Arena, loan: Int)
    case bytesOnDemand
    case other(AnyObject)
  }

  static let alignment = 64

  /// From here on memory comes from the system itself.
  ///
  /// It gets it back at once, whereas the allocator would keep it, and take more for the next aligned
  /// block, as it finds no place for that in the one that was freed.
  private static let leastSystemBytes = 256 << 10

  /// New bytes, not cleared.
  init(allocating byteCount: Int) {
    self.bytesOnDemand = nil
    self.byteCount = byteCount
    self.strings = []
    if byteCount >= Self.leastSystemBytes,
      let pages = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
      pages != MAP_FAILED
    {
      self.given = pages
      self.owner = .system
    } else {
      self.given = .allocate(byteCount: max(byteCount, 1), alignment: Self.alignment)
      self.owner = .allocator
    }
  }

  /// Bytes that `fill` writes once somebody asks for them, to memory of that size that it is given.
  init(
    byteCount: Int, filledOnDemandBy fill: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    self.given = nil
    self.bytesOnDemand = BytesOnDemand(byteCount: byteCount, fill: fill)
    self.byteCount = byteCount
    self.strings = []
    self.owner = .bytesOnDemand
  }

  /// Bytes that go back to `pool` when nobody needs them; `byteCount` is what the pool lent.
  init(pooled base: UnsafeMutableRawPointer, byteCount: Int, pool: BufferPool) {
    self.given = base
    self.bytesOnDemand = nil
    self.byteCount = byteCount
    self.strings = []
    self.owner = .pool(pool)
  }

  /// Bytes lent by an arena.
  init(at base: UnsafeMutableRawPointer, byteCount: Int, in arena: Arena, loan: Int) {
    self.given = base
    self.bytesOnDemand = nil
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
    let bytes = UnsafeMutableRawPointer(mutating: base)
    self.given = bytes
    // The closure may hold the bare pointer: it goes with this object, which holds the owner.
    nonisolated(unsafe) let source = base
    self.bytesOnDemand =
      UInt(bitPattern: base) % UInt(max(elementSize, 1)) == 0
      ? nil
      : BytesOnDemand(byteCount: byteCount) { $0.copyMemory(from: source, byteCount: byteCount) }
    self.byteCount = byteCount
    self.strings = []
    self.owner = .other(owner)
  }

  /// Text.
  init(strings: [String]) {
    self.given = .allocate(byteCount: 1, alignment: Self.alignment)
    self.bytesOnDemand = nil
    self.byteCount = 0
    self.strings = strings
    self.owner = .allocator
  }

  /// Tells the arena, if it is one's memory, that a tensor holds it of which its layout knows nothing.
  func protectInArena() {
    if case .arena(let arena, let loan) = owner { arena.protect(loan) }
  }

  /// This storage, or new bytes like its own where they have to be made: for those who need them
  /// once, as it would keep them itself.
  func readyForOneUse() -> TensorStorage {
    guard let bytesOnDemand else { return self }
    let own = TensorStorage(allocating: byteCount)
    bytesOnDemand.fill(own.base)
    return own
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
    guard let given else { return }
    switch owner {
    case .allocator: given.deallocate()
    case .system: munmap(given, byteCount)
    case .arena(let arena, let loan): arena.takeBack(loan)
    case .pool(let pool): pool.take(back: given, byteCount: byteCount)
    case .bytesOnDemand, .other: break
    }
  }
}

/// Bytes that are made when they are needed: a copy of others that do not lie as their elements must, or
/// what can be computed from others.
private final class BytesOnDemand: @unchecked Sendable {
  // Unchecked: `made` is only touched under `lock`, and the bytes behind it are never written again.
  private let lock = NSLock()
  private let byteCount: Int
  private var made: TensorStorage?

  /// Writes the bytes to as many at a pointer.
  let fill: @Sendable (UnsafeMutableRawPointer) -> Void

  init(byteCount: Int, fill: @escaping @Sendable (UnsafeMutableRawPointer) -> Void) {
    self.byteCount = byteCount
    self.fill = fill
  }

  var base: UnsafeMutableRawPointer {
    lock.lock()
    defer { lock.unlock() }
    if let made { return made.base }
    let storage = TensorStorage(allocating: byteCount)
    fill(storage.base)
    made = storage
    return storage.base
  }
}
