/// An n-dimensional array: the input, output and intermediate value of a model.
///
/// Elements are in row-major order without gaps. A tensor is immutable and copies share its memory,
/// so passing one costs nothing. A shape of `[]` is a scalar with one element; a shape with a zero
/// in it has no elements.
public struct Tensor: Sendable {
  /// The type of the elements.
  public let elementType: ElementType

  /// The extent of each dimension, outermost first; none is negative.
  public let shape: [Int]

  /// The number of elements: the product of `shape`.
  public let count: Int

  package let storage: TensorStorage

  /// The offset of the first element in `storage`.
  package let byteOffset: Int

  /// A tensor over memory that is known to be large enough.
  package init(
    elementType: ElementType, shape: [Int], count: Int, storage: TensorStorage, byteOffset: Int = 0
  ) {
    self.elementType = elementType
    self.shape = shape
    self.count = count
    self.storage = storage
    self.byteOffset = byteOffset
  }

  /// Makes a tensor of `shape` with `values` in row-major order.
  ///
  /// - Throws: ``ModelError/invalidTensor(reason:)`` if the number of values is not the product of
  ///   the shape, or a dimension is negative.
  public init<Scalar: TensorScalar>(shape: [Int], _ values: [Scalar]) throws {
    let count = try Tensor.elementCount(of: shape)
    guard count == values.count else {
      throw ModelError.invalidTensor(
        reason: "shape \(shape) holds \(count) elements, got \(values.count)")
    }
    let storage = TensorStorage(allocating: count * MemoryLayout<Scalar>.stride)
    values.withUnsafeBytes { bytes in
      if let source = bytes.baseAddress, bytes.count > 0 {
        storage.base.copyMemory(from: source, byteCount: bytes.count)
      }
    }
    self.init(elementType: Scalar.elementType, shape: shape, count: count, storage: storage)
  }

  /// Makes a tensor of `shape` whose memory `initialize` fills, without an array of values.
  ///
  /// The memory is zero before `initialize` is called.
  ///
  /// - Throws: ``ModelError/invalidTensor(reason:)`` if the shape is impossible, and the errors of
  ///   `initialize`.
  public init<Scalar: TensorScalar>(
    shape: [Int], of type: Scalar.Type,
    initializedBy initialize: (UnsafeMutableBufferPointer<Scalar>) throws -> Void
  ) throws {
    let count = try Tensor.elementCount(of: shape, bytesEach: MemoryLayout<Scalar>.stride)
    let storage = TensorStorage(allocating: count * MemoryLayout<Scalar>.stride)
    storage.base.initializeMemory(
      as: UInt8.self, repeating: 0, count: count * MemoryLayout<Scalar>.stride)
    try initialize(
      UnsafeMutableBufferPointer(
        start: storage.base.assumingMemoryBound(to: Scalar.self), count: count))
    self.init(elementType: Scalar.elementType, shape: shape, count: count, storage: storage)
  }

  /// Makes a tensor of text.
  ///
  /// - Throws: ``ModelError/invalidTensor(reason:)`` if the number of strings is not the product of
  ///   the shape.
  public init(shape: [Int], strings: [String]) throws {
    let count = try Tensor.elementCount(of: shape)
    guard count == strings.count else {
      throw ModelError.invalidTensor(
        reason: "shape \(shape) holds \(count) elements, got \(strings.count)")
    }
    self.init(
      elementType: .string, shape: shape, count: count, storage: TensorStorage(strings: strings))
  }

  /// Makes a scalar.
  public init<Scalar: TensorScalar>(scalar value: Scalar) {
    let storage = TensorStorage(allocating: MemoryLayout<Scalar>.stride)
    storage.base.storeBytes(of: value, as: Scalar.self)
    self.init(elementType: Scalar.elementType, shape: [], count: 1, storage: storage)
  }

  /// The number of dimensions.
  public var rank: Int { shape.count }

  /// The bytes of the elements.
  public var byteCount: Int { count * elementType.byteCount }

  /// The elements in row-major order.
  ///
  /// - Throws: ``ModelError/invalidTensor(reason:)`` if they are of another type; convert with
  ///   ``converted(to:)`` first.
  public func array<Scalar: TensorScalar>(of type: Scalar.Type) throws -> [Scalar] {
    try withElements(of: type) { Array($0) }
  }

  /// The elements of a tensor of text.
  ///
  /// - Throws: ``ModelError/invalidTensor(reason:)`` if they are not text.
  public func strings() throws -> [String] {
    guard elementType == .string else {
      throw ModelError.invalidTensor(reason: "elements are \(elementType), asked for string")
    }
    return storage.strings
  }

  /// Calls `body` with the elements in row-major order.
  ///
  /// - Throws: ``ModelError/invalidTensor(reason:)`` if they are of another type, and the errors of
  ///   `body`.
  public func withElements<Scalar: TensorScalar, Result>(
    of type: Scalar.Type, _ body: (UnsafeBufferPointer<Scalar>) throws -> Result
  ) throws -> Result {
    guard elementType == Scalar.elementType else {
      throw ModelError.invalidTensor(
        reason: "elements are \(elementType), asked for \(Scalar.elementType)")
    }
    return try withExtendedLifetime(storage) {
      try body(UnsafeBufferPointer(start: pointer(to: type), count: count))
    }
  }

  /// Calls `body` with the elements' bytes in row-major order, little-endian; there are none for
  /// text.
  public func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(storage) {
      try body(UnsafeRawBufferPointer(start: storage.base + byteOffset, count: byteCount))
    }
  }

  /// The same elements in another shape; the memory is shared.
  ///
  /// - Throws: ``ModelError/invalidTensor(reason:)`` if the number of elements differs.
  public func reshaped(to shape: [Int]) throws -> Tensor {
    guard try Tensor.elementCount(of: shape) == count else {
      throw ModelError.invalidTensor(
        reason: "shape \(self.shape) cannot become \(shape): the number of elements differs")
    }
    return Tensor(
      elementType: elementType, shape: shape, count: count, storage: storage,
      byteOffset: byteOffset)
  }

  /// The product of `shape`, checked.
  ///
  /// - Throws: ``ModelError/invalidTensor(reason:)`` if a dimension is negative or the product (in
  ///   bytes) overflows.
  package static func elementCount(of shape: [Int], bytesEach: Int = 1) throws -> Int {
    var isEmpty = false
    var product = bytesEach
    for extent in shape {
      guard extent >= 0 else {
        throw ModelError.invalidTensor(reason: "shape \(shape) has a negative dimension")
      }
      if extent == 0 {
        isEmpty = true
        continue
      }
      let (next, overflow) = product.multipliedReportingOverflow(by: extent)
      guard !overflow, next <= 1 << 48 else {
        throw ModelError.invalidTensor(reason: "shape \(shape) is too large")
      }
      product = next
    }
    return isEmpty ? 0 : product / bytesEach
  }
}

// MARK: - For kernels

extension Tensor {
  /// The elements, for kernels that work on several tensors at once.
  ///
  /// The pointer is valid while the tensor lives. A kernel's inputs live until it returns, and its
  /// allocations live until they are returned; keep scratch tensors alive with
  /// `withExtendedLifetime`.
  package func pointer<Scalar: TensorScalar>(to type: Scalar.Type) -> UnsafePointer<Scalar> {
    UnsafePointer((storage.base + byteOffset).assumingMemoryBound(to: type))
  }

  /// The elements for writing; only for the kernel that allocated the tensor, before it returns it.
  package func mutablePointer<Scalar: TensorScalar>(
    to type: Scalar.Type
  ) -> UnsafeMutablePointer<Scalar> {
    (storage.base + byteOffset).assumingMemoryBound(to: type)
  }

  /// The first byte; see ``pointer(to:)``.
  package var bytes: UnsafeRawPointer { UnsafeRawPointer(storage.base + byteOffset) }

  /// The first byte, for kernels that copy and do not need alignment.
  package var rawBytes: UnsafeRawPointer { UnsafeRawPointer(storage.raw + byteOffset) }

  /// The first byte for writing; see ``mutablePointer(to:)``.
  package var mutableBytes: UnsafeMutableRawPointer { storage.base + byteOffset }

  /// The tensor over ``TensorStorage/readyForOneUse()``.
  package func readyForOneUse() -> Tensor {
    Tensor(
      elementType: elementType, shape: shape, count: count, storage: storage.readyForOneUse(),
      byteOffset: byteOffset)
  }

  /// Releases the memory of elements in a mapped file that will not be used soon.
  package func releasePages() {
    storage.releasePages(at: byteOffset, byteCount: byteCount)
  }

  /// The same elements in a shape that is known to have the same number of elements.
  package func viewed(as shape: [Int]) -> Tensor {
    Tensor(
      elementType: elementType, shape: shape, count: count, storage: storage,
      byteOffset: byteOffset)
  }
}
