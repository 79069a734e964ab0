import LineSegments

/// Which pixels of a reduced picture lie on an upright edge, and which on a level one.
///
/// An edge is where the gradient is largest across it, at least ``leastContrast`` and clearly
/// steeper across than along.
struct EdgeMarks {
  let width: Int
  let height: Int
  /// For each pixel, row after row: 1 on an upright edge, 2 on a level one, else 0.
  let marks: [UInt8]

  /// The least step of brightness across an edge, in grey levels.
  static let leastContrast = 8.0

  init(_ gradient: GradientField) {
    (width, height) = (gradient.width, gradient.height)
    let (width, height) = (width, height)
    let threshold = Int16(Self.leastContrast * GradientField.unit)
    marks = [UInt8](unsafeUninitializedCapacity: width * height) { marks, count in
      marks.initialize(repeating: 0)
      count = width * height
      // Unsafe pointers: a bounds check a pixel would be most of the time. The outermost two rows
      // and columns have no gradient, so no neighbour lies outside. Without branches many pixels
      // are done at a time.
      gradient.x.withUnsafeBufferPointer { x in
        gradient.y.withUnsafeBufferPointer { y in
          guard let x = x.baseAddress, let y = y.baseAddress, let marks = marks.baseAddress
          else { return }
          for row in 2..<max(2, height - 2) {
            let start = row * width + 2
            let (dx, dy, target) = (x + start, y + start, marks + start)
            let (left, right, above, below) = (dx - 1, dx + 1, dy - width, dy + width)
            for index in 0..<max(0, width - 4) {
              let (across, along) = (Self.size(dx[index]), Self.size(dy[index]))
              // One is larger by a quarter or it is not a clear edge.
              let upright = max(
                threshold, along &+ along &>> 2 &+ 1, Self.size(left[index]),
                Self.size(right[index]))
              let level = max(
                threshold, across &+ across &>> 2 &+ 1, Self.size(above[index]),
                Self.size(below[index]))
              target[index] = UInt8(
                truncatingIfNeeded: Self.bit(across >= upright) | Self.bit(along >= level) &<< 1)
            }
          }
        }
      }
    }
  }

  @inline(__always)
  private static func size(_ value: Int16) -> Int16 { max(value, 0 &- value) }

  @inline(__always)
  private static func bit(_ condition: Bool) -> Int16 { condition ? 1 : 0 }
}

/// A picture's edges looked at for upright things and, with x and y exchanged, for lying ones.
package struct EdgeViews: Sendable {
  /// As the picture is.
  package let upright: EdgeView
  /// With columns and rows exchanged.
  package let turned: EdgeView

  package init(_ gradient: GradientField) {
    let edges = EdgeMarks(gradient)
    let (width, height) = (edges.width, edges.height)
    // A view keeps its columns one after the other: for the turned one these are the picture's
    // rows.
    turned = EdgeView(marks: edges.marks, width: height, height: width, isTurned: true)
    upright = EdgeView(
      marks: Self.transposed(edges.marks, width: width, height: height), width: width,
      height: height, isTurned: false)
  }

  /// The values of a picture's pixels, row after row, as a view of it keeps them: column after
  /// column.
  package static func columns(of rows: [UInt8], in view: EdgeView) -> [UInt8] {
    view.isTurned ? rows : transposed(rows, width: view.width, height: view.height)
  }

  /// Columns one after the other instead of rows, in squares that stay in the cache.
  private static func transposed(_ rows: [UInt8], width: Int, height: Int) -> [UInt8] {
    let side = 32
    return [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
      rows.withUnsafeBufferPointer { rows in
        for top in stride(from: 0, to: height, by: side) {
          for left in stride(from: 0, to: width, by: side) {
            for column in left..<min(left + side, width) {
              for row in top..<min(top + side, height) {
                target[column * height + row] = rows[row * width + column]
              }
            }
          }
        }
      }
      count = width * height
    }
  }
}
