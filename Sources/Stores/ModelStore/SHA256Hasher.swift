#if canImport(CryptoKit)
  import CryptoKit

  /// Makes a ``SHA256Digest`` of bytes that come piece by piece.
  struct SHA256Hasher {
    private var hash = SHA256()

    mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    func finish() -> SHA256Digest { SHA256Digest(bytes: Array(hash.finalize())) }
  }
#else
  /// Makes a ``SHA256Digest`` of bytes that come piece by piece.
  ///
  /// Apple's systems bring one, others do not: Swift's library has none, and no package can be added.
  ///
  /// Source: FIPS 180-4, "Secure Hash Standard", sections 4.1.2, 4.2.2, 5 and 6.2.
  struct SHA256Hasher {
    private var state: SIMD8<UInt32> = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19,
    ]
    /// The beginning of a block that is not whole yet.
    private var waiting: [UInt8] = []
    private var length: UInt64 = 0

    /// Takes more bytes in.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      length &+= UInt64(bytes.count)
      var rest = bytes[...]
      if !waiting.isEmpty {
        let taken = rest.prefix(64 - waiting.count)
        waiting += taken
        rest = rest.dropFirst(taken.count)
        guard waiting.count == 64 else { return }
        waiting.withUnsafeBytes { Self.compress($0, into: &state) }
        waiting.removeAll(keepingCapacity: true)
      }
      let whole = rest.count / 64 * 64
      Self.compress(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)), into: &state)
      waiting += rest.dropFirst(whole)
    }

    /// The digest of all bytes so far.
    func finish() -> SHA256Digest {
      var state = state
      // Section 5.1.1: a one, zeros, and the length in bits.
      var tail = waiting + [0x80]
      tail += [UInt8](repeating: 0, count: (120 - tail.count % 64) % 64)
      let bits = length &* 8
      tail += (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
      tail.withUnsafeBytes { Self.compress($0, into: &state) }
      return SHA256Digest(
        bytes: state.indices.flatMap { word in
          (0..<4).map { UInt8(truncatingIfNeeded: state[word] >> UInt32(24 - 8 * $0)) }
        })
    }

    /// Section 6.2.2, for whole blocks.
    private static func compress(
      _ blocks: UnsafeRawBufferPointer, into state: inout SIMD8<UInt32>
    ) {
      guard !blocks.isEmpty else { return }
      // One array's and one schedule's memory for all blocks: bounds are checked by their sizes.
      constants.withUnsafeBufferPointer { k in
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
          for start in stride(from: 0, to: blocks.count, by: 64) {
            for t in 0..<16 {
              w[t] = UInt32(
                bigEndian: blocks.loadUnaligned(fromByteOffset: start + 4 * t, as: UInt32.self))
            }
            for t in 16..<64 {
              let (x, y) = (w[t &- 15], w[t &- 2])
              let s0 = rotated(x, 7) ^ rotated(x, 18) ^ x &>> 3
              let s1 = rotated(y, 17) ^ rotated(y, 19) ^ y &>> 10
              w[t] = s1 &+ w[t &- 7] &+ s0 &+ w[t &- 16]
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            for t in 0..<64 {
              let s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
              let t1 = h &+ s1 &+ (e & f ^ ~e & g) &+ k[t] &+ w[t]
              let s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
              let t2 = s0 &+ (a & b ^ a & c ^ b & c)
              (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
            }
            state &+= SIMD8(a, b, c, d, e, f, g, h)
          }
        }
      }
    }

    @inline(__always)
    private static func rotated(_ value: UInt32, _ places: UInt32) -> UInt32 {
      value &>> places | value &<< (32 &- places)
    }

    /// Section 4.2.2: the fractions of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
      0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
      0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
      0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
      0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
      0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
      0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
      0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
      0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
      0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
      0xc671_78f2,
    ]
  }
#endif

extension SHA256Hasher {
  /// The digest of bytes that are all there.
  static func digest(_ bytes: some Sequence<UInt8>) -> SHA256Digest {
    var hasher = SHA256Hasher()
    Array(bytes).withUnsafeBytes { hasher.update($0) }
    return hasher.finish()
  }
}
