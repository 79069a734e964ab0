import RunnerGraph
import RunnerTensors
import _RunnerKernels

/// The four types that arithmetic is done in; all others are converted to one of them and back.
///
/// Narrow integers come out right: sums and products wrap when they are cut back to their width.
package enum ComputeType: Sendable {
  case float32
  case float64
  case int64
  case uint64

  /// The type to compute elements of `type` in; nil for text.
  package init?(_ type: ElementType) {
    switch type {
    case .float32, .float16, .bfloat16, .float8e4m3fn, .float8e4m3fnuz, .float8e5m2,
      .float8e5m2fnuz, .float8e8m0, .float4e2m1:
      self = .float32
    case .float64: self = .float64
    case .uint64: self = .uint64
    case .int4, .int8, .int16, .int32, .int64, .uint4, .uint8, .uint16, .uint32, .bool:
      self = .int64
    case .string: return nil
    }
  }

  /// The same as an element type.
  package var elementType: ElementType {
    switch self {
    case .float32: return .float32
    case .float64: return .float64
    case .int64: return .int64
    case .uint64: return .uint64
    }
  }
}

extension KernelContext {
  /// The type to compute `tensor` in.
  package func computeType(of tensor: Tensor) throws -> ComputeType {
    guard let type = ComputeType(tensor.elementType) else {
      throw unsupported("elements of type \(tensor.elementType)")
    }
    return type
  }

  /// `tensor` with elements of `type`, as ``Tensor/converted(to:)`` does it, in pooled memory.
  package func converted(_ tensor: Tensor, to type: ElementType) throws -> Tensor {
    if tensor.elementType == type { return tensor }
    guard tensor.elementType != .string, type != .string else {
      throw unsupported("text among numbers")
    }
    let result = try allocate(type, tensor.shape)
    switch (tensor.elementType, type) {
    case (.float16, .float32):
      rk_f16_to_f32(
        tensor.bytes.assumingMemoryBound(to: UInt16.self), result.mutablePointer(to: Float.self),
        tensor.count)
    case (.bfloat16, .float32):
      rk_bf16_to_f32(
        tensor.bytes.assumingMemoryBound(to: UInt16.self), result.mutablePointer(to: Float.self),
        tensor.count)
    case (.float32, .float16):
      rk_f32_to_f16(
        tensor.pointer(to: Float.self),
        result.mutableBytes.assumingMemoryBound(to: UInt16.self), tensor.count)
    case (.float32, .bfloat16):
      rk_f32_to_bf16(
        tensor.pointer(to: Float.self),
        result.mutableBytes.assumingMemoryBound(to: UInt16.self), tensor.count)
    default: tensor.convert(into: result)
    }
    return result
  }

  /// `tensor` in the type that it is computed in.
  package func widened(_ tensor: Tensor) throws -> Tensor {
    try converted(tensor, to: computeType(of: tensor).elementType)
  }

  /// Checks that tensors which must share an element type do.
  package func requireSameType(_ tensors: [Tensor]) throws {
    guard let first = tensors.first else { return }
    for tensor in tensors where tensor.elementType != first.elementType {
      throw failure("inputs of types \(first.elementType) and \(tensor.elementType)")
    }
  }
}
