import Stats
import TestSupport
import Testing

@Suite struct QuantileTests {
  @Test(arguments: QuantileMethod.allCases)
  func noValuesHaveNoQuantile(method: QuantileMethod) throws {
    #expect(try quantile(0.5, of: [Double](), method: method) == nil)
    #expect(try quantiles([0.5], of: [Float](), method: method) == nil)
    #expect(median(of: [Float]()) == nil)
  }

  @Test(arguments: [-0.001, 1.001, .nan, .infinity, -.infinity])
  func probabilitiesOutsideTheUnitIntervalAreRefused(q: Double) {
    let error = #expect(throws: StatisticsError.self) { try quantile(q, of: [1.0, 2]) }
    guard case .probabilityOutOfRange(let got)? = error else {
      Issue.record("another error")
      return
    }
    #expect(same(got, q))
    #expect(throws: StatisticsError.self) { try quantiles([0.5, q], of: [1.0, 2]) }
    #expect(StatisticsError.probabilityOutOfRange(2).description.contains("0...1"))
  }

  /// Sorting is the oracle for selection, with ties, order and reversal among the inputs.
  @Test(arguments: 1...60)
  func selectionFindsWhatSortingFinds(count: Int) throws {
    var generator = SeededGenerator(seed: 7)
    for distinct in [1, 2, 5, 1000] {
      var values = (0..<count).map { _ in Double(generator.next() % UInt64(distinct)) }
      for arrangement in 0..<3 {
        if arrangement == 1 { values.sort() }
        if arrangement == 2 { values.reverse() }
        let sorted = values.sorted()
        let middle = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
        #expect(median(of: values) == middle)
        for rank in 0..<count {
          let q = count == 1 ? 0 : Double(rank) / Double(count - 1)
          #expect(try quantile(q, of: values, method: .nearest) == sorted[rank])
        }
      }
    }
  }

  /// Arrangements on which a pivot of three goes wrong again and again end in sorting, not in
  /// hours.
  @Test func hostileArrangementsEnd() {
    let count = 20_001
    let organPipe = (0..<count).map { Double(min($0, count - 1 - $0)) }
    #expect(median(of: organPipe) == 5000)
    // Musser's sequence against the median of first, middle and last ("Introspective sorting and
    // selection algorithms", 1997).
    let half = count / 2
    var killer = Array(repeating: 0.0, count: 2 * half)
    for index in 1...half {
      if index % 2 == 1 {
        killer[index - 1] = Double(index)
        if index < half { killer[index] = Double(half + index) }
      }
      killer[half + index - 1] = Double(2 * index)
    }
    let sorted = killer.sorted()
    #expect(median(of: killer) == (sorted[half - 1] + sorted[half]) / 2)
  }

  @Test func quantilesGrowWithTheirProbability() throws {
    var generator = SeededGenerator(seed: 3)
    let values = (0..<37).map { _ in generator.unit() }
    let probabilities = (0...200).map { Double($0) / 200 }
    for method in QuantileMethod.allCases {
      let answers = try #require(try quantiles(probabilities, of: values, method: method))
      #expect(zip(answers, answers.dropFirst()).allSatisfy { $0 <= $1 }, "\(method)")
      #expect(answers.first == values.min() && answers.last == values.max(), "\(method)")
    }
  }

  @Test func theMedianOfHugeValuesDoesNotOverflow() {
    let huge = Double.greatestFiniteMagnitude
    #expect(median(of: [huge, huge]) == huge)
    #expect(median(of: [-huge, -huge]) == -huge)
    #expect(median(of: [-huge, huge]) == 0)
  }

  @Test func narrowerInputIsWidenedFirst() throws {
    let values: [Float] = [0.1, 0.2, 0.4]
    #expect(median(of: values) == Double(Float(0.2)))
    #expect(mean(of: values) == values.map(Double.init).reduce(0, +) / 3)
    #expect(try quantile(1, of: values[...]) == Double(Float(0.4)))
  }

  @Test func methodsBearNumPysNames() {
    #expect(
      QuantileMethod.allCases.map(\.rawValue) == [
        "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
        "interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased",
        "normal_unbiased", "lower", "higher", "midpoint", "nearest",
      ])
  }
}
