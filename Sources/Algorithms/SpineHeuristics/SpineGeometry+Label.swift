import Geometry

extension SpineGeometry {
  /// Orders the lines of a spine, and proposes title, author and the roles of other text.
  ///
  /// Lines are read along the direction of most of the text. Lines side by side across it, for
  /// example a title in two rows, are read from the first row to the last. Each line, or up to four
  /// lines in sequence, may be title, subtitle, author, volume, publisher, series or edition, or
  /// have no role. A line may also have two or three of these roles one after the other, and two
  /// lines side by side may be two columns. Every such reading of the whole spine has a score. It
  /// depends on the size of letters, places, words (lists of names, publishers, series and
  /// editions), the confidence of the lines, and their combination. A beam search keeps the best
  /// readings. Probabilities are a softmax over the scores of the kept readings.
  ///
  /// Words without a space between them are separated if they are frequent English words
  /// ("MOBYDICK"), names ("PhilipPullman") or initials. Repeated text counts once.
  ///
  /// Lines come last in the order, in their given order, and are not used if they have no
  /// direction, coordinates that are not finite, or no letter or digit.
  ///
  /// - Complexity: O(*n*²) for *n* lines; if there are more than 24, the others are only ordered.
  /// - Parameter lines: the lines on one spine, in pixels with y growing downward.
  public func label(of lines: [SpineTextLine]) -> SpineLabel {
    let (written, order) = written(lines)
    return SpineReading.label(of: written, order: order)
  }

  /// The lines in reading order as words, and the order of all lines.
  func written(_ lines: [SpineTextLine]) -> (lines: [WrittenLine], order: [Int]) {
    let usable = lines.indices.filter { index in
      let line = lines[index]
      return line.outline.isFinite && line.direction != nil
        && line.text.contains { $0.isLetter || $0.isNumber }
    }
    let blocks = blocks(of: lines, usable)
    let order = blocks.flatMap { $0 }
    let rest = lines.indices.filter { !usable.contains($0) }
    let written = WrittenLine.lines(of: blocks.map { $0.map { lines[$0] } })
    return (written, order + rest)
  }

  /// Groups of lines side by side, in order along the text; the rows of a group are in order.
  private func blocks(of lines: [SpineTextLine], _ usable: [Int]) -> [[Int]] {
    // The direction of most letters: each line has a vote of its length.
    var sum = Point(x: 0, y: 0)
    for index in usable {
      guard let direction = lines[index].direction else { continue }
      let weight = lines[index].outline.meanWidth
      sum = Point(x: sum.x + weight * direction.x, y: sum.y + weight * direction.y)
    }
    let length = (sum.x * sum.x + sum.y * sum.y).squareRoot()
    guard length > 0 else { return usable.map { [$0] } }
    let along = Point(x: sum.x / length, y: sum.y / length)
    let spans = usable.map { index in Span(of: lines[index].outline, along: along, index: index) }
    var blocks: [[Span]] = []
    for span in spans.sorted(by: { ($0.start, $0.index) < ($1.start, $1.index) }) {
      if let last = blocks.indices.last, blocks[last].contains(where: { $0.isBeside(span) }) {
        blocks[last].append(span)
      } else {
        blocks.append([span])
      }
    }
    return blocks.map { block in
      block.sorted { ($0.row, $0.start, $0.index) < ($1.row, $1.start, $1.index) }.map(\.index)
    }
  }

  /// The start and end of a line along the text, and its row across it.
  private struct Span {
    let index: Int
    let start: Double
    let end: Double
    let row: Double

    init(of outline: Quadrilateral, along: Point, index: Int) {
      self.index = index
      let places = outline.corners.map { $0.x * along.x + $0.y * along.y }
      start = places.reduce(.infinity, min)
      end = places.reduce(-.infinity, max)
      // A quarter turn clockwise on the screen from the direction of reading gives the direction of
      // the next row.
      let center = outline.center
      row = center.y * along.x - center.x * along.y
    }

    /// Whether half of the shorter one is beside the other.
    func isBeside(_ other: Span) -> Bool {
      min(end, other.end) - max(start, other.start) > min(end - start, other.end - other.start) / 2
    }
  }
}
