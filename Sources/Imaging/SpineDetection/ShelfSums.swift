import LineSegments
import RectangleDetection

/// Sums along the rows of a view, by which questions about what lies between two lines take two
/// numbers.
///
/// Like the view they are kept column after column, for who asks goes from row to row.
struct ShelfSums {
  let width: Int
  let height: Int
  /// For each row `width + 1` sums from the left: pixels on a level edge or up to two rows from
  /// one.
  ///
  /// Those of a row are `height` apart.
  let level: [UInt16]
  /// Likewise: pixels on an edge of either direction.
  private let either: [UInt16]
  /// Likewise: brightness.
  private let brightness: [Int32]

  init(_ view: EdgeView, _ gradient: GradientField) {
    let (width, height) = (view.width, view.height)
    self.width = width
    self.height = height
    let (count, levelMark) = (width * height, view.levelMark)
    // Unsafe pointers, one for each neighbour: then many pixels are done at a time.
    let near = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      target.initialize(repeating: 0)
      initialized = count
      view.marks.withUnsafeBufferPointer { marks in
        guard count > 4, let marks = marks.baseAddress, let target = target.baseAddress
        else { return }
        let (a, result) = (marks, target + 2)
        let (b, c, d, e) = (a + 1, a + 2, a + 3, a + 4)
        for index in 0..<count - 4 {
          result[index] =
            (a[index] | b[index] | c[index] | d[index] | e[index]) & levelMark == 0 ? 0 : 1
        }
      }
    }
    level = Self.sums(near, width: width, height: height) { UInt16($0) }
    either = Self.sums(view.marks, width: width, height: height) { $0 == 0 ? 0 : 1 }
    brightness = Self.sums(
      EdgeViews.columns(of: gradient.brightness, in: view), width: width, height: height
    ) { Int32($0) }
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
  func edgeCount(row: Int, from: Int, to: Int) -> Int {
    let (from, to) = (min(max(from, 0), width), min(max(to, 0), width))
    guard from < to else { return 0 }
    return Int(either[to * height + row]) - Int(either[from * height + row])
  }

  /// The brightness of the columns `from..<to` of a row, added up.
  func brightnessSum(row: Int, from: Int, to: Int) -> Int {
    let (from, to) = (min(max(from, 0), width), min(max(to, 0), width))
    guard from < to else { return 0 }
    return Int(brightness[to * height + row] - brightness[from * height + row])
  }
}

/// Sums of pixels near level edges, from the left to each of some lines: by which the pixels
/// between two of them are a difference of neighbours in memory.
struct LevelTable {
  /// Line after line, for each row how many there are before the line's column.
  let before: [UInt16]
  /// Likewise: up to and with the line's column.
  let after: [UInt16]

  init(_ sums: ShelfSums, _ courses: [SideLine.Course]) {
    func table(_ shift: Double) -> [UInt16] {
      let (width, height) = (sums.width, sums.height)
      return [UInt16](unsafeUninitializedCapacity: courses.count * height) { target, count in
        sums.level.withUnsafeBufferPointer { level in
          for (line, course) in courses.enumerated() {
            for row in 0..<height {
              let column = min(max(course.column(at: Double(row)) + shift, 0), Double(width))
              target[line * height + row] = level[Int(column) * height + row]
            }
          }
        }
        count = courses.count * height
      }
    }
    before = table(0)
    after = table(1)
  }
}
