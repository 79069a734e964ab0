import Stats
import TestSupport
import Testing

/// Agreement with NumPy (to the last bit) and SciPy.
@Suite struct GoldenTests {
  struct Moments: Decodable {
    let kind: String
    let count: Int
    let mean: Double
    let median: Double
    let population: Double
    let sample: Double?
    let deviation: Double
    let skewness: Double?
    let kurtosis: Double?
  }

  @Test func momentsEqualNumPys() throws {
    let cases = try Folders.golden("Stats/moments.json", as: [Moments].self)
    #expect(cases.count == 87)
    for golden in cases {
      let values = sample(golden.kind, count: golden.count)
      let name: Comment = "\(golden.kind), \(golden.count) values"
      #expect(mean(of: values) == golden.mean, name)
      #expect(median(of: values) == golden.median, name)
      #expect(variance(of: values) == golden.population, name)
      #expect(variance(of: values, .sample) == golden.sample, name)
      #expect(standardDeviation(of: values) == golden.deviation, name)
    }
  }

  /// One pass rounds differently from two; the error is that of a few operations per value.
  @Test func runningMomentsAreNearNumPysAndSciPys() throws {
    for golden in try Folders.golden("Stats/moments.json", as: [Moments].self) {
      let moments = RunningMoments(of: sample(golden.kind, count: golden.count))
      let name: Comment = "\(golden.kind), \(golden.count) values"
      #expect(moments.count == golden.count)
      #expect(isNear(moments.mean, golden.mean, scale: golden.deviation), name)
      #expect(isNear(moments.variance(), golden.population, scale: golden.population), name)
      #expect(isNear(moments.variance(.sample), golden.sample, scale: golden.population), name)
      #expect(isNear(moments.standardDeviation(), golden.deviation, scale: 0), name)
      #expect(isNear(moments.skewness, golden.skewness, scale: 1), name)
      #expect(isNear(moments.kurtosis, golden.kurtosis, scale: 3), name)
    }
  }

  private func isNear(_ a: Double?, _ b: Double?, scale: Double) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return abs(a - b) <= 1e-11 * (abs(b) + scale)
  }

  struct Quantiles: Decodable {
    let kind: String
    let count: Int
    let method: String
    let probabilities: [Double]
    let answers: [Double]
  }

  @Test func quantilesEqualNumPys() throws {
    let cases = try Folders.golden("Stats/quantiles.json", as: [Quantiles].self)
    #expect(cases.count == 12 * 2 * QuantileMethod.allCases.count)
    for golden in cases {
      let values = sample(golden.kind, count: golden.count)
      let method = try #require(QuantileMethod(rawValue: golden.method))
      let name: Comment = "\(golden.kind), \(golden.count) values, \(golden.method)"
      #expect(
        try quantiles(golden.probabilities, of: values, method: method) == golden.answers, name)
      for (q, answer) in zip(golden.probabilities, golden.answers) {
        #expect(try quantile(q, of: values, method: method) == answer, name)
      }
    }
  }

  struct Special: Decodable {
    let values: [GoldenNumber]
    let mean: GoldenNumber
    let median: GoldenNumber
    let variance: GoldenNumber
    let quantiles: [String: [GoldenNumber]]
  }

  @Test func notANumberAndInfinityBehaveAsInNumPy() throws {
    let cases = try Folders.golden("Stats/special.json", as: [Special].self)
    #expect(cases.count == 11)
    for golden in cases {
      let values = golden.values.map(\.value)
      #expect(same(mean(of: values), golden.mean.value), "mean of \(values)")
      #expect(same(median(of: values), golden.median.value), "median of \(values)")
      #expect(same(variance(of: values), golden.variance.value), "variance of \(values)")
      for (name, answers) in golden.quantiles {
        let method = try #require(QuantileMethod(rawValue: name))
        for (q, answer) in zip([0.0, 0.25, 0.5, 0.7, 1.0], answers) {
          let result = try quantile(q, of: values, method: method)
          #expect(same(result, answer.value), "\(name) of \(values) at \(q): \(result ?? 0)")
        }
      }
    }
  }
}
