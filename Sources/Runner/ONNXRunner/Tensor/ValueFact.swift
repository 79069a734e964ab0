/// What is known of a value before a run: its type and its shape.
///
/// Of a value in another layout it says how it would lie as usual.
struct ValueFact: Sendable, Equatable {
  var type: ElementType
  var shape: [Int]

  init(_ type: ElementType, _ shape: [Int]) {
    self.type = type
    self.shape = shape
  }

  init(_ tensor: Tensor) {
    self.init(tensor.elementType, tensor.shape)
  }

  /// Bytes of a tensor of this type and `shape`, or nil where that is no size.
  func byteCount(of shape: [Int]) -> Int? {
    let each = max(type.byteCount, 1)
    return (try? Tensor.elementCount(of: shape, bytesEach: each)).map { $0 * type.byteCount }
  }
}
