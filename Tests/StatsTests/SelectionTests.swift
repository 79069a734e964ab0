import Stats
import TestSupport
import Testing

/// Selection and sums against what sorting and adding in the plainest way give, to the last bit.
@Suite struct SelectionTests {
  enum Arrangement: CaseIterable {
    case shuffled, sorted, reversed, equal, fewDistinct, periodic, organPipe, manyScales, infinite
  }

  private func values(_ arrangement: Arrangement, count: Int, seed: UInt64) -> [Double] {
    var generator = SeededGenerator(seed: seed)
    let random = (0..<count).map { _ in generator.unit() * 10 - 5 }
    switch arrangement {
    case .shuffled: return random
    case .sorted: return random.sorted()
    case .reversed: return random.sorted(by: >)
    case .equal: return random.map { _ in 0.1 }
    case .fewDistinct: return random.map { $0.rounded() + 0.5 }
    // The period is the distance of samples of 4096 values.
    case .periodic: return random.indices.map { Double($0 % 16) }
    case .organPipe: return random.indices.map { Double(min($0, count - 1 - $0)) }
    case .manyScales:
      return random.map { Double(sign: .plus, exponent: Int($0 * 100), significand: $0) }
    case .infinite: return random.map { $0 < -2 ? -.infinity : $0 > 2 ? .infinity : $0 }
    }
  }

  @Test(arguments: Arrangement.allCases)
  func selectionFindsWhatSortingFinds(arrangement: Arrangement) throws {
    for (seed, count) in [1, 2, 3, 511, 512, 513, 514, 1000, 4096, 4097, 20_001].enumerated() {
      let values = values(arrangement, count: count, seed: UInt64(seed))
      let sorted = values.sorted()
      let (lower, upper) = (sorted[(count - 1) / 2], sorted[count / 2])
      let middle = count % 2 == 1 ? upper : (lower + upper) / 2
      #expect(same(median(of: values), middle), "\(count) values")
      let ranks = [0, 1, count / 50, count / 4, count / 2, count * 3 / 4, count - 2, count - 1]
      for rank in ranks where sorted.indices.contains(rank) {
        // Half a place is enough for rounding.
        let q = count == 1 ? 0 : Double(rank) / Double(count - 1)
        #expect(try quantile(q, of: values, method: .nearest) == sorted[rank], "\(rank), \(count)")
      }
    }
  }

  /// So many that some samples mislead.
  @Test func noSampleMisleads() {
    for seed in 0..<3000 as Range<UInt64> {
      let values = values(.shuffled, count: 513 + Int(seed % 3), seed: seed)
      let sorted = values.sorted()
      let count = values.count
      let middle = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
      #expect(median(of: values) == (count % 2 == 1 ? sorted[count / 2] : middle), "\(seed)")
    }
  }

  @Test(arguments: [1, 2, 511, 513, 4097])
  func notANumberIsFoundWhereverItIs(count: Int) throws {
    for place in stride(from: 0, to: count, by: max(1, count / 300)) {
      for sign in [1.0, -1] {
        var values = values(.shuffled, count: count, seed: 3)
        values[place] = sign * .nan
        #expect(same(median(of: values), .nan))
        #expect(same(try quantile(0.01, of: values), .nan))
        #expect(same(standardDeviation(of: values), .nan))
      }
    }
  }

  /// A few are selected, many read off the sorted values.
  @Test(arguments: QuantileMethod.allCases)
  func manyQuantilesAreThoseOfOneByOne(method: QuantileMethod) throws {
    for count in [1, 7, 513, 5000] {
      let values =
        values(.fewDistinct, count: count, seed: 9)
        + values(.shuffled, count: count, seed: 10)
      for few in [0, 1, 5, 26, 27, 28, 101] {
        let probabilities = (0..<few).map { few == 1 ? 0.3 : Double($0) / Double(few - 1) }
        let answers = try #require(try quantiles(probabilities, of: values, method: method))
        #expect(
          try answers
            == probabilities.map {
              try #require(try quantile($0, of: values, method: method))
            })
      }
    }
  }

  /// NumPy's arrangement, written down as its documentation tells it.
  private func plainSum(_ values: ArraySlice<Double>) -> Double {
    if values.count < 8 { return values.reduce(0, +) }
    if values.count <= 128 {
      var sums = [Double](repeating: 0, count: 8)
      let whole = values.count / 8 * 8
      for (place, value) in values.prefix(whole).enumerated() {
        sums[place % 8] = place < 8 ? value : sums[place % 8] + value
      }
      let sum =
        ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
      return values.dropFirst(whole).reduce(sum, +)
    }
    let half = values.count / 2
    let split = half - half % 8
    return plainSum(values.prefix(split)) + plainSum(values.dropFirst(split))
  }

  @Test(arguments: Arrangement.allCases)
  func sumsArePairwiseToTheLastBit(arrangement: Arrangement) {
    for count in Array(1...40) + [127, 128, 129, 136, 255, 256, 257, 1000, 8400] {
      let values = values(arrangement, count: count, seed: UInt64(count))
      let center = plainSum(values[...]) / Double(count)
      #expect(same(mean(of: values), center))
      let squares = values.map { ($0 - center) * ($0 - center) }
      let expected = plainSum(squares[...]) / Double(count)
      #expect(same(variance(of: values), expected))
      #expect(same(standardDeviation(of: values), expected.squareRoot()))
    }
  }

  @Test func everyKindOfSequenceGivesTheSame() throws {
    let values = values(.shuffled, count: 2000, seed: 5)
    let padded = [7, 8] + values + [9]
    let slice = padded[2..<2002]
    let list = AnySequence(values)
    let narrow = values.map { Float($0) }
    #expect(median(of: slice) == median(of: values) && median(of: list) == median(of: values))
    #expect(mean(of: slice) == mean(of: values) && mean(of: list) == mean(of: values))
    #expect(variance(of: slice) == variance(of: values))
    #expect(OutlierBand(of: list, multiplier: 2) == OutlierBand(of: values, multiplier: 2))
    #expect(median(of: narrow) == median(of: narrow.map { Double($0) }))
    #expect(variance(of: narrow[5...]) == variance(of: narrow[5...].map { Double($0) }))
  }
}
