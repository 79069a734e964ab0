/// How long a download may take, and how often it is tried.
public struct FetchLimits: Hashable, Sendable {
  /// How long nothing may come, in seconds.
  public var idleSeconds: Double
  /// How long all of it may take, all attempts and redirections included, in seconds.
  public var totalSeconds: Double
  /// How many redirections are followed in one attempt.
  public var redirects: Int
  /// How often a download that fails half-way is begun or gone on with.
  public var attempts: Int
  /// How long to wait between two attempts, in seconds; twice as long each time.
  public var pause: Double

  /// Limits of these values; by default 30 s without a byte, an hour in all, five redirections,
  /// five attempts, the second of them after a second.
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

/// How far a download is.
public struct FetchProgress: Hashable, Sendable {
  /// How many bytes are here, those of an earlier attempt included.
  public let received: Int
  /// How many there will be.
  public let total: Int
}
