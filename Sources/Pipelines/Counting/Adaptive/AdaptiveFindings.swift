/// What the adaptive method found out about a photo.
public struct AdaptiveFindings: Hashable, Sendable, Codable {
  /// How large the objects are and of what shape; nil if nothing was detected.
  public let typical: TypicalObject?
  /// How many tiles a side the photo was cut into for the count.
  public let tilesPerSide: Int
  /// All numbers of tiles a side that were tried, in order.
  public let triedTilesPerSide: [Int]
  /// The mean silhouette of the best division into kinds, whether it was taken or not, -1...1; nil if
  /// none was tried.
  public let silhouette: Double?
  /// What speaks against the count, each number 0 if nothing does; nil if nothing was counted.
  public let doubts: CountDoubts?

  /// What became of the boxes that a person drew: those to count, then those not to count, each in the
  /// guide's order.
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
