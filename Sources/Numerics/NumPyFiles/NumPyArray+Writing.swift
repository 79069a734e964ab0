import Foundation
import _SystemReason

extension NumPyArray {
  /// The bytes of a `.npy` file of this array, the same that `numpy.save` writes.
  public var data: Data {
    let dictionary = NumPyHeader(
      type: elements.type, isBigEndian: false, isFortranOrder: false, shape: shape
    ).text
    // NumPy leaves room for the first length to grow to 21 digits in place, and pads so that the
    // data begin at a multiple of 64. 64 axes of 20 digits stay far below the 65535 bytes of
    // version 1.
    let growth = shape.first.map { 21 - String($0).utf8.count } ?? 0
    let unpadded = 10 + dictionary.utf8.count + growth + 1
    let padding = growth + 64 - unpadded % 64
    let length = dictionary.utf8.count + padding + 1
    var data = Data([0x93] + "NUMPY".utf8 + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)])
    data.append(contentsOf: dictionary.utf8)
    data.append(contentsOf: repeatElement(0x20, count: padding))
    data.append(0x0A)
    data.append(elements.littleEndianBytes)
    return data
  }

  /// Writes the array to `url`: wholly or, where that fails, not at all.
  ///
  /// - Throws: ``NumPyFileError/unwritable(path:reason:)``.
  public func write(to url: URL) throws(NumPyFileError) {
    do {
      try data.write(to: url, options: .atomic)
    } catch {
      throw .unwritable(path: url.path, reason: SystemReason.text(of: error))
    }
  }
}

extension NumPyElements {
  /// The values as NumPy stores them; every platform this package is built for is little-endian.
  fileprivate var littleEndianBytes: Data {
    switch self {
    case .bool(let values): Data(values.map { $0 ? 1 : 0 })
    case .int8(let values): values.withUnsafeBytes { Data($0) }
    case .int16(let values): values.withUnsafeBytes { Data($0) }
    case .int32(let values): values.withUnsafeBytes { Data($0) }
    case .int64(let values): values.withUnsafeBytes { Data($0) }
    case .uint8(let values): values.withUnsafeBytes { Data($0) }
    case .uint16(let values): values.withUnsafeBytes { Data($0) }
    case .uint32(let values): values.withUnsafeBytes { Data($0) }
    case .uint64(let values): values.withUnsafeBytes { Data($0) }
    case .float16(let values): values.withUnsafeBytes { Data($0) }
    case .float32(let values): values.withUnsafeBytes { Data($0) }
    case .float64(let values): values.withUnsafeBytes { Data($0) }
    }
  }
}
