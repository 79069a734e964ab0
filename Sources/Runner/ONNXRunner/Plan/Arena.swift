import Foundation
import RunnerGraph
import RunnerTensors

/// One run's block of memory for activations.
///
/// It lends the places of an ``ArenaLayout``, and only if nothing that is still in use overlaps,
/// whatever the layout says: a kernel that keeps or passes on more than the layout knew costs
/// memory, not right results. The block goes back to the session's pool with the last tensor in it.
final class Arena: StorageLender, @unchecked Sendable {
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

  /// The memory of a place, or nil if something in use overlaps that may not.
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
      at: memory.base + place.offset, byteCount: place.byteCount, from: self, loan: count)
  }

  /// Memory for what a step needs only while it runs; nil if there is no room.
  ///
  /// It is the smallest gap that holds it between what is in use and the step's own places.
  func scratch(byteCount: Int, avoiding places: [ArenaLayout.Place?]) -> TensorStorage? {
    let unit = ArenaLayout.alignment
    let size = (byteCount + unit - 1) / unit * unit
    guard size > 0, size <= memory.byteCount else { return nil }
    lock.lock()
    defer { lock.unlock() }
    let taken = (loans.map(\.place) + places.compactMap { $0 }).sorted { $0.offset < $1.offset }
    var best: (gap: Int, offset: Int)?
    var end = 0
    for place in taken {
      if place.offset - end >= size, place.offset - end < best?.gap ?? .max {
        best = (place.offset - end, end)
      }
      let next = place.offset + place.byteCount
      end = max(end, (next + unit - 1) / unit * unit)
    }
    if memory.byteCount - end >= size, memory.byteCount - end < best?.gap ?? .max {
      best = (memory.byteCount - end, end)
    }
    guard let best else { return nil }
    count += 1
    let place = ArenaLayout.Place(
      offset: best.offset, byteCount: byteCount, buffer: -1, form: ValueFact(.uint8, [byteCount]),
      slot: -1)
    loans.append(Loan(number: count, place: place))
    return TensorStorage(
      at: memory.base + best.offset, byteCount: byteCount, from: self, loan: count)
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

  /// Fills everything with NaN, so that tests see what is read before it is written.
  func poison() {
    memory.base.initializeMemory(as: UInt8.self, repeating: 0xFF, count: memory.byteCount)
  }
}

/// The places in the arena that belong to one step's outputs.
struct StepMemory: OutputMemory {
  let arena: Arena
  let places: [ArenaLayout.Place?]
  /// Whether every output of the step has a place.
  let hasAllPlaces: Bool

  /// Memory for an output of this type and shape if there is a place for it, and otherwise for
  /// scratch if there is room.
  func storage(_ type: ElementType, _ shape: [Int], byteCount: Int) -> TensorStorage? {
    for case .some(let place) in places
    where place.form.type == type && place.form.shape == shape {
      if let storage = arena.storage(at: place) { return storage }
    }
    // What is given to the caller must not keep all of the arena, so only where no output may be
    // that.
    guard hasAllPlaces else { return nil }
    return arena.scratch(byteCount: byteCount, avoiding: places)
  }
}
