/// A reduced picture's edges, looked at along one axis.
///
/// Who looks along upright lines goes from row to row: values are kept column after column, so that
/// this is going on in memory.
package struct EdgeView: Sendable {
  package let width: Int
  package let height: Int
  /// Whether columns and rows of the picture are exchanged.
  package let isTurned: Bool
  /// For each pixel, column after column: ``uprightMark`` on an upright edge, ``levelMark`` on a
  /// level one, else 0; in the outermost two rows and columns always 0.
  package let marks: [UInt8]
  /// 1 on an upright edge and on the pixels beside it, else 0.
  let upright: [UInt8]

  /// What marks an edge that is upright in this view, 1 or 2.
  package var uprightMark: UInt8 { isTurned ? 2 : 1 }
  /// What marks one that is level in it.
  package var levelMark: UInt8 { isTurned ? 1 : 2 }

  /// Takes marks column after column: 1 if an edge is upright in the picture, 2 where it is level.
  init(marks: [UInt8], width: Int, height: Int, isTurned: Bool) {
    self.width = width
    self.height = height
    self.isTurned = isTurned
    self.marks = marks
    let count = width * height
    let uprightMark: UInt8 = isTurned ? 2 : 1
    // Unsafe pointers, one for each neighbour: then many pixels are done at a time. In the
    // outermost columns, which are skipped, there is no mark in reach.
    upright = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      target.initialize(repeating: 0)
      initialized = count
      marks.withUnsafeBufferPointer { marks in
        guard width > 2, let marks = marks.baseAddress, let target = target.baseAddress
        else { return }
        let (here, result) = (marks + height, target + height)
        let (before, after) = (here - height, here + height)
        for index in 0..<count - 2 * height {
          result[index] =
            (before[index] | here[index] | after[index]) & uprightMark == 0 ? 0 : 1
        }
      }
    }
  }

  /// For each row, whether an upright edge passes within a pixel of the line through (`slope` y +
  /// `offset`, y), bent: ``SideLine/seen`` or 0, outside of the picture 0.
  func rows(along slope: Double, _ offset: Double, bow: Bow) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: height) { target, count in
      upright.withUnsafeBufferPointer { upright in
        for row in 0..<height {
          let place = Double(row) + 0.5
          let column = slope * place + offset + (bow.sag == 0 ? 0 : bow.shift(at: place))
          // Lines far outside a small picture don't fit an Int.
          target[row] =
            column >= 0 && column < Double(width)
            ? upright[Int(column) * height + row] &* SideLine.seen : 0
        }
      }
      count = height
    }
  }

  /// By how much the rows with an edge under a line outweigh those without in the best stretch, by
  /// every other row: the measure of ``SideLine/strength`` in whole numbers, for choosing between
  /// lines.
  ///
  /// A row with an edge counts `edge`, one without `gap` less than nothing.
  func strength(
    along slope: Double, _ offset: Double, rows: Range<Int>, edge: Int, gap: Int
  ) -> Int {
    // Lines far outside a small picture don't fit a fixed-point number.
    guard abs(slope) < 64, abs(offset) < 1e8 else { return 0 }
    // Columns in units of 2^-32: turning a Double into an Int for every row would be most of the
    // time.
    let unit = 4_294_967_296.0
    var place = Int((slope * (Double(rows.lowerBound) + 0.5) + offset) * unit)
    let step = Int(2 * slope * unit)
    var (best, sum) = (0, 0)
    upright.withUnsafeBufferPointer { upright in
      for row in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
        let column = place &>> 32
        let isInside = UInt(bitPattern: column) < UInt(bitPattern: width)
        let mark = isInside ? Int(upright[column &* height &+ row]) : 0
        sum = max(0, sum &+ mark &* (edge &+ gap) &- gap)
        best = max(best, sum)
        place = place &+ step
      }
    }
    return best
  }

  /// Likewise along a line that bends.
  func strength(
    along slope: Double, _ offset: Double, bow: Bow, rows: Range<Int>, edge: Int, gap: Int
  ) -> Int {
    var (best, sum) = (0, 0)
    upright.withUnsafeBufferPointer { upright in
      for row in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
        let place = Double(row) + 0.5
        let column = slope * place + offset + bow.shift(at: place)
        let isInside = column >= 0 && column < Double(width)
        let mark = isInside ? Int(upright[Int(column) &* height &+ row]) : 0
        sum = max(0, sum &+ mark &* (edge &+ gap) &- gap)
        best = max(best, sum)
      }
    }
    return best
  }
}
