/// Lets work begin only as far as memory is left for it.
actor MemoryBudget {
  private let limit: Int
  private var used = 0
  private var waiting: [(bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// A budget of so many bytes.
  init(bytes: Int) {
    limit = bytes
  }

  /// Waits until so many bytes are left, or nothing else is at work; the first to come is the first
  /// served.
  func take(_ bytes: Int) async {
    if waiting.isEmpty, hasRoom(for: bytes) {
      used += bytes
    } else {
      await withCheckedContinuation { waiting.append((bytes, $0)) }
    }
  }

  /// Gives back what was taken.
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
