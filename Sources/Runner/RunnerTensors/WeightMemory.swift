import Foundation

/// Memory for packed weights: large pieces that are divided between tensors.
///
/// Weights are read from start to end in every run. Address translation for 2 MiB instead of 4 KiB
/// makes that faster, but most single tensors are too small for it. Adjacent tensors also leave no
/// gaps. A piece goes back to the system with the last weights in it.
package final class WeightMemory: @unchecked Sendable {
  // Unchecked: the mutable state is only touched under `lock`, and no byte is given out twice.

  private final class Piece: @unchecked Sendable {
    // Unchecked because of the raw pointer, which never changes.
    let base: UnsafeMutableRawPointer
    let byteCount: Int

    init(byteCount: Int) {
      base = .allocate(
        byteCount: byteCount,
        alignment: byteCount < WeightMemory.page ? TensorStorage.alignment : WeightMemory.page)
      self.byteCount = byteCount
      base.adviseLargePages(byteCount: byteCount)
    }

    deinit {
      base.deallocate()
    }
  }

  private static let page = 2 << 20
  private static let mostPiece = 4 * page

  private let lock = NSLock()
  private var piece: Piece?
  private var used = 0
  private var expected = 0

  package init() {}

  /// Announces a later request of this number of bytes, so that no piece is larger than needed.
  package func expect(byteCount: Int) {
    guard byteCount < .max / 4 else { return }
    lock.lock()
    defer { lock.unlock() }
    // Requests that are refused for their size are not counted, and neither are gaps at the ends.
    expected = min(expected, .max / 4) + Self.rounded(byteCount)
  }

  private static func rounded(_ byteCount: Int) -> Int {
    (max(byteCount, 1) + TensorStorage.alignment - 1) & ~(TensorStorage.alignment - 1)
  }

  /// New bytes, not cleared, aligned to 64.
  package func storage(byteCount: Int) -> TensorStorage {
    let size = Self.rounded(byteCount)
    lock.lock()
    defer { lock.unlock() }
    defer { expected = max(expected - size, 0) }
    guard size <= Self.mostPiece / 4 else {
      let own = Piece(byteCount: size)
      return TensorStorage(borrowing: own.base, byteCount: byteCount, from: own)
    }
    let open: Piece
    if let piece, used + size <= piece.byteCount {
      open = piece
    } else {
      open = Piece(byteCount: max(size, min(expected, Self.mostPiece)))
      piece = open
      used = 0
    }
    defer { used += size }
    return TensorStorage(borrowing: open.base + used, byteCount: byteCount, from: open)
  }
}

extension UnsafeMutableRawPointer {
  /// Requests pages of 2 MiB.
  ///
  /// The first access to each page costs the system about as much as writing it twice.
  package func adviseLargePages(byteCount: Int) {
    #if os(Linux)
      let page = UInt(2 << 20)
      let first = (UInt(bitPattern: self) + page - 1) / page * page
      let end = (UInt(bitPattern: self) + UInt(byteCount)) / page * page
      guard first < end, let start = UnsafeMutableRawPointer(bitPattern: first) else { return }
      // 14 is MADV_HUGEPAGE; it is not an error if the system does not support it.
      _ = madvise(start, Int(end - first), 14)
    #endif
  }
}
