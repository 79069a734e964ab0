/// One output of a detection network: its shape, and its values in row-major order.
public struct HeadOutput: Hashable, Sendable {
  /// The extent of each dimension, outermost first.
  public let shape: [Int]
  /// The values, the last dimension's side by side.
  public let values: [Float]

  /// Joins values and their shape.
  ///
  /// - Throws: ``DetectionDecodeError/valueCount(got:expected:)`` if the number of values is not
  ///   the product of the shape.
  public init(shape: [Int], values: [Float]) throws(DetectionDecodeError) {
    var count = 1
    for extent in shape {
      let (product, overflows) = count.multipliedReportingOverflow(by: extent)
      guard extent >= 0, !overflows else {
        throw .valueCount(got: values.count, expected: extent < 0 ? 0 : .max)
      }
      count = product
    }
    guard values.count == count else { throw .valueCount(got: values.count, expected: count) }
    self.shape = shape
    self.values = values
  }

  /// The shape without the dimensions of 1 before the last `rank`.
  ///
  /// Nil if there are fewer dimensions, or if one of those before is not 1: a batch of several
  /// images, for example.
  func trailing(_ rank: Int) -> [Int]? {
    guard shape.count >= rank, shape.dropLast(rank).allSatisfy({ $0 == 1 }) else { return nil }
    return Array(shape.suffix(rank))
  }
}

/// Checks a least score.
///
/// - Throws: ``DetectionDecodeError/minimumScore(_:)`` if it is NaN or not in 0...1.
func requireScore(_ minimum: Float) throws(DetectionDecodeError) {
  guard minimum >= 0, minimum <= 1 else { throw .minimumScore(minimum) }
}
