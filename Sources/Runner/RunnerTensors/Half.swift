/// An IEEE 754 binary16 number, stored as its bits.
///
/// Swift's own `Float16` is missing on Intel Macs; arithmetic is in `Float`.
public struct Half: Sendable, Hashable, BitwiseCopyable {
  /// Sign, five bits of exponent, ten of significand.
  public var bits: UInt16

  /// The number with these bits.
  @inlinable public init(bits: UInt16) {
    self.bits = bits
  }

  /// `value` rounded to the nearest, ties to even; numbers that are too large become infinite, and
  /// NaN stays NaN.
  @inlinable public init(_ value: Float) {
    let pattern = value.bitPattern
    let sign = UInt16(truncatingIfNeeded: (pattern >> 16) & 0x8000)
    let magnitude = pattern & 0x7FFF_FFFF
    if magnitude >= 0x7F80_0000 {
      bits = sign | (magnitude > 0x7F80_0000 ? 0x7E00 : 0x7C00)
    } else if magnitude >= 0x477F_F000 {
      bits = sign | 0x7C00  // 65520 and above round to infinity
    } else if magnitude < 0x3880_0000 {
      // Below 2^-14, adding 2^-1 moves the subnormal's last place to the significand's last bit, so
      // that the addition itself rounds to nearest even.
      let shifted = Float(bitPattern: magnitude) + 0.5
      bits = sign | UInt16(truncatingIfNeeded: shifted.bitPattern &- 0x3F00_0000)
    } else {
      let odd = (magnitude >> 13) & 1
      let rounded = magnitude &+ 0xFFF &+ odd &- 0x3800_0000
      bits = sign | UInt16(truncatingIfNeeded: rounded >> 13)
    }
  }

  /// The same number as a `Float`; exact.
  @inlinable public var float: Float {
    let sign = UInt32(bits & 0x8000) << 16
    let magnitude = UInt32(bits & 0x7FFF)
    if magnitude >= 0x7C00 {
      return Float(bitPattern: sign | 0x7F80_0000 | (magnitude & 0x3FF) << 13)
    }
    if magnitude < 0x400 {
      let value = Float(magnitude) * 0x1p-24
      return sign == 0 ? value : -value
    }
    return Float(bitPattern: sign | ((magnitude << 13) &+ 0x3800_0000))
  }
}

/// The upper sixteen bits of a `Float`: the same range, eight bits of precision.
public struct BFloat16: Sendable, Hashable, BitwiseCopyable {
  /// Sign, eight bits of exponent, seven of significand.
  public var bits: UInt16

  /// The number with these bits.
  @inlinable public init(bits: UInt16) {
    self.bits = bits
  }

  /// `value` rounded to the nearest, ties to even; NaN stays NaN.
  @inlinable public init(_ value: Float) {
    let pattern = value.bitPattern
    if value.isNaN {
      bits = UInt16(truncatingIfNeeded: pattern >> 16) | 0x40
    } else {
      let odd = (pattern >> 16) & 1
      bits = UInt16(truncatingIfNeeded: (pattern &+ 0x7FFF &+ odd) >> 16)
    }
  }

  /// The same number as a `Float`; exact.
  @inlinable public var float: Float {
    Float(bitPattern: UInt32(bits) << 16)
  }
}
