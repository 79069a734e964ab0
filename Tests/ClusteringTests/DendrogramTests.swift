import Clustering
import Testing

@Suite struct DendrogramTests {
  typealias Merge = Dendrogram.Merge

  static let merges = [
    Merge(left: 0, right: 1, distance: 0.5, size: 2),
    Merge(left: 2, right: 3, distance: 0.5, size: 2),
    Merge(left: 4, right: 5, distance: 2, size: 4),
  ]

  @Test func aTreeFromElsewhereIsCut() throws {
    let dendrogram = try Dendrogram(leafCount: 4, merges: Self.merges)
    #expect(try dendrogram.labels(cut: .distance(1)) == [1, 1, 0, 0])
    #expect(try dendrogram.labels(cut: .distance(0.5)).sorted() == [0, 1, 2, 3])
    #expect(try dendrogram.labels(cut: .count(3)).count == 4)
    #expect(dendrogram.linkageMatrix.elements == [0, 1, 0.5, 2, 2, 3, 0.5, 2, 4, 5, 2, 4])
  }

  @Test func emptyTrees() throws {
    #expect(try Dendrogram(leafCount: 0, merges: []).labels(cut: .count(5)).isEmpty)
    #expect(try Dendrogram(leafCount: 1, merges: []).labels(cut: .distance(0)) == [0])
  }

  @Test func wrongTreesAreErrors() {
    func expectInvalid(_ index: Int, _ leafCount: Int, _ merges: [Merge]) {
      #expect {
        try Dendrogram(leafCount: leafCount, merges: merges)
      } throws: { error in
        if case ClusteringError.invalidMerge(index, _) = error { true } else { false }
      }
    }
    expectInvalid(0, 2, [])
    expectInvalid(0, .max, [])
    expectInvalid(0, -1, [])
    expectInvalid(1, 1, [Self.merges[0]])
    var merges = Self.merges
    for bad in [-1, 4, 1, .max, .min] {
      merges[0].left = bad
      expectInvalid(0, 4, merges)
    }
    merges = Self.merges
    merges[1].left = 0
    expectInvalid(1, 4, merges)
    merges = Self.merges
    for bad in [0.4, .nan, .infinity, -1] {
      merges[1].distance = bad
      expectInvalid(1, 4, merges)
    }
    merges = Self.merges
    merges[2].size = 3
    expectInvalid(2, 4, merges)
  }

  @Test func aDeepTreeIsCutWithoutRecursion() throws {
    // A chain: thing i + 1 joins the cluster of the i + 1 before it.
    let count = 50_000
    let merges = (0..<count - 1).map { (index: Int) -> Merge in
      let pair = index == 0 ? (0, 1) : (index + 1, count + index - 1)
      return Merge(left: pair.0, right: pair.1, distance: Double(index), size: index + 2)
    }
    let dendrogram = try Dendrogram(leafCount: count, merges: merges)
    #expect(try dendrogram.labels(cut: .count(1)).allSatisfy { $0 == 0 })
    #expect(Set(try dendrogram.labels(cut: .count(count))).count == count)
  }
}
