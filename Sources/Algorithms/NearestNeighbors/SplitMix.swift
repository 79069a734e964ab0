/// Random numbers from a seed: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", 2014).
struct SplitMix {
  private var state: UInt64

  /// The numbers of one of many streams of a seed.
  init(seed: UInt64, stream: Int) {
    state = seed ^ (UInt64(stream) &+ 1) &* 0xD134_2543_DE82_EF95
  }

  @inline(__always) mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number below `bound`, which is at least 1.
  mutating func next(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
