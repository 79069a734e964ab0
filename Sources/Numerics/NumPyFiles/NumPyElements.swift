/// The values of a ``NumPyArray``, one case a NumPy element type.
public enum NumPyElements: Equatable, Sendable {
  /// NumPy's `bool`.
  case bool([Bool])
  /// NumPy's `int8`.
  case int8([Int8])
  /// NumPy's `int16`.
  case int16([Int16])
  /// NumPy's `int32`.
  case int32([Int32])
  /// NumPy's `int64`.
  case int64([Int64])
  /// NumPy's `uint8`.
  case uint8([UInt8])
  /// NumPy's `uint16`.
  case uint16([UInt16])
  /// NumPy's `uint32`.
  case uint32([UInt32])
  /// NumPy's `uint64`.
  case uint64([UInt64])
  /// NumPy's `float16`, as bit patterns: Swift's `Float16` is not there on every platform.
  case float16([UInt16])
  /// NumPy's `float32`.
  case float32([Float])
  /// NumPy's `float64`.
  case float64([Double])

  /// The number of values.
  public var count: Int {
    switch self {
    case .bool(let values): values.count
    case .int8(let values): values.count
    case .int16(let values): values.count
    case .int32(let values): values.count
    case .int64(let values): values.count
    case .uint8(let values): values.count
    case .uint16(let values): values.count
    case .uint32(let values): values.count
    case .uint64(let values): values.count
    case .float16(let values): values.count
    case .float32(let values): values.count
    case .float64(let values): values.count
    }
  }

  /// The values' type.
  public var type: NumPyElementType {
    switch self {
    case .bool: .bool
    case .int8: .int8
    case .int16: .int16
    case .int32: .int32
    case .int64: .int64
    case .uint8: .uint8
    case .uint16: .uint16
    case .uint32: .uint32
    case .uint64: .uint64
    case .float16: .float16
    case .float32: .float32
    case .float64: .float64
    }
  }

  /// All values converted to `Float`, to the nearest where they do not fit; false is 0, true is 1.
  public var floats: [Float] {
    switch self {
    case .bool(let values): values.map { $0 ? 1 : 0 }
    case .int8(let values): values.map { Float($0) }
    case .int16(let values): values.map { Float($0) }
    case .int32(let values): values.map { Float($0) }
    case .int64(let values): values.map { Float($0) }
    case .uint8(let values): values.map { Float($0) }
    case .uint16(let values): values.map { Float($0) }
    case .uint32(let values): values.map { Float($0) }
    case .uint64(let values): values.map { Float($0) }
    case .float16(let values): values.map { Self.float(halfBitPattern: $0) }
    case .float32(let values): values
    case .float64(let values): values.map { Float($0) }
    }
  }

  /// All values converted to `Double`, to the nearest where they do not fit; false is 0, true is 1.
  public var doubles: [Double] {
    switch self {
    case .int32(let values): values.map { Double($0) }
    case .int64(let values): values.map { Double($0) }
    case .uint32(let values): values.map { Double($0) }
    case .uint64(let values): values.map { Double($0) }
    case .float64(let values): values
    case .bool, .int8, .int16, .uint8, .uint16, .float16, .float32: floats.map { Double($0) }
    }
  }

  /// The value of an IEEE 754 half-precision bit pattern; every half is exactly a `Float`.
  public static func float(halfBitPattern bits: UInt16) -> Float {
    let sign = UInt32(bits & 0x8000) << 16
    let exponent = UInt32(bits >> 10) & 0x1F
    let fraction = UInt32(bits & 0x3FF)
    switch exponent {
    case 0:
      // Zero and the subnormals: a count of 2^-24.
      let magnitude = Float(fraction) * 0x1p-24
      return sign == 0 ? magnitude : -magnitude
    case 31:
      return Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
    default:
      return Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
    }
  }
}

/// An element type that ``NumPyArray`` holds.
///
/// The raw value is NumPy's type code without the byte order.
public enum NumPyElementType: String, CaseIterable, Sendable {
  /// One byte: false or true.
  case bool = "b1"
  /// Signed, one byte.
  case int8 = "i1"
  /// Signed, two bytes.
  case int16 = "i2"
  /// Signed, four bytes.
  case int32 = "i4"
  /// Signed, eight bytes.
  case int64 = "i8"
  /// Unsigned, one byte.
  case uint8 = "u1"
  /// Unsigned, two bytes.
  case uint16 = "u2"
  /// Unsigned, four bytes.
  case uint32 = "u4"
  /// Unsigned, eight bytes.
  case uint64 = "u8"
  /// Half precision.
  case float16 = "f2"
  /// Single precision.
  case float32 = "f4"
  /// Double precision.
  case float64 = "f8"

  /// The bytes of one element.
  public var byteCount: Int {
    switch self {
    case .bool, .int8, .uint8: 1
    case .int16, .uint16, .float16: 2
    case .int32, .uint32, .float32: 4
    case .int64, .uint64, .float64: 8
    }
  }
}
