import Foundation
import NearestNeighbors

/// Vectors as they are kept, one row after the other.
struct EncodedRows {
  private let bytes: [UInt8]
  private let stride: Int

  /// Encodes vectors that lie one after the other.
  ///
  /// - Throws: ``SimilarityIndexError/invalidVector(index:reason:)`` for the first that cannot be
  ///   kept.
  init(_ values: [Float], layout: VectorLayout) throws(SimilarityIndexError) {
    let stride = layout.rowStride
    let count = values.count / layout.dimension
    var bytes = [UInt8](repeating: 0, count: count * stride)
    var index = 0
    do {
      try values.withUnsafeBufferPointer { values in
        try bytes.withUnsafeMutableBytes { rows in
          // An array of bytes begins at a multiple of 16, and rows need one of 4.
          guard let base = rows.baseAddress else { return }
          while index < count {
            let start = index * layout.dimension
            try layout.encode(
              UnsafeBufferPointer(rebasing: values[start..<(start + layout.dimension)]),
              into: base + index * stride)
            index += 1
          }
        }
      }
    } catch {
      throw .invalidVector(index: index, reason: "\(error)")
    }
    self.bytes = bytes
    self.stride = stride
  }

  /// Calls `body` with the bytes of a row.
  func withRow<Value>(
    _ index: Int, _ body: (UnsafeRawBufferPointer) throws(SimilarityIndexError) -> Value
  ) throws(SimilarityIndexError) -> Value {
    try bytes.withBytes { bytes throws(SimilarityIndexError) in
      try body(UnsafeRawBufferPointer(rebasing: bytes[(index * stride)..<((index + 1) * stride)]))
    }
  }
}

// `withUnsafeBytes` for bodies with a typed error, which Foundation's own would widen.

extension ContiguousBytes {
  func withBytes<Value>(
    _ body: (UnsafeRawBufferPointer) throws(SimilarityIndexError) -> Value
  ) throws(SimilarityIndexError) -> Value {
    let result = withUnsafeBytes { bytes in
      Result { () throws(SimilarityIndexError) in try body(bytes) }
    }
    return try result.get()
  }
}
