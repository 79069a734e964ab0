import LineSegments

/// A reduced picture's edges, looked at along one axis: which pixels lie on an edge that runs upright,
/// and how many lie on a level one from the left side to a column.
///
/// A view that is `turned` has columns and rows exchanged, so that whoever looks for upright things
/// finds the lying ones in it.
package struct EdgeView: Sendable {
  package let width: Int
  package let height: Int
  package let isTurned: Bool
  /// 1 on an upright edge and on the pixels beside it, else 0.
  private let upright: [UInt8]
  /// For each row `width + 1` sums from the left: pixels on a level edge or up to two rows from one.
  private let level: [Int32]
  /// Likewise: pixels on an edge of either direction.
  private let either: [Int32]
  /// Likewise: brightness.
  private let brightness: [Int32]

  /// The least step of brightness across an edge, in grey levels.
  package static let leastContrast = 8.0
  /// An edge is upright where the gradient across is so many fifths of that along.
  private static let (numerator, denominator): (Int32, Int32) = (6, 5)

  package init(_ gradient: GradientField, isTurned: Bool) {
    self.isTurned = isTurned
    let source = (width: gradient.width, height: gradient.height)
    let (width, height) = isTurned ? (source.height, source.width) : (source.width, source.height)
    self.width = width
    self.height = height
    let threshold = Int32(Self.leastContrast * GradientField.unit)
    // Strides in the picture of a step to the right and one down in this view.
    let (right, down) = isTurned ? (source.width, 1) : (1, source.width)
    let (across, along) = isTurned ? (gradient.y, gradient.x) : (gradient.x, gradient.y)

    var upright = [UInt8](repeating: 0, count: width * height)
    var levelEdge = [UInt8](repeating: 0, count: width * height)
    var eitherEdge = [UInt8](repeating: 0, count: width * height)
    // Unsafe pointers: a bounds check a pixel would be most of the time. The outermost two rows and
    // columns have no gradient, so no neighbour lies outside.
    across.withUnsafeBufferPointer { across in
      along.withUnsafeBufferPointer { along in
        upright.withUnsafeMutableBufferPointer { upright in
          levelEdge.withUnsafeMutableBufferPointer { levelEdge in
            eitherEdge.withUnsafeMutableBufferPointer { eitherEdge in
              for row in 2..<max(2, height - 2) {
                for column in 2..<max(2, width - 2) {
                  let from = row * down + column * right
                  let (x, y) = (abs(Int32(across[from])), abs(Int32(along[from])))
                  let to = row * width + column
                  if x >= threshold, Self.denominator * x > Self.numerator * y {
                    let (before, after) = (
                      abs(Int32(across[from - right])), abs(Int32(across[from + right]))
                    )
                    if x >= before, x >= after {
                      upright[to - 1] = 1
                      upright[to] = 1
                      upright[to + 1] = 1
                      eitherEdge[to] = 1
                    }
                  } else if y >= threshold, Self.denominator * y > Self.numerator * x {
                    let (before, after) = (
                      abs(Int32(along[from - down])), abs(Int32(along[from + down]))
                    )
                    if y >= before, y >= after {
                      for step in -2...2 { levelEdge[to + step * width] = 1 }
                      eitherEdge[to] = 1
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    self.upright = upright
    level = Self.sums(width: width, height: height) { Int32(levelEdge[$0 * width + $1]) }
    either = Self.sums(width: width, height: height) { Int32(eitherEdge[$0 * width + $1]) }
    let grey = gradient.brightness
    brightness = Self.sums(width: width, height: height) { row, column in
      Int32(grey[row * down + column * right])
    }
  }

  /// For each row, sums from the left, one more than there are columns.
  private static func sums(
    width: Int, height: Int, _ value: (_ row: Int, _ column: Int) -> Int32
  ) -> [Int32] {
    [Int32](unsafeUninitializedCapacity: (width + 1) * height) { target, count in
      for row in 0..<height {
        var sum: Int32 = 0
        let start = row * (width + 1)
        target[start] = 0
        for column in 0..<width {
          sum &+= value(row, column)
          target[start + column + 1] = sum
        }
      }
      count = (width + 1) * height
    }
  }

  /// Whether an upright edge passes through the pixel or beside it; false outside.
  package func isUpright(column: Int, row: Int) -> Bool {
    column >= 0 && column < width && row >= 0 && row < height && upright[row * width + column] != 0
  }

  /// How many pixels of the columns `from..<to` of a row lie on a level edge.
  package func levelCount(row: Int, from: Int, to: Int) -> Int {
    Self.difference(level, width, row, from, to)
  }

  /// How many pixels of the columns `from..<to` of a row lie on an edge.
  package func edgeCount(row: Int, from: Int, to: Int) -> Int {
    Self.difference(either, width, row, from, to)
  }

  /// The brightness of the columns `from..<to` of a row, added up.
  package func brightnessSum(row: Int, from: Int, to: Int) -> Int {
    Self.difference(brightness, width, row, from, to)
  }

  private static func difference(
    _ sums: [Int32], _ width: Int, _ row: Int, _ from: Int, _ to: Int
  ) -> Int {
    let (from, to) = (min(max(from, 0), width), min(max(to, 0), width))
    guard from < to else { return 0 }
    let start = row * (width + 1)
    return Int(sums[start + to] - sums[start + from])
  }
}
