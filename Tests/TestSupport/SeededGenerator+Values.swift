// Numbers that `Fixtures/generate/common/seeded.py` makes too, from the same seed.

extension SeededGenerator {
  /// A number in 0..<1: the upper 53 of the next 64 bits.
  public mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A number in 0..<1: the upper 24 of the next 64 bits.
  public mutating func unitFloat() -> Float {
    Float(next() >> 40) * 0x1p-24
  }
}
