/// Half precision (IEEE 754 binary16) as bits.
///
/// Swift has no `Float16` on Intel Macs, so the conversions are done here, with integers. Both give
/// the same results as NumPy and the processors' own instructions.
enum HalfPrecision {
  /// The half nearest to `value`, ties to even; infinity from 65520 on.
  static func bits(of value: Float) -> UInt16 {
    let sign = UInt16(value.bitPattern >> 16) & 0x8000
    let magnitude = value.bitPattern & 0x7FFF_FFFF
    if magnitude > 0x7F80_0000 {  // NaN stays NaN, and a quiet one
      return sign | 0x7E00 | UInt16((magnitude >> 13) & 0x1FF)
    }
    if magnitude >= 0x477F_F000 { return sign | 0x7C00 }
    if magnitude < 0x3880_0000 {
      // Below the smallest normal half, 2^-14, halves have steps of 2^-24. The processor rounds to
      // them if the value is added to a number whose last bit has that value.
      let sum = Float(bitPattern: magnitude) + 0.5
      return sign | UInt16(truncatingIfNeeded: sum.bitPattern &- 0x3F00_0000)
    }
    let odd = (magnitude >> 13) & 1
    return sign | UInt16((magnitude &+ 0xFFF &+ odd &- 0x3800_0000) >> 13)
  }

  /// The value of a half.
  static func value(of bits: UInt16) -> Float {
    if bits & 0x7C00 == 0x7C00 {
      let quiet: UInt32 = bits & 0x3FF == 0 ? 0 : 0x40_0000
      return Float(
        bitPattern: UInt32(bits & 0x8000) << 16 | 0x7F80_0000 | quiet | UInt32(bits & 0x3FF) << 13)
    }
    return finiteValue(of: bits)
  }

  /// The value of a half that is finite; for others, any finite value.
  ///
  /// It has no branch, so that loops over it become wide instructions.
  @inline(__always) static func finiteValue(of bits: UInt16) -> Float {
    // The sign stays in front while the other bits move to their place.
    let moved = Int32(bitPattern: UInt32(bits) << 16) >> 3
    // The exponents' biases differ by 112; the product also corrects subnormal halves.
    return Float(bitPattern: UInt32(bitPattern: moved) & 0x8FFF_E000) * 0x1p112
  }
}
