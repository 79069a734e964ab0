import Foundation

/// A line on a terminal that shows the progress of the work and disappears at the end.
///
/// It is written to the errors stream if a person sees it, and never with `--quiet`.
package final class ProgressLine: @unchecked Sendable {
  // Safe to share: the lock guards the mutable state.
  private let lock = NSLock()
  private let sink: (any OutputSink)?
  private let columns: Int
  private var shown = 0

  /// A progress line on `console`, or one that shows nothing.
  package init(on console: Console, isQuiet: Bool) {
    sink = console.isWatched && !isQuiet ? console.errors : nil
    columns = console.columns
  }

  /// Shows `text` in the place of the present text.
  package func show(_ text: String) {
    guard let sink else { return }
    let line = String(PrintableText.of(text).prefix(max(0, columns - 1)))
    lock.withLock {
      let padding = String(repeating: " ", count: max(0, shown - line.count))
      // A line that cannot be shown does not stop the work.
      try? sink.write("\r\(line)\(padding)")
      shown = line.count
    }
  }

  /// Removes the line, so that the next printed text starts on an empty line.
  package func erase() {
    guard let sink else { return }
    lock.withLock {
      guard shown > 0 else { return }
      try? sink.write("\r\(String(repeating: " ", count: shown))\r")
      shown = 0
    }
  }
}
