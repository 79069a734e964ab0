import Foundation

/// The progress of many photos: `137 of 300, 12.3 a second, 14 s left, 2 failed`.
package struct BatchProgress: Sendable {
  private let line: ProgressLine
  private let total: Int
  private let now: @Sendable () -> Date
  private let start: Date
  private let before: Int
  private var done: Int
  private var failed: Int

  /// - Parameters:
  ///   - total: the number of photos.
  ///   - done: the number of photos that an earlier run counted.
  ///   - failed: the number of those that failed.
  package init(
    _ line: ProgressLine, total: Int, done: Int = 0, failed: Int = 0,
    now: @escaping @Sendable () -> Date
  ) {
    self.line = line
    self.total = total
    self.done = done
    self.failed = failed
    self.now = now
    before = done
    start = now()
  }

  /// Shows that another photo is done.
  mutating func advance(failed hasFailed: Bool) {
    done += 1
    if hasFailed { failed += 1 }
    show()
  }

  /// Shows the progress.
  func show() { line.show(text(at: now())) }

  /// Removes the line.
  func erase() { line.erase() }

  /// The line's text at a time.
  func text(at time: Date) -> String {
    var parts = ["\(done) of \(total)"]
    let seconds = time.timeIntervalSince(start)
    // The clock may have been set back.
    if done > before, seconds > 0 {
      let rate = Double(done - before) / seconds
      parts.append("\(NumberText.fixed(rate, digits: rate < 100 ? 1 : 0)) a second")
      parts.append("\(Self.duration(Double(total - done) / rate)) left")
    }
    if failed > 0 { parts.append("\(failed) failed") }
    return parts.joined(separator: ", ")
  }

  /// Seconds, or minutes, or hours and minutes.
  private static func duration(_ seconds: Double) -> String {
    guard seconds < 360_000 else { return "days" }
    let whole = Int(seconds.rounded(.up))
    if whole < 120 { return "\(whole) s" }
    if whole < 7200 { return "\((whole + 59) / 60) min" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }
}
