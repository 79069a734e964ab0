/// A Swift type that can be the element of a ``Tensor``.
///
/// Only the standard types below conform; their values are plain bytes.
public protocol TensorScalar: Sendable, BitwiseCopyable {
  /// ONNX's name of the type.
  static var elementType: ElementType { get }
}

extension Float: TensorScalar {
  /// `float32`.
  public static var elementType: ElementType { .float32 }
}

extension Double: TensorScalar {
  /// `float64`.
  public static var elementType: ElementType { .float64 }
}

extension Int8: TensorScalar {
  /// `int8`.
  public static var elementType: ElementType { .int8 }
}

extension Int16: TensorScalar {
  /// `int16`.
  public static var elementType: ElementType { .int16 }
}

extension Int32: TensorScalar {
  /// `int32`.
  public static var elementType: ElementType { .int32 }
}

extension Int64: TensorScalar {
  /// `int64`.
  public static var elementType: ElementType { .int64 }
}

extension UInt8: TensorScalar {
  /// `uint8`.
  public static var elementType: ElementType { .uint8 }
}

extension UInt16: TensorScalar {
  /// `uint16`.
  public static var elementType: ElementType { .uint16 }
}

extension UInt32: TensorScalar {
  /// `uint32`.
  public static var elementType: ElementType { .uint32 }
}

extension UInt64: TensorScalar {
  /// `uint64`.
  public static var elementType: ElementType { .uint64 }
}

extension Bool: TensorScalar {
  /// `bool`.
  public static var elementType: ElementType { .bool }
}

extension Half: TensorScalar {
  /// `float16`.
  public static var elementType: ElementType { .float16 }
}

extension BFloat16: TensorScalar {
  /// `bfloat16`.
  public static var elementType: ElementType { .bfloat16 }
}
