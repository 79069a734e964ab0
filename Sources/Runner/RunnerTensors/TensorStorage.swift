import Foundation

/// The bytes of one or more tensors.
///
/// Only the kernel that allocated them writes them, before any other code can see them; then they
/// are read-only. When the last tensor over them is released, the bytes go back to their origin: to
/// a session's pool, to the allocator, or with the mapped file.
package final class TensorStorage: @unchecked Sendable {
  // Unchecked because of the raw pointer: see above, shared bytes are not written. Only an arena
  // lends the same bytes again, to the step that reads them last.

  /// The first byte as it was given, possibly unaligned; for callers that copy.
  package var raw: UnsafeMutableRawPointer {
    switch bytes {
    case .ready(let first): first
    case .onDemand(let made, let given): given ?? made.base
    }
  }

  /// The first byte; aligned to 64 if it was allocated here, and to the elements' size elsewhere.
  package var base: UnsafeMutableRawPointer {
    switch bytes {
    case .ready(let first): first
    case .onDemand(let made, _): made.base
    }
  }

  private let bytes: Bytes

  private enum Bytes {
    case ready(UnsafeMutableRawPointer)
    /// They have to be made, from those at `given` if they are only a copy.
    case onDemand(BytesOnDemand, given: UnsafeMutableRawPointer?)
  }

  /// Whether the bytes exist for callers that accept any alignment.
  package var isInMemory: Bool {
    if case .onDemand(_, nil) = bytes { false } else { true }
  }

  /// The number of bytes at `base`.
  package let byteCount: Int

  /// The elements if they are text; empty otherwise.
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

  /// The least size of memory that comes from the system itself.
  ///
  /// It is returned to the system at once. The allocator would keep it, and take more for the next
  /// aligned block, which does not fit into the freed one.
  private static let leastSystemBytes = 256 << 10

  /// Allocates bytes, which are not cleared.
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

  /// Bytes that `fill` writes into memory of that size when they are first used.
  package init(
    byteCount: Int, filledOnDemandBy fill: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    let made = BytesOnDemand(byteCount: byteCount, fill: fill)
    self.bytes = .onDemand(made, given: nil)
    self.byteCount = byteCount
    self.strings = []
    self.owner = .other(made)
  }

  /// Bytes that go back to `pool` after their last use; `byteCount` is the size that the pool lent.
  package init(pooled base: UnsafeMutableRawPointer, byteCount: Int, pool: BufferPool) {
    self.bytes = .ready(base)
    self.byteCount = byteCount
    self.strings = []
    self.owner = .pool(pool)
  }

  /// Bytes from a lender that must know when they are free again.
  package init(
    at base: UnsafeMutableRawPointer, byteCount: Int, from lender: any StorageLender, loan: Int
  ) {
    self.bytes = .ready(base)
    self.byteCount = byteCount
    self.strings = []
    self.owner = .lender(lender, loan: loan)
  }

  /// Bytes inside an object that lives as long as `owner`, such as a mapped file.
  ///
  /// If they are not aligned for elements of `elementSize` bytes, an aligned copy is made when it
  /// is first needed.
  package init(
    borrowing base: UnsafeRawPointer, byteCount: Int, elementSize: Int = 1, from owner: AnyObject
  ) {
    // It is not written: a kernel writes only its own allocation.
    let given = UnsafeMutableRawPointer(mutating: base)
    if UInt(bitPattern: base) % UInt(max(elementSize, 1)) == 0 {
      self.bytes = .ready(given)
    } else {
      // The closure may hold the bare pointer: it is released with this object, which holds the
      // owner.
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

  /// Tells the lender, if the bytes are lent, that a tensor it does not know holds them.
  package func protectLoan() {
    if case .lender(let lender, let loan) = owner { lender.protect(loan) }
  }

  /// This storage, or new bytes if they have to be made.
  ///
  /// It is for callers that need them once; this storage itself would keep them.
  package func readyForOneUse() -> TensorStorage {
    guard case .onDemand(let made, _) = bytes else { return self }
    let own = TensorStorage(allocating: byteCount)
    made.fill(own.base)
    return own
  }

  /// Releases the memory of bytes in a mapped file.
  ///
  /// They are read again if they are used again. It does nothing for memory of any other kind.
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

/// Bytes that are made when they are needed: an aligned copy of others, or a result computed from
/// others.
private final class BytesOnDemand: @unchecked Sendable {
  // Unchecked: `made` is only touched under `lock`, and the bytes behind it are never written
  // again.
  private let lock = NSLock()
  private let byteCount: Int
  private var made: TensorStorage?

  /// Writes the bytes to a pointer with enough room.
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

/// Lends parts of a larger block of memory.
package protocol StorageLender: AnyObject, Sendable {
  /// Called when the last tensor over this loan is released.
  func takeBack(_ loan: Int)

  /// Prevents writes over the loan while it is in use.
  func protect(_ loan: Int)
}
