/// A reduced picture's edges, looked at along one axis: which pixels lie on an edge that runs upright,
/// and how many lie on a level one from the left side to a column.
///
/// Who looks along upright lines goes from row to row: values are kept column after column, so that this is
/// going on in memory.
package struct EdgeView: Sendable {
  package let width: Int
  package let height: Int
  /// Whether columns and rows of the picture are exchanged.
  package let isTurned: Bool
  /// 1 on an upright edge and on the pixels beside it, else 0.
  let upright: [UInt8]
  /// For each row `width + 1` sums from the left: pixels on a level edge or up to two rows from one.
  ///
  /// Those of a row are `height` apart.
  package let level: [UInt16]
  /// Likewise: pixels on an edge of either direction.
  let either: [UInt16]
  /// Likewise: brightness.
  let brightness: [Int32]

  /// Takes marks and brightness column after column; `uprightMark` marks edges upright in this view.
  init(columns: [UInt8], brightness: [UInt8], width: Int, height: Int, uprightMark: UInt8) {
    self.width = width
    self.height = height
    isTurned = uprightMark == 2
    let levelMark = 3 - uprightMark
    let count = width * height
    // Unsafe pointers, one for each neighbour: then many pixels are done at a time. No mark lies in the
    // outermost two rows and columns, so what is passed over there has none beside it.
    upright = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      target.initialize(repeating: 0)
      initialized = count
      columns.withUnsafeBufferPointer { columns in
        guard width > 2, let columns = columns.baseAddress, let target = target.baseAddress
        else { return }
        let (here, result) = (columns + height, target + height)
        let (before, after) = (here - height, here + height)
        for index in 0..<count - 2 * height {
          result[index] =
            (before[index] | here[index] | after[index]) & uprightMark == 0 ? 0 : 1
        }
      }
    }
    let near = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      target.initialize(repeating: 0)
      initialized = count
      columns.withUnsafeBufferPointer { columns in
        guard count > 4, let columns = columns.baseAddress, let target = target.baseAddress
        else { return }
        let (a, result) = (columns, target + 2)
        let (b, c, d, e) = (a + 1, a + 2, a + 3, a + 4)
        for index in 0..<count - 4 {
          result[index] =
            (a[index] | b[index] | c[index] | d[index] | e[index]) & levelMark == 0 ? 0 : 1
        }
      }
    }
    level = Self.sums(near, width: width, height: height) { UInt16($0) }
    either = Self.sums(columns, width: width, height: height) { $0 == 0 ? 0 : 1 }
    self.brightness = Self.sums(brightness, width: width, height: height) { Int32($0) }
  }

  /// For each row, sums from the left, one more than there are columns.
  private static func sums<Sum: FixedWidthInteger>(
    _ values: [UInt8], width: Int, height: Int, _ value: (UInt8) -> Sum
  ) -> [Sum] {
    [Sum](unsafeUninitializedCapacity: (width + 1) * height) { target, count in
      guard let sums = target.baseAddress else { return }
      values.withUnsafeBufferPointer { values in
        for row in 0..<height { sums[row] = 0 }
        guard let values = values.baseAddress else { return }
        for column in 0..<width {
          // A column's sums from those of the last, many rows at a time.
          let (last, next) = (sums + column * height, sums + (column + 1) * height)
          let added = values + column * height
          for row in 0..<height { next[row] = last[row] &+ value(added[row]) }
        }
      }
      count = (width + 1) * height
    }
  }

  /// How many pixels of the columns `from..<to` of a row lie on an edge.
  package func edgeCount(row: Int, from: Int, to: Int) -> Int {
    let (from, to) = (min(max(from, 0), width), min(max(to, 0), width))
    guard from < to else { return 0 }
    return Int(either[to * height + row]) - Int(either[from * height + row])
  }

  /// The brightness of the columns `from..<to` of a row, added up.
  package func brightnessSum(row: Int, from: Int, to: Int) -> Int {
    let (from, to) = (min(max(from, 0), width), min(max(to, 0), width))
    guard from < to else { return 0 }
    return Int(brightness[to * height + row] - brightness[from * height + row])
  }

  /// For each row, whether an upright edge passes within a pixel of the line through (`slope` y +
  /// `offset`, y); 0 outside of the picture.
  func rows(along slope: Double, _ offset: Double) -> [Float] {
    [Float](unsafeUninitializedCapacity: height) { target, count in
      upright.withUnsafeBufferPointer { upright in
        for row in 0..<height {
          let column = slope * (Double(row) + 0.5) + offset
          // Lines far outside a small picture don't fit an Int.
          target[row] =
            column >= 0 && column < Double(width)
            ? Float(upright[Int(column) * height + row]) : 0
        }
      }
      count = height
    }
  }

  /// By how much the rows with an edge under a line outweigh those without in the best stretch, by every
  /// other row: the measure of ``SideLine/strength``, for choosing between lines.
  func strength(along slope: Double, _ offset: Double, leastShare: Double) -> Double {
    var (best, sum) = (0.0, 0.0)
    upright.withUnsafeBufferPointer { upright in
      for row in stride(from: 0, to: height, by: 2) {
        let column = slope * (Double(row) + 0.5) + offset
        let isInside = column >= 0 && column < Double(width)
        let isEdge = isInside && upright[Int(column) &* height &+ row] != 0
        sum = max(0, sum + (isEdge ? 1 - leastShare : -leastShare))
        best = max(best, sum)
      }
    }
    return best
  }
}
