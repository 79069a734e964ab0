/// How a graph is built.
///
/// The names in brackets are those of the paper.
public struct HNSWSettings: Hashable, Sendable {
  /// Links of a row to others on each level above the lowest, where it has twice as many (M): 2 to
  /// 256.
  ///
  /// More links find more of the true neighbours in vectors of many dimensions, for memory.
  public let links: Int
  /// How many candidates are looked at for the links of a new row (efConstruction): 1 to 65536.
  ///
  /// More make a better graph, for time.
  public let breadth: Int
  /// What the rows' levels are drawn from, together with the rows' numbers.
  public let seed: UInt64

  /// Checks and takes settings.
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
