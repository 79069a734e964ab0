import Clustering
import CommandKit
import Drawing
import Foundation

/// Dendrograms as files.
package enum DendrogramFile {
  /// With more leaves, neither leaves nor brackets can be distinguished, so only the last clusters
  /// are drawn.
  package static let mostLeaves = 400

  /// The objects of the tree, in words.
  struct Things {
    var singular = "row"
    var plural = "rows"
    /// The name of an object below the tree.
    var name: (Int) -> String = { "\($0)" }
    /// The place of an object's kind in the list of colours; nil for colours from left to right.
    var rank: ((Int) -> Int)?
    /// The names of the kinds, by their place; empty for no key of colours.
    var kinds: [String] = []
  }

  /// Draws the tree of a clustering, its clusters in colours, in the format that the name ends in.
  package static func write(
    _ assignment: ClusterAssignment, of clustering: AgglomerativeClustering, to path: String
  ) throws {
    let plot = try plot(assignment, of: clustering, things: Things())
    try DrawingFile.write(plot.page(), title: plot.title, to: path)
  }

  /// The drawing of the tree of a clustering.
  static func plot(
    _ assignment: ClusterAssignment, of clustering: AgglomerativeClustering, things: Things
  ) throws -> DendrogramPlot {
    let tree = assignment.dendrogram
    let cut = distance(of: clustering.cut, in: tree)
    let isShortened = tree.leafCount > mostLeaves
    let layout = try tree.layout(
      groupsBelow: cut, lastClusters: isShortened ? mostLeaves : nil)
    let ranks = Self.ranks(of: layout, leafCount: tree.leafCount, things: things)
    let leaves = Sentence.count(tree.leafCount, things.singular, things.plural)
    let groups = assignment.clusterCount
    // People who cluster know linkages; people who count know kinds.
    let title =
      things.rank == nil
      ? "\(clustering.linkage.rawValue.capitalized) linkage: \(leaves) in "
        + Sentence.count(groups, "cluster", "clusters")
      : "Similarity: \(leaves) in \(Sentence.count(groups, "kind", "kinds"))"
    return DendrogramPlot(
      leaves: layout.leaves.map { $0 < tree.leafCount ? things.name($0) : "" },
      brackets: layout.brackets.map {
        DendrogramPlot.Bracket(
          left: $0.left, right: $0.right, leftBase: $0.leftBase, rightBase: $0.rightBase,
          height: $0.height, group: $0.group.map { group in ranks[group] ?? group })
      },
      cut: cut, groups: things.kinds,
      title: title + (isShortened ? ", the last \(mostLeaves) groups drawn" : ""),
      distanceName: clustering.metric == .euclidean ? "Euclidean distance" : "Cosine distance")
  }

  /// The kind's place for each group whose leaves are all of one kind.
  private static func ranks(
    of layout: DendrogramLayout, leafCount: Int, things: Things
  ) -> [Int: Int] {
    guard let rank = things.rank else { return [:] }
    var found: [Int: Set<Int>] = [:]
    for (leaf, group) in zip(layout.leaves, layout.leafGroups) {
      if let group, leaf < leafCount { found[group, default: []].insert(rank(leaf)) }
    }
    return found.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  /// The distance at which a tree is cut.
  ///
  /// For a number of clusters, it is halfway between the last merge that is made and the first that
  /// is not.
  private static func distance(of cut: DendrogramCut, in tree: Dendrogram) -> Double {
    let count: Int
    switch cut {
    case .distance(let threshold): return threshold
    case .count(let wanted): count = wanted
    }
    let distances = tree.merges.map(\.distance).sorted()
    let made = min(max(tree.leafCount - count, 0), distances.count)
    let below = made > 0 ? distances[made - 1] : 0
    let above = made < distances.count ? distances[made] : below * 1.1
    return (below + above) / 2
  }
}
