/// The indices of scores from the highest to the lowest; equal scores keep their order.
///
/// - Parameter scores: no NaN among them.
/// - Complexity: O(*n* log *n*).
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
  keys.sort()
  return keys.map { Int($0 & 0xFFFF_FFFF) }
}

/// An integer that is smaller the higher the score is.
private func descendingKey(_ score: Float) -> UInt32 {
  // Adding 0 makes the negative zero positive: they are equal, so their bits must be.
  let bits = (score + 0).bitPattern
  // Positive floats order as their bits do, negative ones the other way round.
  return bits & 0x8000_0000 == 0 ? 0x7FFF_FFFF - bits : bits
}
