/// The known facts of a value before a run: its type and its shape.
///
/// For a value in another layout, the shape is that of the usual layout.
package struct ValueFact: Sendable, Equatable {
  package var type: ElementType
  package var shape: [Int]

  package init(_ type: ElementType, _ shape: [Int]) {
    self.type = type
    self.shape = shape
  }

  package init(_ tensor: Tensor) {
    self.init(tensor.elementType, tensor.shape)
  }

  /// The bytes of a tensor of this type and `shape`; nil if that is not a valid size.
  package func byteCount(of shape: [Int]) -> Int? {
    let each = max(type.byteCount, 1)
    return (try? Tensor.elementCount(of: shape, bytesEach: each)).map { $0 * type.byteCount }
  }
}
