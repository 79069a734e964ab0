/// Where rows end, in order.
package protocol RowSink: Sendable {
  mutating func put(_ row: PhotoRow) throws
}

/// Puts rows in order that are finished in any.
///
/// A row that is too far ahead of the first that is missing waits outside, with whoever brings it:
/// what is kept does not grow with the number of photos.
actor OrderedRows<Sink: RowSink> {
  /// What took the rows.
  private(set) var sink: Sink
  /// What the sink threw; nothing is put into it after that.
  private(set) var failure: (any Error)?

  private let window: Int
  private var next = 0
  private var kept: [Int: PhotoRow] = [:]
  private var isStopped = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Rows for `sink`, of which at most `window` wait here.
  init(_ sink: Sink, window: Int) {
    self.sink = sink
    self.window = max(window, 1)
  }

  /// Takes the row at an index, each of which comes once.
  ///
  /// - Throws: what the sink throws; `CancellationError` after ``stop()`` or such a failure.
  func add(_ row: PhotoRow, at index: Int) async throws {
    while !isStopped, index - next >= window {
      await withCheckedContinuation { waiting.append($0) }
    }
    if isStopped { throw CancellationError() }
    kept[index] = row
    do {
      while let row = kept.removeValue(forKey: next) {
        try sink.put(row)
        next += 1
      }
    } catch {
      failure = error
      stop()
      throw error
    }
    wake()
  }

  /// Lets nobody wait any longer: a row before theirs will not come.
  func stop() {
    isStopped = true
    wake()
  }

  private func wake() {
    let sleepers = waiting
    waiting = []
    for sleeper in sleepers { sleeper.resume() }
  }
}
