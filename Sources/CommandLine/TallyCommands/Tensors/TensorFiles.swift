import CommandKit
import Foundation
import NumPyFiles
import ONNXRunner

/// Tensors as NumPy files.
enum TensorFiles {
  /// Files for inputs, each input once.
  ///
  /// - Throws: ``UsageError`` if an input is given twice.
  static func distinct(_ files: [NamedFile]) throws(UsageError) -> [NamedFile] {
    var given: Set<String> = []
    for file in files where !given.insert(file.name).inserted {
      throw UsageError("--input gives '\(file.name)' more than once")
    }
    return files
  }

  /// The tensors of files, by the names of inputs.
  static func read(_ files: [NamedFile]) throws -> [String: Tensor] {
    var tensors: [String: Tensor] = [:]
    for file in files {
      do {
        tensors[file.name] = try read(file.path)
      } catch {
        throw Failure.of(error, at: file.path)
      }
    }
    return tensors
  }

  /// The tensor in a `.npy` file, with the file's element type.
  ///
  /// - Throws: what ``InputFile``, `NumPyArray` and `Tensor` throw.
  static func read(_ path: String) throws -> Tensor {
    let array = try NumPyArray(contentsOf: InputFile.existing(path))
    let shape = array.shape
    switch array.elements {
    case .bool(let values): return try Tensor(shape: shape, values)
    case .int8(let values): return try Tensor(shape: shape, values)
    case .int16(let values): return try Tensor(shape: shape, values)
    case .int32(let values): return try Tensor(shape: shape, values)
    case .int64(let values): return try Tensor(shape: shape, values)
    case .uint8(let values): return try Tensor(shape: shape, values)
    case .uint16(let values): return try Tensor(shape: shape, values)
    case .uint32(let values): return try Tensor(shape: shape, values)
    case .uint64(let values): return try Tensor(shape: shape, values)
    case .float16(let bits): return try Tensor(shape: shape, bits.map { Half(bits: $0) })
    case .float32(let values): return try Tensor(shape: shape, values)
    case .float64(let values): return try Tensor(shape: shape, values)
    }
  }

  /// Writes a tensor to a `.npy` file, with its own element type; those that NumPy does not have
  /// become wider: `bfloat16`, `float8` and `float4` become `float32`, integers of 4 bits such
  /// of 8.
  ///
  /// - Throws: ``CommandError`` for text, which stays out of `.npy` files here, and if the file
  ///   cannot be written.
  static func write(_ tensor: Tensor, to path: String) throws {
    let array = try NumPyArray(shape: tensor.shape, elements: elements(of: tensor))
    try array.write(to: URL(fileURLWithPath: path))
  }

  private static func elements(of tensor: Tensor) throws -> NumPyElements {
    switch tensor.elementType {
    case .bool: .bool(try tensor.array(of: Bool.self))
    case .int8: .int8(try tensor.array(of: Int8.self))
    case .int16: .int16(try tensor.array(of: Int16.self))
    case .int32: .int32(try tensor.array(of: Int32.self))
    case .int64: .int64(try tensor.array(of: Int64.self))
    case .uint8: .uint8(try tensor.array(of: UInt8.self))
    case .uint16: .uint16(try tensor.array(of: UInt16.self))
    case .uint32: .uint32(try tensor.array(of: UInt32.self))
    case .uint64: .uint64(try tensor.array(of: UInt64.self))
    case .float16: .float16(try tensor.array(of: Half.self).map(\.bits))
    case .float32: .float32(try tensor.array(of: Float.self))
    case .float64: .float64(try tensor.array(of: Double.self))
    case .bfloat16, .float8e4m3fn, .float8e4m3fnuz, .float8e5m2, .float8e5m2fnuz, .float8e8m0,
      .float4e2m1:
      .float32(try tensor.converted(to: .float32).array(of: Float.self))
    case .int4: .int8(try tensor.converted(to: .int8).array(of: Int8.self))
    case .uint4: .uint8(try tensor.converted(to: .uint8).array(of: UInt8.self))
    case .string: throw CommandError(.badData, "a tensor of text cannot be written as .npy")
    }
  }
}
