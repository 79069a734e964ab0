/// SipHash-2-4: a short text to 64 bits that depend on all of it, the same everywhere and for ever.
///
/// Chosen because it is specified to the bit and has published test vectors, needs no library, and
/// spreads neighbouring ids (`user-1`, `user-2`) evenly, which plain FNV-1a does not in its upper
/// bits. Swift's own `Hasher` is seeded again in every process and cannot be used.
///
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012.
struct SipHash {
  private var v0, v1, v2, v3: UInt64

  private init(key0: UInt64, key1: UInt64) {
    v0 = key0 ^ 0x736f_6d65_7073_6575
    v1 = key1 ^ 0x646f_7261_6e64_6f6d
    v2 = key0 ^ 0x6c79_6765_6e65_7261
    v3 = key1 ^ 0x7465_6462_7974_6573
  }

  /// The hash of some bytes under a key.
  ///
  /// - Complexity: O(*n*).
  static func hash(_ bytes: some Sequence<UInt8>, key0: UInt64, key1: UInt64) -> UInt64 {
    var state = SipHash(key0: key0, key1: key1)
    var word: UInt64 = 0
    var count = 0
    for byte in bytes {
      word |= UInt64(byte) << UInt64(8 * (count % 8))
      count += 1
      if count.isMultiple(of: 8) {
        state.absorb(word)
        word = 0
      }
    }
    // The last word ends in the length's lowest byte.
    state.absorb(word | UInt64(truncatingIfNeeded: count) << 56)
    state.v2 ^= 0xff
    for _ in 0..<4 { state.round() }
    return state.v0 ^ state.v1 ^ state.v2 ^ state.v3
  }

  private mutating func absorb(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  private mutating func round() {
    v0 &+= v1
    v1 = rotated(v1, 13) ^ v0
    v0 = rotated(v0, 32)
    v2 &+= v3
    v3 = rotated(v3, 16) ^ v2
    v0 &+= v3
    v3 = rotated(v3, 21) ^ v0
    v2 &+= v1
    v1 = rotated(v1, 17) ^ v2
    v2 = rotated(v2, 32)
  }

  private func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    value << bits | value >> (64 - bits)
  }
}
