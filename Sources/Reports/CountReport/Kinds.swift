import Counting
import _PlotParts

/// The kinds of a count in the order of pages and plots: the main kind first, then the largest
/// first.
///
/// Colours and marks follow this order; the kinds after the seventh share the last.
public struct Kinds: Hashable, Sendable {
  /// The label and the number of objects of each kind, in order.
  public let sizes: [(label: Int, size: Int)]
  private let ranks: [Int: Int]

  /// The last rank that has a colour, which all later ones share.
  public static let last = KindShape.last

  /// The kinds of a result.
  public init(_ result: CountingResult) {
    sizes = result.clusterSizes.sorted { a, b in
      (a.key == result.mainCluster ? 0 : 1, -a.value, a.key)
        < (b.key == result.mainCluster ? 0 : 1, -b.value, b.key)
    }.map { (label: $0.key, size: $0.value) }
    ranks = Dictionary(
      sizes.enumerated().map { ($1.label, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The place of a label's kind, at most ``last``.
  public func rank(of label: Int) -> Int { min(ranks[label] ?? Self.last, Self.last) }

  /// The name of a kind: the main kind, or the cluster's label.
  public func name(of label: Int) -> String {
    ranks[label] == 0 ? "main kind" : "kind \((ranks[label] ?? Self.last) + 1)"
  }

  /// Whether two counts have the same kinds in the same order.
  public static func == (a: Kinds, b: Kinds) -> Bool { a.ranks == b.ranks }
  /// Hashes the kinds.
  public func hash(into hasher: inout Hasher) { hasher.combine(ranks) }
}
