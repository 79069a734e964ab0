/// XXH64, the checksum of everything in an index.
///
/// Chosen for its speed: a row is checked before it is first compared, and that must not cost more
/// than comparing it. It finds accidents, not forgers.
///
/// Source: Yann Collet, "xxHash fast digest algorithm", specification 0.1.1, part "XXH64".
enum XXHash64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The digest of `bytes`, of any alignment.
  ///
  /// - Complexity: O(*n*), some bytes a cycle.
  static func digest(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    let count = bytes.count
    var position = 0
    var hash: UInt64
    if count >= 32 {
      var lanes = (
        seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1
      )
      while position + 32 <= count {
        lanes.0 = round(lanes.0, word(bytes, position))
        lanes.1 = round(lanes.1, word(bytes, position + 8))
        lanes.2 = round(lanes.2, word(bytes, position + 16))
        lanes.3 = round(lanes.3, word(bytes, position + 24))
        position += 32
      }
      hash =
        rotated(lanes.0, 1) &+ rotated(lanes.1, 7) &+ rotated(lanes.2, 12) &+ rotated(lanes.3, 18)
      hash = merged(hash, lanes.0)
      hash = merged(hash, lanes.1)
      hash = merged(hash, lanes.2)
      hash = merged(hash, lanes.3)
    } else {
      hash = seed &+ prime5
    }
    hash &+= UInt64(count)
    while position + 8 <= count {
      hash = rotated(hash ^ round(0, word(bytes, position)), 27) &* prime1 &+ prime4
      position += 8
    }
    if position + 4 <= count {
      let half = UInt64(
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
      hash = rotated(hash ^ (half &* prime1), 23) &* prime2 &+ prime3
      position += 4
    }
    while position < count {
      hash = rotated(hash ^ (UInt64(bytes[position]) &* prime5), 11) &* prime1
      position += 1
    }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  @inline(__always)
  private static func rotated(_ value: UInt64, _ places: UInt64) -> UInt64 {
    value << places | value >> (64 - places)
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ word &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func merged(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ round(0, lane)) &* prime1 &+ prime4
  }
}
