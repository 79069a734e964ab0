/// The random numbers of NumPy's `RandomState`, so that a seed gives scikit-learn's choices.
///
/// Source: Matsumoto and Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform
/// pseudo-random number generator", ACM TOMACS 8 (1998), as MT19937.
struct MersenneTwister {
  private static let length = 624
  private static let middle = 397
  private var state: [UInt32]
  private var place = Self.length

  init(seed: UInt32) {
    state = [seed]
    state.reserveCapacity(Self.length)
    for index in 1..<Self.length {
      let last = state[index - 1]
      state.append(1_812_433_253 &* (last ^ (last >> 30)) &+ UInt32(index))
    }
  }

  /// The next 32 bits.
  mutating func next() -> UInt32 {
    if place == Self.length { refill() }
    var bits = state[place]
    place += 1
    bits ^= bits >> 11
    bits ^= (bits << 7) & 0x9D2C_5680
    bits ^= (bits << 15) & 0xEFC6_0000
    return bits ^ (bits >> 18)
  }

  /// A number in 0..<1, of 53 bits.
  mutating func uniform() -> Double {
    let (high, low) = (next() >> 5, next() >> 6)
    return (Double(high) * 0x1p26 + Double(low)) * 0x1p-53
  }

  private mutating func refill() {
    for index in 0..<Self.length {
      let joined =
        (state[index] & 0x8000_0000) | (state[(index + 1) % Self.length] & 0x7FFF_FFFF)
      state[index] =
        state[(index + Self.middle) % Self.length] ^ (joined >> 1)
        ^ (joined & 1 == 0 ? 0 : 0x9908_B0DF)
    }
    place = 0
  }
}
