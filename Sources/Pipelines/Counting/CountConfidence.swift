/// The confidence of a count.
public struct CountConfidence: Hashable, Sendable, Codable {
  /// The probability that the count is at most 5 % off, 0...1.
  public let value: Double
  /// The least number of the interval, which holds the true number in 9 of 10 cases.
  public let least: Int
  /// The greatest number of the interval.
  public let greatest: Int

  /// Makes a confidence.
  public init(value: Double, least: Int, greatest: Int) {
    self.value = value
    self.least = least
    self.greatest = greatest
  }

  /// The same with no more than `most` as the greatest number.
  ///
  /// Large doubts multiply a count by hundreds, and no photo shows that. Objects are among what the
  /// detector gave before anything was left out. Only a detector that misses many objects gives
  /// fewer, so twice the count is always allowed.
  func capped(by most: Int) -> CountConfidence {
    CountConfidence(value: value, least: least, greatest: min(greatest, most))
  }

  /// How sure a count is of what a person sees and the detector does not: not at all.
  static func ofUnseen(drawn: Int, count: Int) -> CountConfidence {
    CountConfidence(value: 0.1, least: 0, greatest: max(2 * count, drawn))
  }
}
