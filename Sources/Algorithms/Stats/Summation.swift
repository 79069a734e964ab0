/// Adds values pairwise, so that the rounding error grows with the logarithm of their number.
///
/// The arrangement is NumPy's, so that sums agree with `numpy.sum` to the last bit. Fewer than
/// eight values are added one after the other, and up to 128 in eight interleaved sums. More are
/// split into two halves, and the length of the first is a multiple of eight.
///
/// Source: Higham, "The accuracy of floating point summation", 1993.
func sum(of values: UnsafeBufferPointer<Double>) -> Double {
  guard let start = values.baseAddress else { return 0 }
  return pairwiseSum(start, values.count)
}

/// The sum of the squares of the values less `center`, pairwise.
func sumOfSquares(of values: UnsafeBufferPointer<Double>, about center: Double) -> Double {
  guard let start = values.baseAddress else { return 0 }
  return pairwiseSumOfSquares(start, values.count, about: center)
}

private func pairwiseSum(_ values: UnsafePointer<Double>, _ count: Int) -> Double {
  if count <= 128 { return interleavedSum(values, count) { $0 } }
  let split = count / 2 & ~7
  return pairwiseSum(values, split) + pairwiseSum(values + split, count - split)
}

private func pairwiseSumOfSquares(
  _ values: UnsafePointer<Double>, _ count: Int, about center: Double
) -> Double {
  if count <= 128 {
    return interleavedSum(values, count) { value in
      let deviation = value - center
      return deviation * deviation
    }
  }
  let split = count / 2 & ~7
  return pairwiseSumOfSquares(values, split, about: center)
    + pairwiseSumOfSquares(values + split, count - split, about: center)
}

/// The sum of what at most 128 values give.
@inline(__always)
private func interleavedSum(
  _ values: UnsafePointer<Double>, _ count: Int, _ term: (Double) -> Double
) -> Double {
  var sum = 0.0
  var index = 0
  if count >= 8 {
    // Eight sums by name: these the compiler keeps two to a register.
    var (s0, s1, s2, s3) = (term(values[0]), term(values[1]), term(values[2]), term(values[3]))
    var (s4, s5, s6, s7) = (term(values[4]), term(values[5]), term(values[6]), term(values[7]))
    let whole = count & ~7
    index = 8
    while index < whole {
      let next = values + index
      s0 += term(next[0])
      s1 += term(next[1])
      s2 += term(next[2])
      s3 += term(next[3])
      s4 += term(next[4])
      s5 += term(next[5])
      s6 += term(next[6])
      s7 += term(next[7])
      index &+= 8
    }
    sum = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
  }
  while index < count {
    sum += term(values[index])
    index &+= 1
  }
  return sum
}
