import Foundation
import RunnerGraph
import RunnerTensors

/// One run's block of memory for activations.
///
/// It lends the places of an ``ArenaLayout``, and only if they do not overlap memory in use,
/// whatever the layout says. If a kernel keeps or passes on more than the layout assumed, that
/// costs memory, and results stay right. The block goes back to the session's pool with the last
/// tensor in it.
final class Arena: StorageLender, @unchecked Sendable {
  // Unchecked: the mutable state is only touched under `lock`.
  private struct Loan {
    let number: Int
    let place: ArenaLayout.Place
    /// Whether it is also held from outside the layout.
    var isShared = false
  }

  private let lock = NSLock()
  private let memory: TensorStorage
  private var loans: [Loan] = []
  private var count = 0

  /// An arena over memory of at least the layout's size.
  init(_ memory: TensorStorage) {
    self.memory = memory
  }

  /// The memory of a place, or nil if memory in use overlaps it and must not.
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

  /// Memory that a step needs only while it runs; nil if there is no room.
  ///
  /// It is the smallest sufficient gap between the memory in use and the step's own places.
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

  /// Called when the last tensor over a place is released.
  func takeBack(_ number: Int) {
    lock.lock()
    defer { lock.unlock() }
    if let index = loans.firstIndex(where: { $0.number == number }) {
      loans.swapAt(index, loans.count - 1)
      loans.removeLast()
    }
  }

  /// Prevents writes over a place while it is in use.
  func protect(_ number: Int) {
    lock.lock()
    defer { lock.unlock() }
    if let index = loans.firstIndex(where: { $0.number == number }) {
      loans[index].isShared = true
    }
  }

  /// Fills everything with NaN, so that tests notice reads before writes.
  func poison() {
    memory.base.initializeMemory(as: UInt8.self, repeating: 0xFF, count: memory.byteCount)
  }
}

/// The places in the arena for one step's outputs.
struct StepMemory: OutputMemory {
  let arena: Arena
  let places: [ArenaLayout.Place?]
  /// Whether every output of the step has a place.
  let hasAllPlaces: Bool

  /// Memory for an output of this type and shape if it has a place.
  ///
  /// Otherwise it is memory for scratch, if there is room.
  func storage(_ type: ElementType, _ shape: [Int], byteCount: Int) -> TensorStorage? {
    for case .some(let place) in places
    where place.form.type == type && place.form.shape == shape {
      if let storage = arena.storage(at: place) { return storage }
    }
    // A result for the caller must not keep the whole arena alive, so steps with such outputs get
    // none.
    guard hasAllPlaces else { return nil }
    return arena.scratch(byteCount: byteCount, avoiding: places)
  }
}
