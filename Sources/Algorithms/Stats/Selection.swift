/// The values that sorting would put at two neighbouring places, or nil if one of the values is
/// NaN.
///
/// The values are narrowed to a range that holds both places, found from a sample (Floyd and
/// Rivest, "Expected time bounds for selection", 1975), again and again; quickselect does the rest.
/// If the sample misled, which is rare, quickselect does everything.
///
/// - Parameters:
///   - lower: a place, in `0..<values.count`.
///   - upper: the same place or the one behind it, in `0..<values.count`.
///   - values: in any order.
/// - Complexity: O(*n*) expected, O(*n* log *n*) at worst; room for one copy of the values.
func orderStatistics(
  _ lower: Int, _ upper: Int, of values: UnsafeBufferPointer<Double>
) -> (lower: Double, upper: Double)? {
  withUnsafeTemporaryAllocation(of: Double.self, capacity: values.count) { scratch in
    // The remaining values, and the number of values below all of them.
    var rest = values
    var below = 0
    while rest.count > Narrowing.leastCount {
      guard let narrowing = Narrowing(to: lower - below, upper - below, of: rest)
      else { return nil }
      let isFirst = below == 0 && rest.count == values.count
      let gathered = narrowing.gather(rest, into: scratch)
      let narrowed = UnsafeMutableBufferPointer(rebasing: scratch[..<gathered.count])
      // NaN is neither below nor above, so it is here.
      if isFirst, containsNaN(UnsafeBufferPointer(narrowed)) { return nil }
      below += gathered.below
      guard lower >= below, upper < below + narrowed.count else {
        _ = scratch.initialize(from: values)
        return select(lower, upper, of: scratch)
      }
      if narrowing.low == narrowing.high { return (narrowing.low, narrowing.low) }
      let wasOfUse = narrowed.count < rest.count / 2
      rest = UnsafeBufferPointer(narrowed)
      if !wasOfUse { break }
    }
    if rest.baseAddress == values.baseAddress {
      if containsNaN(values) { return nil }
      _ = scratch.initialize(from: values)
    }
    let left = UnsafeMutableBufferPointer(rebasing: scratch[..<rest.count])
    return select(lower - below, upper - below, of: left)
  }
}

/// A range of values that most likely holds those of two neighbouring places.
private struct Narrowing {
  let low: Double
  let high: Double

  /// Fewer values than this are as quickly selected from at once.
  static let leastCount = 512
  /// Room for the sample.
  private static let mostSamples = 1024

  /// Takes a sample, or nil if there is a NaN in it.
  init?(to lower: Int, _ upper: Int, of values: UnsafeBufferPointer<Double>) {
    let count = values.count
    // About the cube root of n squared; a power of two.
    let bits = Int.bitWidth - count.leadingZeroBitCount
    let samples = min(1 << (bits * 2 / 3), Self.mostSamples)
    let step = count / samples
    let range: (Double, Double)? = withUnsafeTemporaryAllocation(
      of: Double.self, capacity: samples
    ) { sample in
      // One of each `step` values, by chance, so that no period of the values matches the sample's.
      var state: UInt32 = 0x9E37_79B9
      for index in 0..<samples {
        state = state &* 1_664_525 &+ 1_013_904_223
        let jitter = Int(truncatingIfNeeded: UInt64(state) &* UInt64(step) >> 32)
        let value = values[index &* step &+ jitter]
        if value.isNaN { return nil }
        sample.initializeElement(at: index, to: value)
      }
      // Three standard deviations of a rank in the sample to either side.
      let share = Double(samples) / Double(count)
      let margin = 1.5 * Double(samples).squareRoot()
      let first = Int(Double(lower) * share - margin)
      let last = Int(Double(upper) * share + margin)
      let low = first <= 0 ? -.infinity : select(first, first, of: sample).lower
      guard last < samples else { return (low, .infinity) }
      // Values larger than `low` lie behind it now.
      let behind = max(first, 0)
      let part = UnsafeMutableBufferPointer(rebasing: sample[behind...])
      return (low, select(last - behind, last - behind, of: part).lower)
    }
    guard let range else { return nil }
    (low, high) = range
  }

  /// Copies the values in the range, and NaN, to the start of `scratch`, which may be where they
  /// come from.
  ///
  /// - Returns: their number, and the number of values below the range.
  func gather(
    _ values: UnsafeBufferPointer<Double>, into scratch: UnsafeMutableBufferPointer<Double>
  ) -> (count: Int, below: Int) {
    guard let from = values.baseAddress, let to = scratch.baseAddress else { return (0, 0) }
    var (count, below) = (0, 0)
    // Every value is written; it stays where the next one is written behind it. No branch depends
    // on a value.
    for index in 0..<values.count {
      let value = from[index]
      to[count] = value
      let isBelow = value < low ? 1 : 0
      let isAbove = value > high ? 1 : 0
      below &+= isBelow
      count &+= 1 &- isBelow &- isAbove
    }
    return (count, below)
  }
}

/// Whether one of the values is NaN.
func containsNaN(_ values: UnsafeBufferPointer<Double>) -> Bool {
  // All are visited, because without an early exit the loop is vectorized.
  var found: UInt64 = 0
  for value in values { found |= value.isNaN ? 1 : 0 }
  return found != 0
}

/// Moves the value that sorting would put at `lower` there, smaller ones before it and larger ones
/// behind it, and returns it with its neighbour.
///
/// Quickselect (Hoare, "Algorithm 65: FIND", 1961) with the median of three as the pivot. Input
/// that defeats the pivot choice is sorted after 2 log2 *n* rounds, which bounds the cost.
///
/// - Parameters:
///   - lower: in `0..<buffer.count`.
///   - upper: the same or one more.
///   - buffer: no NaN among the values.
/// - Complexity: O(*n*) expected, O(*n* log *n*) at worst.
private func select(
  _ lower: Int, _ upper: Int, of buffer: UnsafeMutableBufferPointer<Double>
) -> (lower: Double, upper: Double) {
  var low = 0
  var high = buffer.count - 1
  var rounds = 2 * (Int.bitWidth - buffer.count.leadingZeroBitCount)
  while high > low {
    if rounds == 0 {
      var rest = UnsafeMutableBufferPointer(rebasing: buffer[low...high])
      rest.sort()
      break
    }
    rounds -= 1
    let pivot = medianOfThree(buffer[low], buffer[low + (high - low) / 2], buffer[high])
    var left = low
    var right = high
    while left <= right {
      while buffer[left] < pivot { left &+= 1 }
      while buffer[right] > pivot { right &-= 1 }
      if left <= right {
        buffer.swapAt(left, right)
        left &+= 1
        right &-= 1
      }
    }
    if lower <= right {
      high = right
    } else if lower >= left {
      low = left
    } else {
      break
    }
  }
  let value = buffer[lower]
  if upper == lower { return (value, value) }
  // Values behind the selected place are not smaller, so their smallest is the neighbour.
  var next = buffer[upper]
  for index in upper..<buffer.count { next = min(next, buffer[index]) }
  return (value, next)
}

/// The value between the other two.
private func medianOfThree(_ first: Double, _ second: Double, _ third: Double) -> Double {
  max(min(first, second), min(max(first, second), third))
}
