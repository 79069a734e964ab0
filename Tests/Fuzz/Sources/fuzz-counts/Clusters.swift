import Clustering
import FuzzSupport
import LinearAlgebra

extension Target {
  /// Rows of any numbers: each gets a label that exists, of every method, or they are refused.
  static let clusters = Target(
    "clusters",
    seeds: {
      [
        [0, 20, 2, 3, 2] + (0..<60).map { UInt8($0 * 11 % 200) },
        [1, 9, 3, 1, 1] + (0..<40).map { UInt8($0 * 37 % 220) },
      ]
    }
  ) { bytes in
    var choices = Choices(bytes)
    let metric = DistanceMetric.allCases[choices.below(DistanceMetric.allCases.count)]
    let (count, width) = (choices.below(48), 1 + choices.below(4))
    let (clusters, samples) = (choices.integer(), choices.integer())
    let isDamaged = choices.once(in: 3)
    let elements = (0..<count * width).map { _ in
      isDamaged ? choices.anyFloat() : choices.float()
    }
    let rows = try Matrix(rowCount: count, columnCount: width, elements: elements)

    func check(_ labels: [Int?], of number: Int) {
      expect(labels.count == count, "\(labels.count) labels of \(count) rows")
      expect(labels.allSatisfy { (0..<number).contains($0 ?? 0) || $0 == nil }, "\(labels)")
      expect(Set(labels.compactMap { $0 }).count == number, "\(labels) of \(number) clusters")
    }
    try refusable(ClusteringError.self) {
      let eps = Double(choices.float())
      let found = try DBSCAN(eps: eps, minSamples: samples, metric: metric).fit(rows)
      check(found.labels, of: found.clusterCount)
      expect(
        found.coreSamples.allSatisfy { found.labels[$0] != nil }, "a core sample is in no cluster")
    }
    try refusable(ClusteringError.self) {
      let found = try HDBSCAN(
        minClusterSize: clusters, minSamples: choices.once(in: 2) ? samples : nil,
        selection: choices.once(in: 2) ? .leaves : .excessOfMass,
        allowsSingleCluster: choices.once(in: 2), metric: metric
      ).fit(rows)
      check(found.labels, of: found.clusterCount)
      expect(
        found.probabilities.allSatisfy { (0...1).contains($0) }, "\(found.probabilities)")
    }
    try refusable(ClusteringError.self) {
      let found = try KMeans(clusterCount: clusters, iterationLimit: 20).fit(rows)
      expect(found.labels.count == count, "\(found.labels.count) labels of \(count) rows")
      let most = elements.reduce(1.0) { max($0, Double(abs($1))) }
      for (row, label) in try found.predict(rows).enumerated() {
        // Two centers may be equally near but for rounding.
        func distance(_ center: Int) -> Double {
          (0..<width).reduce(0) {
            let step = Double(rows[row, $1]) / most - found.centers[center, $1] / most
            return $0 + step * step
          }
        }
        expect(
          distance(label) <= distance(found.labels[row]) + 1e-9,
          "row \(row) is predicted to be in \(label) and was in \(found.labels[row])")
      }
      let agreement = try ClusterAgreement(found.labels, found.labels)
      expect(agreement.adjustedRandIndex == 1, "\(agreement) with itself")
    }
  }
}
