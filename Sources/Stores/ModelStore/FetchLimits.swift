/// The limits of a download: its time and the number of attempts.
public struct FetchLimits: Hashable, Sendable {
  /// The longest time without a byte, in seconds.
  public var idleSeconds: Double
  /// The longest time of all attempts and redirections together, in seconds.
  public var totalSeconds: Double
  /// The greatest number of redirections in one attempt.
  public var redirects: Int
  /// The greatest number of attempts; a failed download is continued or begun again.
  public var attempts: Int
  /// The pause before the second attempt, in seconds; it doubles each time.
  public var pause: Double

  /// Makes limits.
  ///
  /// The defaults are 30 s without a byte, an hour in all, five redirections, and five attempts
  /// with a second before the second one.
  public init(
    idleSeconds: Double = 30, totalSeconds: Double = 3600, redirects: Int = 5, attempts: Int = 5,
    pause: Double = 1
  ) {
    self.idleSeconds = idleSeconds
    self.totalSeconds = totalSeconds
    self.redirects = redirects
    self.attempts = attempts
    self.pause = pause
  }
}

/// The progress of a download.
public struct FetchProgress: Hashable, Sendable {
  /// The number of bytes received, including those of an earlier attempt.
  public let received: Int
  /// The number of bytes in all.
  public let total: Int
}
