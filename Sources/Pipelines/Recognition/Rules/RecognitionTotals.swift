import Tracking

/// Running totals of recognitions.
public struct RecognitionTotals: Hashable, Sendable, Codable {
  /// How many objects were tried.
  public private(set) var attempts = 0
  /// How many of them were recognized.
  public private(set) var successes = 0
  /// How many of them each step recognized.
  public private(set) var successesByStep: [RecognitionStep: Int] = [:]
  private var confidenceSum = 0.0
  private var secondsSum = 0.0

  /// Nothing yet.
  public init() {}

  /// Takes a result in.
  public mutating func add(_ result: RecognitionResult) {
    attempts += 1
    secondsSum += result.duration.seconds
    guard let method = result.method else { return }
    successes += 1
    successesByStep[method, default: 0] += 1
    confidenceSum += Double(result.confidence ?? 0)
  }

  /// The share of attempts that succeeded, 0...1; nil before the first.
  public var successRate: Double? {
    attempts == 0 ? nil : Double(successes) / Double(attempts)
  }

  /// The mean confidence of what was recognized, 0...1; nil before the first success.
  public var meanConfidence: Double? {
    successes == 0 ? nil : confidenceSum / Double(successes)
  }

  /// How long an attempt took on average, in seconds, successful or not; nil before the first.
  public var meanLatency: Double? {
    attempts == 0 ? nil : secondsSum / Double(attempts)
  }
}
