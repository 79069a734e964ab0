/// The class scores of one candidate, looked at eight at a time.
struct ClassScores {
  /// The first of them.
  let start: UnsafePointer<Float>
  /// How many there are, at least 1.
  let count: Int

  /// How many are looked at together.
  private static let width = 8

  /// The greatest score, of either sign where it is 0; NaN where one of the scores is.
  @inline(__always)
  func greatest() -> Float {
    guard count >= Self.width else { return greatestOfFew() }
    var (best, otherBest) = eight(at: 0)
    var hasNaN = (best .!= best) .| (otherBest .!= otherBest)
    var index = Self.width
    while index < count {
      // The last eight may overlap those before: the greatest is the same.
      let (scores, others) = eight(at: min(index, count &- Self.width))
      best.replace(with: scores, where: scores .> best)
      otherBest.replace(with: others, where: others .> otherBest)
      hasNaN = hasNaN .| (scores .!= scores) .| (others .!= others)
      index &+= Self.width
    }
    if any(hasNaN) { return .nan }
    best.replace(with: otherBest, where: otherBest .> best)
    let half = best.lowHalf
    let otherHalf = best.highHalf
    let (first, second) = (
      half.x > otherHalf.x ? half.x : otherHalf.x, half.y > otherHalf.y ? half.y : otherHalf.y
    )
    return first > second ? first : second
  }

  /// The first index of a score, which must be one of these.
  @inline(__always)
  func firstIndex(of score: Float) -> Int {
    var index = 0
    while index &+ Self.width <= count {
      let (scores, others) = eight(at: index)
      if any((scores .== score) .| (others .== score)) { break }
      index &+= Self.width
    }
    while index &+ 1 < count, start[index] != score { index &+= 1 }
    return index
  }

  @inline(__always)
  private func eight(at index: Int) -> (SIMD4<Float>, SIMD4<Float>) {
    let place = UnsafeRawPointer(start + index)
    return (
      place.loadUnaligned(as: SIMD4<Float>.self),
      place.loadUnaligned(fromByteOffset: 16, as: SIMD4<Float>.self)
    )
  }

  private func greatestOfFew() -> Float {
    var best = start[0]
    for index in 0..<count {
      let score = start[index]
      if score.isNaN { return .nan }
      if score > best { best = score }
    }
    return best
  }
}
