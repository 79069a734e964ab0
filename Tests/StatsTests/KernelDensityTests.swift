import Stats
import TestSupport
import Testing

@Suite struct KernelDensityTests {
  struct DensityCase: Decodable {
    let count: Int
    let bandwidth: Double
    let places: [Double]
    let densities: [Double]
    let mode: Double
    let peak: Double
  }

  /// The values of a case; `Fixtures/generate/stats.py` makes the same.
  private func sample(_ golden: DensityCase) -> (values: [Double], weights: [Double]) {
    var values = units(seed: UInt64(golden.count), count: golden.count)
      .map { $0 * 4 }
    for index in 0..<golden.count / 3 { values[index] = 1 + values[index] / 10 }
    let weights = units(seed: UInt64(golden.count + 1), count: golden.count)
    return (values, weights.map { $0 + 0.01 })
  }

  private func units(seed: UInt64, count: Int) -> [Double] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in generator.unit() }
  }

  @Test func densitiesEqualSciPys() throws {
    let cases = try Folders.golden("Stats/kernel_densities.json", as: [DensityCase].self)
    #expect(cases.count == 18)
    for golden in cases {
      let (values, weights) = sample(golden)
      let density = try #require(
        KernelDensity(of: values, weights: weights, bandwidth: golden.bandwidth))
      for (place, expected) in zip(golden.places, golden.densities) {
        // What lies beyond reach is left out; SciPy's whitening rounds.
        let tolerance = 1e-10 * expected + 1e-15
        #expect(abs(density.density(at: place) - expected) <= tolerance, "\(golden.count)")
      }
      // A flat top says little about where it is highest.
      #expect(abs(density.mode.value - golden.mode) < 1e-4 * golden.bandwidth, "\(golden.count)")
      #expect(abs(density.mode.density - golden.peak) <= 1e-9 * golden.peak)
    }
  }

  @Test func oneValueIsItsOwnMode() throws {
    let density = try #require(KernelDensity(of: [3], bandwidth: 0.5))
    #expect(density.mode.value == 3)
    #expect(abs(density.mode.density - 0.797_884_560_802_865) < 1e-12)
    #expect(density.density(at: 1e9) == 0)
  }

  @Test func theHeavierGroupIsTheMode() throws {
    let values = [1, 1.01, 0.99, 5, 5.01]
    let byNumber = try #require(KernelDensity(of: values, bandwidth: 0.1))
    #expect(abs(byNumber.mode.value - 1) < 1e-6)
    let byWeight = try #require(
      KernelDensity(of: values, weights: [1, 1, 1, 2, 2], bandwidth: 0.1))
    #expect(abs(byWeight.mode.value - 5.005) < 1e-6)
  }

  @Test func theCoarseModeIsNearTheMode() throws {
    for seed in 1...200 as ClosedRange<UInt64> {
      let values = units(seed: seed, count: Int(seed)).map { $0 * $0 * Double(1 + seed % 7) }
      let weights = units(seed: seed + 1000, count: Int(seed))
      let density = try #require(
        KernelDensity(of: values, weights: weights, bandwidth: 0.12))
      let (mode, coarse) = (density.mode, density.coarseMode)
      #expect(coarse.density <= mode.density * 1.001 && coarse.density >= mode.density * 0.99)
      #expect(density.density(at: coarse.value) >= mode.density * 0.99)
    }
  }

  @Test func theModeIsNotBelowAnyPlace() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let values = units(seed: seed, count: 60).map { $0 * $0 * 10 }
      let density = try #require(KernelDensity(of: values, bandwidth: 0.12))
      let (_, peak) = density.mode
      for step in 0...2000 {
        #expect(density.density(at: Double(step) / 200) <= peak * (1 + 1e-6))
      }
    }
  }

  @Test func whatIsNoNumberIsLeftOut() throws {
    let density = try #require(
      KernelDensity(
        of: [.nan, 2, .infinity, 2, 7, 9], weights: [1, 1, 1, 1, .nan, -3], bandwidth: 1))
    #expect(density.mode.value == 2)
  }

  @Test func farApartAndHugeValuesEnd() throws {
    let density = try #require(
      KernelDensity(of: [-1e300, 0, 1e300, 1e300], bandwidth: 1e-3))
    #expect(density.mode.value == 1e300)
    #expect(density.density(at: .nan).isNaN || density.density(at: .nan) == 0)
  }

  @Test func nothingHasNoDensity() {
    #expect(KernelDensity(of: [], bandwidth: 1) == nil)
    #expect(KernelDensity(of: [.nan], bandwidth: 1) == nil)
    #expect(KernelDensity(of: [1], weights: [0], bandwidth: 1) == nil)
    #expect(KernelDensity(of: [1, 2], weights: [1e308, 1e308], bandwidth: 1) == nil)
    for bandwidth in [0, -1, .nan, .infinity] {
      #expect(KernelDensity(of: [1], bandwidth: bandwidth) == nil)
    }
  }
}
