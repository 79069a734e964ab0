/// Why embeddings or distances cannot be clustered, or a dendrogram cannot be cut.
public enum ClusteringError: Error, Equatable, CustomStringConvertible {
  /// A row of the embeddings is all zeros, so that it has no direction and no cosine.
  case zeroRow(index: Int)
  /// A row of the embeddings has a value that is NaN or infinite.
  case nonFiniteRow(index: Int)
  /// The distance between two rows is above the largest number.
  case distanceOverflow(row: Int, other: Int)
  /// A distance that was handed in is negative, NaN or infinite.
  case invalidDistance(row: Int, other: Int)
  /// Condensed distances of `count` things are `count * (count - 1) / 2` values.
  case distanceCount(things: Int, expected: Int, found: Int)
  /// More things than have a condensed distance matrix in this process's memory.
  case tooMany(things: Int)
  /// A threshold is negative or NaN.
  case invalidThreshold(Double)
  /// A number of clusters that the things cannot be cut into.
  case invalidClusterCount(found: Int, things: Int)
  /// The merges are not a dendrogram; the first wrong merge, and the reason.
  case invalidMerge(index: Int, reason: String)
  /// A label outside `0..<labels.count`.
  case labelOutOfRange(index: Int, label: Int)
  /// There are more labels than rows, or fewer.
  case labelCount(labels: Int, rows: Int)
  /// Ward's linkage is about squares of Euclidean distances.
  case wardNeedsEuclidean(found: DistanceMetric)
  /// Inconsistency is measured over at least one level of merges.
  case invalidDepth(Int)
  /// Values that are to be one a merge are more or fewer.
  case mergeValueCount(merges: Int, found: Int)
  /// A merge's value is NaN.
  case invalidMergeValue(index: Int)
  /// A threshold of merges' values, or of their inconsistency, is NaN.
  case invalidMergeThreshold
  /// A number of last clusters to be drawn that the tree cannot be cut into, or too few for a tree.
  case invalidLayout(clusters: Int, things: Int)
  /// The things of a label are not those under one node of the tree.
  case brokenCluster(label: Int)
  /// Silhouettes need at least two clusters, and fewer than there are things.
  case noSilhouette(clusters: Int, things: Int)
  /// A distance between neighbours is not a number above 0.
  case invalidEps(Double)
  /// A number of things near a core sample that is below 1.
  case invalidMinSamples(Int)
  /// A smallest number of things of a cluster that is below 2.
  case invalidMinClusterSize(Int)
  /// There are fewer things than a core distance needs.
  case tooFew(things: Int, needed: Int)
  /// A pair of a connectivity has a thing outside `0..<count`.
  case pairOutOfRange(index: Int)
  /// A connectivity is of more things than are to be clustered, or of fewer.
  case connectivityCount(found: Int, expected: Int)
  /// Ward's linkage with a connectivity needs rows, whose means it takes.
  case wardNeedsRows
  /// A row of the embeddings has a value whose square is too large.
  case rowOverflow(index: Int)
  /// A number of starts that is below 1.
  case invalidRunCount(Int)
  /// A number of iterations that is below 1.
  case invalidIterationLimit(Int)
  /// A tolerance is negative, NaN or infinite.
  case invalidTolerance(Double)
  /// There are more centers than clusters, or fewer.
  case centerCount(found: Int, expected: Int)
  /// Rows or centers have more columns than what they are compared with, or fewer.
  case columnCount(found: Int, expected: Int)
  /// A center has a value that is NaN, infinite or too large.
  case badCenter(index: Int)

  /// What was wrong, in one line.
  public var description: String {
    switch self {
    case .zeroRow(let index):
      "embedding \(index) is all zeros; a cosine distance needs a direction"
    case .nonFiniteRow(let index): "embedding \(index) has a value that is NaN or infinite"
    case .distanceOverflow(let row, let other):
      "the distance between embeddings \(row) and \(other) is too large for a number"
    case .invalidDistance(let row, let other):
      "the distance between \(row) and \(other) is negative, NaN or infinite"
    case .distanceCount(let things, let expected, let found):
      "\(found) distances between \(things) things, which have \(expected)"
    case .tooMany(let things): "\(things) things are too many for a distance matrix"
    case .invalidThreshold(let value): "distance threshold \(value) is not 0 or more"
    case .invalidClusterCount(let found, let things):
      "\(found) clusters asked for of \(things) things; 1 to \(max(things, 1)) are possible"
    case .invalidMerge(let index, let reason): "merge \(index) of the dendrogram \(reason)"
    case .labelOutOfRange(let index, let label):
      "label \(label) at \(index) is not between 0 and the number of labels"
    case .labelCount(let labels, let rows): "\(labels) labels for \(rows) rows"
    case .wardNeedsEuclidean(let found):
      "Ward's linkage needs Euclidean distances, not \(found.rawValue) ones"
    case .invalidDepth(let depth): "depth \(depth) of an inconsistency is not 1 or more"
    case .mergeValueCount(let merges, let found): "\(found) values for \(merges) merges"
    case .invalidMergeValue(let index): "the value of merge \(index) is NaN"
    case .invalidMergeThreshold: "the threshold of the merges' values is NaN"
    case .invalidLayout(let clusters, let things):
      "\(clusters) clusters of \(things) things cannot be drawn; 2 to \(max(things, 2)) can"
    case .brokenCluster(let label):
      "the things labelled \(label) are not all the things under one node of the dendrogram"
    case .noSilhouette(let clusters, let things):
      "\(clusters) clusters of \(things) things have no silhouette; 2 to \(max(things - 1, 2)) are "
        + "possible"
    case .invalidEps(let value): "eps \(value) is not a number above 0"
    case .invalidMinSamples(let found): "\(found) samples near a core sample are not 1 or more"
    case .invalidMinClusterSize(let found): "\(found) things of a cluster are not 2 or more"
    case .tooFew(let things, let needed):
      "\(things) things are fewer than the \(needed) that a core distance needs"
    case .pairOutOfRange(let index):
      "pair \(index) of the connectivity has a thing that is not there"
    case .connectivityCount(let found, let expected):
      "a connectivity of \(found) things for \(expected)"
    case .wardNeedsRows: "Ward's linkage with a connectivity needs rows, not distances"
    case .rowOverflow(let index): "embedding \(index) has a value that is too large to be squared"
    case .invalidRunCount(let found): "\(found) runs are not 1 or more"
    case .invalidIterationLimit(let found): "\(found) iterations are not 1 or more"
    case .invalidTolerance(let value): "tolerance \(value) is not a number of 0 or more"
    case .centerCount(let found, let expected): "\(found) centers for \(expected) clusters"
    case .columnCount(let found, let expected): "\(found) columns in place of \(expected)"
    case .badCenter(let index): "center \(index) has a value that is NaN, infinite or too large"
    }
  }
}
