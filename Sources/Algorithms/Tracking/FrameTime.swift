/// A time in a sequence of frames, from a start that is the same for the whole sequence.
///
/// It is in whole nanoseconds, so that it is never NaN and a replay computes the same differences.
/// The range is 292 years in both directions; arithmetic beyond it stays at the ends.
///
/// As JSON it is a number of seconds, exact to the nanosecond for 26 days from the start.
public struct FrameTime: Hashable, Sendable {
  /// Nanoseconds since the start.
  public var nanoseconds: Int64

  /// Makes a time from nanoseconds since the start.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The start.
  public static let zero = FrameTime(nanoseconds: 0)

  /// The time this many milliseconds after the start.
  public static func milliseconds(_ count: Int64) -> FrameTime {
    .zero + .milliseconds(count)
  }

  /// The time this many seconds after the start; nil if the number is not a valid time.
  public static func seconds(_ count: Double) -> FrameTime? {
    FrameDuration.seconds(count).map { .zero + $0 }
  }

  /// The time that is later by the duration.
  public static func + (time: FrameTime, duration: FrameDuration) -> FrameTime {
    FrameTime(
      nanoseconds: saturating(time.nanoseconds.addingReportingOverflow, duration.nanoseconds))
  }

  /// The duration from `earlier` to `later`; negative if they are in reverse order.
  public static func - (later: FrameTime, earlier: FrameTime) -> FrameDuration {
    FrameDuration(
      nanoseconds: saturating(
        later.nanoseconds.subtractingReportingOverflow, earlier.nanoseconds, turned: true))
  }
}

extension FrameTime: Comparable {
  /// Orders by time.
  public static func < (left: FrameTime, right: FrameTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

/// A duration between frames, in whole nanoseconds; it may be negative.
///
/// As JSON it is a number of seconds, exact to the nanosecond up to 26 days.
public struct FrameDuration: Hashable, Sendable {
  /// The duration in nanoseconds.
  public var nanoseconds: Int64

  /// Makes a duration from nanoseconds.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The duration zero.
  public static let zero = FrameDuration(nanoseconds: 0)

  /// A duration of milliseconds; the longest duration if the number is too large.
  public static func milliseconds(_ count: Int64) -> FrameDuration {
    FrameDuration(
      nanoseconds: saturating(Int64(1_000_000).multipliedReportingOverflow, count))
  }

  /// A duration of seconds, to the nearest nanosecond; nil if the number is NaN or beyond 292
  /// years.
  public static func seconds(_ count: Double) -> FrameDuration? {
    Int64(exactly: (count * 1e9).rounded()).map(FrameDuration.init(nanoseconds:))
  }

  /// The duration in seconds.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The sum of two durations.
  public static func + (first: FrameDuration, second: FrameDuration) -> FrameDuration {
    FrameDuration(
      nanoseconds: saturating(first.nanoseconds.addingReportingOverflow, second.nanoseconds))
  }
}

extension FrameDuration: Comparable {
  /// Orders by duration.
  public static func < (left: FrameDuration, right: FrameDuration) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension FrameTime: Codable {
  /// Reads seconds; an invalid time is `dataCorrupted`.
  public init(from decoder: any Decoder) throws {
    self = .zero + (try FrameDuration(from: decoder))
  }

  /// Writes seconds.
  public func encode(to encoder: any Encoder) throws {
    try (self - .zero).encode(to: encoder)
  }
}

extension FrameDuration: Codable {
  /// Reads seconds; an invalid duration is `dataCorrupted`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let count = try container.decode(Double.self)
    guard let duration = FrameDuration.seconds(count) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(count) seconds; they must be within 292 years")
    }
    self = duration
  }

  /// Writes seconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(seconds)
  }
}

/// The result of an operation, or the end of the range if it overflows.
///
/// - Parameter turned: whether a larger operand makes the result smaller.
private func saturating(
  _ operation: (Int64) -> (partialValue: Int64, overflow: Bool), _ operand: Int64,
  turned: Bool = false
) -> Int64 {
  let (result, overflow) = operation(operand)
  if !overflow { return result }
  return (operand > 0) != turned ? .max : .min
}
