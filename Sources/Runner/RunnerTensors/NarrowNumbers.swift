/// A floating-point format of 8 or 4 bits, with so few numbers that they fit in a table.
///
/// float8 is from Micikevicius et al., "FP8 formats for deep learning" (2022), and from Noune et
/// al., "8-bit numerical formats for deep neural networks" (2022). float4e2m1 and float8e8m0 are
/// from the Open Compute Project's "Microscaling formats" (2023).
package struct NarrowFormat: Sendable {
  /// The rounding of a number between two scales; scales have no fraction.
  package enum ScaleRounding: String, Sendable {
    case up
    case down
    case nearest
  }

  /// The numbers of all codes.
  package let numbers: [Float]
  /// The number of codes, from 0 on, for finite numbers without a sign, ascending.
  private let finiteCount: Int
  /// The number that would follow the largest one, for rounding to it or away from it.
  private let next: Float
  /// The sign bit; 0 for scales, which are positive.
  private let sign: UInt8
  /// The code for infinity and for numbers that are too large; NaN if there is no infinity.
  private let infinity: UInt8
  private let nan: UInt8
  private let hasNegativeZero: Bool

  /// A format with `exponent` bits of exponent and `fraction` bits of fraction.
  ///
  /// The codes from `finiteCount` on, without their sign, are not numbers.
  private init(
    exponent: Int, fraction: Int, bias: Int, finiteCount: Int, infinity: UInt8, nan: UInt8,
    hasNegativeZero: Bool = true
  ) {
    let codes = 1 << (exponent + fraction)
    func magnitude(_ code: Int) -> Float {
      let (power, rest) = (code >> fraction, code & (1 << fraction - 1))
      let unit = Float(sign: .plus, exponent: max(power, 1) - bias - fraction, significand: 1)
      return Float(rest + (power == 0 ? 0 : 1 << fraction)) * unit
    }
    var numbers = (0..<2 * codes).map { code -> Float in
      let magnitude = code % codes < finiteCount ? magnitude(code % codes) : .nan
      return code < codes ? magnitude : -magnitude
    }
    if infinity != nan {
      numbers[Int(infinity)] = .infinity
      numbers[Int(infinity) + codes] = -.infinity
    }
    if !hasNegativeZero { numbers[codes] = .nan }
    self.numbers = numbers
    self.finiteCount = finiteCount
    next = magnitude(finiteCount)
    sign = UInt8(codes)
    self.infinity = infinity
    self.nan = nan
    self.hasNegativeZero = hasNegativeZero
  }

  /// Powers of two without a sign.
  private init(scalesWithBias bias: Int) {
    numbers =
      (0..<255).map { Float(sign: .plus, exponent: $0 - bias, significand: 1) } + [.nan]
    finiteCount = 255
    next = .infinity
    sign = 0
    infinity = 255
    nan = 255
    hasNegativeZero = false
  }

  private static let e4m3fn = NarrowFormat(
    exponent: 4, fraction: 3, bias: 7, finiteCount: 127, infinity: 0x7F, nan: 0x7F)
  private static let e4m3fnuz = NarrowFormat(
    exponent: 4, fraction: 3, bias: 8, finiteCount: 128, infinity: 0x80, nan: 0x80,
    hasNegativeZero: false)
  private static let e5m2 = NarrowFormat(
    exponent: 5, fraction: 2, bias: 15, finiteCount: 124, infinity: 0x7C, nan: 0x7F)
  private static let e5m2fnuz = NarrowFormat(
    exponent: 5, fraction: 2, bias: 16, finiteCount: 128, infinity: 0x80, nan: 0x80,
    hasNegativeZero: false)
  // There is no code for numbers that are too large, or for NaN; the former become the largest
  // number, the latter 0.
  private static let e2m1 = NarrowFormat(
    exponent: 2, fraction: 1, bias: 1, finiteCount: 8, infinity: 7, nan: 7)
  private static let e8m0 = NarrowFormat(scalesWithBias: 127)

  /// The format of an element type; nil for one that is wider or not a floating-point number.
  package init?(_ type: ElementType) {
    switch type {
    case .float8e4m3fn: self = Self.e4m3fn
    case .float8e4m3fnuz: self = Self.e4m3fnuz
    case .float8e5m2: self = Self.e5m2
    case .float8e5m2fnuz: self = Self.e5m2fnuz
    case .float4e2m1: self = Self.e2m1
    case .float8e8m0: self = Self.e8m0
    default: return nil
    }
  }

  /// The code of the number nearest to `value`, ties to even; scales are rounded by `rounding`.
  ///
  /// Numbers that are too large become the largest number if `saturates`, or else infinity or NaN.
  package func code(
    of value: Float, saturates: Bool = true, rounding: ScaleRounding = .up
  ) -> UInt8 {
    guard !value.isNaN else { return finiteCount == 8 ? sign : nan }
    if sign == 0 { return scaleCode(of: value, saturates: saturates, rounding) }
    let isNegative = value.sign == .minus
    let magnitude = value.magnitude
    // The first code whose number is larger.
    var (low, high) = (0, finiteCount)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] > magnitude { high = middle } else { low = middle + 1 }
    }
    // Above the largest number, the upper neighbour is the number that would follow it.
    var code = low - 1
    let (below, above) = (numbers[code], low < finiteCount ? numbers[low] : next)
    let (toBelow, toAbove) = (magnitude - below, above - magnitude)
    if toAbove < toBelow || toAbove == toBelow && code % 2 == 1 { code = low }
    if code >= finiteCount {
      guard saturates || finiteCount == 8 else {
        return infinity == nan && !hasNegativeZero ? nan : infinity | (isNegative ? sign : 0)
      }
      code = finiteCount - 1
    }
    if code == 0, !hasNegativeZero { return 0 }
    return UInt8(code) | (isNegative ? sign : 0)
  }

  private func scaleCode(
    of value: Float, saturates: Bool, _ rounding: ScaleRounding
  ) -> UInt8 {
    guard value >= 0 else { return nan }
    guard value.isFinite else { return saturates ? 254 : nan }
    guard value > numbers[0] else { return 0 }
    // The largest power that is not larger.
    let lower = Int(value.exponent) + 127
    let fraction = value.significand - 1
    let isUp: Bool =
      switch rounding {
      case .up: fraction > 0
      case .down: false
      case .nearest: fraction >= 0.5
      }
    let code = lower + (isUp ? 1 : 0)
    return code < 255 ? UInt8(max(code, 0)) : saturates ? 254 : nan
  }
}

/// Integers of four bits, each stored in one byte.
package enum NarrowIntegers {
  /// The lowest four bits as a signed number.
  package static func signed(_ value: Int64) -> Int8 {
    Int8(truncatingIfNeeded: value & 15 ^ 8) - 8
  }

  /// The lowest four bits as an unsigned number.
  package static func unsigned(_ value: Int64) -> UInt8 {
    UInt8(truncatingIfNeeded: value & 15)
  }
}
