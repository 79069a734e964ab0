import Stats
import TestSupport
import Testing

@Suite("The standard normal distribution")
struct StandardNormalTests {
  struct Golden: Decodable {
    let places, cumulative, density, shares, quantiles: [Double]
  }

  /// SciPy is itself 2.3e-13 off in the far tails.
  private func isNear(_ value: Double, _ expected: Double) -> Bool {
    abs(value - expected) <= 1e-12 * abs(expected)
  }

  @Test("Probabilities, densities and quantiles are SciPy's, relative to their size")
  func goldens() throws {
    let golden: Golden = try Folders.golden("Stats/normal.json")
    #expect(golden.places.count == 98 && golden.shares.count == 218)
    for (index, x) in golden.places.enumerated() {
      #expect(isNear(StandardNormal.cumulative(x), golden.cumulative[index]), "at \(x)")
      #expect(isNear(StandardNormal.density(x), golden.density[index]), "at \(x)")
    }
    for (p, expected) in zip(golden.shares, golden.quantiles) {
      #expect(isNear(try StandardNormal.quantile(p), expected), "of \(p)")
    }
  }

  @Test("The quantile undoes the probability, and both are symmetric")
  func properties() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      let x = generator.unit() * 74 - 37
      let both = StandardNormal.cumulative(x) + StandardNormal.cumulative(-x)
      #expect(abs(both - 1) <= Double.ulpOfOne)
      guard x < 5 else { continue }
      // The probability rounds x by as much as the density is smaller than it.
      let p = StandardNormal.cumulative(x)
      let rounding = 4e-16 * p / StandardNormal.density(x)
      #expect(abs(try StandardNormal.quantile(p) - x) <= 1e-12 * abs(x) + rounding, "\(x)")
    }
  }

  @Test("The ends and what is no probability")
  func edges() throws {
    #expect(try StandardNormal.quantile(0) == -.infinity)
    #expect(try StandardNormal.quantile(1) == .infinity)
    #expect(try StandardNormal.quantile(0.5) == 0)
    #expect(try StandardNormal.quantile(.leastNonzeroMagnitude).isFinite)
    #expect(try StandardNormal.quantile(Double(1).nextDown).isFinite)
    #expect(StandardNormal.cumulative(-.infinity) == 0)
    #expect(StandardNormal.cumulative(.infinity) == 1)
    #expect(StandardNormal.cumulative(.nan).isNaN)
    for p in [-0.1, 1.1, .nan, .infinity, -.infinity] {
      #expect(throws: StatisticsError.self) { try StandardNormal.quantile(p) }
    }
  }
}
