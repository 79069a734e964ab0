/// The destination of rows, in order.
package protocol RowSink: Sendable {
  mutating func put(_ row: PhotoRow) throws
}

/// Sorts rows that are finished in any order.
///
/// If a row is too far ahead of the first missing one, its producer waits: the memory does not grow
/// with the number of photos.
actor OrderedRows<Sink: RowSink> {
  /// The destination of the rows.
  private(set) var sink: Sink
  /// The sink's error; no rows are passed to it after that.
  private(set) var failure: (any Error)?

  private let window: Int
  private var next = 0
  private var kept: [Int: PhotoRow] = [:]
  private var isStopped = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Sorts rows for `sink`; at most `window` rows wait here.
  init(_ sink: Sink, window: Int) {
    self.sink = sink
    self.window = max(window, 1)
  }

  /// Takes the row at an index; each index comes once.
  ///
  /// - Throws: the sink's error; `CancellationError` after ``stop()`` or such an error.
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

  /// Ends all waiting, because an earlier row will not come.
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
