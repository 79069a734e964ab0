import Clustering
import TestSupport
import Testing

@Suite struct ClusterAgreementTests {
  struct Case: Decodable {
    var labels: [Int]?
    var others: [Int]?
    /// Of 3000 things: the label of thing i is i² modulo this, the other one i modulo the second.
    var first: Int?
    var second: Int?
    var rand: Double
    var information: Double

    var labellings: ([Int], [Int]) {
      if let labels, let others { return (labels, others) }
      let things = 0..<3000
      return (things.map { $0 * $0 % (first ?? 1) }, things.map { $0 % (second ?? 1) })
    }
  }

  @Test("Both measures equal scikit-learn's, whichever labelling is first")
  func goldens() throws {
    let cases = try Folders.golden("Clustering/agreements.json", as: [Case].self)
    #expect(cases.count == 61)
    for (index, golden) in cases.enumerated() {
      let (labels, others) = golden.labellings
      for found in [
        try ClusterAgreement(labels, others), try ClusterAgreement(others, labels),
      ] {
        #expect(abs(found.adjustedRandIndex - golden.rand) < 1e-12, "case \(index)")
        // scikit-learn takes logarithms of large factorials, to thirteen digits.
        #expect(
          abs(found.adjustedMutualInformation - golden.information) < 1e-9, "case \(index)")
      }
    }
  }

  @Test("The expected mutual information is the mean over all orders of the labels")
  func expectation() throws {
    // Of five things all 120 orders of one labelling: chance itself, so that the means are 0.
    let (labels, others) = ([0, 0, 1, 1, 2], [0, 0, 0, 1, 1])
    var sums = (rand: 0.0, information: 0.0)
    for order in Self.orders(others) {
      let found = try ClusterAgreement(labels, order)
      sums.rand += found.adjustedRandIndex
      sums.information += found.adjustedMutualInformation
    }
    #expect(abs(sums.rand) < 1e-12)
    #expect(abs(sums.information) < 1e-12)
  }

  private static func orders(_ values: [Int]) -> [[Int]] {
    guard let first = values.first else { return [[]] }
    return orders(Array(values.dropFirst())).flatMap { rest in
      (0...rest.count).map { rest[..<$0] + [first] + rest[$0...] }
    }
  }

  @Test("Names of labels play no part, whatever their type")
  func names() throws {
    let labels = [0, 0, 1, 1, 1, 2, 2, 0]
    let words = labels.map { ["first", "second", "third"][$0] }
    let same = try ClusterAgreement(labels, words)
    #expect(same.adjustedRandIndex == 1)
    #expect(abs(same.adjustedMutualInformation - 1) < 1e-12)
    let noise: [Int?] = [0, 0, nil, nil, nil, 1, 1, 0]
    #expect(try ClusterAgreement(labels, noise).adjustedRandIndex == 1)
    let numbers = [Int.min, .min, .max, .max, .max, -1, -1, .min]
    #expect(try ClusterAgreement(labels, numbers).adjustedRandIndex == 1)
  }

  @Test("Labellings of different numbers of things are refused")
  func lengths() {
    #expect(throws: ClusteringError.labelCount(labels: 1, rows: 2)) {
      try ClusterAgreement([0, 1], [0])
    }
    #expect(throws: ClusteringError.labelCount(labels: 1, rows: 0)) {
      try ClusterAgreement([Int](), [0])
    }
  }
}
