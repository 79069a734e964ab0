import LinearAlgebra

/// Sums of products over two vectors, as fast as possible in Swift.
///
/// Swift is compiled for the oldest processor of its platform: on x86-64 its loops have four floats
/// per instruction. BLAS chooses wider instructions at run time, but has the cost of a call: as
/// measured, they cost the same at 128 values.
enum Products {
  /// From this dimension on BLAS computes inner products.
  static let firstBLASDimension = 128

  /// BLAS would spread a longer product over its threads, and the sum would depend on their number.
  private static let longestBLASProduct = 8192

  @inline(__always) static func dot(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ count: Int
  ) -> Float {
    if count < firstBLASDimension { return shortDot(x, y, count) }
    if count <= longestBLASProduct { return BLAS.uncheckedDot(Int32(count), x, y) }
    var sum: Float = 0
    for start in stride(from: 0, to: count, by: longestBLASProduct) {
      sum += BLAS.uncheckedDot(Int32(min(longestBLASProduct, count - start)), x + start, y + start)
    }
    return sum
  }

  @inline(__always) private static func four(
    _ x: UnsafePointer<Float>, _ index: Int
  ) -> SIMD4<Float> {
    UnsafeRawPointer(x + index).loadUnaligned(as: SIMD4<Float>.self)
  }

  @inline(__always) private static func four(
    _ x: UnsafePointer<UInt16>, _ index: Int
  ) -> SIMD4<Float> {
    let halves = UnsafeRawPointer(x + index).loadUnaligned(as: SIMD4<UInt16>.self)
    // As in `HalfPrecision.finiteValue`.
    let wide = SIMD4<Int32>(truncatingIfNeeded: SIMD4<UInt32>(truncatingIfNeeded: halves)) &<< 16
    let bits = (wide &>> 3) & Int32(bitPattern: 0x8FFF_E000)
    return unsafeBitCast(bits, to: SIMD4<Float>.self) * 0x1p112
  }

  static func shortDot(_ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ count: Int) -> Float
  {
    var (a, b, c, d) = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
    var index = 0
    while index &+ 16 <= count {
      a += four(x, index) * four(y, index)
      b += four(x, index &+ 4) * four(y, index &+ 4)
      c += four(x, index &+ 8) * four(y, index &+ 8)
      d += four(x, index &+ 12) * four(y, index &+ 12)
      index &+= 16
    }
    let sums = (a + b) + (c + d)
    var sum = (sums[0] + sums[1]) + (sums[2] + sums[3])
    while index < count {
      sum += x[index] * y[index]
      index &+= 1
    }
    return sum
  }

  static func squaredDifference(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ count: Int
  ) -> Float {
    var (a, b, c, d) = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
    var index = 0
    while index &+ 16 <= count {
      let first = four(x, index) - four(y, index)
      let second = four(x, index &+ 4) - four(y, index &+ 4)
      let third = four(x, index &+ 8) - four(y, index &+ 8)
      let fourth = four(x, index &+ 12) - four(y, index &+ 12)
      a += first * first
      b += second * second
      c += third * third
      d += fourth * fourth
      index &+= 16
    }
    let sums = (a + b) + (c + d)
    var sum = (sums[0] + sums[1]) + (sums[2] + sums[3])
    while index < count {
      let difference = x[index] - y[index]
      sum += difference * difference
      index &+= 1
    }
    return sum
  }

  static func dot(_ x: UnsafePointer<Float>, _ y: UnsafePointer<UInt16>, _ count: Int) -> Float {
    var (a, b) = (SIMD4<Float>(), SIMD4<Float>())
    var index = 0
    while index &+ 8 <= count {
      a += four(x, index) * four(y, index)
      b += four(x, index &+ 4) * four(y, index &+ 4)
      index &+= 8
    }
    let sums = a + b
    var sum = (sums[0] + sums[1]) + (sums[2] + sums[3])
    while index < count {
      sum += x[index] * HalfPrecision.finiteValue(of: y[index])
      index &+= 1
    }
    return sum
  }

  static func squaredDifference(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<UInt16>, _ count: Int
  ) -> Float {
    var (a, b) = (SIMD4<Float>(), SIMD4<Float>())
    var index = 0
    while index &+ 8 <= count {
      let first = four(x, index) - four(y, index)
      let second = four(x, index &+ 4) - four(y, index &+ 4)
      a += first * first
      b += second * second
      index &+= 8
    }
    let sums = a + b
    var sum = (sums[0] + sums[1]) + (sums[2] + sums[3])
    while index < count {
      let difference = x[index] - HalfPrecision.finiteValue(of: y[index])
      sum += difference * difference
      index &+= 1
    }
    return sum
  }

  /// Products of 16-bit numbers, added up in 32 bits.
  static func dot(_ x: UnsafePointer<Int16>, _ y: UnsafePointer<Int8>, _ count: Int) -> Int32 {
    var (a, b) = (SIMD4<Int32>(), SIMD4<Int32>())
    var index = 0
    while index &+ 16 <= count {
      a &+= pairs(eight(x, index), eight(y, index))
      b &+= pairs(eight(x, index &+ 8), eight(y, index &+ 8))
      index &+= 16
    }
    a &+= b
    var sum = a[0] &+ a[1] &+ a[2] &+ a[3]
    while index < count {
      sum &+= Int32(x[index]) &* Int32(y[index])
      index &+= 1
    }
    return sum
  }

  static func squares(_ x: UnsafePointer<Int8>, _ count: Int) -> Int32 {
    var (a, b) = (SIMD4<Int32>(), SIMD4<Int32>())
    var index = 0
    while index &+ 16 <= count {
      let (first, second) = (eight(x, index), eight(x, index &+ 8))
      a &+= pairs(first, first)
      b &+= pairs(second, second)
      index &+= 16
    }
    a &+= b
    var sum = a[0] &+ a[1] &+ a[2] &+ a[3]
    while index < count {
      sum &+= Int32(x[index]) &* Int32(x[index])
      index &+= 1
    }
    return sum
  }

  /// The sums of the products in pairs; in this form, the compiler uses x86-64's single instruction
  /// for it.
  @inline(__always) private static func pairs(
    _ x: SIMD8<Int16>, _ y: SIMD8<Int16>
  ) -> SIMD4<Int32> {
    let products = SIMD8<Int32>(truncatingIfNeeded: x) &* SIMD8<Int32>(truncatingIfNeeded: y)
    return products.evenHalf &+ products.oddHalf
  }

  @inline(__always) private static func eight(
    _ x: UnsafePointer<Int16>, _ index: Int
  ) -> SIMD8<Int16> {
    UnsafeRawPointer(x + index).loadUnaligned(as: SIMD8<Int16>.self)
  }

  @inline(__always) private static func eight(
    _ x: UnsafePointer<Int8>, _ index: Int
  ) -> SIMD8<Int16> {
    SIMD8<Int16>(
      truncatingIfNeeded: UnsafeRawPointer(x + index).loadUnaligned(as: SIMD8<Int8>.self))
  }
}
