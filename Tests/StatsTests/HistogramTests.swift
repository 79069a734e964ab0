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
}
