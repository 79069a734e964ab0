extension Tensor {
  /// The elements as numbers of another type.
  ///
  /// From floating point to integers, numbers are truncated and clamped to the type's range, and
  /// NaN becomes 0. From integers to a narrower type, numbers wrap, and so does any number in four
  /// bits. A truth value is true if the number is not 0. Numbers that are too large for `float8` or
  /// `float4` become the largest number.
  ///
  /// - Throws: ``ModelError/invalidTensor(reason:)`` for text.
  public func converted(to type: ElementType) throws -> Tensor {
    if type == elementType { return self }
    guard type != .string, elementType != .string else {
      throw ModelError.invalidTensor(reason: "text cannot be converted to numbers or back")
    }
    let target = Tensor(
      elementType: type, shape: shape, count: count,
      storage: TensorStorage(allocating: count * type.byteCount))
    convert(into: target)
    return target
  }

  /// The same as ``converted(to:)``, computed when the bytes are first used.
  ///
  /// Packing of weights uses the bytes once and keeps none of them, so that a network's weights are
  /// never in memory twice. Pages of a mapped file that were read for it are released.
  package func convertedOnDemand(to type: ElementType) throws -> Tensor {
    let byteCount = count * type.byteCount
    guard byteCount >= Self.leastOnDemandBytes, type != elementType, type != .string,
      elementType != .string
    else { return try converted(to: type) }
    let made = TensorStorage(byteCount: byteCount) { [self] bytes in
      let target = TensorStorage(borrowing: bytes, byteCount: byteCount, from: storage)
      convert(into: Tensor(elementType: type, shape: shape, count: count, storage: target))
      releasePages()
    }
    return Tensor(elementType: type, shape: shape, count: count, storage: made)
  }

  /// Smaller tensors are converted at once, because they need less memory than a conversion on
  /// demand.
  private static let leastOnDemandBytes = 4096

  /// Writes the elements into `target`, which has the same number of elements of another type;
  /// neither is text.
  package func convert(into target: Tensor) {
    switch elementType {
    case .float32: spread(target) { (value: Float) in value }
    case .float64: spread(target) { (value: Double) in value }
    case .float16: spread(target) { (value: Half) in value.float }
    case .bfloat16: spread(target) { (value: BFloat16) in value.float }
    case .int8: spreadInteger(target, Int8.self)
    case .int16: spreadInteger(target, Int16.self)
    case .int32: spreadInteger(target, Int32.self)
    case .int64: spreadInteger(target, Int64.self)
    case .uint8: spreadInteger(target, UInt8.self)
    case .uint16: spreadInteger(target, UInt16.self)
    case .uint32: spreadInteger(target, UInt32.self)
    case .uint64: spreadInteger(target, UInt64.self)
    case .bool: spreadInteger(target, UInt8.self)
    case .int4: spreadInteger(target, Int8.self)
    case .uint4: spreadInteger(target, UInt8.self)
    case .float8e4m3fn, .float8e4m3fnuz, .float8e5m2, .float8e5m2fnuz, .float8e8m0, .float4e2m1:
      guard let numbers = NarrowFormat(elementType)?.numbers else { return }
      // Only four bits of the byte of a 4-bit number are used.
      let mask = UInt8(truncatingIfNeeded: numbers.count - 1)
      numbers.withUnsafeBufferPointer { numbers in
        spread(target) { (code: UInt8) in numbers[Int(code & mask)] }
      }
    case .string: break
    }
  }

  private func spread<Source, Real: BinaryFloatingPoint>(
    _ target: Tensor, _ real: (Source) -> Real
  ) {
    let source = (storage.base + byteOffset).assumingMemoryBound(to: Source.self)
    switch target.elementType {
    case .float32: fill(target, source) { Float(real($0)) }
    case .float64: fill(target, source) { Double(real($0)) }
    case .float16: fill(target, source) { Half(Float(real($0))) }
    case .bfloat16: fill(target, source) { BFloat16(Float(real($0))) }
    case .int8: fill(target, source) { Int8(clamping: saturated(real($0))) }
    case .int16: fill(target, source) { Int16(clamping: saturated(real($0))) }
    case .int32: fill(target, source) { Int32(clamping: saturated(real($0))) }
    case .int64: fill(target, source) { saturated(real($0)) }
    case .uint8: fill(target, source) { UInt8(clamping: saturated(real($0))) }
    case .uint16: fill(target, source) { UInt16(clamping: saturated(real($0))) }
    case .uint32: fill(target, source) { UInt32(clamping: saturated(real($0))) }
    case .uint64: fill(target, source) { saturatedUnsigned(real($0)) }
    case .bool: fill(target, source) { real($0) != 0 }
    case .int4: fill(target, source) { NarrowIntegers.signed(saturated(real($0))) }
    case .uint4: fill(target, source) { NarrowIntegers.unsigned(saturated(real($0))) }
    case .float8e4m3fn, .float8e4m3fnuz, .float8e5m2, .float8e5m2fnuz, .float8e8m0, .float4e2m1:
      guard let format = NarrowFormat(target.elementType) else { return }
      fill(target, source) { format.code(of: Float(real($0))) }
    case .string: break
    }
  }

  private func spreadInteger<Source: FixedWidthInteger>(_ target: Tensor, _: Source.Type) {
    let source = (storage.base + byteOffset).assumingMemoryBound(to: Source.self)
    switch target.elementType {
    case .float32: fill(target, source) { Float($0) }
    case .float64: fill(target, source) { Double($0) }
    case .float16: fill(target, source) { Half(Float($0)) }
    case .bfloat16: fill(target, source) { BFloat16(Float($0)) }
    case .int8: fill(target, source) { Int8(truncatingIfNeeded: $0) }
    case .int16: fill(target, source) { Int16(truncatingIfNeeded: $0) }
    case .int32: fill(target, source) { Int32(truncatingIfNeeded: $0) }
    case .int64: fill(target, source) { Int64(truncatingIfNeeded: $0) }
    case .uint8: fill(target, source) { UInt8(truncatingIfNeeded: $0) }
    case .uint16: fill(target, source) { UInt16(truncatingIfNeeded: $0) }
    case .uint32: fill(target, source) { UInt32(truncatingIfNeeded: $0) }
    case .uint64: fill(target, source) { UInt64(truncatingIfNeeded: $0) }
    case .bool: fill(target, source) { $0 != 0 }
    case .int4:
      fill(target, source) { NarrowIntegers.signed(Int64(truncatingIfNeeded: $0)) }
    case .uint4:
      fill(target, source) { NarrowIntegers.unsigned(Int64(truncatingIfNeeded: $0)) }
    case .float8e4m3fn, .float8e4m3fnuz, .float8e5m2, .float8e5m2fnuz, .float8e8m0, .float4e2m1:
      guard let format = NarrowFormat(target.elementType) else { return }
      fill(target, source) { format.code(of: Float($0)) }
    case .string: break
    }
  }

  @inline(__always)
  private func fill<Source, Target: TensorScalar>(
    _ target: Tensor, _ source: UnsafePointer<Source>, _ convert: (Source) -> Target
  ) {
    let output = target.mutablePointer(to: Target.self)
    for index in 0..<count { output[index] = convert(source[index]) }
  }
}

/// `value` without its fraction, clamped to `Int64`; NaN becomes 0.
private func saturated<Real: BinaryFloatingPoint>(_ value: Real) -> Int64 {
  if value.isNaN { return 0 }
  if value >= 0x1p63 { return .max }
  return value <= -0x1p63 ? .min : Int64(value)
}

/// `value` without its fraction, clamped to `UInt64`; NaN becomes 0.
private func saturatedUnsigned<Real: BinaryFloatingPoint>(_ value: Real) -> UInt64 {
  if value.isNaN || value <= 0 { return 0 }
  return value >= 0x1p64 ? .max : UInt64(value)
}
