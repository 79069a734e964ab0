/// The settings for building a graph.
///
/// The names in brackets are those of the paper.
public struct HNSWSettings: Hashable, Sendable {
  /// The number of links of a row on each level above the lowest (M): 2 to 256.
  ///
  /// The lowest level has twice that number. More links find more of the true neighbours in vectors
  /// of many dimensions, and take more memory.
  public let links: Int
  /// The number of candidates for the links of a new row (efConstruction): 1 to 65536.
  ///
  /// More candidates make a better graph and take more time.
  public let breadth: Int
  /// The seed from which, together with the rows' numbers, the rows' levels are drawn.
  public let seed: UInt64

  /// Makes settings and checks them.
  ///
  /// - Throws: ``NeighborSearchError/invalidGraphSetting(name:value:allowed:)``.
  public init(links: Int = 16, breadth: Int = 200, seed: UInt64 = 0) throws(NeighborSearchError) {
    try Self.check(links, in: 2...256, name: "links")
    try Self.check(breadth, in: 1...65_536, name: "breadth")
    self.links = links
    self.breadth = breadth
    self.seed = seed
  }

  private static func check(
    _ value: Int, in allowed: ClosedRange<Int>, name: String
  ) throws(NeighborSearchError) {
    guard allowed.contains(value) else {
      throw .invalidGraphSetting(name: name, value: value, allowed: allowed)
    }
  }
}
