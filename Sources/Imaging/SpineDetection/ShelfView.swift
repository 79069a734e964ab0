import Geometry
import LineSegments
import RectangleDetection

/// What rows of spines are looked for in: a picture as it is, or with x and y exchanged.
struct ShelfView {
  let isTurned: Bool
  /// Nil if there are too few lines for a spine.
  let evidence: SpineEvidence?
  /// All pairs of lines that may be a spine, by their right sides, then by their left ones.
  let candidates: [SpineCandidate]

  /// The least length of a line, as a share of the view's height.
  private static let leastLength = 1.0 / 12
  /// As a share of the usual length.
  private static let leastOfUsualLength = 0.18

  /// Takes lines of text in pixels of the picture reduced.
  init(
    _ view: EdgeView, of picture: EdgePicture, text: [Quadrilateral],
    configuration: SpineDetectionConfiguration
  ) {
    isTurned = view.isTurned
    let lines = SideLine.lines(in: view, of: picture.edges, leastLength: Self.leastLength)
    guard let (usualLength, sides) = Self.sides(of: lines, in: view) else {
      (evidence, candidates) = (nil, [])
      return
    }
    let sums = ShelfSums(view, picture.gradient)
    let table = LineTable(sides, height: view.height)
    let evidence = SpineEvidence(
      isTurned: view.isTurned, sums: sums, lines: table, level: LevelTable(sums, table.courses),
      usualLength: usualLength, configuration: configuration,
      text: TextEvidence(text.map { view.isTurned ? $0.transposed : $0 }, beside: table.courses))
    self.evidence = evidence
    candidates = table.courses.indices.flatMap { right in
      (0..<right).compactMap { evidence.candidate(left: $0, right: right, floor: nil) }
    }
  }

  /// The lines that may be sides of spines, with the picture's own, left to right, and the length
  /// that spines have about; nil if there are too few.
  private static func sides(
    of lines: [SideLine], in view: EdgeView
  ) -> (usualLength: Double, sides: [SideLine])? {
    guard lines.count >= 2 else { return nil }
    func length(_ line: SideLine) -> Double { Double(line.course.bottom - line.course.top) }
    let lengths = lines.map(length).sorted(by: >).prefix(6)
    let usualLength = (lengths[(lengths.count - 1) / 2] + lengths[lengths.count / 2]) / 2
    var sides = lines.filter { length($0) >= leastOfUsualLength * usualLength }
    let (top, bottom) = (sides.map(\.course.top).min() ?? 0, sides.map(\.course.bottom).max() ?? 0)
    let strength = sides.reduce(0) { $0 + $1.strength }
    guard sides.count >= 2, strength > 0 else { return nil }
    let middle =
      sides.reduce(0) { $0 + $1.strength * Double($1.course.top + $1.course.bottom) / 2 } / strength
    for column in [0, Double(view.width)] {
      sides.append(
        SideLine(pictureSideAt: column, height: view.height, top: top, bottom: bottom))
    }
    sides.sort { $0.course.column(at: middle) < $1.course.column(at: middle) }
    return (usualLength, sides)
  }
}
