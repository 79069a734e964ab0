import Foundation

/// The bytes behind one or more tensors.
///
/// Written only by the kernel that allocated it, before any other code can see it; from then on it
/// is read only. When the last tensor over it goes, the bytes go back where they came from: to a
/// session's pool, to the allocator, or with the mapped file.
package final class TensorStorage: @unchecked Sendable {
  // Unchecked because of the raw pointer: see above, nobody writes once it is shared. Only an arena
  // lends the same bytes again, to the step that reads them last.

  /// The first byte as it was given, which may be aligned to nothing; for those who copy.
  package var raw: UnsafeMutableRawPointer {
    switch bytes {
    case .ready(let first): first
    case .onDemand(let made, let given): given ?? made.base
    }
  }

  /// The first byte; aligned to 64 where it was allocated here, and to the elements' size
  /// elsewhere.
  package var base: UnsafeMutableRawPointer {
    switch bytes {
    case .ready(let first): first
    case .onDemand(let made, _): made.base
    }
  }

  private let bytes: Bytes

  private enum Bytes {
    case ready(UnsafeMutableRawPointer)
    /// They have to be made, from those at `given` where they are but a copy.
    case onDemand(BytesOnDemand, given: UnsafeMutableRawPointer?)
  }

  /// Whether somebody who takes any address need not have them made first.
  package var isInMemory: Bool {
    if case .onDemand(_, nil) = bytes { false } else { true }
  }

  /// How many bytes there are at `base`.
  package let byteCount: Int

  /// The elements where they are text; empty otherwise.
  package let strings: [String]

  private let owner: Owner

  private enum Owner {
    case allocator
    case system
    case pool(BufferPool)
    case lender(any StorageLender, loan: Int)
    case other(AnyObject)
  }

  package static let alignment = 64

  /// From here on memory comes from the system itself.
  ///
  /// It gets it back at once, whereas the allocator would keep it, and take more for the next
  /// aligned block, as it finds no place for that in the one that was freed.
  private static let leastSystemBytes = 256 << 10

  /// New bytes, not cleared.
  package init(allocating byteCount: Int) {
    self.byteCount = byteCount
    self.strings = []
    if byteCount >= Self.leastSystemBytes,
      let pages = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
      pages != MAP_FAILED
    {
      self.bytes = .ready(pages)
      self.owner = .system
    } else {
      self.bytes = .ready(
        .allocate(byteCount: max(byteCount, 1), alignment: Self.alignment))
      self.owner = .allocator
    }
  }

  /// Bytes that `fill` writes once somebody asks for them, to memory of that size that it is given.
  package init(
    byteCount: Int, filledOnDemandBy fill: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    let made = BytesOnDemand(byteCount: byteCount, fill: fill)
    self.bytes = .onDemand(made, given: nil)
    self.byteCount = byteCount
    self.strings = []
    self.owner = .other(made)
  }

  /// Bytes that go back to `pool` when nobody needs them; `byteCount` is what the pool lent.
  package init(pooled base: UnsafeMutableRawPointer, byteCount: Int, pool: BufferPool) {
    self.bytes = .ready(base)
    self.byteCount = byteCount
    self.strings = []
    self.owner = .pool(pool)
  }

  /// Bytes lent by something that wants to know when they are free again.
  package init(
    at base: UnsafeMutableRawPointer, byteCount: Int, from lender: any StorageLender, loan: Int
  ) {
    self.bytes = .ready(base)
    self.byteCount = byteCount
    self.strings = []
    self.owner = .lender(lender, loan: loan)
  }

  /// Bytes inside something that lives as long as `owner`, such as a mapped file.
  ///
  /// Where they do not lie as elements of `elementSize` bytes must, a copy that does is made when
  /// somebody asks for it.
  package init(
    borrowing base: UnsafeRawPointer, byteCount: Int, elementSize: Int = 1, from owner: AnyObject
  ) {
    // Never written: only a kernel's own allocation is.
    let given = UnsafeMutableRawPointer(mutating: base)
    if UInt(bitPattern: base) % UInt(max(elementSize, 1)) == 0 {
      self.bytes = .ready(given)
    } else {
      // The closure may hold the bare pointer: it goes with this object, which holds the owner.
      nonisolated(unsafe) let source = base
      let copy = BytesOnDemand(byteCount: byteCount) {
        $0.copyMemory(from: source, byteCount: byteCount)
      }
      self.bytes = .onDemand(copy, given: given)
    }
    self.byteCount = byteCount
    self.strings = []
    self.owner = .other(owner)
  }

  /// Text.
  package init(strings: [String]) {
    self.bytes = .ready(.allocate(byteCount: 1, alignment: Self.alignment))
    self.byteCount = 0
    self.strings = strings
    self.owner = .allocator
  }

  /// Tells the lender, if the bytes are lent, that a tensor holds them that it does not know of.
  package func protectLoan() {
    if case .lender(let lender, let loan) = owner { lender.protect(loan) }
  }

  /// This storage, or new bytes like its own where they have to be made: for those who need them
  /// once, as it would keep them itself.
  package func readyForOneUse() -> TensorStorage {
    guard case .onDemand(let made, _) = bytes else { return self }
    let own = TensorStorage(allocating: byteCount)
    made.fill(own.base)
    return own
  }

  /// Gives the system back the memory of what lies in a mapped file.
  ///
  /// It is read again when somebody looks at it. Does nothing to memory of any other kind.
  package func releasePages(at offset: Int, byteCount: Int) {
    if case .other(let owner) = owner, let file = owner as? ModelFile {
      file.releasePages(at: UnsafeRawPointer(raw) + offset, byteCount: byteCount)
    }
  }

  deinit {
    guard case .ready(let first) = bytes else { return }
    switch owner {
    case .allocator: first.deallocate()
    case .system: munmap(first, byteCount)
    case .lender(let lender, let loan): lender.takeBack(loan)
    case .pool(let pool): pool.take(back: first, byteCount: byteCount)
    case .other: break
    }
  }
}

/// Bytes that are made when they are needed: a copy of others that do not lie as their elements
/// must, or what can be computed from others.
private final class BytesOnDemand: @unchecked Sendable {
  // Unchecked: `made` is only touched under `lock`, and the bytes behind it are never written
  // again.
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

/// What lends parts of a larger block of memory.
package protocol StorageLender: AnyObject, Sendable {
  /// Called when the last tensor over the loan of this number goes.
  func takeBack(_ loan: Int)

  /// Makes sure that nothing is written over the loan while it is in use.
  func protect(_ loan: Int)
}
