import Foundation
import RunnerTensors
import TestSupport
import Testing

@testable import ModelQuantization

/// Ranges, and what was observed for them.
@Suite struct RangeTests {
  @Test func scalesAndZeroPoints() {
    let range = QuantizationRange(low: -1, high: 3)
    #expect(abs(range.scale - 4 / 255) < 1e-9)
    #expect(range.zeroPoint == 64)
    // 0 is a step, whatever the range.
    let high = QuantizationRange(low: 2, high: 5.1)
    #expect(high.zeroPoint == 0 && abs(high.scale - 0.02) < 1e-7)
    let low = QuantizationRange(low: -5.1, high: -2)
    #expect(low.zeroPoint == 255 && abs(low.scale - 0.02) < 1e-7)
  }

  @Test func rangesWithoutWidthHaveAStepOfOne() {
    for range in [
      QuantizationRange(low: 0, high: 0),
      QuantizationRange(low: 0, high: .leastNonzeroMagnitude),
      QuantizationRange(low: .infinity, high: -.infinity),
    ] {
      #expect(range.scale == 1 && range.zeroPoint == 0)
    }
    let widest = QuantizationRange(low: -.greatestFiniteMagnitude, high: .greatestFiniteMagnitude)
    #expect(widest.scale.isFinite && widest.zeroPoint == 128)
  }

  @Test func roundingIsThatOfONNX() {
    let range = QuantizationRange(low: -1, high: 1.55)
    #expect(abs(range.scale - 0.01) < 1e-7 && range.zeroPoint == 100)
    #expect(abs(range.rounded(0.503) - 0.5) < 1e-6)
    #expect(abs(range.rounded(-7) + 1) < 1e-6)
    #expect(abs(range.rounded(7) - 1.55) < 1e-6)
    #expect(range.step(of: 7) == 255 && range.step(of: -7) == 0 && range.step(of: 0) == 100)
  }

  private func histogram(_ values: [Float]) -> ActivationHistogram {
    var histogram = ActivationHistogram()
    // In pieces of other sizes each time, so that it has to grow.
    var rest = values[...]
    var size = 1
    while !rest.isEmpty {
      let isFinite = Array(rest.prefix(size)).withUnsafeBufferPointer { histogram.add($0) }
      #expect(isFinite)
      rest = rest.dropFirst(size)
      size *= 3
    }
    return histogram
  }

  @Test func nothingIsLostAsAHistogramGrows() {
    let values = (0..<1000).map { Float($0 * $0) * 0.01 - 50 }
    let histogram = histogram(values)
    #expect(histogram.counts.reduce(0, +) == 1000)
    #expect(histogram.least == values.min() && histogram.greatest == values.max())
    // Each number lies in the bin of its size, within the width of a bin.
    var counts = [Int: UInt64]()
    for value in values {
      let place = Int(
        (Double(value) / Double(histogram.step)).rounded(.down))
      counts[place + ActivationHistogram.binCount / 2, default: 0] += 1
    }
    var (running, expected) = (0, 0)
    for bin in histogram.counts.indices {
      running += Int(histogram.counts[bin])
      expected += Int(counts[bin] ?? 0)
      // What lies on an edge may count on either side.
      #expect(abs(running - expected) <= 1)
    }
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func whatIsNotFiniteIsRefused(value: Float) {
    var histogram = ActivationHistogram()
    let taken = [1, value, 2].withUnsafeBufferPointer { histogram.add($0) }
    #expect(!taken && histogram.isEmpty)
    let huge: [Float] = [.greatestFiniteMagnitude, -.greatestFiniteMagnitude]
    #expect(huge.withUnsafeBufferPointer { histogram.add($0) })
  }

  @Test func percentilesLeaveOutlyingNumbersOut() {
    let values = (0..<10_000).map { Float($0) / 10_000 } + [100]
    let all = RangeChoice.range(of: histogram(values), .minMax)
    #expect(abs(all.scale - 100 / 255) < 1e-6)
    let most = RangeChoice.range(of: histogram(values), .percentile(99.9))
    #expect(abs(most.scale * 255 - 1) < 0.05)
    let hundred = RangeChoice.range(of: histogram(values), .percentile(100))
    #expect(abs(hundred.scale - all.scale) < 1e-3)
  }

  @Test func theLeastErrorIsLessThanThatOfTheExtremes() {
    // Most numbers are small, a few large.
    var generator = SeededGenerator(seed: 5)
    let values = (0..<20_000).map { _ in -log(1 - generator.unitFloat()) * 2 } + [40, 41, 42]
    func error(_ range: QuantizationRange) -> Double {
      values.reduce(0) { $0 + pow(Double(range.rounded($1) - $1), 2) }
    }
    let chosen = RangeChoice.range(of: histogram(values), .meanSquaredError)
    let whole = RangeChoice.range(of: histogram(values), .minMax)
    #expect(error(chosen) < error(whole))
    // By trying many ends, over the numbers themselves.
    let best =
      stride(from: Float(0.02), through: 1, by: 0.02).map {
        error(QuantizationRange(low: 0, high: (values.max() ?? 0) * $0))
      }.min() ?? 0
    #expect(error(chosen) < 1.05 * best)
  }

  @Test func whatAFunctionMakesEqualNeedsNoRange() {
    // A limit to 0...1 after numbers from -100 to 100: outside of it all numbers are the same.
    let values = (0..<4000).map { Float($0) * 0.05 - 100 }
    let seen = histogram(values)
    let table = FunctionTable(
      (0..<ActivationHistogram.binCount).map { min(max(seen.middle($0), 0), 1) },
      reach: seen.reach)
    let range = RangeChoice.range(of: seen, .minMax, function: table)
    #expect(range.scale * 255 < 12)
    #expect(RangeChoice.range(of: seen, .minMax).scale * 255 > 190)
  }

  @Test func functionsAreReadBetweenBins() {
    let count = ActivationHistogram.binCount
    let table = FunctionTable((0..<count).map { Float($0) }, reach: 1)
    #expect(table.value(at: -5) == 0 && table.value(at: 5) == Float(count - 1))
    #expect(abs(table.value(at: 0) - (Float(count) / 2 - 0.5)) < 0.01)
  }

  @Test func weightsAreSymmetricByChannel() throws {
    let tensor = try Tensor(shape: [2, 2], [1, -2, 0.5, 0.25] as [Float])
    let rows = try QuantizedGraph.narrowed(tensor, axis: 0)
    let rowScales: [Float] = [2 / 127, 0.5 / 127]
    #expect(rows.scales == rowScales)
    #expect(rows.bytes == [64, -127, 127, 64])
    let columns = try QuantizedGraph.narrowed(tensor, axis: 1)
    let columnScales: [Float] = [1 / 127, 2 / 127]
    #expect(columns.scales == columnScales)
    #expect(columns.bytes == [127, -127, 64, 16])
    let zeros = try QuantizedGraph.narrowed(Tensor(shape: [1, 2], [0, 0] as [Float]), axis: 0)
    #expect(zeros.scales == [1] && zeros.bytes == [0, 0])
    let bounded = try QuantizedGraph.narrowed(tensor, axis: 0, leastScales: [1, 0])
    #expect(bounded.scales[0] == 1 && bounded.bytes[...1] == [1, -2])
  }

  @Test func meansAreThoseOfChannels() throws {
    var means = ChannelMeans()
    #expect(means.values.isEmpty)
    // Two images of two channels of 300 pixels, so that stretches of 256 do not fit.
    let values = (0..<1200).map { Float($0 / 300) + Float($0 % 2) }
    try means.add(Tensor(shape: [2, 2, 20, 15], values), axis: 1)
    #expect(means.values == [1.5, 2.5])
    try means.add(Tensor(shape: [1, 2, 1, 1], [601.5, 602.5] as [Float]), axis: 1)
    #expect(
      zip(means.values, [600 * 1.5 + 601.5, 600 * 2.5 + 602.5]).allSatisfy {
        abs($0 - $1 / 601) < 1e-9
      })
    var columns = ChannelMeans()
    try columns.add(Tensor(shape: [2, 3], [1, 2, 3, 3, 4, 5] as [Float]), axis: 1)
    #expect(columns.values == [2, 3, 4])
    // Of another number of channels, or without such a dimension, nothing is taken in.
    try columns.add(Tensor(shape: [1, 2], [9, 9] as [Float]), axis: 1)
    try columns.add(Tensor(shape: [2], [9, 9] as [Float]), axis: 1)
    #expect(columns.values == [2, 3, 4])
  }
}
