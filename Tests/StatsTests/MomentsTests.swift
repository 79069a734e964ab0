import Foundation
import Stats
import TestSupport
import Testing

@Suite struct MomentsTests {
  @Test func withoutValuesThereIsNothing() {
    #expect(mean(of: [Double]()) == nil)
    for kind in DeviationKind.allCases {
      #expect(variance(of: [Double](), kind) == nil)
      #expect(standardDeviation(of: [Float](), kind) == nil)
      #expect(RunningMoments().variance(kind) == nil)
    }
    let moments = RunningMoments()
    #expect(moments.count == 0)
    #expect(moments.mean == nil && moments.skewness == nil && moments.kurtosis == nil)
  }

  @Test func oneValueHasNoSampleDeviation() {
    #expect(variance(of: [5.0]) == 0)
    #expect(variance(of: [5.0], .sample) == nil)
    #expect(RunningMoments(of: [5.0]).variance(.sample) == nil)
    #expect(RunningMoments(of: [5.0]).mean == 5)
  }

  @Test func equalValuesHaveNoShape() {
    let moments = RunningMoments(of: Array(repeating: 0.1, count: 1000))
    #expect(moments.skewness == nil && moments.kurtosis == nil)
    #expect((moments.variance() ?? 1) < 1e-30)
  }

  @Test(arguments: 0..<40)
  func mergedPartsAreTheWhole(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let values = (0..<200).map { _ in generator.unit() * generator.unit() * 100 + 1000 }
    let cuts = (0..<3).map { _ in Int(generator.next() % 201) }.sorted()
    let bounds = [0] + cuts + [200]
    var merged = RunningMoments()
    for (start, end) in zip(bounds, bounds.dropFirst()) {
      merged.merge(RunningMoments(of: values[start..<end]))
    }
    let whole = RunningMoments(of: values)
    #expect(merged.count == whole.count)
    for path in [\RunningMoments.mean, \.skewness, \.kurtosis] {
      let expected = try #require(whole[keyPath: path])
      let got = try #require(merged[keyPath: path])
      #expect(abs(got - expected) <= 1e-9 * max(abs(expected), 1))
    }
    let expected = try #require(whole.variance(.sample))
    #expect(abs(try #require(merged.variance(.sample)) - expected) <= 1e-12 * expected)
  }

  @Test func mergingNothingChangesNothing() {
    let some = RunningMoments(of: [1.0, 2, 4])
    var moments = some
    moments.merge(RunningMoments())
    #expect(moments == some)
    var empty = RunningMoments()
    empty.merge(some)
    #expect(empty == some)
  }

  /// A naive sum of squares loses everything here.
  @Test func aLargeMeanDoesNotDrownTheSpread() throws {
    let values = [4.0, 7, 13, 16].map { $0 + 1e9 }
    #expect(variance(of: values, .sample) == 30)
    #expect(RunningMoments(of: values).variance(.sample) == 30)
  }

  @Test func notANumberStays() {
    var moments = RunningMoments(of: [1.0, .nan])
    moments.add(2)
    #expect(moments.mean?.isNaN == true)
    #expect(moments.variance()?.isNaN == true)
    #expect(moments.skewness?.isNaN == true)
  }

  @Test func survivesCoding() throws {
    let moments = RunningMoments(of: [1.0, 2, 4])
    let data = try JSONEncoder().encode(moments)
    #expect(try JSONDecoder().decode(RunningMoments.self, from: data) == moments)
  }
}
