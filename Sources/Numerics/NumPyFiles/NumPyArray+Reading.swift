import Foundation
import _SystemReason

extension NumPyArray {
  /// Reads the `.npy` file at `url`.
  ///
  /// - Throws: ``NumPyFileError``: ``NumPyFileError/unreadable(path:reason:)`` if the file is
  ///   missing, a directory or a device, and otherwise as ``init(data:)``.
  public init(contentsOf url: URL) throws(NumPyFileError) {
    let path = url.path
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw .unreadable(path: path, reason: "there is no such file")
    }
    guard !isDirectory.boolValue else { throw .unreadable(path: path, reason: "it is a directory") }
    let data: Data?
    do {
      let target = url.resolvingSymlinksInPath().path
      let attributes = try FileManager.default.attributesOfItem(atPath: target)
      // A device or a pipe may never end.
      let isRegular = attributes[.type] as? FileAttributeType == .typeRegular
      data = isRegular ? try Data(contentsOf: url) : nil
    } catch {
      throw .unreadable(path: path, reason: SystemReason.text(of: error))
    }
    guard let data else { throw .unreadable(path: path, reason: "it is not a regular file") }
    try self.init(data: data)
  }

  /// Reads the bytes of a `.npy` file.
  ///
  /// Memory: one copy of the values beside `data`, two while Fortran order is rearranged. Nothing
  /// is allocated before the number of bytes is known to be what the header announces.
  ///
  /// - Throws: ``NumPyFileError``, naming what is wrong with the bytes.
  public init(data: Data) throws(NumPyFileError) {
    let (header, body) = try data.withUnsafeBytes { bytes in
      Result { () throws(NumPyFileError) in try Self.header(of: bytes) }
    }.get()
    let count = try Self.count(of: header.shape)
    let (size, overflow) = count.multipliedReportingOverflow(by: header.type.byteCount)
    guard !overflow else { throw .invalidShape(header.shape) }
    let found = data.count - body
    guard found == size else { throw .sizeMismatch(expected: size, found: found) }
    // The decoder reads raw bytes: they may lie unaligned behind the header.
    let elements = data.withUnsafeBytes { bytes in
      NumPyDecoder(
        bytes: UnsafeRawBufferPointer(rebasing: bytes[body...]), count: count, header: header
      ).elements()
    }
    try self.init(shape: header.shape, elements: elements)
  }

  /// The header, and the offset of the first byte behind it.
  private static func header(
    of bytes: UnsafeRawBufferPointer
  ) throws(NumPyFileError) -> (NumPyHeader, Int) {
    guard bytes.starts(with: [0x93] + "NUMPY".utf8) else { throw .notNumPy }
    guard bytes.count >= 10 else { throw .invalidHeader("the file ends inside it") }
    let (major, minor) = (bytes[6], bytes[7])
    guard (1...3).contains(major), minor == 0 else {
      throw .unsupportedVersion(major: Int(major), minor: Int(minor))
    }
    let start = major == 1 ? 10 : 12
    guard bytes.count >= start else { throw .invalidHeader("the file ends inside it") }
    let length = bytes[8..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count - start >= length else {
      throw .invalidHeader("\(length) bytes long, but only \(bytes.count - start) follow")
    }
    return (try NumPyHeader(parsing: bytes[start..<start + length]), start + length)
  }
}

/// Turns the bytes behind a header into elements; `bytes` hold exactly `count` of them.
private struct NumPyDecoder {
  let bytes: UnsafeRawBufferPointer
  let count: Int
  let header: NumPyHeader

  func elements() -> NumPyElements {
    switch header.type {
    case .bool: .bool(inCOrder(bytes.map { $0 != 0 }))
    case .int8: .int8(integers())
    case .int16: .int16(integers())
    case .int32: .int32(integers())
    case .int64: .int64(integers())
    case .uint8: .uint8(integers())
    case .uint16: .uint16(integers())
    case .uint32: .uint32(integers())
    case .uint64: .uint64(integers())
    case .float16: .float16(integers())
    case .float32:
      .float32(values(swappedWith: { Float(bitPattern: $0.bitPattern.byteSwapped) }))
    case .float64:
      .float64(values(swappedWith: { Double(bitPattern: $0.bitPattern.byteSwapped) }))
    }
  }

  private func integers<Value: FixedWidthInteger>() -> [Value] {
    values(swappedWith: \.byteSwapped)
  }

  /// The values in C order; `Value` must be a plain number of the header's size.
  private func values<Value>(swappedWith swap: (Value) -> Value) -> [Value] {
    var values = [Value](unsafeUninitializedCapacity: count) { buffer, initialized in
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
      initialized = count
    }
    if header.isBigEndian {
      for index in values.indices { values[index] = swap(values[index]) }
    }
    return inCOrder(values)
  }

  /// The values rearranged from Fortran order, where the first index runs fastest, if they are so.
  private func inCOrder<Value>(_ values: [Value]) -> [Value] {
    let shape = header.shape
    guard header.isFortranOrder, shape.count > 1, count > 0 else { return values }
    var strides: [Int] = []
    var stride = 1
    for length in shape {
      strides.append(stride)
      stride *= length
    }
    var index = [Int](repeating: 0, count: shape.count)
    var source = 0
    var result: [Value] = []
    result.reserveCapacity(count)
    for _ in 0..<count {
      result.append(values[source])
      // Count up like an odometer whose last wheel runs fastest.
      var axis = shape.count - 1
      while axis >= 0 {
        index[axis] += 1
        source += strides[axis]
        if index[axis] < shape[axis] { break }
        source -= strides[axis] * shape[axis]
        index[axis] = 0
        axis -= 1
      }
    }
    return result
  }
}
