/// The context of shape computations: a run, which fails with a reason, or a rule, which then has
/// no result.
///
/// The common computations are an extension of this protocol.
package protocol ShapeContext {
  associatedtype Failure: Error

  /// The error for an impossible shape.
  func failure(_ reason: String) -> Failure
}

extension KernelContext: ShapeContext {}

extension ShapeQuery: ShapeContext {
  package func failure(_ reason: String) -> Unknown { Unknown() }
}

extension ShapeContext {
  /// `axis` counted from the front; in ONNX a negative number counts from the back.
  package func normalizedAxis(_ axis: Int, rank: Int) throws -> Int {
    guard axis >= -rank, axis < rank else {
      throw failure("axis \(axis) is out of range for rank \(rank)")
    }
    return axis < 0 ? axis + rank : axis
  }

  /// The product of extents.
  package func product(_ extents: [Int]) throws -> Int { try product(extents[...]) }

  /// The same for a part of a shape.
  package func product(_ extents: ArraySlice<Int>) throws -> Int {
    var result = 1
    for extent in extents {
      let (product, overflow) = result.multipliedReportingOverflow(by: extent)
      guard !overflow else { throw failure("the result is too large") }
      result = product
    }
    return result
  }
}
