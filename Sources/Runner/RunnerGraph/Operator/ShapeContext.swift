/// Where shapes are worked out: a run, whose failures say why, or a rule, which then does not know.
///
/// What both need is written once, as an extension of this.
package protocol ShapeContext {
  associatedtype Failure: Error

  /// What to throw if there is no such shape.
  func failure(_ reason: String) -> Failure
}

extension KernelContext: ShapeContext {}

extension ShapeQuery: ShapeContext {
  package func failure(_ reason: String) -> Unknown { Unknown() }
}

extension ShapeContext {
  /// `axis` counted from the front; ONNX lets it count from the back as a negative number.
  package func normalizedAxis(_ axis: Int, rank: Int) throws -> Int {
    guard axis >= -rank, axis < rank else {
      throw failure("axis \(axis) is out of range for rank \(rank)")
    }
    return axis < 0 ? axis + rank : axis
  }

  /// The product of extents.
  package func product(_ extents: some Sequence<Int>) throws -> Int {
    try extents.reduce(1) {
      let (result, overflow) = $0.multipliedReportingOverflow(by: $1)
      guard !overflow else { throw failure("the result is too large") }
      return result
    }
  }
}
