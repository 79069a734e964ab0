/// What the adaptive method found out about a photo.
public struct AdaptiveFindings: Hashable, Sendable, Codable {
  /// The usual size and shape of the objects; nil if nothing was detected.
  public let typical: TypicalObject?
  /// How many tiles a side the photo was cut into for the count.
  public let tilesPerSide: Int
  /// All numbers of tiles a side that were tried, in order.
  public let triedTilesPerSide: [Int]
  /// The mean silhouette of the best division into kinds, -1...1; nil if none was tried.
  ///
  /// It is set even if the division was not used.
  public let silhouette: Double?
  /// The reasons to doubt the count; nil if nothing was counted.
  public let doubts: CountDoubts?

  /// What became of the boxes that a person drew: those to count, then those not to count, each in
  /// the guide's order.
  public let exemplars: [ExemplarFinding]

  /// Makes findings.
  public init(
    typical: TypicalObject?, tilesPerSide: Int, triedTilesPerSide: [Int], silhouette: Double?,
    doubts: CountDoubts? = nil, exemplars: [ExemplarFinding] = []
  ) {
    self.typical = typical
    self.tilesPerSide = tilesPerSide
    self.triedTilesPerSide = triedTilesPerSide
    self.silhouette = silhouette
    self.doubts = doubts
    self.exemplars = exemplars
  }
}
