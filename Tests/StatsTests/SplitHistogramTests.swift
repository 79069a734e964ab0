import Stats
import TestSupport
import Testing

@Suite("Histograms of what was kept and dropped")
struct SplitHistogramTests {
  @Test("Every value with a place is in one bin, all others are counted")
  func sums() throws {
    var generator = SeededGenerator(seed: 3)
    for count in [1, 2, 30, 1000] {
      let kept = (0..<count).map { _ in Double.random(in: 0.01...900, using: &generator) }
      let dropped = kept.map { $0 * 3 } + [.nan, .infinity, -.infinity, 0, -2]
      let bins = try #require(SplitHistogram(kept: kept, dropped: dropped, binCount: 17))
      #expect(bins.kept.counts.count == 17)
      #expect(bins.kept.counts.reduce(0, +) == count)
      #expect(bins.all.counts.reduce(0, +) == 2 * count)
      #expect(bins.leftOut == 5)
      #expect(zip(bins.kept.counts, bins.all.counts).allSatisfy { $0 <= $1 })
    }
  }

  @Test("There is none without a value above 0")
  func none() {
    for values in [[], [0], [-1, .nan], [.infinity]] as [[Double]] {
      #expect(SplitHistogram(kept: values, dropped: values) == nil)
    }
    #expect(SplitHistogram(kept: [5], dropped: [])?.kept.counts.reduce(0, +) == 1)
    // So wide a range has no logarithm of its quotient.
    #expect(SplitHistogram(kept: [.leastNonzeroMagnitude, 1e308], dropped: []) == nil)
  }

  @Test("Ticks are round, ascending, and apart")
  func ticks() throws {
    for values in [[1, 1000], [0.003, 0.004], [5e5, 5.1e5], [1e-9, 1e9]] as [[Double]] {
      let scale = try #require(LogScale(holding: values, length: 300))
      let ticks = scale.ticks(apart: 40)
      #expect(ticks == ticks.sorted() && Set(ticks).count == ticks.count)
      let places = ticks.compactMap(scale.place)
      #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 >= 40 })
      #expect(places.allSatisfy { $0 >= 0 && $0 <= 300 })
    }
    let scale = try #require(LogScale(holding: [1, 1000], length: 300))
    #expect(Set([1, 10, 100, 1000]).isSubset(of: scale.ticks(apart: 20)))
    #expect(scale.place(of: .nan) == nil)
    #expect(scale.place(of: -5) == 0 && scale.place(of: .infinity) == 300)
    #expect(abs(try #require(scale.stretched(to: 3).place(of: .infinity)) - 3) < 1e-9)
  }
}
