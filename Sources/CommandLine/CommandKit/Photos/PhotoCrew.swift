/// Several workers that make rows, and one place that sorts them.
package enum PhotoCrew {
  /// Makes a row of every item and returns the sink.
  ///
  /// - Parameters:
  ///   - workers: the number of workers.
  ///   - sink: gets the rows in the items' order.
  ///   - next: the next item and its index, which counts up from 0; nil at the end.
  ///   - row: makes an item's row; its error ends all work.
  /// - Throws: the error that ended the work: the sink's error before any other.
  package static func work<Item: Sendable, Sink: RowSink>(
    _ workers: Int, into sink: Sink,
    next: @escaping @Sendable () async throws -> (index: Int, item: Item)?,
    row: @escaping @Sendable (Item, Int) async throws -> PhotoRow
  ) async throws -> Sink {
    // At most this number of rows wait for an earlier one.
    let rows = OrderedRows(sink, window: 4 * workers + 16)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<max(workers, 1) {
          group.addTask {
            do {
              while let (index, item) = try await next() {
                try Task.checkCancellation()
                try await rows.add(try await row(item, index), at: index)
              }
            } catch {
              await rows.stop()
              throw error
            }
          }
        }
        // Unlike `waitForAll`, this throws at the first failure, which cancels the others: one of
        // them may wait for an item that never comes.
        for try await _ in group {}
      }
    } catch {
      throw await rows.failure ?? error
    }
    return await rows.sink
  }
}
