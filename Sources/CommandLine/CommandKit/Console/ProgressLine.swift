import Foundation

/// A line on a terminal that says how far the work is, and leaves nothing behind.
///
/// It goes to the errors stream, only where a person watches it, and never where `--quiet` is
/// given.
package final class ProgressLine: @unchecked Sendable {
  // Safe to share: the lock guards what varies.
  private let lock = NSLock()
  private let sink: (any OutputSink)?
  private let columns: Int
  private var shown = 0

  /// A progress line on `console`, or one that shows nothing.
  package init(on console: Console, isQuiet: Bool) {
    sink = console.isWatched && !isQuiet ? console.errors : nil
    columns = console.columns
  }

  /// Shows `text` instead of what is shown now.
  package func show(_ text: String) {
    guard let sink else { return }
    let line = String(PrintableText.of(text).prefix(max(0, columns - 1)))
    lock.withLock {
      let padding = String(repeating: " ", count: max(0, shown - line.count))
      // A line that cannot be shown is not a reason to stop the work.
      try? sink.write("\r\(line)\(padding)")
      shown = line.count
    }
  }

  /// Removes the line, so that what is printed next starts on an empty one.
  package func erase() {
    guard let sink else { return }
    lock.withLock {
      guard shown > 0 else { return }
      try? sink.write("\r\(String(repeating: " ", count: shown))\r")
      shown = 0
    }
  }
}
