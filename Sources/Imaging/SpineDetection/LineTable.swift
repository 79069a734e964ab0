import RectangleDetection

/// The lines of a view, with their rows in one piece of memory: pairs of them are looked at over and over.
struct LineTable {
  /// The course of each line.
  let shapes: [Shape]
  /// Line after line, for each row of the view whether there is an edge under it.
  let rows: [Float]
  /// Line after line, sums of ``rows`` from the top, one more than there are rows.
  private let sums: [Float]
  private let height: Int

  struct Shape {
    let slope: Double
    let offset: Double
    let top: Int
    let bottom: Int
    let isPictureSide: Bool

    func column(at row: Double) -> Double { slope * row + offset }
  }

  init(_ lines: [SideLine], height: Int) {
    self.height = height
    shapes = lines.map { line in
      Shape(
        slope: line.slope, offset: line.offset, top: line.top, bottom: line.bottom,
        isPictureSide: line.isPictureSide)
    }
    rows = lines.flatMap(\.rows)
    sums = lines.flatMap(\.sums)
  }

  /// The share of the rows `top..<bottom` with an edge under a line.
  func support(_ line: Int, _ top: Int, _ bottom: Int) -> Double {
    let (top, bottom) = (min(max(top, 0), height), min(max(bottom, 0), height))
    guard top < bottom else { return 0 }
    let start = line * (height + 1)
    return Double(sums[start + bottom] - sums[start + top]) / Double(bottom - top)
  }
}
