/// The lines of a view, with their rows in one piece of memory: pairs of them are looked at over
/// and over.
///
/// Everything is in pixels of the view.
package struct LineTable: Sendable {
  /// Where each line runs.
  package let courses: [SideLine.Course]
  /// Line after line, for each row of the view whether there is an edge under it, see
  /// ``SideLine/rows``.
  package let rows: [UInt8]
  /// Line after line, sums of ``rows`` from the top, one more than there are rows.
  private let sums: [Int32]
  private let height: Int

  private static let seen = Double(SideLine.seen)

  package init(_ lines: [SideLine], height: Int) {
    self.height = height
    courses = lines.map(\.course)
    rows = lines.flatMap(\.rows)
    sums = [Int32](unsafeUninitializedCapacity: lines.count * (height + 1)) { sums, count in
      for (index, line) in lines.enumerated() {
        var (sum, place) = (Int32(0), index * (height + 1))
        sums[place] = 0
        for row in line.rows {
          sum += Int32(row)
          place += 1
          sums[place] = sum
        }
      }
      count = lines.count * (height + 1)
    }
  }

  /// How many rows with an edge under a line lie above a position, of which any outside of the view
  /// are none.
  package func count(above position: Double, of line: Int) -> Double {
    Double(sums[line * (height + 1) + Int(min(max(position, 0), Double(height)))]) / Self.seen
  }

  /// The share of the rows `top..<bottom` with an edge under a line.
  package func support(_ line: Int, _ top: Int, _ bottom: Int) -> Double {
    let (top, bottom) = (min(max(top, 0), height), min(max(bottom, 0), height))
    guard top < bottom else { return 0 }
    let start = line * (height + 1)
    return Double(sums[start + bottom] - sums[start + top]) / (Self.seen * Double(bottom - top))
  }
}
