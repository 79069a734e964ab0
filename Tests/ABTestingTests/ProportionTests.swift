import ABTesting
import Foundation
import TestSupport
import Testing

@Suite("Comparing proportions")
struct ProportionTests {
  struct TestGolden: Decodable {
    let counts: [Int]
    let z, p: Double?
  }

  struct IntervalGolden: Decodable {
    let counts: [Int]
    let alpha, lower, upper: Double
  }

  private func pair(_ counts: [Int]) throws -> (Proportion, Proportion) {
    (
      try Proportion(successes: counts[0], trials: counts[1]),
      try Proportion(successes: counts[2], trials: counts[3])
    )
  }

  @Test("z and p are statsmodels'")
  func tests() throws {
    let cases: [TestGolden] = try Folders.golden("ABTesting/tests.json")
    #expect(cases.count == 134)
    for golden in cases {
      let (first, second) = try pair(golden.counts)
      let test = try #require(TwoProportionTest(first, against: second))
      guard let z = golden.z, let p = golden.p else {
        // All alike: the peer divides 0 by 0.
        #expect(test.z == 0 && test.pValue == 1)
        continue
      }
      // Each share is rounded before one is taken from the other, which counts as much more as the
      // standard error is small; p changes by z times what z does.
      let error = z == 0 ? 1 : abs(test.difference / z)
      let slack = 1e-13 * abs(z) + 4e-16 / error
      #expect(abs(test.z - z) <= slack, "\(golden.counts): \(test.z) for \(z)")
      let pSlack = 1e-12 * p + 2 * p * max(abs(z), 1) * slack + .leastNormalMagnitude
      #expect(abs(test.pValue - p) <= pSlack, "\(golden.counts): \(test.pValue) for \(p)")
    }
  }

  @Test("Wilson's bounds are statsmodels'")
  func intervals() throws {
    let cases: [IntervalGolden] = try Folders.golden("ABTesting/intervals.json")
    #expect(cases.count == 402)
    for golden in cases {
      let proportion = try Proportion(successes: golden.counts[0], trials: golden.counts[1])
      let interval = try WilsonInterval(proportion, confidence: 1 - golden.alpha)
      // The peer leaves rounding errors where the bound is exactly 0 or 1.
      #expect(abs(interval.lower - golden.lower) <= 1e-12 * golden.lower + 1e-16)
      #expect(abs(interval.upper - golden.upper) <= 1e-12 * golden.upper)
      #expect(interval.lower >= 0 && interval.upper <= 1 && interval.lower < interval.upper)
      if golden.counts[0] == 0 { #expect(interval.lower == 0) }
      if golden.counts[0] == golden.counts[1] { #expect(interval.upper == 1) }
    }
  }

  @Test("Changing sides changes the sign and nothing else")
  func symmetry() throws {
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<500 {
      let counts = (0..<2).flatMap { _ -> [Int] in
        let trials = 1 + Int(generator.unit() * 500)
        return [Int(generator.unit() * Double(trials + 1)), trials]
      }
      let (first, second) = try pair(counts)
      let there = try #require(TwoProportionTest(first, against: second))
      let back = try #require(TwoProportionTest(second, against: first))
      #expect(there.z == -back.z && there.pValue == back.pValue)
      let verdict = try Verdict(first, against: second)
      let opposite: Verdict =
        switch verdict {
        case .better: .worse
        case .worse: .better
        default: verdict
        }
      #expect(try Verdict(second, against: first) == opposite)
    }
  }

  @Test(
    "Verdicts",
    arguments: [
      ([90, 100, 60, 100], .better), ([60, 100, 90, 100], .worse),
      ([60, 100, 62, 100], .noDifferenceShown), ([3, 4, 1, 4], .tooFew),
      ([0, 0, 5, 10], .tooFew), ([5, 10, 0, 0], .tooFew), ([0, 0, 0, 0], .tooFew),
      ([0, 1000, 0, 1000], .tooFew), ([1000, 1000, 1000, 1000], .tooFew),
      ([10, 10, 0, 10], .better), ([4, 4, 0, 4], .tooFew), ([1, 2, 500, 1000], .tooFew),
      ([.max, .max, .max / 2, .max], .better),
    ] as [([Int], Verdict)])
  func verdicts(counts: [Int], expected: Verdict) throws {
    let (first, second) = try pair(counts)
    #expect(try Verdict(first, against: second) == expected)
  }

  @Test("A stricter significance turns a verdict into none shown, never round")
  func significance() throws {
    let (first, second) = try pair([90, 100, 80, 100])
    let p = try #require(TwoProportionTest(first, against: second)).pValue
    #expect(try Verdict(first, against: second, significance: p * 1.01) == .better)
    #expect(try Verdict(first, against: second, significance: p * 0.99) == .noDifferenceShown)
  }

  @Test("Where there is no difference, one is shown as often as the significance says")
  func falseAlarms() throws {
    var generator = SeededGenerator(seed: 31)
    let rounds = 4000
    var alarms = 0
    for _ in 0..<rounds {
      let counts = (0..<2).map { _ in (0..<200).count { _ in generator.unit() < 0.4 } }
      let (first, second) = try pair([counts[0], 200, counts[1], 200])
      let verdict = try Verdict(first, against: second)
      if verdict == .better || verdict == .worse { alarms += 1 }
    }
    // 5 % of 4000 are 200; 6 standard deviations are 83. The distribution is discrete: a little off.
    #expect((117...283).contains(alarms), "\(alarms)")
  }

  @Test("Intervals hold the true share about as often as they say")
  func coverage() throws {
    var generator = SeededGenerator(seed: 41)
    for share in [0.02, 0.3, 0.95] {
      let rounds = 2000
      var held = 0
      for _ in 0..<rounds {
        let successes = (0..<60).count { _ in generator.unit() < share }
        let interval = try WilsonInterval(Proportion(successes: successes, trials: 60))
        if interval.lower <= share, share <= interval.upper { held += 1 }
      }
      #expect(Double(held) / Double(rounds) > 0.92, "\(share): \(held)")
    }
  }

  @Test("What is no proportion and no level")
  func refused() throws {
    for (successes, trials) in [(-1, 5), (6, 5), (0, -1), (.min, .max), (1, 0)] {
      #expect(throws: ExperimentError.self) {
        try Proportion(successes: successes, trials: trials)
      }
    }
    let half = try Proportion(successes: 1, trials: 2)
    for level in [0, 1, -0.1, 1.5, .nan, .infinity] {
      #expect(throws: ExperimentError.self) { try WilsonInterval(half, confidence: level) }
      #expect(throws: ExperimentError.self) {
        try Verdict(half, against: half, significance: level)
      }
    }
    let none = try Proportion(successes: 0, trials: 0)
    #expect(none.share == nil && TwoProportionTest(none, against: half) == nil)
    let interval = try WilsonInterval(none)
    #expect(interval.lower == 0 && interval.upper == 1)
    #expect(throws: ExperimentError.self) {
      try JSONDecoder().decode(Proportion.self, from: Data(#"{"successes":3,"trials":2}"#.utf8))
    }
  }
}
