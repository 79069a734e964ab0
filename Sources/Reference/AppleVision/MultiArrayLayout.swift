/// How the numbers of a multi-dimensional array lie in memory.
struct MultiArrayLayout: Hashable {
  /// What a number is, by the raw values of Core ML's `MLMultiArrayDataType`.
  ///
  /// They are spelled out, because the names of some are newer than the oldest systems.
  enum Element: Int, Hashable {
    case float16 = 0x10010
    case float32 = 0x10020
    case float64 = 0x10040
    case int8 = 0x20008
    case int32 = 0x20020

    /// How many bytes a number takes.
    var size: Int {
      switch self {
      case .int8: 1
      case .float16: 2
      case .float32, .int32: 4
      case .float64: 8
      }
    }
  }

  /// The extent of each dimension, outermost first.
  let shape: [Int]
  /// From an index of each dimension to the next, in numbers.
  let strides: [Int]
  /// What a number is.
  let element: Element

  /// Describes an array; nil if shape and strides do not belong together, or if the array begins
  /// before its first number or is too large.
  init?(shape: [Int], strides: [Int], element: Element) {
    guard shape.count == strides.count, shape.allSatisfy({ $0 >= 0 }),
      strides.allSatisfy({ $0 >= 0 })
    else { return nil }
    var count = 1
    var last = 0
    for (extent, stride) in zip(shape, strides) where !shape.contains(0) {
      let (product, overflow) = count.multipliedReportingOverflow(by: extent)
      let (step, overflow2) = stride.multipliedReportingOverflow(by: extent - 1)
      let (sum, overflow3) = last.addingReportingOverflow(step)
      guard !overflow, !overflow2, !overflow3, sum < Int(Int32.max) * 8 else { return nil }
      (count, last) = (product, sum)
    }
    self.shape = shape
    self.strides = strides
    self.element = element
    self.count = shape.contains(0) ? 0 : count
    byteCount = shape.contains(0) ? 0 : (last + 1) * element.size
  }

  /// Describes an array whose numbers lie side by side, row after row.
  init?(shape: [Int], element: Element) {
    var strides = shape
    var stride = 1
    for index in shape.indices.reversed() {
      strides[index] = stride
      let (product, overflow) = stride.multipliedReportingOverflow(by: max(shape[index], 1))
      guard !overflow else { return nil }
      stride = product
    }
    self.init(shape: shape, strides: strides, element: element)
  }

  /// How many numbers there are.
  let count: Int
  /// How many bytes the numbers reach over, gaps included.
  let byteCount: Int

  /// The numbers in row-major order; nil if there are too few bytes.
  ///
  /// Complexity: O(``count``).
  func values(in bytes: UnsafeRawBufferPointer) -> [Float]? {
    guard bytes.count >= byteCount else { return nil }
    guard count > 0 else { return [] }
    switch element {
    case .float16:
      return values { halfPrecision(bytes.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self)) }
    case .float32: return values { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    case .float64:
      return values { Float(bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self)) }
    case .int8: return values { Float(Int8(bitPattern: bytes[$0])) }
    case .int32:
      return values { Float(bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)) }
    }
  }

  /// The numbers in row-major order, by their places.
  @inline(__always)
  private func values(_ load: (Int) -> Float) -> [Float] {
    // A row is the last dimension; the others are counted as the digits of a number.
    let rowLength = shape.last ?? 1
    let step = strides.last ?? 0
    let outer = shape.count - 1
    var index = [Int](repeating: 0, count: max(outer, 0))
    var start = 0
    return [Float](unsafeUninitializedCapacity: count) { target, initialized in
      var to = 0
      while to < count {
        for column in 0..<rowLength { target[to + column] = load(start + column * step) }
        to += rowLength
        var axis = outer - 1
        while axis >= 0 {
          index[axis] += 1
          start += strides[axis]
          if index[axis] < shape[axis] { break }
          start -= index[axis] * strides[axis]
          index[axis] = 0
          axis -= 1
        }
      }
      initialized = count
    }
  }

  /// Writes numbers one after the other, as an array with these elements has them.
  ///
  /// - Parameters:
  ///   - values: the numbers, in row-major order.
  ///   - bytes: the memory.
  /// - Returns: false if integers are asked for, which no image is made of.
  static func write(
    _ values: [Float], as element: Element, to bytes: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard bytes.count >= values.count * element.size else { return false }
    for (index, value) in values.enumerated() {
      let offset = index * element.size
      switch element {
      case .float16:
        bytes.storeBytes(of: halfPrecisionBits(value), toByteOffset: offset, as: UInt16.self)
      case .float32: bytes.storeBytes(of: value, toByteOffset: offset, as: Float.self)
      case .float64: bytes.storeBytes(of: Double(value), toByteOffset: offset, as: Double.self)
      case .int8, .int32: return false
      }
    }
    return true
  }
}

/// A half-precision number of IEEE 754, by its bits.
///
/// Swift's `Float16` does not exist on Macs with Intel processors.
func halfPrecision(_ bits: UInt16) -> Float {
  let sign = UInt32(bits & 0x8000) << 16
  let exponent = UInt32(bits >> 10) & 0x1F
  let fraction = UInt32(bits & 0x3FF)
  switch exponent {
  case 0:
    let magnitude = Float(fraction) * 0x1p-24
    return sign == 0 ? magnitude : -magnitude
  case 0x1F: return Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
  default: return Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
  }
}

/// The bits of the nearest half-precision number, halves to the even one; infinity beyond 65504.
func halfPrecisionBits(_ value: Float) -> UInt16 {
  let sign = UInt16(truncatingIfNeeded: value.bitPattern >> 16) & 0x8000
  let magnitude = value.magnitude
  if value.isNaN { return sign | 0x7E00 }
  if magnitude >= 65520 { return sign | 0x7C00 }
  // Below the least normal number, steps are all 2^-24.
  if magnitude < 0x1p-14 { return sign | UInt16((magnitude * 0x1p24).rounded(.toNearestOrEven)) }
  let bits = magnitude.bitPattern
  let rounded = bits + 0xFFF + (bits >> 13 & 1)
  return sign | UInt16((rounded >> 13) - (112 << 10))
}
