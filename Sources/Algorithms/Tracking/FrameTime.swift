/// A moment in a sequence of frames, counted from any start that stays the same for the sequence.
///
/// Whole nanoseconds, so that there is no moment that is not a number and a replay computes the
/// same differences. Reaches 292 years either way; arithmetic beyond that stays at the ends.
///
/// As JSON it is a number of seconds, exact to the nanosecond for 26 days from the start.
public struct FrameTime: Hashable, Sendable {
  /// Nanoseconds since the start.
  public var nanoseconds: Int64

  /// Makes a moment of nanoseconds since the start.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The start.
  public static let zero = FrameTime(nanoseconds: 0)

  /// A moment this many milliseconds after the start.
  public static func milliseconds(_ count: Int64) -> FrameTime {
    .zero + .milliseconds(count)
  }

  /// A moment this many seconds after the start, or nil for a number that is no such moment.
  public static func seconds(_ count: Double) -> FrameTime? {
    FrameDuration.seconds(count).map { .zero + $0 }
  }

  /// The moment that much later.
  public static func + (time: FrameTime, duration: FrameDuration) -> FrameTime {
    FrameTime(
      nanoseconds: saturating(time.nanoseconds.addingReportingOverflow, duration.nanoseconds))
  }

  /// The time from `earlier` to `later`; negative where they are the other way round.
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

/// A length of time between frames, in whole nanoseconds; negative ones are representable.
///
/// As JSON it is a number of seconds, exact to the nanosecond up to 26 days.
public struct FrameDuration: Hashable, Sendable {
  /// The length in nanoseconds.
  public var nanoseconds: Int64

  /// Makes a duration of nanoseconds.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// No time at all.
  public static let zero = FrameDuration(nanoseconds: 0)

  /// A duration of milliseconds; the longest there is for more than fit.
  public static func milliseconds(_ count: Int64) -> FrameDuration {
    FrameDuration(
      nanoseconds: saturating(Int64(1_000_000).multipliedReportingOverflow, count))
  }

  /// A duration of seconds, to the nearest nanosecond; nil for what is not a number or beyond 292
  /// years.
  public static func seconds(_ count: Double) -> FrameDuration? {
    Int64(exactly: (count * 1e9).rounded()).map(FrameDuration.init(nanoseconds:))
  }

  /// The length in seconds.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Both lengths together.
  public static func + (first: FrameDuration, second: FrameDuration) -> FrameDuration {
    FrameDuration(
      nanoseconds: saturating(first.nanoseconds.addingReportingOverflow, second.nanoseconds))
  }
}

extension FrameDuration: Comparable {
  /// Orders by length.
  public static func < (left: FrameDuration, right: FrameDuration) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension FrameTime: Codable {
  /// Reads seconds; what is not a moment is `dataCorrupted`.
  public init(from decoder: any Decoder) throws {
    self = .zero + (try FrameDuration(from: decoder))
  }

  /// Writes seconds.
  public func encode(to encoder: any Encoder) throws {
    try (self - .zero).encode(to: encoder)
  }
}

extension FrameDuration: Codable {
  /// Reads seconds; what is not a length of time is `dataCorrupted`.
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

/// The result of an operation, or the end of the range it went beyond.
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
