import Clustering
import Drawing
import Foundation

/// Dendrograms as files.
enum DendrogramFile {
  /// With more leaves than this neither leaves nor brackets can be told apart: only the last clusters are drawn.
  static let mostLeaves = 400

  /// Draws the tree of a clustering, its clusters in colours.
  ///
  /// - Parameter things: what is grouped, in the singular and the plural.
  static func write(
    _ assignment: ClusterAssignment, of clustering: AgglomerativeClustering,
    things: (String, String) = ("row", "rows"), to path: String
  ) throws {
    let tree = assignment.dendrogram
    let cut = distance(of: clustering.cut, in: tree)
    let isShortened = tree.leafCount > mostLeaves
    let layout = try tree.layout(
      groupsBelow: cut, lastClusters: isShortened ? mostLeaves : nil)
    let clusters = Sentence.count(assignment.clusterCount, "cluster", "clusters")
    let rows = Sentence.count(tree.leafCount, things.0, things.1)
    let plot = DendrogramPlot(
      leaves: layout.leaves.map { $0 < tree.leafCount ? "\($0)" : "" },
      brackets: layout.brackets.map {
        DendrogramPlot.Bracket(
          left: $0.left, right: $0.right, leftBase: $0.leftBase, rightBase: $0.rightBase,
          height: $0.height, group: $0.group)
      },
      cut: cut,
      title: "\(clustering.linkage.rawValue.capitalized) linkage: \(rows) in \(clusters)"
        + (isShortened ? ", the last \(mostLeaves) groups drawn" : ""),
      distanceName: clustering.metric == .euclidean ? "Euclidean distance" : "Cosine distance")
    try DrawingFile.write(plot.page(), title: plot.title, to: path)
  }

  /// Where a tree is cut: half way between the last merge that is made and the first that is not, where a number
  /// of clusters is wanted.
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
