import Tracking

/// How many frames came and what became of them, and what their analyses cost.
///
/// The counts go on from the beginning of a session to its next reset.
public struct FrameStatistics: Hashable, Sendable, Codable {
  /// The frames that came: those offered to the session and those dropped before.
  public internal(set) var seen = 0
  /// The frames that were analysed.
  public internal(set) var analyzed = 0
  /// The frames that were let pass: not due yet, too late, or while analysis was off.
  ///
  /// The rest, `seen - analyzed - skipped - dropped`, are in analysis, or their analysis was
  /// cancelled, failed as a whole, or was out of date when it ended.
  public internal(set) var skipped = 0
  /// The frames that nobody looked at, because a newer one came while another was analysed.
  public internal(set) var dropped = 0
  /// How often a recognizer failed in an analysed frame.
  public internal(set) var failures = 0
  /// The mean time of the last 256 analyses; nil if none was timed.
  public internal(set) var meanAnalysis: FrameDuration?
  /// The time that 95 % of the last 256 analyses did not exceed, by nearest rank; nil if none was
  /// timed.
  public internal(set) var p95Analysis: FrameDuration?
  /// The memory of the process in bytes, as far as it is in the machine's memory.
  ///
  /// Only a ``FrameScanner`` asks the system for it; it is nil otherwise, or if the system does not
  /// say.
  public internal(set) var residentMemory: Int?

  init() {}
}

/// The durations of the last analyses.
struct RecentDurations: Sendable {
  private var values: [FrameDuration] = []
  private var next = 0

  static let capacity = 256

  mutating func add(_ duration: FrameDuration) {
    if values.count < Self.capacity {
      values.append(duration)
    } else {
      values[next] = duration
    }
    next = (next + 1) % Self.capacity
  }

  /// The mean, to the nanosecond below; nil of none.
  var mean: FrameDuration? {
    if values.isEmpty { return nil }
    // Each is divided first, as the sum of very long ones is too large; remainders are not lost.
    let count = Int64(values.count)
    let (whole, rest) = values.reduce(into: (Int64(0), Int64(0))) { sums, value in
      let (quotient, remainder) = value.nanoseconds.quotientAndRemainder(dividingBy: count)
      sums = (sums.0 + quotient, sums.1 + remainder)
    }
    return FrameDuration(nanoseconds: whole + rest / count)
  }

  /// The smallest value that at least this share of all does not exceed; nil of none.
  func quantile(percent: Int) -> FrameDuration? {
    if values.isEmpty { return nil }
    let rank = (percent * values.count + 99) / 100
    return values.sorted()[max(rank, 1) - 1]
  }
}
