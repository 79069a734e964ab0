import Foundation
import RunnerTensors

/// Makes tensors of what a file holds: in place where alignment and type allow, copied elsewhere.
package final class WeightLoader {
  private let file: ModelFile
  private let folder: URL?
  private let memoryLimit: Int
  private var copiedBytes = 0
  private var externalFiles: [ExactName: ModelFile] = [:]

  /// `folder` is where external data is looked for.
  package init(file: ModelFile, folder: URL?, memoryLimit: Int) {
    self.file = file
    self.folder = folder
    self.memoryLimit = memoryLimit
  }

  /// The tensor that `message` describes.
  package func tensor(_ message: TensorMessage) throws -> Tensor {
    guard let type = ElementType(rawValue: message.elementType) else {
      throw ModelError.unsupported(
        node: message.name, operation: "tensor",
        reason: "its elements are \(ElementType.name(of: message.elementType))")
    }
    guard !message.isSegment else {
      throw ModelError.unsupported(
        node: message.name, operation: "tensor", reason: "it is stored in segments")
    }
    let count = try Tensor.elementCount(of: message.shape, bytesEach: max(type.byteCount, 1))
    if message.isExternal { return try external(message, type, count) }
    if type == .string {
      guard message.strings.count == count else {
        throw mismatch(message, count, message.strings.count)
      }
      return try Tensor(shape: message.shape, strings: message.strings)
    }
    if let raw = message.raw {
      guard raw.count == Self.byteCount(count, type) else {
        throw ModelError.malformed(
          reason: "tensor '\(message.name)' of shape \(message.shape) takes "
            + "\(Self.byteCount(count, type)) bytes, the file has \(raw.count)")
      }
      return try tensor(type, message.shape, count, at: raw.lowerBound, in: file)
    }
    return try typed(message, type, count)
  }

  /// How many bytes of a file elements take: two of four bits lie in one.
  private static func byteCount(_ count: Int, _ type: ElementType) -> Int {
    type.bitCount == 4 ? (count + 1) / 2 : count * type.byteCount
  }

  /// Elements of four bits, the lower ones of a byte first, each in a byte of its own.
  private func unpacked(
    _ type: ElementType, _ shape: [Int], _ count: Int, _ byte: (Int) -> UInt8
  ) throws -> Tensor {
    let storage = try allocate(count)
    for index in 0..<count {
      let bits = Int64(byte(index / 2) >> (index % 2 == 0 ? 0 : 4))
      let element =
        type == .int4
        ? UInt8(bitPattern: NarrowIntegers.signed(bits)) : NarrowIntegers.unsigned(bits)
      storage.base.storeBytes(of: element, toByteOffset: index, as: UInt8.self)
    }
    return Tensor(elementType: type, shape: shape, count: count, storage: storage)
  }

  /// Elements that lie in a file byte for byte.
  private func tensor(
    _ type: ElementType, _ shape: [Int], _ count: Int, at offset: Int, in file: ModelFile
  ) throws -> Tensor {
    let byteCount = count * type.byteCount
    let source = file.base + offset
    if type.bitCount == 4 {
      return try unpacked(type, shape, count) {
        source.load(fromByteOffset: $0, as: UInt8.self)
      }
    }
    // A byte that is neither 0 nor 1 is not a Bool in Swift, so truth values are copied one by one.
    guard type == .bool else {
      // Elements that lie at an odd address may be copied when they are used.
      if offset % type.byteCount != 0 { try reserve(byteCount) }
      let storage = TensorStorage(
        borrowing: source, byteCount: byteCount, elementSize: type.byteCount, from: file)
      return Tensor(elementType: type, shape: shape, count: count, storage: storage)
    }
    let storage = try allocate(byteCount)
    for index in 0..<count {
      let byte = source.load(fromByteOffset: index, as: UInt8.self)
      storage.base.storeBytes(of: byte != 0, toByteOffset: index, as: Bool.self)
    }
    return Tensor(elementType: type, shape: shape, count: count, storage: storage)
  }

  /// Elements that are fields of the message.
  private func typed(_ message: TensorMessage, _ type: ElementType, _ count: Int) throws -> Tensor {
    let shape = message.shape
    switch type {
    case .float32: return try filled(message, count, message.floats) { $0 }
    case .float64: return try filled(message, count, message.doubles) { $0 }
    case .float16:
      return try filled(message, count, message.integers) {
        Half(bits: UInt16(truncatingIfNeeded: $0))
      }
    case .bfloat16:
      return try filled(message, count, message.integers) {
        BFloat16(bits: UInt16(truncatingIfNeeded: $0))
      }
    case .int8:
      return try filled(message, count, message.integers) { Int8(truncatingIfNeeded: $0) }
    case .int16:
      return try filled(message, count, message.integers) { Int16(truncatingIfNeeded: $0) }
    case .int32:
      return try filled(message, count, message.integers) { Int32(truncatingIfNeeded: $0) }
    case .int64:
      return try filled(message, count, message.integers) { Int64(truncatingIfNeeded: $0) }
    case .uint8:
      return try filled(message, count, message.integers) { UInt8(truncatingIfNeeded: $0) }
    case .uint16:
      return try filled(message, count, message.integers) { UInt16(truncatingIfNeeded: $0) }
    case .uint32:
      return try filled(message, count, message.integers) { UInt32(truncatingIfNeeded: $0) }
    case .uint64:
      return try filled(message, count, message.integers) { UInt64(truncatingIfNeeded: $0) }
    case .bool: return try filled(message, count, message.integers) { $0 != 0 }
    case .float8e4m3fn, .float8e4m3fnuz, .float8e5m2, .float8e5m2fnuz, .float8e8m0:
      let bytes = try filled(message, count, message.integers) { UInt8(truncatingIfNeeded: $0) }
      return Tensor(elementType: type, shape: shape, count: count, storage: bytes.storage)
    case .int4, .uint4, .float4e2m1:
      let bytes = message.integers
      guard bytes.count == Self.byteCount(count, type) else {
        throw mismatch(message, Self.byteCount(count, type), bytes.count)
      }
      return try unpacked(type, shape, count) { UInt8(truncatingIfNeeded: bytes[$0]) }
    case .string: return try Tensor(shape: shape, strings: message.strings)
    }
  }

  private func filled<Source, Scalar: TensorScalar>(
    _ message: TensorMessage, _ count: Int, _ values: [Source], _ convert: (Source) -> Scalar
  ) throws -> Tensor {
    guard values.count == count else { throw mismatch(message, count, values.count) }
    let storage = try allocate(count * MemoryLayout<Scalar>.stride)
    let target = storage.base.assumingMemoryBound(to: Scalar.self)
    for (index, value) in values.enumerated() { target[index] = convert(value) }
    return Tensor(
      elementType: Scalar.elementType, shape: message.shape, count: count, storage: storage)
  }

  /// Elements in another file: `location`, relative to the model's folder and inside it, `offset`
  /// and `length` in bytes.
  private func external(
    _ message: TensorMessage, _ type: ElementType, _ count: Int
  ) throws -> Tensor {
    func failure(_ reason: String) -> ModelError {
      .externalData(tensor: message.name, reason: reason)
    }
    guard type != .string else { throw failure("text cannot be external") }
    guard let folder else { throw failure("the model was given as bytes, without a folder") }
    guard let location = message.external["location"], !location.isEmpty else {
      throw failure("no location is given")
    }
    guard let target = Self.file(at: location, inside: folder) else {
      throw failure("location '\(location)' is not inside the model's folder")
    }
    func size(_ name: String) throws -> Int? {
      try message.external[name].map { text -> Int in
        guard let value = Int(text), value >= 0 else {
          throw failure("\(name) '\(text)' is not a size")
        }
        return value
      }
    }
    let offset = try size("offset")
    let length = try size("length")
    let byteCount = Self.byteCount(count, type)
    guard length ?? byteCount == byteCount else {
      throw failure("shape \(message.shape) takes \(byteCount) bytes, length is \(length ?? 0)")
    }
    let data: ModelFile
    if let known = externalFiles[ExactName(target.path)] {
      data = known
    } else {
      data = try ModelFile(mapping: target)
      externalFiles[ExactName(target.path)] = data
    }
    let start = offset ?? 0
    guard start <= data.count, byteCount <= data.count - start else {
      throw failure("bytes \(start)... +\(byteCount) reach past the file's end, \(data.count)")
    }
    return try tensor(type, message.shape, count, at: start, in: data)
  }

  /// The file at a relative path; nil if that leaves the folder, by its words or by links.
  private static func file(at location: String, inside folder: URL) -> URL? {
    let components = location.split(separator: "/", omittingEmptySubsequences: false)
    guard !location.hasPrefix("/"), !components.contains(".."), !location.contains("\0") else {
      return nil
    }
    let root = folder.resolvingSymlinksInPath().standardizedFileURL.path
    let target = folder.appendingPathComponent(location).resolvingSymlinksInPath()
      .standardizedFileURL
    // By bytes: a folder beside it may be named by the same letters.
    guard target.path.utf8.starts(with: (root == "/" ? root : root + "/").utf8) else { return nil }
    return target
  }

  private func allocate(_ byteCount: Int) throws -> TensorStorage {
    try reserve(byteCount)
    return TensorStorage(allocating: byteCount)
  }

  private func reserve(_ byteCount: Int) throws {
    guard byteCount <= memoryLimit - copiedBytes else {
      throw ModelError.memoryLimit(
        node: "the model's weights", requested: copiedBytes + byteCount, limit: memoryLimit)
    }
    copiedBytes += byteCount
  }

  private func mismatch(_ message: TensorMessage, _ expected: Int, _ got: Int) -> ModelError {
    .malformed(
      reason: "tensor '\(message.name)' of shape \(message.shape) holds \(expected) elements, "
        + "the file has \(got)")
  }
}
