/// Checksums that inputs are given, so that the fuzzer gets past them.
public enum Checksums {
  /// FNV-1a of 64 bits (Fowler, Noll and Vo).
  public static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// CRC-32 as in PNG and zip files (ISO 3309).
  public static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
  }

  private static let table: [UInt32] = (0..<256).map { (byte: UInt32) in
    (0..<8).reduce(byte) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
  }
}

extension [UInt8] {
  /// The number at a place, least significant byte first, which must be there.
  public func littleEndian(at offset: Int, bytes: Int) -> UInt64 {
    self[offset..<(offset + bytes)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The number at a place, most significant byte first, which must be there.
  public func bigEndianNumber(at offset: Int, bytes: Int) -> UInt64 {
    self[offset..<(offset + bytes)].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Puts a number at a place that is there, least significant byte first.
  public mutating func putLittleEndian(_ value: UInt64, at offset: Int, bytes: Int) {
    for place in 0..<bytes {
      self[offset + place] = UInt8(truncatingIfNeeded: value >> (8 * place))
    }
  }

  /// Puts a number at a place that is there, most significant byte first.
  public mutating func putBigEndian(_ value: UInt64, at offset: Int, bytes: Int) {
    for place in 0..<bytes {
      self[offset + bytes - 1 - place] = UInt8(truncatingIfNeeded: value >> (8 * place))
    }
  }
}
