import Clustering
import LinearAlgebra
import TestSupport
import Testing

/// What SciPy and scikit-learn answer in weighted and Ward linkage.
@Suite struct WeightedAndWardTests {
  @Test("labels and trees of 1,000 seeded inputs are scikit-learn's and SciPy's")
  func thousand() throws {
    let cases = try Folders.golden(
      "Clustering/thousand_weighted_ward.json", as: [String: ThousandCase].self)
    #expect(cases.count == 2)
    for (name, golden) in cases {
      let (inputs, _) = try golden.check(#require(Linkage(rawValue: name)))
      #expect(inputs == 1000)
    }
  }

  @Test("linkage matrices of SciPy's own tests")
  func linkageMatrices() throws {
    var compared = 0
    for golden in try SciPySuiteTests.suite.get().linkages
    where ["weighted", "ward"].contains(golden.linkage) {
      try golden.check(#require(Linkage(rawValue: golden.linkage)))
      compared += 1
    }
    #expect(compared == 6)
  }
}
