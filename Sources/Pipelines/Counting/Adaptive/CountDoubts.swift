/// The reasons to doubt an adaptive count: six numbers, each 0 if there is no doubt.
public struct CountDoubts: Hashable, Sendable, Codable {
  /// How far the count hangs on the score cut: the logarithm of the number of objects by a cut
  /// three times lower over that by one three times higher.
  public let cut: Double
  /// One minus the score-weighted median: how unsure the detector is.
  public let score: Double
  /// How different the number of objects is in the next best view, by how near that came to the
  /// best.
  public let views: Double
  /// How different the count were had the kinds been decided the other way, by how near that was.
  public let kinds: Double
  /// The share of the counted objects that the photo's frame cuts.
  public let frame: Double
  /// How many sure detections were dropped because their size or shape is another: the logarithm of
  /// the kept and those over the kept.
  public let dropped: Double

  /// Makes doubts.
  public init(
    cut: Double, score: Double, views: Double, kinds: Double, frame: Double, dropped: Double = 0
  ) {
    self.cut = cut
    self.score = score
    self.views = views
    self.kinds = kinds
    self.frame = frame
    self.dropped = dropped
  }

  var values: [Double] { [cut, score, views, kinds, frame, dropped] }
}
