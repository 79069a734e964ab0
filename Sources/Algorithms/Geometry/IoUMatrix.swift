/// The overlaps of every box of one list with every box of another, in row-major order.
public struct IoUMatrix: Hashable, Sendable {
  /// The number of rows: the number of boxes in the first list.
  public let rows: Int
  /// The number of columns: the number of boxes in the second list.
  public let columns: Int
  /// `rows * columns` overlaps, 0...1, in row-major order.
  public let values: [Float]

  /// The overlap of a box of the first list with one of the second.
  ///
  /// The indices must be in `0..<rows` and `0..<columns`, as for an array.
  public subscript(row: Int, column: Int) -> Float {
    precondition(row >= 0 && row < rows && column >= 0 && column < columns)
    return values[row * columns + column]
  }
}

/// Intersection over union of every box in `first` with every box in `second`.
///
/// Values equal those of ``Box/iou(_:)``, and so torchvision's `box_iou`, to the last bit.
///
/// - Complexity: O(*n* *m*) time and memory.
public func iouMatrix(_ first: [Box], _ second: [Box]) -> IoUMatrix {
  let count = first.count * second.count
  let columns = first.allSatisfy(\.isFinite) ? BoxColumns(second) : nil
  let values = [Float](unsafeUninitializedCapacity: count) { values, filled in
    var row = values.baseAddress
    for box in first {
      guard let start = row else { break }
      if let columns {
        columns.writeIoU(of: box, to: start)
      } else {
        for (column, other) in second.enumerated() { start[column] = box.iou(other) }
      }
      row = start + second.count
    }
    filled = count
  }
  return IoUMatrix(rows: first.count, columns: second.count, values: values)
}

/// Finite boxes in columns of coordinates, so that several overlaps are computed at once.
private struct BoxColumns {
  private let count: Int
  /// Left, top, right and bottom edges and areas, one after the other.
  private let values: [Float]

  /// Makes columns of boxes, or nil if a coordinate is infinite or NaN.
  ///
  /// Differences of finite coordinates are not NaN, so the greater and the smaller of two numbers
  /// do not depend on how a processor treats NaN.
  init?(_ boxes: [Box]) {
    guard boxes.allSatisfy(\.isFinite) else { return nil }
    let count = boxes.count
    self.count = count
    values = [Float](unsafeUninitializedCapacity: 5 * count) { values, filled in
      for (index, box) in boxes.enumerated() {
        values[index] = box.minX
        values[count + index] = box.minY
        values[2 * count + index] = box.maxX
        values[3 * count + index] = box.maxY
        values[4 * count + index] = box.area
      }
      filled = 5 * count
    }
  }

  /// Writes the overlap of one finite box with each of these, by the operations of ``Box/iou(_:)``.
  func writeIoU(of box: Box, to row: UnsafeMutablePointer<Float>) {
    let area = box.area
    values.withUnsafeBufferPointer { buffer in
      guard let left = buffer.baseAddress else { return }
      let (top, right, bottom) = (left + count, left + 2 * count, left + 3 * count)
      let areas = left + 4 * count
      for index in 0..<count {
        let width = smaller(box.maxX, right[index]) - larger(box.minX, left[index])
        let height = smaller(box.maxY, bottom[index]) - larger(box.minY, top[index])
        let shared = larger(width, 0) * larger(height, 0)
        let overlap = shared / (area + areas[index] - shared)
        row[index] = shared <= 0 ? 0 : overlap
      }
    }
  }
}

/// The larger of two numbers, the second of equal ones.
///
/// This is one instruction on every processor. `max` is not, because of its rule for NaN.
@inline(__always)
private func larger(_ first: Float, _ second: Float) -> Float { first > second ? first : second }

/// The smaller of two numbers, the second of equal ones.
@inline(__always)
private func smaller(_ first: Float, _ second: Float) -> Float { first < second ? first : second }
