/// Overlaps of every box of one list with every box of another, row after row.
public struct IoUMatrix: Hashable, Sendable {
  /// The number of rows: of boxes in the first list.
  public let rows: Int
  /// The number of columns: of boxes in the second list.
  public let columns: Int
  /// `rows * columns` overlaps, 0...1, row after row.
  public let values: [Float]

  /// The overlap of a box of the first list with one of the second.
  ///
  /// The indices must be in `0..<rows` and `0..<columns`, as an array's must.
  public subscript(row: Int, column: Int) -> Float {
    precondition(row >= 0 && row < rows && column >= 0 && column < columns)
    return values[row * columns + column]
  }
}

/// Intersection over union of every box in `first` with every box in `second`.
///
/// Values are ``Box/iou(_:)``'s: torchvision's `box_iou`.
///
/// - Complexity: O(*n* *m*) time and memory.
public func iouMatrix(_ first: [Box], _ second: [Box]) -> IoUMatrix {
  var values: [Float] = []
  values.reserveCapacity(first.count * second.count)
  for box in first {
    for other in second { values.append(box.iou(other)) }
  }
  return IoUMatrix(rows: first.count, columns: second.count, values: values)
}
