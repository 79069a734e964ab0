/// How many items bear each label, and which label is the main one.
///
/// Used twice in a count: to find the main cluster, and to count again after merging.
public struct ClusterSizes: Hashable, Sendable {
  /// The number of items of each label that occurs.
  public let sizes: [Int: Int]
  /// The label of most items, the lowest one in a tie; nil if there are no items.
  public let main: Int?

  /// Counts labels.
  ///
  /// Complexity: O(n).
  public init(labels: some Sequence<Int>) {
    var sizes: [Int: Int] = [:]
    for label in labels { sizes[label, default: 0] += 1 }
    self.sizes = sizes
    main = sizes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// The size of the main cluster, which is the count; 0 if there are no items.
  public var count: Int { main.flatMap { sizes[$0] } ?? 0 }
}
