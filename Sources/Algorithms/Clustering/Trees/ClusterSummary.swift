import LinearAlgebra

/// What clusters there are: their members, the largest, and of embeddings the most typical member.
public struct ClusterSummary: Hashable, Sendable {
  /// One cluster.
  public struct Cluster: Hashable, Sendable {
    /// Its label.
    public let label: Int
    /// Its items, ascending; empty if a label below the highest is not used.
    public let members: [Int]
    /// The member with the highest mean cosine to the members, the lowest of several; nil without
    /// embeddings or members.
    public let medoid: Int?
    /// The mean cosine of two different members, -1...1, and 1 of a single one; nil without
    /// embeddings or members.
    public let meanSimilarity: Double?

    /// How many members there are.
    public var size: Int { members.count }
  }

  /// The clusters by label.
  public let clusters: [Cluster]

  /// The number of members by label.
  public var sizes: [Int] { clusters.map(\.size) }

  /// The label of the largest cluster, the lowest of several; nil if there is nothing.
  public var largest: Int? {
    clusters.max { ($0.size, $1.label) < ($1.size, $0.label) }?.label
  }

  /// Summarises labels alone.
  ///
  /// - Complexity: O(n).
  /// - Throws: ``ClusteringError/labelOutOfRange(index:label:)`` for a label below 0, or not below
  ///   the number of labels.
  public init(labels: [Int]) throws(ClusteringError) {
    clusters = try Self.members(labels).enumerated().map { label, members in
      Cluster(label: label, members: members, medoid: nil, meanSimilarity: nil)
    }
  }

  /// Summarises labels of the rows of `embeddings`.
  ///
  /// The cosines of all members with one another add up to the square of the sum of their
  /// directions, so no pair is looked at.
  ///
  /// - Complexity: O(n d).
  /// - Throws: ``ClusteringError/labelCount(labels:rows:)``,
  ///   ``ClusteringError/labelOutOfRange(index:label:)``, ``ClusteringError/zeroRow(index:)``,
  ///   ``ClusteringError/nonFiniteRow(index:)``.
  public init(labels: [Int], embeddings: Matrix<Float>) throws(ClusteringError) {
    guard labels.count == embeddings.rowCount else {
      throw .labelCount(labels: labels.count, rows: embeddings.rowCount)
    }
    let directions = try embeddings.converted(to: Double.self).normalizedForClustering()
    guard let width = Int32(exactly: directions.columnCount) else {
      throw .tooMany(things: labels.count)
    }
    clusters = try Self.members(labels).enumerated().map { label, members in
      guard !members.isEmpty else {
        return Cluster(label: label, members: [], medoid: nil, meanSimilarity: nil)
      }
      var sum = [Double](repeating: 0, count: directions.columnCount)
      for member in members {
        for (column, value) in directions[row: member].enumerated() { sum[column] += value }
      }
      let cosines = members.map { BLAS.uncheckedDot(width, Array(directions[row: $0]), sum) }
      var medoid = 0
      // Rounding must not decide between members that are equally typical.
      for index in cosines.indices where cosines[index] > cosines[medoid] + 1e-9 { medoid = index }
      let count = Double(members.count)
      let total = cosines.reduce(0, +)
      let mean = members.count == 1 ? 1 : (total - count) / (count * (count - 1))
      return Cluster(
        label: label, members: members, medoid: members[medoid],
        meanSimilarity: min(max(mean, -1), 1))
    }
  }

  private static func members(_ labels: [Int]) throws(ClusteringError) -> [[Int]] {
    if let index = labels.firstIndex(where: { !(0..<labels.count).contains($0) }) {
      throw .labelOutOfRange(index: index, label: labels[index])
    }
    var members = [[Int]](repeating: [], count: (labels.max() ?? -1) + 1)
    for (index, label) in labels.enumerated() { members[label].append(index) }
    return members
  }
}
