import LinearAlgebra

/// Makes short codes of vectors, from which distances can be estimated (product quantization).
///
/// A vector is cut into equal parts, one for each subspace. The code of a part is the number of the
/// nearest centroid in the subspace's codebook, in 8 or 4 bits. So 128 values in 16 subspaces become
/// 16 bytes instead of 512. A codebook is made by k-means from example vectors.
///
/// ```swift
/// let quantizer = try ProductQuantizer(training: examples, subspaceCount: 16)
/// let codes = try quantizer.encoded(examples)    // 16 bytes each
/// let search = PQSearch(quantizer: quantizer)
/// ```
///
/// More subspaces make codes longer and distances more exact. With 4 bits twice as many subspaces
/// fit in the same bytes, and codebooks are trained more quickly. Which is more exact depends on the
/// vectors.
///
/// With ``VectorMetric/cosine`` vectors are divided by their length first.
///
/// Source: Jégou, Douze and Schmid, "Product quantization for nearest neighbor search", IEEE TPAMI
/// 33 (2011).
public struct ProductQuantizer: Hashable, Sendable {
  /// The vectors as they are before they are cut: of single precision.
  let layout: VectorLayout
  /// The number of subspaces, a divisor of ``dimension``.
  public let subspaceCount: Int
  /// The bits of a code for each subspace: 8 or 4.
  public let bits: Int
  /// The centroids, subspace after subspace and column after column.
  ///
  /// In this order, one instruction compares several of them.
  let lanes: [Float]

  /// Makes a quantizer of given codebooks, one for each subspace.
  ///
  /// - Parameters:
  ///   - codebooks: in each the centroids, one per row: 256 for codes of 8 bits or 16 for codes of
  ///     4; all of one shape.
  ///   - metric: the metric for comparing vectors.
  /// - Throws: ``NeighborSearchError/invalidCodebook(index:)``,
  ///   ``NeighborSearchError/invalidDimension(_:)`` for the sum of the columns.
  public init(
    codebooks: [Matrix<Float>], metric: VectorMetric = .cosine
  ) throws(NeighborSearchError) {
    let (count, width) = (codebooks.first?.rowCount ?? 0, codebooks.first?.columnCount ?? 0)
    guard let bits = Self.bits(centroids: count) ?? (codebooks.isEmpty ? 8 : nil) else {
      throw .invalidCodebook(index: 0)
    }
    for (index, book) in codebooks.enumerated() {
      guard book.rowCount == count, book.columnCount == width,
        book.elements.allSatisfy(\.isFinite)
      else { throw .invalidCodebook(index: index) }
    }
    // The sum does not overflow: memory holds more values than that.
    layout = try VectorLayout(dimension: codebooks.count * width, metric: metric)
    subspaceCount = codebooks.count
    self.bits = bits
    lanes = codebooks.flatMap { book in
      (0..<width).flatMap { column in
        (0..<count).lazy.map { book.elements[$0 * width + column] }
      }
    }
  }

  /// The number of values in a vector.
  public var dimension: Int { layout.dimension }

  /// The metric for comparing vectors.
  public var metric: VectorMetric { layout.metric }

  /// The bytes of a code: one for each subspace, or for each two with 4 bits.
  public var codeSize: Int { (subspaceCount * bits + 7) / 8 }

  /// The codebooks, one for each subspace: in each the centroids, one per row.
  ///
  /// - Complexity: O(2^bits d).
  public var codebooks: [Matrix<Float>] {
    (0..<subspaceCount).map { subspace in
      let start = subspace * width * centroidCount
      let values = (0..<centroidCount).flatMap { centroid in
        (0..<width).lazy.map { lanes[start + $0 * centroidCount + centroid] }
      }
      return Matrix(unchecked: values, rowCount: centroidCount, columnCount: width)
    }
  }

  /// The number of centroids in a codebook.
  var centroidCount: Int { 1 << bits }

  /// The number of values in a part.
  var width: Int { dimension / subspaceCount }

  /// The bits of codes with that many centroids.
  private static func bits(centroids: Int) -> Int? {
    centroids == 256 ? 8 : centroids == 16 ? 4 : nil
  }

  /// A caller's vector as it is cut.
  func prepared(_ vector: UnsafeBufferPointer<Float>) throws(NeighborSearchError) -> [Float] {
    let factor = try layout.checkedFactor(for: vector)
    return vector.map { Float(Double($0) * factor) }
  }

  /// Writes for each subspace the comparisons of the part of a prepared vector with its centroids.
  func compare(_ vector: [Float], by comparison: CentroidComparison, into table: inout [Float]) {
    lanes.withUnsafeBufferPointer { lanes in
      table.withUnsafeMutableBufferPointer { table in
        vector.withUnsafeBufferPointer { vector in
          guard let lanes = lanes.baseAddress, let table = table.baseAddress,
            let vector = vector.baseAddress
          else { return }
          for subspace in 0..<subspaceCount {
            comparison.write(
              vector + subspace * width, lanes + subspace * width * centroidCount, width: width,
              centroidCount: centroidCount, into: table + subspace * centroidCount)
          }
        }
      }
    }
  }
}
