/// Starts work only if there is memory left for it.
actor MemoryBudget {
  private let limit: Int
  private var used = 0
  private var waiting: [(bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// A budget of this number of bytes.
  init(bytes: Int) {
    limit = bytes
  }

  /// Waits until this number of bytes is free, or no other work runs; first come, first served.
  func take(_ bytes: Int) async {
    if waiting.isEmpty, hasRoom(for: bytes) {
      used += bytes
    } else {
      await withCheckedContinuation { waiting.append((bytes, $0)) }
    }
  }

  /// Returns bytes to the budget.
  func give(_ bytes: Int) {
    used -= bytes
    while let first = waiting.first, hasRoom(for: first.bytes) {
      used += first.bytes
      waiting.removeFirst()
      first.continuation.resume()
    }
  }

  private func hasRoom(for bytes: Int) -> Bool { used == 0 || used + bytes <= limit }
}
