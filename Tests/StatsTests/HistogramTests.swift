import Stats
import TestSupport
import Testing

@Suite("Histograms")
struct HistogramTests {
  struct Golden: Decodable {
    let kind: String
    let edges: [Double]
    let counts: [Int]
    let below, above: Int
  }

  @Test("The counts are NumPy's")
  func goldens() throws {
    let cases: [Golden] = try Folders.golden("Stats/histograms.json")
    #expect(cases.count == 9)
    for golden in cases {
      var histogram = try #require(Histogram(edges: golden.edges))
      for value in sample(golden.kind, count: 257) { histogram.add(value) }
      #expect(histogram.counts == golden.counts)
      #expect(histogram.below == golden.below && histogram.above == golden.above)
      #expect(histogram.total == 257)
    }
  }

  @Test("Edges belong to the bin above them, the last to the last bin")
  func edges() throws {
    var histogram = try #require(Histogram(edges: [0, 1, 2]))
    for value in [0, 1, 2, -0.0, 2.0.nextUp, -.leastNonzeroMagnitude, .infinity, -.infinity] {
      histogram.add(value)
    }
    #expect(histogram.counts == [2, 2])
    #expect(histogram.below == 2 && histogram.above == 2)
    histogram.add(.nan)
    #expect(histogram.total == 8)
  }

  @Test(
    "Edges that make no bins make no histogram",
    arguments: [[], [1], [1, 1], [2, 1], [0, .infinity], [.nan, 1], [0, .nan]] as [[Double]])
  func refused(edges: [Double]) {
    #expect(Histogram(edges: edges) == nil)
  }

  @Test("Many values at once are counted as one by one, at the edges too")
  func manyAtOnce() throws {
    var random = SeededGenerator(seed: 3)
    let even = [
      (0.0, 1.0, 20), (-3, 7, 3), (0.1, 0.7, 7), (1e300, 1.7e308, 5),
      (0, .leastNonzeroMagnitude, 1),
    ]
    var rows = even.map { low, high, bins in
      (0...bins).map { low + (high - low) * (Double($0) / Double(bins)) }
    }
    rows += [[0, 0.1, 5, 5.5], [-1e308, 1e308], [0, 1, 10, 100, 1000], [0, 1.4, 2, 3.4, 4]]
    for edges in rows {
      var many = try #require(Histogram(edges: edges))
      var single = many
      let range = edges[0] / 2 - edges[edges.count - 1] / 2
      let values =
        edges + edges.map(\.nextUp) + edges.map(\.nextDown) + [.nan, .infinity, -.infinity, -0.0]
        + (0..<500).map { _ in edges[0] - Double.random(in: -0.1...2.1, using: &random) * range }
      many.add(values)
      for value in values { single.add(value) }
      #expect(many == single)
    }
  }
}
