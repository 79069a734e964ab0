/// Adds values pairwise, so that the rounding error grows with the logarithm of their number
/// (Higham, "The accuracy of floating point summation", 1993).
///
/// The arrangement is NumPy's, so that sums agree with `numpy.sum` to the last bit: fewer than
/// eight values one after the other, up to 128 in eight interleaved sums, more by halves whose
/// first is a multiple of eight.
func pairwiseSum(_ values: UnsafeBufferPointer<Double>) -> Double {
  let count = values.count
  if count < 8 {
    var sum = 0.0
    for value in values { sum += value }
    return sum
  }
  if count <= 128 {
    let whole = count - count % 8
    var low = SIMD4(values[0], values[1], values[2], values[3])
    var high = SIMD4(values[4], values[5], values[6], values[7])
    for start in stride(from: 8, to: whole, by: 8) {
      low += SIMD4(values[start], values[start + 1], values[start + 2], values[start + 3])
      high += SIMD4(values[start + 4], values[start + 5], values[start + 6], values[start + 7])
    }
    var sum = ((low[0] + low[1]) + (low[2] + low[3])) + ((high[0] + high[1]) + (high[2] + high[3]))
    for index in whole..<count { sum += values[index] }
    return sum
  }
  let half = count / 2
  let split = half - half % 8
  return pairwiseSum(UnsafeBufferPointer(rebasing: values[..<split]))
    + pairwiseSum(UnsafeBufferPointer(rebasing: values[split...]))
}

/// The sum of the values, pairwise.
func sum(of values: [Double]) -> Double {
  // A buffer, so that halving needs neither copies nor slices' bounds checks.
  values.withUnsafeBufferPointer { pairwiseSum($0) }
}

/// The sum of the squares of the values less `center`, pairwise.
func sumOfSquares(of values: [Double], about center: Double) -> Double {
  sum(
    of: values.map { value in
      let deviation = value - center
      return deviation * deviation
    })
}
