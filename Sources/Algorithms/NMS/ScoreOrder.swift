/// The indices of scores from the highest to the lowest; equal scores keep their order.
///
/// Sorted by eleven bits of the score after the other, the lowest first (Knuth, "The Art of
/// Computer Programming", vol. 3, 5.2.5), which keeps the order of equal ones; few are sorted by
/// comparing.
///
/// - Parameter scores: no NaN among them.
/// - Complexity: O(*n*); O(*n* log *n*) for fewer than a thousand.
func indicesByDescendingScore(_ scores: [Float]) -> [Int] {
  guard scores.count <= Int(UInt32.max) else {
    return scores.indices.sorted { a, b in
      scores[a] != scores[b] ? scores[a] > scores[b] : a < b
    }
  }
  // Score and index in one integer: sorting those needs no look-up and no comparison of pairs.
  var keys = [UInt64](unsafeUninitializedCapacity: scores.count) { buffer, count in
    for index in scores.indices {
      buffer.initializeElement(
        at: index, to: UInt64(descendingKey(scores[index])) << 32 | UInt64(index))
    }
    count = scores.count
  }
  if keys.count < 1000 {
    keys.sort()
  } else {
    sortByDigits(&keys)
  }
  return keys.map { Int($0 & 0xFFFF_FFFF) }
}

/// An integer that is smaller the higher the score is.
private func descendingKey(_ score: Float) -> UInt32 {
  // Adding 0 makes the negative zero positive: they are equal, so their bits must be.
  let bits = (score + 0).bitPattern
  // Positive floats order as their bits do, negative ones the other way round.
  return bits & 0x8000_0000 == 0 ? 0x7FFF_FFFF - bits : bits
}

/// Sorts keys by their upper 32 bits; equal ones keep their order.
private func sortByDigits(_ keys: inout [UInt64]) {
  let digits = 1 << 11
  @inline(__always) func digit(_ key: UInt64, _ place: Int) -> Int {
    Int(truncatingIfNeeded: key &>> UInt64(32 + 11 * place)) & (digits - 1)
  }
  var other = keys
  withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 3 * digits) { counts in
    guard let base = counts.baseAddress else { return }
    counts.initialize(repeating: 0)
    for key in keys {
      for place in 0..<3 { base[place &* digits &+ digit(key, place)] &+= 1 }
    }
    for place in 0..<3 {
      let starts = base + place * digits
      // All keys have the same digit: they are where they should be.
      if let first = keys.first, Int(starts[digit(first, place)]) == keys.count { continue }
      var total: UInt32 = 0
      for digit in 0..<digits {
        let count = starts[digit]
        starts[digit] = total
        total &+= count
      }
      keys.withUnsafeBufferPointer { from in
        other.withUnsafeMutableBufferPointer { to in
          for key in from {
            let digit = digit(key, place)
            to[Int(starts[digit])] = key
            starts[digit] &+= 1
          }
        }
      }
      swap(&keys, &other)
    }
  }
}
