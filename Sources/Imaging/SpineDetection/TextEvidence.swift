import Geometry
import RectangleDetection

/// The evidence of lines of text for the positions of spines, in pixels of a view.
struct TextEvidence {
  /// For each long line whether it runs along a line of text, inside it: a letter's strokes, no
  /// side.
  let runsAlong: [Bool]
  /// The middles of the lines of text.
  private let middles: [Point]

  /// How much of its height is cut off above and below: sides of books may touch a loose outline.
  private static let margin = 0.1

  init(_ lines: [Quadrilateral], beside courses: [SideLine.Course]) {
    middles = lines.map { $0.point(u: 0.5, v: 0.5) }
    runsAlong = courses.map { course in
      !course.isPictureSide && lines.contains { Self.runs(course, along: $0) }
    }
  }

  /// Whether half of a text's length or more has the line inside it.
  private static func runs(_ course: SideLine.Course, along line: Quadrilateral) -> Bool {
    // Text whose longer sides are upright in the view; across others a side may well pass.
    guard line.meanHeight > 1.5 * line.meanWidth else { return false }
    let steps = 16
    let inside = (0..<steps).count { step in
      let v = (Double(step) + 0.5) / Double(steps)
      let (left, right) = (line.point(u: margin, v: v), line.point(u: 1 - margin, v: v))
      let column = course.column(at: (left.y + right.y) / 2)
      return column > left.x && column < right.x
    }
    return inside * 2 >= steps
  }

  /// Whether the middle of a line of text lies between two lines.
  func isInside(_ a: SideLine.Course, _ b: SideLine.Course, rows: ClosedRange<Int>) -> Bool {
    middles.contains { middle in
      middle.y > Double(rows.lowerBound) && middle.y < Double(rows.upperBound)
        && middle.x > a.column(at: middle.y) && middle.x < b.column(at: middle.y)
    }
  }
}
