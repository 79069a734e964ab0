import Foundation

/// One run's block of memory for activations.
///
/// It lends the places of an ``ArenaLayout``, and only where nothing that is still in use overlaps,
/// whatever the layout says: a kernel that keeps or passes on more than the layout knew costs memory,
/// not right results. The block goes back to the session's pool with the last tensor in it.
final class Arena: @unchecked Sendable {
  // Unchecked: the mutable state is only touched under `lock`.
  private struct Loan {
    let number: Int
    let place: ArenaLayout.Place
    /// Somebody holds it whom the layout does not know of.
    var isShared = false
  }

  private let lock = NSLock()
  private let memory: TensorStorage
  private var loans: [Loan] = []
  private var count = 0

  /// Over memory of at least the layout's size.
  init(_ memory: TensorStorage) {
    self.memory = memory
  }

  /// The memory of a place, or nil where something in use overlaps that may not.
  func storage(at place: ArenaLayout.Place) -> TensorStorage? {
    guard place.offset + place.byteCount <= memory.byteCount else { return nil }
    lock.lock()
    defer { lock.unlock() }
    for loan in loans
    where loan.place.offset < place.offset + place.byteCount
      && place.offset < loan.place.offset + loan.place.byteCount
    {
      guard loan.place.buffer == place.buffer, !loan.isShared, loan.place.slot != place.slot else {
        return nil
      }
    }
    count += 1
    loans.append(Loan(number: count, place: place))
    return TensorStorage(
      at: memory.base + place.offset, byteCount: place.byteCount, in: self, loan: count)
  }

  /// Called when the last tensor over a place goes.
  func takeBack(_ number: Int) {
    lock.lock()
    defer { lock.unlock() }
    if let index = loans.firstIndex(where: { $0.number == number }) {
      loans.swapAt(index, loans.count - 1)
      loans.removeLast()
    }
  }

  /// Makes sure that nothing is written over a place while it is in use.
  func protect(_ number: Int) {
    lock.lock()
    defer { lock.unlock() }
    if let index = loans.firstIndex(where: { $0.number == number }) {
      loans[index].isShared = true
    }
  }

  /// Fills everything with not-a-number, so that tests see what is read before it is written.
  func poison() {
    memory.base.initializeMemory(as: UInt8.self, repeating: 0xFF, count: memory.byteCount)
  }
}

/// The places in the arena that belong to one step's outputs.
struct StepMemory: Sendable {
  let arena: Arena
  let places: [ArenaLayout.Place?]

  /// Memory for an output of this type and shape, where there is a place for it.
  func storage(_ type: ElementType, _ shape: [Int]) -> TensorStorage? {
    for case .some(let place) in places
    where place.form.type == type && place.form.shape == shape {
      if let storage = arena.storage(at: place) { return storage }
    }
    return nil
  }
}
