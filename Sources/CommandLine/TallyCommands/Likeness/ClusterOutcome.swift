import Clustering
import CommandKit

/// What a method of `tally cluster` found, as text for people and as JSON for machines.
struct ClusterOutcome {
  /// One label a row, in order; nil for noise.
  let labels: [Int?]
  let clusterCount: Int
  /// Whether the method leaves rows out as noise.
  let hasNoise: Bool
  /// Further members of the JSON.
  let members: [(String, JSONText)]

  init(_ assignment: ClusterAssignment) {
    labels = assignment.labels
    clusterCount = assignment.clusterCount
    hasNoise = false
    members = []
  }

  init(_ assignment: DBSCANAssignment) {
    labels = assignment.labels
    clusterCount = assignment.clusterCount
    hasNoise = true
    members = [("coreSamples", .array(assignment.coreSamples.map { .integer($0) }))]
  }

  init(_ assignment: HDBSCANAssignment) {
    labels = assignment.labels
    clusterCount = assignment.clusterCount
    hasNoise = true
    members = [("probabilities", .array(assignment.probabilities.map { .double($0) }))]
  }

  init(_ clusters: KMeansClusters) {
    labels = clusters.labels
    clusterCount = clusters.clusterCount
    hasNoise = false
    members = [
      ("inertia", .double(clusters.inertia)), ("iterations", .integer(clusters.iterations)),
    ]
  }

  /// One object; the label of noise is -1, as in scikit-learn.
  var json: JSONText {
    .object(
      [
        ("labels", .array(labels.map { .integer($0 ?? -1) })),
        ("clusters", .integer(clusterCount)),
      ] + members)
  }

  /// A line for each cluster and for noise, below a summary.
  var lines: [String] {
    var rows = [[Int]](repeating: [], count: clusterCount)
    var noise: [Int] = []
    for (row, label) in labels.enumerated() {
      if let label { rows[label].append(row) } else { noise.append(row) }
    }
    func text(_ rows: [Int]) -> String { rows.map(String.init).joined(separator: ", ") }
    var report = ReportText()
    for (label, rows) in rows.enumerated() {
      report.add("cluster \(label) (\(rows.count))", text(rows))
    }
    if !noise.isEmpty { report.add("noise (\(noise.count))", text(noise)) }
    let all = Sentence.count(labels.count, "row", "rows")
    let clusters = Sentence.count(clusterCount, "cluster", "clusters")
    let left = hasNoise ? ", \(noise.count) of them noise" : ""
    return ["\(all) in \(clusters)\(left); rows count from 0"] + report.lines
  }
}
