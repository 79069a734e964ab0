import Geometry

extension SpineGeometry {
  /// Orders the lines of a spine, and proposes title, author and what else is written on it.
  ///
  /// Lines are read along the direction in which most of the text runs; lines side by side across
  /// it, as where a title has two rows, from the first row to the last. Each line, or up to four
  /// that follow each other, may be title, subtitle, author, volume, publisher, series or edition,
  /// or nothing of these; a line may also be two or three of them one after the other, and two
  /// lines side by side may be two columns. Every such reading of the whole spine is scored by the
  /// size of letters, places, words (lists of names, publishers, series and editions), how surely
  /// lines were read, and by what goes together; a beam search keeps the best. Probabilities are a
  /// softmax over the scores of the readings kept.
  ///
  /// Words that stand together without a space are parted if they are frequent English words
  /// ("MOBYDICK"), names ("PhilipPullman") or initials. What stands there several times counts
  /// once.
  ///
  /// Lines without a direction, with coordinates that are not finite or without a letter or digit
  /// come last in the order, as they came, and say nothing. O(*n*²) for *n* lines; of more than 24
  /// the others are ordered only.
  ///
  /// - Parameter lines: the lines on one spine, in pixels with y growing downward.
  public func label(of lines: [SpineTextLine]) -> SpineLabel {
    let (written, order) = written(lines)
    return SpineReading.label(of: written, order: order)
  }

  /// The lines in reading order as words, and the order of all.
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

  /// Along the text, lines side by side together, their rows from the first to the last.
  private func blocks(of lines: [SpineTextLine], _ usable: [Int]) -> [[Int]] {
    // The direction of most letters: each line votes with its length.
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

  /// Where a line begins and ends along the text, and on which row it lies across it.
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
      // A quarter turn clockwise on the screen from the direction of reading, where the next row
      // is.
      let center = outline.center
      row = center.y * along.x - center.x * along.y
    }

    /// Whether half of the shorter one lies beside the other.
    func isBeside(_ other: Span) -> Bool {
      min(end, other.end) - max(start, other.start) > min(end - start, other.end - other.start) / 2
    }
  }
}
