/// The type of a tensor's elements.
///
/// The raw values are ONNX's numbers (`TensorProto.DataType`).
public enum ElementType: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// IEEE 754 binary32.
  case float32 = 1
  /// Unsigned, 8 bits.
  case uint8 = 2
  /// Signed, 8 bits.
  case int8 = 3
  /// Unsigned, 16 bits.
  case uint16 = 4
  /// Signed, 16 bits.
  case int16 = 5
  /// Signed, 32 bits.
  case int32 = 6
  /// Signed, 64 bits.
  case int64 = 7
  /// Unicode text.
  case string = 8
  /// Truth values, one byte each.
  case bool = 9
  /// IEEE 754 binary16.
  case float16 = 10
  /// IEEE 754 binary64.
  case float64 = 11
  /// Unsigned, 32 bits.
  case uint32 = 12
  /// Unsigned, 64 bits.
  case uint64 = 13
  /// The upper half of a binary32.
  case bfloat16 = 16
  /// 8 bits: four of exponent, three of fraction, no infinity.
  case float8e4m3fn = 17
  /// ``float8e4m3fn`` with another bias and without a negative zero.
  case float8e4m3fnuz = 18
  /// 8 bits: five of exponent, two of fraction.
  case float8e5m2 = 19
  /// ``float8e5m2`` with another bias, without infinity and without a negative zero.
  case float8e5m2fnuz = 20
  /// Unsigned, 4 bits; each element takes a byte.
  case uint4 = 21
  /// Signed, 4 bits; each element takes a byte.
  case int4 = 22
  /// 4 bits: two of exponent, one of fraction; each element takes a byte.
  case float4e2m1 = 23
  /// A power of two in 8 bits, for scales of other numbers.
  case float8e8m0 = 24

  /// The bytes of an element in a ``Tensor``; 0 for text, which is not stored as bytes.
  public var byteCount: Int {
    switch self {
    case .uint8, .int8, .bool, .uint4, .int4, .float4e2m1, .float8e4m3fn, .float8e4m3fnuz,
      .float8e5m2, .float8e5m2fnuz, .float8e8m0:
      return 1
    case .uint16, .int16, .float16, .bfloat16: return 2
    case .float32, .int32, .uint32: return 4
    case .float64, .int64, .uint64: return 8
    case .string: return 0
    }
  }

  /// Whether elements are floating-point numbers.
  public var isFloatingPoint: Bool {
    switch self {
    case .float32, .float64, .float16, .bfloat16, .float4e2m1, .float8e4m3fn, .float8e4m3fnuz,
      .float8e5m2, .float8e5m2fnuz, .float8e8m0:
      return true
    default: return false
    }
  }

  /// The bits of an element in a file.
  package var bitCount: Int {
    switch self {
    case .uint4, .int4, .float4e2m1: return 4
    default: return 8 * byteCount
    }
  }

  /// Whether elements are integers.
  public var isInteger: Bool {
    switch self {
    case .int4, .int8, .int16, .int32, .int64, .uint4, .uint8, .uint16, .uint32, .uint64:
      return true
    default: return false
    }
  }

  /// The name that documentation and messages use, such as `float32`.
  public var description: String {
    switch self {
    case .float32: return "float32"
    case .uint8: return "uint8"
    case .int8: return "int8"
    case .uint16: return "uint16"
    case .int16: return "int16"
    case .int32: return "int32"
    case .int64: return "int64"
    case .string: return "string"
    case .bool: return "bool"
    case .float16: return "float16"
    case .float64: return "float64"
    case .uint32: return "uint32"
    case .uint64: return "uint64"
    case .bfloat16: return "bfloat16"
    case .float8e4m3fn: return "float8e4m3fn"
    case .float8e4m3fnuz: return "float8e4m3fnuz"
    case .float8e5m2: return "float8e5m2"
    case .float8e5m2fnuz: return "float8e5m2fnuz"
    case .uint4: return "uint4"
    case .int4: return "int4"
    case .float4e2m1: return "float4e2m1"
    case .float8e8m0: return "float8e8m0"
    }
  }
}
